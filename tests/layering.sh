#!/bin/sh
# layering.sh SOURCE_DIR: no include goes up the list core, schema, reports,
# runner; each library of others is included only where ARCHITECTURE.md says.
set -eu
cd "$1"
failed=0

forbid() { # forbid FOLDER... -- PATTERN: no such include in these folders
    folders=
    while [ "$1" != -- ]; do folders="$folders $1"; shift; done
    # shellcheck disable=SC2086 # folders is a list
    if grep -nE "^ *# *include *[<\"]$2" -r $folders --include='*.[ch]'; then
        echo "layering: not allowed in$folders: $2" >&2
        failed=1
    fi
}

only() { # only HEADER FILE...: no other file of ours includes it
    header=$1
    shift
    for file in $(grep -lE "^ *# *include *[<\"]$header[>\"]" -r \
        core schema reports runner --include='*.[ch]' || true); do
        case " $* " in
        *" $file "*) ;;
        *)
            echo "layering: $file: may not include $header" >&2
            failed=1
            ;;
        esac
    done
}

forbid core -- '(schema|reports|runner|tests)/'
forbid schema -- '(reports|runner|tests)/'
forbid reports -- '(runner|tests)/'
forbid runner -- 'tests/'
forbid core schema reports -- '(libmount|blkid|getopt)'
# shellcheck disable=SC2046 # one word a file
only 'sqlite3\.h' $(ls schema/store*.[ch] 2>/dev/null)
only 'jansson\.h' schema/matrix.c reports/jsonvalue.h
only 'schema/store(_[a-z]+)?\.h' $(ls schema/store*.[ch]) reports/load.c \
    reports/history_load.c \
    $(ls runner/*.[ch])
only 'Rmath\.h' reports/stats.c
only 'libsmartcols\.h' $(ls reports/render_*.c runner/*.c 2>/dev/null)
only 'csv\.h' reports/render_csv.c reports/csv.c
only 'liburing\.h' core/engine_uring.c
exit $failed

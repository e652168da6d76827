#!/bin/sh
# symbols.sh BUILD_DIR NM: what x.c exports starts with x (or with the part
# of x before its last _), and no library of ours prints or exits.
set -eu
build=$1 nm=${2:-nm}
failed=0

for library in core schema reports runner; do
    archive=$build/$library/lib$library.a
    [ -f "$archive" ] || { echo "symbols: no $archive" >&2; exit 1; }
    "$nm" -A -g --defined-only "$archive" | while read -r line; do
        object=${line#*:}
        object=${object%%:*}
        name=${line##* }
        module=${object%.c.o}
        case $name in
        "$module" | "${module}"_* | __* | *.*) continue ;;
        esac
        # store_migrate.c may export store_*: one module in several files
        case $name in
        "${module%%_*}"_*) continue ;;
        esac
        echo "symbols: $library/$module.c exports $name"
    done > "$build/symbols.out"
    if [ -s "$build/symbols.out" ]; then
        cat "$build/symbols.out" >&2
        failed=1
    fi
    [ "$library" = runner ] && continue
    if "$nm" -A -u "$archive" |
        grep -E ' U (stdout|stderr|printf|puts|putchar|perror|exit|_exit|abort)$'; then
        echo "symbols: lib$library.a may neither print nor exit" >&2
        failed=1
    fi
done
rm -f "$build/symbols.out"
exit $failed

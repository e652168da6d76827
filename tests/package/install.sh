#!/bin/bash
# install.sh BUILD: installed below a prefix that was not configured, the manual
# pages name what is there, as does the program itself; and what was installed
# is removed by the list that is left of it.
set -eu
build=$(realpath "$1")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/fsmatrix-install.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
fail() { echo "install: $1" >&2; exit 1; }

prefix=$scratch/my-own
cmake --install "$build" --prefix "$prefix" > "$scratch/log" ||
    fail "$(tail "$scratch/log")"
named=0
for page in fsmatrix.1 fsmatrix-matrix.5 fsmatrix-db.5; do
    installed=$(echo "$prefix"/share/man/man?/$page)
    "$prefix/bin/fsmatrix" manual $page | cmp - "$installed" ||
        fail "the program prints another $page"
    # roff's "\-" is a "-"
    for path in $(sed 's/\\-/-/g' "$installed" |
        grep -oE '/[^ ",]*share/(doc/)?fsmatrix/[^ ",]*'); do
        [ -e "$path" ] || fail "$page names $path"
        named=$((named + 1))
    done
done
[ $named -ge 5 ] || fail "the pages name only $named paths"

xargs rm < "$build/install_manifest.txt"
left=$(find "$prefix" ! -type d)
[ -z "$left" ] || fail "not removed: $left"

DESTDIR=$scratch/root cmake --install "$build" --prefix /usr > "$scratch/log"
grep -q '/usr/share/fsmatrix/matrices' "$scratch/root/usr/share/man/man1/fsmatrix.1" ||
    fail "with DESTDIR the pages name another folder"
! grep -r "$scratch" "$scratch/root/usr/share" || fail "DESTDIR is named"

#!/bin/bash
# run_case.sh PROGRAM FOLDER: runs one folder of tests/cases.
#
#   args        the program's arguments, quoted as for a shell; or
#   script      a bash script that calls "$FSMATRIX"
#   stdout, stderr, status   what must come of it (missing: empty, 0)
#   needs       one a line: root, loop, fuse, tool NAME; else it is skipped
#   filter      a sed script that both outputs go through first
#
# It runs in a copy of the folder, which is gone afterwards. UPDATE=1 writes
# what came as what must come.
set -u
program=$(realpath -e "$1") folder=$(realpath -e "$2") || exit 1
[ -f "$folder/args" ] || [ -f "$folder/script" ] || {
    echo "run_case: $folder: neither args nor script" >&2
    exit 1
}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$scratch"' EXIT

skip() {
    echo "skipped: $1"
    exit 77
}

while read -r need tool; do
    case $need in
    root) [ "$(id -u)" = 0 ] || skip "needs root" ;;
    nonroot) [ "$(id -u)" != 0 ] || skip "needs a user who is not root" ;;
    loop) [ -e /dev/loop-control ] || skip "needs loop devices" ;;
    fuse) [ -c /dev/fuse ] || skip "needs FUSE" ;;
    tool) command -v "$tool" > /dev/null || skip "needs $tool" ;;
    '') ;;
    *) echo "run_case: $folder/needs: unknown word $need" >&2; exit 1 ;;
    esac
done < <(cat "$folder/needs" 2> /dev/null)

mkdir "$scratch/case" && cp -R "$folder/." "$scratch/case/" || exit 1
cd "$scratch/case" || exit 1
unset FSMATRIX_DB NO_COLOR
export FSMATRIX=$program FOLDER=$folder COLUMNS=80 LC_ALL=C.UTF-8 TZ=UTC
if [ -f script ]; then
    bash ./script > "$scratch/stdout" 2> "$scratch/stderr" < /dev/null
else
    eval "set -- $(cat args)"
    "$program" "$@" > "$scratch/stdout" 2> "$scratch/stderr" < /dev/null
fi
echo $? > "$scratch/status"
if [ -f filter ]; then
    sed -i -E -f filter "$scratch/stdout" "$scratch/stderr"
fi

failed=0
for name in stdout stderr status; do
    expected=$folder/$name
    if [ "${UPDATE:-}" = 1 ]; then
        rm -f "$expected"
        [ ! -s "$scratch/$name" ] || [ "$(cat "$scratch/$name")" = 0 ] ||
            cp "$scratch/$name" "$expected"
        continue
    fi
    if [ ! -f "$expected" ]; then
        expected=$scratch/expected
        [ $name = status ] && echo 0 > "$expected" || : > "$expected"
    fi
    diff -u --label "expected $name" --label "$name" \
        "$expected" "$scratch/$name" || failed=1
done
exit $failed

#!/bin/bash
# kill_merge.sh FSMATRIX [TIMES [RUNS]]: kill -9 a merge at random moments; the
# database must be as before or as after, and whole. Prints how often which.
set -u
fsmatrix=$(realpath "$1") times=${2:-100} runs=${3:-1000}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT
cd "$work" || exit 1

# What is in it, and that it is whole; opening it undoes what was half done.
state() {
    "$fsmatrix" list -n 1 --db into.db > /dev/null 2> error || cat error
    sqlite3 into.db "SELECT count(*), (SELECT count(*) FROM sample),
            (SELECT count(*) FROM phase), (SELECT sum(n) FROM point),
            (SELECT count(*) FROM series), (SELECT count(*) FROM latency)
        FROM run;
        PRAGMA integrity_check; PRAGMA foreign_key_check;" | paste -sd' '
}

sh "$here/generate.sh" "$fsmatrix" "$runs" from.db || exit 1
sh "$here/generate.sh" "$fsmatrix" 50 base.db || exit 1
cp base.db into.db
before=$(state)
start=$(date +%s%N)
"$fsmatrix" merge --db into.db from.db > /dev/null || exit 1
took=$(($(date +%s%N) - start))
after=$(state)
[ "$before" != "$after" ] || { echo "merging changed nothing" >&2; exit 1; }

untouched=0 done=0 failed=0
for ((i = 0; i < times; i++)); do
    rm -f into.db*
    cp base.db into.db
    "$fsmatrix" merge --db into.db from.db > /dev/null 2>&1 &
    pid=$!
    # A little beyond its end, too.
    wait=$((took / 1000 * (RANDOM * 32768 + RANDOM) / 1073741824 * 13 / 10))
    sleep "$((wait / 1000000)).$(printf %06d $((wait % 1000000)))"
    kill -9 "$pid" 2> /dev/null
    wait "$pid" 2> /dev/null
    now=$(state)
    if [ "$now" = "$before" ]; then
        untouched=$((untouched + 1))
    elif [ "$now" = "$after" ]; then
        done=$((done + 1))
    else
        failed=$((failed + 1))
        echo "neither: $now" >&2
    fi
    # What opens it for writing tidies up.
    "$fsmatrix" tag 1 --note '' --db into.db
    left=$(ls -A | grep -vxE '(base|into).db|from.db(-wal|-shm)?|error')
    [ -z "$left" ] || { echo "left behind: $left" >&2; failed=$((failed + 1)); }
done
echo "$times kills: $untouched as before, $done as after, $failed otherwise"
[ "$failed" = 0 ]

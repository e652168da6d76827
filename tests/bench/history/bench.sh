#!/bin/bash
# bench.sh FSMATRIX BENCH_ADD [RUNS...]: what questions cost that are asked of
# a database of years, each beside the plain sqlite3 shell that works out the
# same figures from the same file in the same run. 100, 1000 and 10000 runs (a
# hundredth, a tenth and a million samples) show what it grows with.
set -eu
fsmatrix=$(realpath "$1") bench_add=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- 100 1000 10000
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
cd "$work"
TIMES=7

if "$fsmatrix" --version | grep -q sanitizer ||
    nm -D "$fsmatrix" | grep -q __asan_init; then
    echo "bench.sh: a build with sanitizers measures nothing" >&2
    exit 1
fi

# What both sides make of each other's caches is the same: they take turns.
ms() { # ms COMMAND...: how long it takes
    local start=${EPOCHREALTIME/./}
    "$@" > /dev/null
    echo $(((${EPOCHREALTIME/./} - start)))
}
median() { sort -n | sed -n "$(((TIMES + 1) / 2))p"; }
raw() { sqlite3 -batch "$db" "$1"; }
ask() { # ask NAME SQL ARGUMENT...: one line of the table
    local name=$1 sql=$2
    shift 2
    : > ours
    : > theirs
    for ((t = 0; t < TIMES; t++)); do
        ms "$fsmatrix" "$@" --db "$db" >> ours
        ms raw "$sql" >> theirs
    done
    awk -v name="$name" -v runs="$runs" -v a="$(median < ours)" \
        -v b="$(median < theirs)" 'BEGIN {
        printf "%-22s %8d %9.1f ms %9.1f ms %7.2f\n", name, runs * 100,
            a / 1000, b / 1000, a / b }'
}

printf '%-22s %8s %12s %12s %7s\n' "" samples fsmatrix sqlite3 ratio
for runs in "$@"; do
    db=$work/$runs.db
    sh "$here/generate.sh" "$fsmatrix" "$runs" "$db"
    ask "compare the last run" "
        SELECT cell.filesystem, phase.op, count(*), exp(avg(ln(kb_per_s))),
            100 * sqrt(max(0, avg(ln(kb_per_s) * ln(kb_per_s))
                - avg(ln(kb_per_s)) * avg(ln(kb_per_s))))
        FROM cell JOIN sample ON sample.cell = cell.id
            JOIN phase_rate AS phase ON phase.sample = sample.id
        WHERE cell.run = (SELECT id FROM run ORDER BY started_at DESC LIMIT 1)
            AND sample.status = 'ok'
        GROUP BY cell.id, phase.op" compare
    ask "history of one cell" "
        SELECT run.id, run.started_at, phase.op, count(*),
            exp(avg(ln(kb_per_s)))
        FROM cell JOIN run ON run.id = cell.run
            JOIN sample ON sample.cell = cell.id
            JOIN phase_rate AS phase ON phase.sample = sample.id
        WHERE cell.volume = 'disk0' AND cell.filesystem = 'fs3'
            AND sample.status = 'ok'
        GROUP BY run.id, phase.op ORDER BY run.started_at" \
        history volume=disk0 filesystem=fs3
    ask "history of all cells" "
        SELECT cell.volume, cell.filesystem, run.id, phase.op, count(*),
            exp(avg(ln(kb_per_s)))
        FROM run JOIN cell ON cell.run = run.id
            JOIN sample ON sample.cell = cell.id
            JOIN phase_rate AS phase ON phase.sample = sample.id
        WHERE sample.status = 'ok'
        GROUP BY cell.id, phase.op" history
    ask "list" "
        SELECT run.id, run.started_at, host.name, host.os, run.matrix,
            run.status, count(DISTINCT cell.id), count(*),
            sum(sample.status <> 'ok')
        FROM (SELECT * FROM run ORDER BY started_at DESC LIMIT 20) AS run
            JOIN host ON host.id = run.host JOIN cell ON cell.run = run.id
            JOIN sample ON sample.cell = cell.id
        GROUP BY run.id ORDER BY run.started_at DESC" list
done

largest=$db samples=$((runs * 100))
echo
for into in empty "100 runs"; do
    rm -f into.db*
    [ "$into" = empty ] ||
        sh "$here/generate.sh" "$fsmatrix" 100 into.db
    /usr/bin/time -f '%e %M' -o time "$fsmatrix" merge --db into.db \
        "$largest" > /dev/null
    awk -v into="$into" -v n=$samples '{
        printf "merge into %s: %d samples in %.2f s: %.0f a second, %d MiB\n",
            into, n, $1, n / $1, $2 / 1024 }' time
done
echo
rm -f into.db*
"$bench_add" into.db "$largest"

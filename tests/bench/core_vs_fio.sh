#!/bin/bash
# core_vs_fio.sh [PAIRS [PART...]]: what measuring costs, beside a bare loop
# and fio. The parts are tmpfs, buffered, direct, huge and depth; without any
# it is all of them but huge.
#
# Builds as the release preset does, then measures by turns (core, fio, core,
# ...) and prints the median of the pairs' ratios with the quartiles: above 1
# the core is faster, or needs less CPU time. tmpfs is that of /dev/shm; the
# disk is that of the current directory. It works in directories of its own,
# which are gone afterwards. On a machine that has other things to do,
# BENCH_RUN="chrt -f 10 taskset -c 1" keeps them off both sides.
#
# Our reads check every byte, fio's none, unless the line says "fio verify";
# in those with "stamps" ours check the stamp of each 4 KiB ("verify":
# "stamps"). Of direct reads the check is in the CPU time and not in the rate; a
# line says what it is. The core's buffers are huge pages: for fio's to be such
# the part `huge` reserves 8 of them as root, and gives them back. CPU time is
# that of the process with its threads, those of io_uring too; fio's at depth
# 1 that of its one thread, else less what fio needs for a single block.
#
# The host of a virtual machine may give it memory only when that is touched,
# and take it back when it is free; whoever fills the page cache first pays for
# that, up to three CPU seconds per GiB. So what a job will need is touched and
# freed before each that goes through the page cache.
set -euo pipefail
pairs=${1:-9}
[ $# -eq 0 ] || shift
parts=${*:-tmpfs buffered direct depth}
root=$(cd "$(dirname "$0")/../.." && pwd)
read -ra run <<< "${BENCH_RUN:-}"
build=${BUILD:-$root/build/bench}
core=$build/tests/bench/bench_core
blind=$build/tests/bench/bench_blind
touch=$build/tests/bench/bench_touch
memory=$(mktemp -d /dev/shm/core_vs_fio.XXXXXX)
disk=$(mktemp -d ./core_vs_fio.XXXXXX)
trap 'rm -rf --one-file-system "$memory" "$disk"' EXIT
command -v fio > /dev/null || { echo "core_vs_fio: needs fio" >&2; exit 77; }

(cd "$root" && cmake --preset bench -B "$build" &&
    cmake --build "$build" --target bench_core bench_blind bench_touch) > /dev/null

MiB=$((1 << 20))
TIMEFORMAT='%U %S'

ratios() { # ratios TEXT: of stdin's ratios, one a line
    sort -n | awk -v text="$1" '{ r[NR] = $1 }
        END { printf "%-48s %6.3f  [%.3f %.3f]\n", text,
              r[int((NR + 1) / 2)], r[int((NR + 3) / 4)],
              r[int((3 * NR + 3) / 4)] }'
}

column() { # column A B: the ratio of two of stdin's columns
    awk -v a="$1" -v b="$2" '$b > 0 { print $a / $b }'
}

# Of fio's writes, as of ours, the file grows: without fill_device fio would
# give it its size first.
#
# fio_job DIR OP BLOCK SIZE OPTION...: its terse line in $disk/fio.out, its CPU
# seconds in $disk/fio.cpu
fio_job() {
    local dir=$1 op=$2 block=$3 size=$4 grow=
    shift 4
    [ "$op" = read ] || grow="--fill_device=1 --fallocate=none"
    # shellcheck disable=SC2086 # two options
    { time "${run[@]}" fio --name=x --filename="$dir/fio" --rw="$op" \
        --bs="$block" --size="$size" --number_ios=$((size / block)) $grow \
        --minimal --terse-version=3 --end_fsync=1 "$@" \
        > "$disk/fio.out" 2> "$disk/fio.err"; } 2> "$disk/fio.cpu" ||
        { cat "$disk/fio.err" >&2; exit 1; }
}

# fio_once DIR BLOCK SIZE OPTION...: "write KiB/s, s/GiB, read KiB/s, s/GiB"
fio_once() {
    local dir=$1 block=$2 size=$3 op idle=
    shift 3
    if [[ $* = *io_uring* ]]; then
        fio_job "$dir" write "$block" "$block" "$@"
        idle=$(< "$disk/fio.cpu")
        rm -f "$dir/fio"
    fi
    for op in write read; do
        fio_job "$dir" $op "$block" "$size" "$@"
        awk -F';' -v op=$op -v size="$size" -v idle="$idle" \
            -v all="$(< "$disk/fio.cpu")" '{
                ms = op == "write" ? $50 : $9
                cpu = ($88 + $89) / 100 * ms / 1000
                if (split(idle, i, " ") && split(all, a, " "))
                    cpu = a[1] + a[2] - i[1] - i[2]
                printf "%s %.4f ", op == "write" ? $48 : $7,
                    cpu / (size / 2 ^ 30) }' "$disk/fio.out"
    done
    echo
    rm -f "$dir/fio"
}

touch_memory() { # touch_memory BYTES
    head -c "$1" /dev/zero > "$memory/touched"
    rm "$memory/touched"
}

# by_turns DIR BLOCK SIZE IO DEPTH FIO_OPTION...: the core's and fio's columns;
# the core verifies $verify, or every byte
by_turns() {
    local dir=$1 block=$2 size=$3 io=$4 depth=$5 i
    shift 5
    for ((i = 0; i < pairs; i++)); do
        [ "$io" = direct ] || touch_memory $((size * 4))
        echo -n "$("${run[@]}" "$core" once "$dir" "$block" "$size" \
            "$io" "$depth" "${verify:-bytes}") "
        [ "$io" = direct ] || touch_memory $((size * 4))
        fio_once "$dir" "$block" "$size" "$@"
    done
}

compare() { # compare TEXT BY_TURNS_ARGUMENT...
    local text=$1 rows
    shift
    rows=$(by_turns "$@")
    column 1 5 <<< "$rows" | ratios "$text: write / fio"
    column 3 7 <<< "$rows" | ratios "$text: read / fio"
    column 6 2 <<< "$rows" | ratios "$text: fio's CPU / write's"
    column 8 4 <<< "$rows" | ratios "$text: fio's CPU / read's"
}

# checking TEXT DIR BLOCK SIZE IO DEPTH: CPU s/GiB of a read's check, of a look
# at a byte of each cache line, and of a read without either
checking() {
    local text=$1 i rows
    shift
    rows=$(for ((i = 0; i < pairs; i++)); do
        echo "$("${run[@]}" "$core" once "$@")" \
            "$("${run[@]}" "$blind" once "$@")" \
            "$("${run[@]}" "$touch" once "$@")"
    done)
    awk '{ print $4 - $8 }' <<< "$rows" | ratios "$text: CPU s/GiB of the check"
    awk '{ print $12 - $8 }' <<< "$rows" | ratios "$text: CPU s/GiB of a touch"
    awk '{ print $8 }' <<< "$rows" | ratios "$text: CPU s/GiB without it"
}

part_tmpfs() {
    local rows
    # many short ones: what else the machine does hits the two of a pair alike
    rows=$("${run[@]}" "$core" pairs "$memory" 4096 $((128 * MiB)) \
        $((pairs * 5)))
    column 1 2 <<< "$rows" | ratios "4 KiB tmpfs: write / bare pwrite loop"
    column 3 4 <<< "$rows" | ratios "4 KiB tmpfs: read / bare pread loop"
    column 5 6 <<< "$rows" | ratios "4 KiB tmpfs: pwrite loop's CPU / write's"
    column 7 8 <<< "$rows" | ratios "4 KiB tmpfs: pread loop's CPU / read's"
    compare "4 KiB tmpfs" "$memory" 4096 $((512 * MiB)) warm 1 --ioengine=psync
}

part_buffered() {
    compare "512 KiB buffered" "$disk" 524288 $((512 * MiB)) cold 1 \
        --ioengine=psync
    verify=stamps compare "512 KiB buffered, stamps" "$disk" 524288 \
        $((512 * MiB)) cold 1 --ioengine=psync
    compare "512 KiB buffered, fio verify" "$disk" 524288 $((512 * MiB)) cold \
        1 --ioengine=psync --verify=xxhash --do_verify=0
}

part_direct() {
    compare "512 KiB direct" "$disk" 524288 $((512 * MiB)) direct 1 \
        --ioengine=psync --direct=1
    verify=stamps compare "512 KiB direct, stamps" "$disk" 524288 \
        $((512 * MiB)) direct 1 --ioengine=psync --direct=1
    compare "512 KiB direct, fio verify" "$disk" 524288 $((512 * MiB)) direct \
        1 --ioengine=psync --direct=1 --verify=xxhash --do_verify=0
    checking "512 KiB direct" "$disk" 524288 $((512 * MiB)) direct 1
}

part_huge() {
    local before
    before=$(< /proc/sys/vm/nr_hugepages)
    echo $((before + 8)) > /proc/sys/vm/nr_hugepages
    compare "512 KiB direct, fio huge pages" "$disk" 524288 $((512 * MiB)) \
        direct 1 --ioengine=psync --direct=1 --mem=shmhuge
    echo "$before" > /proc/sys/vm/nr_hugepages
}

part_depth() {
    compare "512 KiB direct, depth 32" "$disk" 524288 $((1024 * MiB)) direct \
        32 --ioengine=io_uring --iodepth=32 --direct=1
    verify=stamps compare "512 KiB direct, depth 32, stamps" "$disk" 524288 \
        $((1024 * MiB)) direct 32 --ioengine=io_uring --iodepth=32 --direct=1
    checking "512 KiB direct, depth 32" "$disk" 524288 $((1024 * MiB)) direct 32
    compare "4 KiB direct, depth 32" "$disk" 4096 $((256 * MiB)) direct 32 \
        --ioengine=io_uring --iodepth=32 --direct=1
}

for part in $parts; do
    "part_$part"
done

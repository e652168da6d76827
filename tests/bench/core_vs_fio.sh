#!/bin/bash
# core_vs_fio.sh [PAIRS]: what measuring costs, beside a bare loop and fio.
#
# Builds as the release preset does, then measures by turns (core, fio, core,
# ...) and prints the median of the pairs' ratios with the quartiles: above 1
# the core is faster, or needs less CPU time. tmpfs is that of /dev/shm; the
# disk is that of the current directory. It works in directories of its own,
# which are gone afterwards. On a machine that has other things to do,
# BENCH_RUN="chrt -f 10 taskset -c 1" keeps them off both sides.
set -euo pipefail
pairs=${1:-9}
root=$(cd "$(dirname "$0")/../.." && pwd)
read -ra run <<< "${BENCH_RUN:-}"
bench=$root/build/bench/tests/bench/bench_core
memory=$(mktemp -d /dev/shm/core_vs_fio.XXXXXX)
disk=$(mktemp -d ./core_vs_fio.XXXXXX)
trap 'rm -rf --one-file-system "$memory" "$disk"' EXIT
command -v fio > /dev/null || { echo "core_vs_fio: needs fio" >&2; exit 77; }

(cd "$root" && cmake --preset release -B build/bench -DBUILD_TESTING=ON &&
    cmake --build build/bench --target bench_core) > /dev/null

MiB=$((1 << 20))

ratios() { # ratios TEXT: of stdin's ratios, one a line
    sort -n | awk -v text="$1" '{ r[NR] = $1 }
        END { printf "%-44s %6.3f  [%.3f %.3f]\n", text,
              r[int((NR + 1) / 2)], r[int((NR + 3) / 4)],
              r[int((3 * NR + 3) / 4)] }'
}

column() { # column A B: the ratio of two of stdin's columns
    awk -v a="$1" -v b="$2" '$b > 0 { print $a / $b }'
}

# Of fio's writes, as of ours, the file grows: without fill_device fio would
# give it its size first. Its CPU time is that of its own thread, without the
# kernel's workers, so that at depths above 1 only the reads' can be compared.
# Our reads check every byte, fio's none; of direct ones that check is in the
# CPU time, not in the rate.
#
# fio_once DIR BLOCK SIZE OPTION...: "write KiB/s, s/GiB, read KiB/s, s/GiB"
fio_once() {
    local dir=$1 block=$2 size=$3 op grow
    shift 3
    for op in write read; do
        grow=
        [ $op = read ] || grow="--fill_device=1 --fallocate=none"
        # shellcheck disable=SC2086 # two options
        "${run[@]}" fio --name=x --filename="$dir/fio" --rw=$op --bs="$block" \
            --size="$size" --number_ios=$((size / block)) $grow \
            --minimal --terse-version=3 --end_fsync=1 "$@" |
            awk -F';' -v op=$op -v size="$size" '{
                bw = op == "write" ? $48 : $7
                ms = op == "write" ? $50 : $9
                cpu = ($88 + $89) / 100 * ms / 1000
                printf "%s %.4f ", bw, cpu / (size / 2 ^ 30) }'
    done
    echo
    rm -f "$dir/fio"
}

# by_turns DIR BLOCK SIZE IO DEPTH FIO_OPTION...: the core's and fio's columns
by_turns() {
    local dir=$1 block=$2 size=$3 io=$4 depth=$5 i
    shift 5
    for ((i = 0; i < pairs; i++)); do
        echo "$("${run[@]}" "$bench" once "$dir" "$block" "$size" \
            "$io" "$depth")" "$(fio_once "$dir" "$block" "$size" "$@")"
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

rows=$("${run[@]}" "$bench" pairs "$memory" 4096 $((512 * MiB)) "$pairs")
column 1 2 <<< "$rows" | ratios "4 KiB tmpfs: write / bare pwrite loop"
column 3 4 <<< "$rows" | ratios "4 KiB tmpfs: read / bare pread loop"
column 5 6 <<< "$rows" | ratios "4 KiB tmpfs: pwrite loop's CPU / write's"
column 7 8 <<< "$rows" | ratios "4 KiB tmpfs: pread loop's CPU / read's"
compare "4 KiB tmpfs" "$memory" 4096 $((512 * MiB)) warm 1 --ioengine=psync
compare "512 KiB buffered" "$disk" 524288 $((512 * MiB)) cold 1 \
    --ioengine=psync
compare "512 KiB direct" "$disk" 524288 $((512 * MiB)) direct 1 \
    --ioengine=psync --direct=1
compare "4 KiB direct, depth 32" "$disk" 4096 $((64 * MiB)) direct 32 \
    --ioengine=io_uring --iodepth=32 --direct=1
compare "512 KiB direct, depth 8" "$disk" 524288 $((512 * MiB)) direct 8 \
    --ioengine=io_uring --iodepth=8 --direct=1

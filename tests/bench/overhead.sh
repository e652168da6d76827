#!/bin/bash
# overhead.sh [SAMPLES]: what a run adds around its phases, and whether its
# memory grows. It measures SAMPLES (1000) samples of 1 MiB in a directory of
# the current one, takes from the time of the whole run what the database says
# of writes, flushes, reads and evicting, and divides the rest by the samples:
# starting the process that measures, the clock's calibration, making and
# removing the folder and the files, and a commit of each sample to the disk.
# The reads are warm: evicting would be most of the time, and is not counted.
#
# It fails from 20 ms a sample on, or if the program's memory differs by more
# than 10 % between the tenth sample and the last. On a machine that has other
# things to do, BENCH_RUN="chrt -f 10" keeps them out of it.
set -euo pipefail
samples=${1:-1000}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build/bench}
read -ra run <<< "${BENCH_RUN:-}"
dir=$(mktemp -d ./overhead.XXXXXX)
trap 'rm -rf "$dir"' EXIT

(cd "$root" && cmake --preset bench -B "$build" &&
    cmake --build "$build" --target fsmatrix) > /dev/null

mkdir "$dir/volume"
cat > "$dir/overhead.json" <<END
{
  "volumes": [ { "name": "here", "directory": "volume" } ],
  "workloads": [ { "name": "small", "block": "64KiB", "size": "1MiB",
                   "read": "warm" } ],
  "rounds": $samples
}
END

begin=$(date +%s%N)
"${run[@]}" "$build/fsmatrix" --db "$dir/o.db" run "$dir/overhead.json" \
    > /dev/null 2> "$dir/progress" &
pid=$!
first=0 last=0 peak=0
while kill -0 $pid 2> /dev/null; do
    kib=$(awk '$1 == "VmRSS:" { print $2 }' /proc/$pid/status \
        2> /dev/null) || true
    sleep 0.05
    [ -n "$kib" ] || continue
    last=$kib
    [ "$kib" -le "$peak" ] || peak=$kib
    [ "$first" -gt 0 ] || [ "$(wc -l < "$dir/progress")" -lt 10 ] || first=$kib
done
wait $pid
end=$(date +%s%N)

sqlite3 "$dir/o.db" "SELECT count(*) / 2, sum(seconds),
    sum(ifnull(evict_seconds, 0)) / 2, sum(prepare_seconds) / 2,
    sum(clean_seconds) / 2
    FROM result WHERE status = 'ok'" |
    awk -F'|' -v ns=$((end - begin)) -v samples="$samples" '{
        n = $1; total = ns / 1e9; added = (total - $2 - $3) / n * 1e3
        printf "%d samples: %.1f ms each, of them %.2f in phases and %.2f " \
            "evicting\n", n, total / n * 1e3, $2 / n * 1e3, $3 / n * 1e3
        printf "added: %.2f ms a sample (goal: less than 20), of them %.2f " \
            "preparing and %.2f cleaning up\n", added, $4 / n * 1e3,
            $5 / n * 1e3
        exit n != samples || added >= 20 }'
awk -v first="$first" -v last="$last" -v peak="$peak" 'BEGIN {
    if (!first) { print "too few samples to see the memory"; exit }
    printf "memory: %d KiB at the tenth sample, %d at the end (%+.1f %%), " \
        "%d at most\n", first, last, (last / first - 1) * 100, peak
    exit last > first * 1.1 || first > last * 1.1 }'

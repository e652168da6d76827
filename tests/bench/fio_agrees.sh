#!/bin/bash
# fio_agrees.sh [PAIRS [SIZE_MIB]]: whether the program and fio say the same of
# one filesystem: ext4 on an image in the current directory, mounted once for
# both, in blocks of 512 KiB, by turns. Needs root, a loop device and fio.
#
# The durable rate is held against fio's with end_fsync=1, the rate until the
# last write returned against fio's without, and a cold read against one after
# the caches were dropped, as ours were. Ours also waits for syncfs, which
# flushes the disk a second time: of a small SIZE_MIB that shows.
#
# Printed are the median of the pairs' ratios (fsmatrix / fio), the quartiles,
# and how much each spreads by itself: half the distance of the quartiles, in
# percent of the median. BENCH_RUN="chrt -f 10" keeps other work off both.
set -euo pipefail
pairs=${1:-9} size=${2:-1024}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build/bench}
read -ra run <<< "${BENCH_RUN:-}"
dir=$(mktemp -d ./fio_agrees.XXXXXX)
loop=
clean() {
    mountpoint -q "$dir/mnt" && umount "$dir/mnt"
    [ -z "$loop" ] || losetup -d "$loop"
    rm -rf "$dir"
}
trap clean EXIT
command -v fio > /dev/null || { echo "fio_agrees: needs fio" >&2; exit 77; }

(cd "$root" && cmake --preset bench -B "$build" &&
    cmake --build "$build" --target fsmatrix) > /dev/null

mkdir "$dir/mnt"
truncate -s $((2 * size + 512))M "$dir/image"
mkfs.ext4 -q "$dir/image"
loop=$(losetup -f --show --direct-io=on "$dir/image")
mount "$loop" "$dir/mnt"
cat > "$dir/m.json" <<END
{
  "volumes": [ { "name": "ext4", "directory": "mnt" } ],
  "workloads": [ { "name": "seq", "block": "512KiB", "size": "${size}MiB" } ],
  "rounds": 1
}
END

ours() { # "app durable read", KiB/s
    "${run[@]}" "$build/fsmatrix" --db "$dir/db" run "$dir/m.json" \
        > /dev/null 2>&1
    sqlite3 -separator ' ' "$dir/db" "SELECT w.app_kb_per_s, w.kb_per_s,
        r.kb_per_s FROM result w JOIN result r USING (sample)
        WHERE w.op = 'W' AND r.op = 'R' AND w.status = 'ok'
        ORDER BY sample DESC LIMIT 1"
}

fio_job() { # fio_job FIELD OPTION...
    local field=$1
    shift
    "${run[@]}" fio --name=x --filename="$dir/mnt/fio" --bs=512k \
        --ioengine=psync --size="${size}M" --number_ios=$((2 * size)) \
        --fallocate=none --minimal --terse-version=3 "$@" |
        awk -F';' -v field="$field" '{ printf "%s ", $field }'
}

fios() { # the same of fio
    fio_job 48 --rw=write --fill_device=1
    rm "$dir/mnt/fio"
    sync -f "$dir/mnt"
    fio_job 48 --rw=write --fill_device=1 --end_fsync=1
    echo 3 > /proc/sys/vm/drop_caches
    fio_job 7 --rw=read
    rm "$dir/mnt/fio"
    echo
}

for ((i = 0; i < pairs; i++)); do
    if ((i % 2)); then
        theirs=$(fios)
        echo "$(ours) $theirs"
    else
        echo "$(ours) $(fios)"
    fi
done > "$dir/rows"

quartiles() { # of stdin's numbers: median, first, third
    sort -n | awk '{ r[NR] = $1 } END { print r[int((NR + 1) / 2)],
        r[int((NR + 3) / 4)], r[int((3 * NR + 3) / 4)] }'
}

spread() { # spread COLUMN
    awk -v c="$1" '{ print $c }' "$dir/rows" | quartiles |
        awk '{ printf "%.0f %%", ($3 - $2) / 2 / $1 * 100 }'
}

line() { # line TEXT OURS FIOS
    awk -v a="$2" -v b="$3" '{ print $a / $b }' "$dir/rows" | quartiles |
        awk -v text="$1" -v ours="$(spread "$2")" -v fios="$(spread "$3")" '{
            printf "%-32s %.3f  [%.3f %.3f]  spread: ours %s, fio %s\n",
                text, $1, $2, $3, ours, fios }'
}

echo "$pairs pairs of $size MiB"
line "durable / fio end_fsync=1" 2 5
line "until the last write / fio" 1 4
line "cold read / fio" 3 6

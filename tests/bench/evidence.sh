#!/bin/bash
# evidence.sh [ROUNDS [SIZE]]: what stands behind the figures, in one table:
# ext4, XFS, btrfs, ntfs-3g and fusefat on an image in the current directory,
# buffered and direct, cold and warm. It needs root, loop devices, and 2 GiB.
#
# KB/s is the median of ROUNDS (3) samples; `mode` is the mode in force;
# `resident` the share of the file that was in memory before the read; `disk`
# what the disk below the image transferred, per byte of the file, but no more
# than its loop device was asked for. `c` marks a read that memory served.
#
# A run drops the page cache once a cold sample. How often others did
# meanwhile is said below: their doing makes a warm read one of the disk.
set -euo pipefail
rounds=${1:-3} size=${2:-256MiB}
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$root/build/bench}
dir=$(mktemp -d ./evidence.XXXXXX)
trap 'rm -rf "$dir"' EXIT

(cd "$root" && cmake --preset bench -B "$build" &&
    cmake --build "$build" --target fsmatrix) > /dev/null

workload() { # workload NAME IO READ
    printf '{ "name": "%s", "size": "%s", "io": "%s", "read": "%s" }' \
        "$1" "$size" "$2" "$3"
}

cat > "$dir/evidence.json" <<END
{
  "volumes": [ { "name": "image", "image": "image.img", "size": "1GiB" } ],
  "filesystems": [
    { "name": "ext4", "type": "ext4" },
    { "name": "XFS", "type": "xfs" },
    { "name": "btrfs", "type": "btrfs" },
    { "name": "NTFS", "type": "ntfs", "driver": "ntfs-3g" },
    { "name": "FAT", "type": "vfat", "driver": "fusefat" }
  ],
  "workloads": [
    $(workload "buffered, cold" buffered cold),
    $(workload "buffered, warm" buffered warm),
    $(workload "direct, cold" direct cold),
    $(workload "direct, warm" direct warm)
  ],
  "rounds": $rounds
}
END

drops() {
    awk '$1 == "drop_pagecache" { print $2 }' /proc/vmstat
}

before=$(drops)
status=0
"$build/fsmatrix" --db "$dir/e.db" run "$dir/evidence.json" > /dev/null ||
    status=$?
sqlite3 -noheader "$dir/e.db" "
WITH figure AS (
    SELECT *, row_number() OVER (
            PARTITION BY cell, op ORDER BY kb_per_s) AS place,
        count(*) OVER (PARTITION BY cell, op) AS n
    FROM result WHERE status = 'ok')
SELECT '| FS | driver | asked | op | KB/s | mode | resident | disk | |'
UNION ALL SELECT '|---|---|---|---|--:|---|--:|--:|---|'
UNION ALL SELECT * FROM (
    SELECT printf('| %s | %s | %s | %s | %,d | %s | %s | %s | %s |',
        filesystem, driver, workload, op, kb_per_s, io_effective,
        CASE op WHEN 'R' THEN
            ifnull(printf('%.0f %%', 100.0 * resident_bytes / bytes), '?')
            ELSE '' END,
        ifnull(printf('%.2f', 1.0 * device_bytes / bytes), '?'),
        CASE cached WHEN 1 THEN 'c' ELSE '' END)
    FROM figure WHERE place = (n + 1) / 2
    ORDER BY cell, op DESC)"
ours=$(sqlite3 "$dir/e.db" "SELECT count(*) FROM result
    WHERE op = 'W' AND evict_seconds > 0")
echo
echo "others dropped the page cache $(($(drops) - before - ours)) times"
exit $status

#!/bin/bash
# corrupt_byte.sh PROGRAM: one byte of the image is changed below the mounted
# filesystem while the sample is being written. The cold read finds it, names
# file and offset, and the sample is CORRUPT, not slow or fast.
. "$(dirname "$0")/system.sh"
need_loop
need_tool mkfs.ext4 e2fsprogs
need_tool filefrag e2fsprogs
need_tool nsenter util-linux
need_tool sqlite3 sqlite3
need_tool awk mawk
need_namespaces
cd "$scratch" || exit 1
cat > m.json << 'E'
{ "volumes": [ { "name": "s", "image": "s.img", "size": "512MiB" } ],
  "filesystems": [ { "type": "ext4" } ],
  "workloads": [ { "block": "4KiB", "size": "64MiB", "io": "direct" } ], "rounds": 1 }
E
at=$((1048576 + 4096 + 777)) # neither a block's first byte nor in its stamp

"$program" run --db .db m.json > .table 2> .log &
run=$!
# The worker, once its file is long enough to hold the byte.
inside() { nsenter -t "$worker" -m -- "$@"; }
for _ in $(seq 3000); do
    sleep 0.01
    worker=$(pgrep -P $run -x "${program##*/}" | head -1)
    [ -n "$worker" ] || continue
    mount=$(inside findmnt -rn -o TARGET -t ext4 2> /dev/null |
        grep -E '^/run/fsmatrix-' | head -1)
    file=$([ -z "$mount" ] || inside find "$mount" -type f -size +4M | head -1)
    [ -z "$file" ] || break
done
[ -n "${file:-}" ] || fail "the test file was not seen: $(cat .log)"
kill -STOP "$worker"
inside sync -f "$file"
loop=$(inside findmnt -rn -o SOURCE "$mount")
# Of the extent that holds the byte: where its first block is on the disk.
physical=$(inside filefrag -b4096 -v "$file" | awk -v block=$((at / 4096)) '
    $1 ~ /^[0-9]+:$/ { gsub(/[.:]/, " ");
        if ($2 <= block && block <= $3) print $4 + block - $2 }')
[ -n "$physical" ] || fail "where the byte is on the disk is not known"
offset=$((physical * 4096 + at % 4096))
old=$(dd if="$loop" bs=1 skip=$offset count=1 status=none | od -An -tu1)
# shellcheck disable=SC2059 # the format is the byte
printf "\\x$(printf %02x $((old ^ 1)))" |
    dd of="$loop" bs=1 seek=$offset conv=notrunc,fsync status=none
kill -CONT "$worker"

wait $run
status=$?
[ $status = 3 ] || fail "ended with $status: $(cat .log)"
mentions .table 'CORRUPT'
reason=$(sqlite3 .db "select reason from sample where status = 'corrupt'")
case $reason in
*" $at"*) ;;
*) fail "the byte at $at is not named: $reason" ;;
esac

#!/bin/bash
# With consent a partition is made anew for each sample, and nothing else is.
. "$(dirname "$0")/device.sh"
need_tool mkfs.ext4 e2fsprogs
disk one 1a2b3c4d
rest() { # what is not the first partition
    sync "$image"
    head -c 1M "$image" | sha256sum
    tail -c +$((43008 * 512 + 1)) "$image" | sha256sum
}
before=$(rest)
rounds=2

matrix "$path" "$erase"
expect 0 plan m.json
mentions .out "mkfs.ext4 .*$path"
[ "$(rest)$(sum "$image")" = "$before$(sum "$image")" ] || fail "plan wrote"

for type in ext4 ntfs vfat; do
    matrix "$path" "$erase" $type
    rm -f x.db
    "$program" run --db x.db m.json > .out 2> .err < /dev/null
    status=$?
    if grep -q 'no sample\|skipped' .err; then
        echo "without $type: $(grep -m1 skipped .err)"
        continue
    fi
    [ $status = 0 ] || { cat .out .err >&2; fail "$type ended with $status"; }
    [ "$(rest)" = "$before" ] || fail "$type: more than the partition changed"
    blkid -p -o value -s TYPE "$part" | grep -q . ||
        fail "$type: no filesystem is on it"
    ! findmnt -S "$part" > /dev/null || fail "$type: it is left mounted"
done

# Whoever else keeps udev from the disk is waited for, and then respected.
matrix "$path" "$erase"
flock "$loop" sleep 60 &
holder=$!
for _ in $(seq 100); do
    flock -n "$loop" true || break
    sleep 0.05
done
expect 75 run --db x.db m.json
mentions .err "another program has locked $loop"
pkill -P $holder sleep
wait $holder 2> /dev/null
flock -n "$loop" true || fail "the disk is left locked"

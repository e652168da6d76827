#!/bin/bash
# kill -9 in the middle of a sample: two seconds later the device is nobody's,
# and the next run takes it.
. "$(dirname "$0")/device.sh"
need_tool mkfs.ext4 e2fsprogs
disk one 1a2b3c4d

in_use() { # by any mount of anybody, or O_EXCL
    grep -lsF " $part " /proc/[0-9]*/mountinfo
}

for type in ext4 ntfs; do
    # many samples, one after the other
    rounds=500 matrix "$path" "$erase" $type
    "$program" run --db "$type.db" m.json > .out 2> .err < /dev/null &
    main=$!
    for _ in $(seq 400); do
        [ -z "$(in_use)" ] || break
        kill -0 $main 2> /dev/null || break
        sleep 0.01
    done
    if grep -q skipped .err; then
        wait $main
        echo "without $type: $(grep -m 1 skipped .err)"
        continue
    fi
    kill -KILL $main || fail "$type: it ended by itself: $(cat .err)"
    wait $main 2> /dev/null
    for _ in $(seq 40); do
        [ -n "$(in_use)" ] || break
        sleep 0.05
    done
    [ -z "$(in_use)" ] || fail "$type: still mounted in $(in_use)"
    matrix "$path" "$erase" $type
    expect 0 run --db "$type.db" m.json
done

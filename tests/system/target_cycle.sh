#!/bin/bash
# target_cycle.sh TOOL TYPE DRIVER: a volume of this type is made, served by
# this driver, keeps its data over an evict, and goes without a trace.
. "$(dirname "$0")/system.sh"
type=$1 driver=$2
need_loop
"$program" -p -t "$type" -d "$driver" "$scratch/a.img" \
    > "$scratch/.plan" 2> "$scratch/.err"
[ $? = 77 ] && skip "$(cat "$scratch/.err")"

expect 0 -t "$type" -d "$driver" "$scratch/a.img"
says .out "driver=$driver"
mentions .out '^device=/dev/loop[0-9]+$'
says .out "resident=0"
# 4 MiB are on the device before anybody unmounts, whatever fsync is worth.
[ "$(sed -n 's/^written=//p' "$scratch/.out")" -ge 4194304 ] ||
    fail "not written: $(grep ^written= "$scratch/.out")"

# The plan is what was done, but for the names that it cannot know.
device=$(sed -n 's/^device=//p' "$scratch/.out")
sed -n 's/^mkfs=//p; s/^mount=//p' "$scratch/.out" |
    sed -E "s|$device|LOOP|; s|/run/fsmatrix-[A-Za-z0-9]{6}|MOUNTPOINT|" \
        > "$scratch/.done"
tail -n 2 "$scratch/.plan" | diff -u - "$scratch/.done" ||
    fail "the plan is not what was done"

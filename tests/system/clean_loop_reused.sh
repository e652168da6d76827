#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# clean_loop_reused.sh PROGRAM: a record names a loop device and a file, of this
# boot, and somebody has attached a file of his own since, which got the number
# of the device and the inode that was free again. It is neither detached nor
# emptied, whether the record is old and cannot say more, or tells one
# attachment from another.
. "$(dirname "$0")/system.sh"
need_loop
mkdir -m 700 "$FSMATRIX_STATE"
file=$scratch/kept.bin
head -c 4M /dev/urandom > "$file"
sum=$(sha256sum < "$file")
device=$(losetup -f --show "$file") || skip "no loop device is free"
detach() {
    local status=$?
    [ "$(losetup -n -O BACK-FILE "$device" 2> /dev/null)" != "$file" ] ||
        losetup -d "$device"
    return $status
}
trap 'detach; cleanup' EXIT
sequence=$(cat "/sys/block/${device#/dev/}/diskseq" 2> /dev/null) ||
    skip "needs a kernel that counts attachments (5.15)"

# record VERSION IDENTITY...: of a run of this boot that is no more
record() {
    echo "fsmatrix-record $1 $(cat /proc/sys/kernel/random/boot_id) 1 1
+ loop $(stat -c '%d %i' "$file") ${*:2} $(date +%s%N) $device" \
        > "$FSMATRIX_STATE/run-1-1-0"
}

expect_untouched() {
    [ "$(losetup -n -O BACK-FILE "$device")" = "$file" ] ||
        fail "$1: it was detached"
    # past its own cache, which a discard would have missed
    blockdev --flushbufs "$device"
    [ "$(sha256sum < "$file")" = "$sum" ] || fail "$1: its content is gone"
    [ "$(sha256sum < "$device")" = "$sum" ] || fail "$1: its content is gone"
}

record 1
for option in -n ''; do
    # shellcheck disable=SC2086 # none, if it is empty
    expect 1 clean $option
    mentions .err "cannot remove loop device $device: .* whether it is ours"
    expect_untouched "an old record"
done
record 2 $((sequence - 1))
expect 0 clean
says .out "nothing left behind"
expect_untouched "another attachment"
[ ! -e "$FSMATRIX_STATE/run-1-1-0" ] || fail "the record is still there"

record 2 "$sequence"
expect 0 clean
says .out "removed loop device $device"
[ -z "$(losetup -n -O BACK-FILE "$device" 2> /dev/null)" ] ||
    fail "ours is still attached"

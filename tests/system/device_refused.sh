#!/bin/bash
# A device that is not named for good, not free or not consented to is not
# touched: exit 4, and the reason.
. "$(dirname "$0")/device.sh"
need_tool mkfs.ext4 e2fsprogs
disk one 1a2b3c4d

# Consent.
refuses "$path" - "a run destroys everything on ${part#/dev/}.*\"erase\": \"$erase\""
refuses "$path" "$uuid 20971521" "another device or size.*\"erase\": \"$erase\""
refuses "$path" "1a2b3c4e-01 20971520" "another device or size"
refuses "$path" "$uuid" "another device or size"

# Names.
for name in "$part" "$loop" "$image" "$scratch" /dev/null "$scratch/fifo" \
    "/dev/disk/by-id/../../${part#/dev/}" "/dev/disk/by-id/." \
    "/dev/disk/by-partuuid/../by-partuuid/$uuid" "/dev/disk/by-partuuid//$uuid" \
    "/dev/disk/by-uuid/$uuid" "$scratch/link" ./link; do
    [ -e "$scratch/fifo" ] || mkfifo "$scratch/fifo"
    [ -e "$scratch/link" ] || ln -s "$part" "$scratch/link"
    refuses "$name" "$erase" "not a (name that always|path in)"
done
refuses "$part" "$erase" "today it is $path"
mkdir "$scratch/folder"
for target in /dev/null "$scratch/fifo" "$scratch/folder" "$image" /dev/full; do
    link /dev/disk/by-id/fsmatrix-test "$target"
    refuses /dev/disk/by-id/fsmatrix-test "$erase" "not a block device"
done
link /dev/disk/by-id/fsmatrix-test /dev/no-such-disk
refuses /dev/disk/by-id/fsmatrix-test "$erase" "no such device here"
link /dev/disk/by-id/fsmatrix-test fsmatrix-test
refuses /dev/disk/by-id/fsmatrix-test "$erase" "no such device here"
refuses "$path-9" "$erase" "no such device here"

# A link that says what is not so.
link /dev/disk/by-partuuid/1a2b3c4d-02 "$part"
refuses /dev/disk/by-partuuid/1a2b3c4d-02 "1a2b3c4d-02 20971520" \
    "leads to ${part#/dev/}, whose partition UUID is $uuid"

# Whole disks with partitions, whether or not the kernel knows them.
link /dev/disk/by-id/fsmatrix-test "$loop"
refuses /dev/disk/by-id/fsmatrix-test "X 33554432" "has partitions, .*p1 to"
partx -d "$loop"
refuses /dev/disk/by-id/fsmatrix-test "X 33554432" \
    "has a partition table \(dos\) with 2 entries"
partx -a "$loop"

# One without anything to tell it by.
plain=$scratch/kept-plain.img
truncate -s 8M "$plain"
attach "$plain"
link /dev/disk/by-id/fsmatrix-test "$loop"
image=$plain refuses /dev/disk/by-id/fsmatrix-test "X 8388608" \
    "has no serial number, WWN or UUID"

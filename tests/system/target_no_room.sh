#!/bin/bash
# Where no image can be made, the message names its path.
. "$(dirname "$0")/system.sh"
need_loop
mkdir "$scratch/tmpfs"
mount -t tmpfs -o size=1m fsmatrix-test "$scratch/tmpfs" || fail "no tmpfs"
expect 1 -t ext4 -a "$scratch/tmpfs/a.img"
says .err "image $scratch/tmpfs/a.img needs 512MiB, and 1MiB (1048576 bytes) \
are free there"
head -c 1m /dev/zero > "$scratch/tmpfs/full"
expect 1 -t ext4 "$scratch/tmpfs/a.img"
says .err "image $scratch/tmpfs/a.img: the filesystem it is on is full"
rm "$scratch/tmpfs/full"

mount -o remount,ro "$scratch/tmpfs"
expect 1 -t ext4 "$scratch/tmpfs/a.img"
says .err "creating image $scratch/tmpfs/a.img: Read-only file system"

expect 1 -t ext4 "$scratch/none/a.img"
says .err "creating image $scratch/none/a.img: No such file or directory"

# The filesystem of the image may refuse direct I/O: then it is recorded.
mount -o remount,rw,size=200m "$scratch/tmpfs"
expect 0 -t ext4 -s 104857600 "$scratch/tmpfs/a.img"
mentions .out '^buffered_loop=[01]$'
says .out "stat="
umount "$scratch/tmpfs"

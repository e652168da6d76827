#!/bin/bash
# A mount that fails says why, whoever serves it, and leaves nothing.
. "$(dirname "$0")/system.sh"
need_loop
expect 1 -t ext4 -o no_such_option "$scratch/a.img"
mentions .err '^mount -t ext4 -o noinit_itable,no_such_option /dev/loop.* failed: '
# Where its log may be read, the kernel's own words name the option.
if [ -n "$(dd if=/dev/kmsg iflag=nonblock bs=8192 count=1 2> /dev/null)" ]; then
    mentions .err "Invalid argument; the kernel: .*no_such_option"
fi
expect 1 -t ext4 -o ro "$scratch/a.img"
says .err "writing in what ext4 mounted: Read-only file system"
expect 1 -t ext4 -o noatime,loop "$scratch/a.img"
says .err "mount option loop: would measure a second loop device"
expect 1 -t ext4 -o X-mount.subdir=/ "$scratch/a.img"
says .err "mount option X-mount.subdir: makes and mounts more than the volume"
expect_no_traces
if command -v ntfs-3g > /dev/null; then
    expect 1 -t ntfs -d ntfs-3g -o uid=nobody! "$scratch/a.img"
    mentions .err "^ntfs-3g -o 'no_detach,uid=nobody!' .* failed .*uid"
fi

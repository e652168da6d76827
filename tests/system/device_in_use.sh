#!/bin/bash
# A device that somebody uses is not touched, whatever the consent.
# in a mount namespace of its own: what is mounted here nobody else keeps busy
mountpoint -q / || { echo "skipped: needs a root that is a mount, no chroot"; exit 77; }
[ -n "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] ||
    PRIVATE_MOUNTS=1 exec unshare -m --propagation private bash "$0" "$@"
. "$(dirname "$0")/device.sh"
need_tool mkfs.ext4 e2fsprogs
disk one 1a2b3c4d
name=${part#/dev/}
mkdir mnt

# read-only, so that what is on it does not change by itself
mkfs.ext4 -q -F "$part" && mount -o ro "$part" mnt || exit 1
refuses "$path" "$erase" "$name: mounted at $scratch/mnt; unmount it first"
mount --bind mnt mnt
refuses "$path" "$erase" "$name: mounted at $scratch/mnt; unmount it first"
umount mnt
# the whole of it, as if the partition were free
link /dev/disk/by-id/fsmatrix-test "$loop"
refuses /dev/disk/by-id/fsmatrix-test "X 33554432" "has partitions"
umount mnt

# Where we cannot see it, the kernel does.
mkfifo go
unshare -m bash -c "mount -o ro $part mnt && echo ready > ready; read -r < go" &
other=$!
for _ in $(seq 100); do [ -e ready ] || sleep 0.05; done
refuses "$path" "$erase" "something has it for itself"
echo > go
wait $other

# A loop device over it.
under=$part
attach "$under"
refuses "$path" "$erase" "$name: held by ${loop#/dev/}; stop what holds it"
detach "$loop"

# Swap, if this kernel has it and nobody minds.
if mkswap "$under" > /dev/null 2>&1 && swapon "$under" 2> /dev/null; then
    swap=$under
    says_no "$path" "$erase" "$name: in use as swap; swapoff it first"
    swapoff "$under" && swap=
else
    echo "without swap: swapon does not work here"
fi

# A device mapper device over it.
if DM_DISABLE_UDEV=1 dmsetup create fsmatrix-test --table \
    "0 8192 linear $under 0" 2> /dev/null; then
    refuses "$path" "$erase" "$name: held by dm-[0-9]+ \(fsmatrix-test\)"
    DM_DISABLE_UDEV=1 dmsetup remove fsmatrix-test
else
    echo "without device mapper: dmsetup does not work here"
fi

# A part of an array that nobody has assembled (mdadm's superblock 1.2).
# shellcheck disable=SC2059 # the format is the bytes
printf "$(little_endian $((16#a92b4efc)))$(little_endian 1)" |
    dd of="$under" bs=1 seek=4096 conv=notrunc status=none
printf '\x08' | dd of="$under" bs=1 seek=$((4096 + 144)) conv=notrunc status=none
sync "$under"
if [ "$(blkid -p -s TYPE -o value "$under")" = linux_raid_member ]; then
    refuses "$path" "$erase" "$name: part of what other devices .*linux_raid_member"
else
    fail "libblkid sees $(blkid -p "$under") there"
fi
dd if=/dev/zero of="$under" bs=4096 seek=1 count=1 conv=notrunc status=none

# Read-only.
blockdev --setro "$under"
refuses "$path" "$erase" "$name: read-only"
blockdev --setrw "$under"

# What / is on, by whatever name; this consent is none, in case all else fails.
root=$(findmnt -n -o SOURCE /)
if [ -b "$root" ]; then
    link /dev/disk/by-id/fsmatrix-test "$root"
    refuses /dev/disk/by-id/fsmatrix-test "X 1" "mounted at /; it is this system"
    refuses "$root" "X 1" "not a name that always"
fi

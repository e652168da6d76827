#!/bin/bash
# Which directories volumes offers: one for each filesystem on a disk that
# lets us write, and one that is in memory.
# in a mount namespace of its own: what is mounted here nobody else keeps busy
mountpoint -q / || { echo "skipped: needs a root that is a mount, no chroot"; exit 77; }
[ -n "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] ||
    PRIVATE_MOUNTS=1 exec unshare -m --propagation private bash "$0" "$@"
. "$(dirname "$0")/system.sh"
need_loop
need_tool mkfs.ext4 e2fsprogs
cd "$scratch" || exit 1
for name in one two three; do
    truncate -s 16M kept-$name.img && mkfs.ext4 -q -F kept-$name.img &&
        mkdir $name || exit 1
done
mkdir again memory "$scratch/a \"b\""
mount -o loop kept-one.img one && mount -o loop,ro kept-two.img two &&
    mount --bind one again && mount -t tmpfs none memory &&
    mount -o loop kept-three.img "$scratch/a \"b\"" || exit 1
source=$(findmnt -n -o SOURCE one)

offers() { grep -qF -e "\"directory\": \"$1\"" .out; }

expect 0 volumes
mentions .out "^$scratch/one +ext4 +$source +[0-9.]+MiB +[0-9.]+MiB$"
offers "$scratch/one" || fail "what is mounted is not offered"
offers "$scratch/a \\\"b\\\"" || fail "a name with quotes is not offered"
! offers "$scratch/two" || fail "read-only is offered"
! offers "$scratch/again" || fail "the same filesystem is offered twice"
! offers "$scratch/memory" || fail "any memory is offered"
[ "$(stat -f -c %T /dev/shm)" != tmpfs ] || offers /dev/shm ||
    fail "/dev/shm is not offered"

# From inside, the directory we are in comes before its mount's root.
mkdir one/inside
(cd one/inside && "$program" volumes) > .out
offers "$scratch/one/inside" || fail "the current directory is not offered"
! offers "$scratch/one" || fail "its mount is offered as well"

# A user is offered where he may write.
cp "$program" ./fsmatrix
chmod 755 . fsmatrix
install -d -o 65534 one/home
(cd / && HOME=$scratch/one/home unprivileged "$scratch/fsmatrix" volumes) > .out
offers "$scratch/one/home" || fail "a home is not offered"
! grep -qF "$scratch/a " .out || fail "what may not be written is offered"
mentions .out "Only root can test on devices and images"

umount again memory one two "$scratch/a \"b\""

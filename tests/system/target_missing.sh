#!/bin/bash
# What is missing on this machine skips the cell, with the reason.
. "$(dirname "$0")/system.sh"
need_namespaces
need_loop
command -v unshare > /dev/null || skip "needs unshare"

# hidden PATH ARGUMENT...: runs the program where PATH is no program
hidden() {
    local path=$1
    shift
    unshare -m --propagation private bash -c '
        mount --bind /dev/null "$1" && shift && exec "$@"' - \
        "$(realpath "$(command -v "$path")")" "$program" "$@" \
        > "$scratch/.out" 2> "$scratch/.err"
    [ $? = 77 ] || fail "not skipped: $(cat "$scratch/.err")"
}

need_tool mkfs.ntfs ntfs-3g
hidden mkfs.ntfs -t ntfs "$scratch/a.img"
says .err "no mkfs.ntfs (install ntfs-3g)"
need_tool fuse2fs fuse2fs
hidden fuse2fs -t ext4 -d fuse2fs "$scratch/a.img"
says .err "no fuse2fs (install fuse2fs)"

# A /dev without loop devices, then one without their nodes.
# bare_dev STATUS COMMAND: with a tmpfs on /dev, after COMMAND
bare_dev() {
    unshare -m --propagation private bash -c '
        mount -t tmpfs dev /dev && mknod /dev/null c 1 3 &&
        mknod /dev/urandom c 1 9 && eval "$1" && shift && exec "$@"' - \
        "$2" "$program" -t ext4 "$scratch/a.img" \
        > "$scratch/.out" 2> "$scratch/.err"
    local status=$?
    [ $status = "$1" ] || fail "ended with $status: $(cat "$scratch/.err")"
}
bare_dev 77 true
says .err "no loop devices here (no /dev/loop-control; modprobe loop?)"
bare_dev 0 'mknod /dev/loop-control c 10 237'
mentions .out '^device=/dev/loop[0-9]+$'

need_tool setpriv util-linux
cp "$program" "$scratch/tool"
chmod 755 "$scratch" "$scratch/tool"
unprivileged "$scratch/tool" -t ext4 "$scratch/a.img" 2> "$scratch/.err"
[ $? = 77 ] || fail "not skipped"
says .err "image volumes need root (directories do not)"
setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin \
    "$scratch/tool" -t ext4 "$scratch/a.img" 2> "$scratch/.err"
[ $? = 77 ] || fail "not skipped: $(cat "$scratch/.err")"
says .err "mounting is not allowed here (no CAP_SYS_ADMIN)"

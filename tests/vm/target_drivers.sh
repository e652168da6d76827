#!/bin/bash
# target_drivers.sh TOOL LOAD_MODULE: the kernel's own drivers serve what they
# are there for, and are read back by their names; vfat at the least.
set -u
here=$(dirname "$(realpath "$0")")
tool=$(realpath "$1") load_module=$2
if grep -qE '__(asan|tsan)_init' "$tool"; then
    echo "skipped: a sanitized program does not run under this kernel"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT

cat > "$work/inside" << INSIDE
mkdir /tmp/t && mount -t tmpfs -o size=700m t /tmp/t || exit 1
sed -n 's/^\t/has /p' /proc/filesystems
for type in vfat exfat ntfs f2fs udf ext2 ext4 xfs btrfs; do
    echo "== \$type"
    ${tool@Q} -t \$type -s 402653184 /tmp/t/a.img
    echo "status=\$?"
done
echo "== left"
losetup -a
grep fsmatrix- /proc/self/mountinfo
ls -d /run/fsmatrix-* /tmp/t/* 2> /dev/null
exit 0
INSIDE
MODULES="loop vfat nls_cp437 nls_iso8859-1 nls_ascii f2fs crc32_generic udf" \
    UML_MEM=1500M bash "$here/uml.sh" "$load_module" "$work/inside" \
    > "$work/out" 2> "$work/err"
status=$?
if [ $status = 77 ]; then
    cat "$work/out"
    exit 77
fi
cat "$work/out" "$work/err"
failed=0

# expect TYPE DRIVER must-have|may-lack: it has served, or is not there
expect() {
    local part
    part=$(sed -n "/^== $1\$/,/^status=/p" "$work/out")
    if grep -qx 'status=77' <<< "$part"; then
        [ "$3" = may-lack ] && return
    elif grep -qx "driver=$2" <<< "$part"; then
        grep -qx 'status=0' <<< "$part" && return
    fi
    echo "FAILED: $1 was not served by $2" >&2
    failed=1
}
[ $status = 0 ] || failed=1
expect vfat vfat must-have
expect f2fs f2fs may-lack
expect udf udf may-lack
expect ext2 ext2 may-lack
expect ext4 ext4 must-have
expect xfs xfs may-lack
expect btrfs btrfs may-lack
for pair in exfat:exfat ntfs:ntfs3; do
    if grep -qx "has ${pair#*:}" "$work/out"; then
        expect "${pair%:*}" "${pair#*:}" must-have
    fi
done
if [ -n "$(sed '1,/^== left$/d' "$work/out")" ]; then
    echo "FAILED: something was left behind" >&2
    failed=1
fi
exit $failed

#!/bin/bash
# matrix.sh TOOL LOAD_MODULE: a whole matrix on the kernel's own drivers. Each
# that this kernel has serves its cells, is read back by its name, and leaves
# nothing; the others are skipped with a reason.
. "$(dirname "$0")/vm.sh"
need_tool sqlite3 sqlite3

cat > "$work/script" << 'INSIDE'
mkdir /tmp/t && mount -t tmpfs -o size=900m t /tmp/t && cd /tmp/t || exit 1
export FSMATRIX_STATE=/tmp/t/state
cat > m.json << 'END'
{ "name": "drivers",
  "volumes": [ { "name": "scratch", "image": "a.img", "size": "400MiB" } ],
  "filesystems": [
    { "name": "FAT", "type": "vfat", "driver": "vfat", "mkfs": ["-F", "32"] },
    { "name": "exFAT", "type": "exfat", "driver": "exfat" },
    { "name": "NTFS", "type": "ntfs", "driver": "ntfs3" },
    { "name": "F2FS", "type": "f2fs" },
    { "name": "XFS", "type": "xfs" },
    { "name": "btrfs", "type": "btrfs" },
    { "name": "ext2", "type": "ext2" },
    { "name": "ext4", "type": "ext4" } ],
  "workloads": [ { "name": "buffered", "size": "24MiB" },
                 { "name": "direct", "size": "8MiB", "io": "direct" } ],
  "rounds": 3 }
END
grep -v nodev /proc/filesystems | tr -d '\t' | sed 's/^/has /'
$fsmatrix run --db r.db m.json > table 2> said
echo "status $?"
sqlite3 -separator ' ' r.db "select 'cell', filesystem, workload,
    group_concat(distinct ifnull(driver, 'none')), group_concat(distinct status),
    count(distinct round), group_concat(distinct ifnull(io_effective, '-')),
    ifnull(reason, '') from result group by cell"
echo "integrity $(sqlite3 r.db 'pragma integrity_check')"
losetup -a | sed 's/^/left /'
grep fsmatrix- /proc/self/mountinfo | sed 's/^/left /'
ls -d a.img /run/fsmatrix-* 2> /dev/null | sed 's/^/left /'
cat said >&2
INSIDE
UML_MEM=1800M guest "$work/script"
status=$?
cat "$work/out"
[ $status = 0 ] || { cat "$work/err" >&2; fail "the guest ended with $status"; }
grep -qx 'integrity ok' "$work/out" || fail "the database is damaged"
! grep '^left ' "$work/out" || fail "something was left behind"

# served NAME DRIVER: both cells, in all rounds
served() {
    if ! grep -qx "has $2" "$work/out"; then
        [ "$(grep -c "^cell $1 .* none skipped " "$work/out")" = 2 ] ||
            fail "$1 is not skipped without a driver"
        return
    fi
    [ "$(grep -cE "^cell $1 (buffered|direct) $2 ok 3 " "$work/out")" = 2 ] ||
        { cat "$work/err" >&2; fail "$1 was not served by $2"; }
    served=$((served + 1))
}
served=0
served FAT vfat
served exFAT exfat
served NTFS ntfs3
served F2FS f2fs
served XFS xfs
served btrfs btrfs
served ext2 ext2
served ext4 ext4
[ $served -ge 4 ] || fail "only $served drivers"
echo "$served drivers served"

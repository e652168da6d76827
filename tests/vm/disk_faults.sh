#!/bin/bash
# disk_faults.sh TOOL LOAD_MODULE [TYPE...]: a disk that fails in the middle of
# a write, below each type of filesystem: one that is dead, one that takes no
# more writes, one that loses them without a word, one that is slow, one that
# does not answer. A sample is then failed, corrupt or stuck, and never ok; the
# run goes on with what is still there. Without TYPE it is ext4, and of the
# faults the two that matter most.
. "$(dirname "$0")/vm.sh"
need_tool sqlite3 sqlite3
need_tool dmsetup dmsetup
need_tool mkfs.ext4 e2fsprogs
all=yes
[ $# -gt 0 ] || { set -- ext4; all=; }

cat > "$work/script" << 'INSIDE'
export DM_DISABLE_UDEV=1 FSMATRIX_STATE=/tmp/t/state
mkdir /tmp/t && mount -t tmpfs -o size=300m t /tmp/t && cd /tmp/t || exit 1
mkdir mnt dir
disk=/dev/ubda sectors=$(blockdev --getsz /dev/ubda)
good="0 $sectors linear $disk 0"
cat > m.json << 'END'
{ "volumes": [ { "name": "victim", "directory": "mnt/dir" },
               { "name": "other", "directory": "dir" } ],
  "workloads": [ { "name": "w", "size": "200MiB", "block": "64KiB" } ],
  "include": [ { "volume": "victim" } ], "rounds": 1, "timeout": "60s" }
END

make() {
    case $1 in
    vfat) mkfs.vfat -F 32 /dev/mapper/victim ;;
    exfat) mkfs.exfat /dev/mapper/victim ;;
    ntfs3) mkfs.ntfs -Q -F /dev/mapper/victim ;;
    ext4) mkfs.ext4 -qF /dev/mapper/victim ;;
    *) mkfs.$1 -qf /dev/mapper/victim ;;
    esac > mkfs.log 2>&1 || cat mkfs.log
}

# table TEXT: from now on this is what the disk is; without one it holds
# whatever is asked of it
table() {
    dmsetup suspend --nolockfs --noflush victim || return
    [ -z "$1" ] || { echo "$1" | dmsetup load victim && dmsetup resume victim; }
}

# written BYTES: wait until so much of the test file is there
written() {
    local i
    for i in $(seq 3000); do
        [ "$(stat -c %s mnt/dir/.fsmatrix-*/fsm00000.000 2> /dev/null || echo 0)" \
            -lt "$1" ] || return
        sleep 0.005
    done
    echo "no write was seen"
}

# fault TYPE NAME TABLE MATRIX: the table is swapped in the middle of a write
fault() {
    local pid status
    dmsetup create victim --table "$good" || return
    make $1
    if ! mount -t $1 /dev/mapper/victim mnt 2> mount.log; then
        echo "result|$1|$2|lacks|$(tail -n 1 mount.log)|"
        dmsetup remove victim
        return
    fi
    mkdir mnt/dir
    rm -f r.db*
    $fsmatrix run --db r.db --seed 1 "$4" > table 2> said &
    pid=$!
    written 10000000
    table "$3"
    wait $pid
    status=$?
    echo "result|$1|$2|$status|$(sqlite3 r.db "select group_concat(status || ': ' ||
        ifnull(reason, ''), '; ') from (select * from sample order by position)")|$(
        sqlite3 r.db "pragma integrity_check")"
    sqlite3 r.db "select kernel_messages from sample where status <> 'ok'" |
        head -n 2 | sed 's/^/kernel: /'
    sqlite3 r.db "select flush_seconds from result where op = 'W'" |
        sed 's/^/flush: /'
    [ ! -s said ] || grep -v KB/s said | tail -n 2 | sed 's/^/said: /'
    table "$good"
    # what could not be removed from a disk that was dead
    umount mnt 2> /dev/null || umount -l mnt
    for _ in $(seq 300); do
        dmsetup remove victim 2> /dev/null && break
        sleep 0.1
    done
    $fsmatrix clean > cleaned 2>&1 || sed 's/^/left: /' cleaned
    { losetup -a; ls -A state dir | grep -e run- -e fsmatrix-
        pgrep -ax fsmatrix; } | sed 's/^/left: /'
    echo "time: $SECONDS s"
}

all=$1
shift
for type; do
    fault $type 'write errors' "0 $sectors flakey $disk 0 0 100 1 error_writes" m.json
    fault $type 'lost writes' "0 $sectors flakey $disk 0 0 100 1 drop_writes" m.json
    [ -n "$all" ] || exit 0
    fault $type 'dead disk' "0 $sectors error" m.json
done
# all that is written takes a quarter of a second more, some of it 20 s
fault ext4 'slow disk' "0 $sectors delay $disk 0 0 $disk 0 250" m.json
sed 's/"include".*/"rounds": 1, "timeout": "3s" }/; s/200MiB/60MiB/' m.json |
    head -n 4 > both.json
fault ext4 'a disk that does not answer' '' both.json
INSIDE
truncate -s 400M "$work/disk"
UML_TIMEOUT=900 UML_MEM=1500M UML_DISK=$work/disk guest "$work/script" "$all" "$@"
status=$?
cat "$work/out"
[ $status = 0 ] || { cat "$work/err" >&2; fail "the guest ended with $status"; }
! grep '^left: ' "$work/out" || fail "something was left behind"

# result TYPE FAULT EXIT REGEX: what it must have been
result() {
    local line
    line=$(grep "^result|$1|$2|" "$work/out") || fail "no result of $2 on $1"
    case $line in *"|lacks|"*) return ;; esac
    grep -qE "^result\|$1\|$2\|$3\|$4.*\|ok\$" <<< "$line" || fail "$line"
    [ -z "${FSMATRIX_FAULTS:-}" ] ||
        echo "$line" | awk -F'|' -v OFS='|' '{ print $3 ", " $2, $5, $4, 1, "good" }' \
            >> "$FSMATRIX_FAULTS"
    count=$((count + 1))
}
count=0
for type; do
    result "$type" 'write errors' 3 'failed: .*'
    result "$type" 'lost writes' 3 '(failed|corrupt): '
    [ -z "$all" ] || result "$type" 'dead disk' 3 'failed: .*'
done
if [ -n "$all" ]; then
    result ext4 'slow disk' 0 'ok'
    result ext4 'a disk that does not answer' 3 \
        'ok: ; stuck: the kernel holds process'
fi
grep -q '^kernel: .*I/O error' "$work/out" || fail "the kernel's words are not kept"
echo "$count faults"

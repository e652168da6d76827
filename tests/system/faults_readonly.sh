#!/bin/bash
# faults_readonly.sh FSMATRIX: a filesystem that becomes read-only while a
# sample is written fails this sample and no other, whoever made it so.
. "$(dirname "$0")/system.sh"
need_namespaces
need_loop
need_tool sqlite3 sqlite3
need_tool nsenter util-linux
need_tool mkfs.ext4 e2fsprogs
cd "$scratch" || exit 1
cat > m.json << 'END'
{ "volumes": [ { "name": "v", "image": "v.img", "size": "600MiB" } ], "rounds": 2,
  "filesystems": [ { "name": "f", "type": "ext4", "mount": "errors=remount-ro" } ],
  "workloads": [ { "name": "w", "size": "400MiB", "block": "64KiB",
                   "file_limit": "1MiB" } ] }
END

# Whether it is in the middle of a write into its mount, $mounted.
writes() {
    mounted=$(awk '$5 ~ "^/run/fsmatrix-" { print $5 }' \
        "/proc/$pid/mountinfo" 2> /dev/null | head -n 1)
    [ -n "$mounted" ] && nsenter -t $pid -m test -e "$mounted/fsm00003.000" \
        2> /dev/null &&
        ! nsenter -t $pid -m test -e "$mounted/fsm00399.000" 2> /dev/null
}

# begin_run: with the pid in $pid, until it stands still in a write
begin_run() {
    "$program" run m.json --db r.db > .out 2> .err < /dev/null &
    pid=$!
    stand_still_when writes
}

# ended FAULT REASON
ended() {
    wait $pid
    status=$?
    verdict "$1" $status
    [ $status = 3 ] || fail "ended with $status"
    [ "$(statuses r.db)" = failed,ok ] || fail "$(statuses r.db)"
    mentions .err "round 1: failed: .*$2"
    sound r.db
    expect_no_traces
}

begin_run
# what its own error would do, files open for writing or not
nsenter -t $pid -m mount -o remount,abort "$mounted" || fail "cannot remount it"
kill -CONT "$worker"
ended "read-only remount in mid-phase" '(EROFS|EIO|ESHUTDOWN)'

begin_run
loop=$(nsenter -t $pid -m findmnt -n -o SOURCE "$mounted")
trigger=/sys/fs/ext4/${loop#/dev/}/trigger_fs_error
if [ -w "$trigger" ]; then
    echo 1 > "$trigger"
    kill -CONT "$worker"
    ended "ext4 finds an error and goes read-only" \
        '(Read-only file system|Input/output error|Structure needs cleaning)'
    [ "$(sqlite3 r.db "select kernel_messages like '%EXT4-fs error%' from sample
        order by id desc limit 1 offset 1")" = 1 ] || [ ! -r /dev/kmsg ] ||
        fail "the kernel's words are not kept"
else
    kill -CONT "$worker"
    kill -TERM $pid
    wait $pid
fi

#!/bin/bash
# directory_moved.sh FSMATRIX: a path that leads to another filesystem than when
# the run began is not written to; nor does resume go on there.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
need_tool mkfs.ext4 e2fsprogs
truncate -s 100M "$scratch/kept" && mkfs.ext4 -q "$scratch/kept" &&
    mkdir "$scratch/disk" "$scratch/other" && cd "$scratch" || exit 1
mount -t tmpfs -o size=100m none other || skip "may not mount"
mount -o loop kept disk || skip "may not mount"
made=$(stat -c %y other)
mkdir disk/dir && ln -s disk/dir volume
cat > m.json << 'END'
{ "volumes": [ { "name": "d", "directory": "volume" } ], "rounds": 20,
  "workloads": [ { "name": "w", "size": "64KiB" } ] }
END
sql() { sqlite3 d.db "$1"; }

# begin_run: until three samples are there
begin_run() {
    rm -f d.db*
    : > .err
    "$program" run m.json --db d.db > .out 2> .err < /dev/null &
    pid=$!
    until grep -q '^\[3/' .err; do
        kill -0 $pid 2> /dev/null || fail "it does not begin: $(cat .err)"
        sleep 0.01
    done
}

begin_run
ln -sfn other volume
wait $pid
status=$?
[ $status = 3 ] || fail "ended with $status: $(tail -n 1 .err)"
mentions .err 'directory .*volume is not on the filesystem that it was on'
good=$(sql "select count(*) from sample where status = 'ok'")
[ "$good" -ge 3 ] && [ "$good" -lt 20 ] || fail "$good good samples"
[ "$(sql "select count(*) from sample where status = 'ok' and position >
    (select min(position) from sample where status = 'failed')")" = 0 ] ||
    fail "good samples of another filesystem"
[ "$(sql 'pragma integrity_check')" = ok ] || fail "damaged database"
[ "$(stat -c %y other)" = "$made" ] || fail "something was made there"
ln -sfn disk/dir volume

# An image in a folder that leads elsewhere.
cat > i.json << 'END'
{ "volumes": [ { "name": "i", "image": "volume/v.img", "size": "16MiB" } ],
  "rounds": 20, "filesystems": [ { "name": "f", "type": "ext4" } ],
  "workloads": [ { "name": "w", "size": "64KiB" } ] }
END
rm d.db*
: > .err
"$program" run i.json --db d.db > .out 2> .err < /dev/null &
pid=$!
until grep -q '^\[1/' .err; do
    kill -0 $pid 2> /dev/null || fail "it does not begin: $(cat .err)"
    sleep 0.01
done
ln -sfn other volume
sleep 1
kill -TERM $pid 2> /dev/null
wait $pid
mentions .err 'image volume/v.img is not on the filesystem that it was on'
[ "$(stat -c %y other)" = "$made" ] || fail "an image was made there"
ln -sfn disk/dir volume

# Stopped, and gone on with when the disk is not there, or another one is.
begin_run
kill -TERM $pid
wait $pid
[ $? = 143 ] || fail "is not stopped: $(cat .err)"
ln -sfn other volume
expect 4 resume --db d.db
mentions .err 'volume d \(.*volume\) is on tmpfs, and was on ext4 when the run began'
ln -sfn disk/dir volume
# No second disk is needed to be on another one than the run says.
bytes=$(sql 'select max(disk_bytes) from cell')
if [ -n "$bytes" ]; then
    sql 'update cell set disk_bytes = 1000'
    expect 4 resume --db d.db
    mentions .err 'volume d \(.*volume\) is on another disk than when the run began: .*, 1000 bytes'
    sql "update cell set disk_bytes = $bytes, disk = 'renamed'"
else
    echo "what is below is not known here: another disk is not tried"
fi
expect 0 resume --db d.db
[ "$(sql "select count(*) from sample where status = 'ok'")" = 20 ] ||
    fail "samples are missing"
for mounted in disk other; do
    # somebody may be looking at it
    for _ in $(seq 40); do
        umount $mounted 2> .umount && continue 2
        sleep 0.05
    done
    fail "$(cat .umount)"
done

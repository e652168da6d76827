#!/bin/bash
# timeout.sh FSMATRIX TYPE DRIVER: a FUSE daemon that stops answering while a
# sample is written holds the worker in the kernel. The sample is a TIMEOUT
# with the figures there are, what the worker left is undone, and the run goes
# on. ntfs-3g writes 4 KiB at a time, 30 MB/s: the second sample needs a
# quarter of its time.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2
need_tool "$driver" "$driver"
need_tool sqlite3 sqlite3
cd "$scratch" || exit 1
cat > m.json << END
{ "volumes": [ { "name": "v", "image": "v.img", "size": "400MiB" } ],
  "filesystems": [ { "name": "f", "type": "$type", "driver": "$driver" } ],
  "workloads": [ { "name": "w", "size": "96MiB", "block": "64KiB" } ],
  "rounds": 2, "timeout": "12s" }
END

start=$SECONDS
"$program" run m.json --db t.db > .out 2> .err < /dev/null &
pid=$!
await_writing_daemon "$driver"
wait $pid
status=$?
[ $status = 3 ] || fail "ended with $status"
[ $((SECONDS - start)) -lt 180 ] || fail "it took too long"
sql() { sqlite3 t.db "$1"; }
[ "$(sql "select group_concat(status) from sample order by round")" = timeout,ok ] ||
    fail "$(sql "select round, status, reason from sample")"
mentions .err 'took longer than 12s \(timeout of the matrix\); killed while it (wrote|flushed)'
[ "$(sql "select bytes between 1 and 96 << 20 and end_word = 'timeout'
    and seconds > 10 and coalesce(user_seconds, voluntary_switches, files,
    resident_bytes, device_bytes, process_bytes, io_effective) is null
    and not cached from result where round = 1 and op = 'W'")" = 1 ] ||
    fail "$(sql "select * from result where round = 1")"
[ "$(sql "pragma integrity_check")" = ok ] || fail "the database is damaged"
# A killed daemon first waits for its disk.
for _ in $(seq 200); do
    [ -d "/proc/$daemon" ] || exit 0
    sleep 0.1
done
fail "the daemon is still there: $(grep State "/proc/$daemon/status")"

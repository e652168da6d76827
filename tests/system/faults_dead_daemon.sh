#!/bin/bash
# faults_dead_daemon.sh FSMATRIX TYPE DRIVER: a FUSE daemon that is killed
# while a sample is written fails this sample and no other.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
type=$1 driver=$2
need_tool "$driver" "$driver"
cd "$scratch" || exit 1
cat > m.json << END
{ "volumes": [ { "name": "v", "image": "v.img", "size": "400MiB" } ],
  "filesystems": [ { "name": "f", "type": "$type", "driver": "$driver" } ],
  "workloads": [ { "name": "w", "size": "300MiB", "block": "64KiB" } ],
  "rounds": 2 }
END
"$program" run m.json --db d.db > .out 2> .err < /dev/null &
pid=$!
await_writing_daemon "$driver"
kill -KILL "$daemon"
wait $pid
status=$?
verdict "FUSE daemon $driver killed in mid-phase" $status
[ $status = 3 ] || fail "ended with $status"
[ "$(statuses d.db)" = failed,ok ] || fail "$(statuses d.db)"
mentions .err 'failed: writing .*(Transport endpoint is not connected|Software caused connection abort)'
sound d.db

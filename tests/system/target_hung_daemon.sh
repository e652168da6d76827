#!/bin/bash
# target_hung_daemon.sh TOOL TYPE DRIVER: a FUSE daemon that no longer answers
# when all is measured neither keeps us nor spoils the sample: it is ended.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2
begin -t "$type" -d "$driver" -w verified "$scratch/a.img"
daemon=$(pgrep -P $pid -f fsmatrix-) || fail "there is no daemon"
kill -STOP "$daemon"
kill -USR1 $pid
start=$SECONDS
wait $pid
status=$?
[ $((SECONDS - start)) -le 10 ] || fail "it took $((SECONDS - start)) s"
[ $status = 0 ] || fail "ended with $status"
[ ! -d "/proc/$daemon" ] || fail "the daemon is still there"

#!/bin/bash
# target_hung_daemon.sh TOOL TYPE DRIVER: a FUSE daemon that no longer answers
# does not keep us.
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
[ $status = 1 ] || fail "ended with $status"
mentions .err "^finish: $driver d(id not answer the unmount|oes not end)$"
[ ! -d "/proc/$daemon" ] || fail "the daemon is still there"

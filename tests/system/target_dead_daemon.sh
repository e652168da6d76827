#!/bin/bash
# target_dead_daemon.sh TOOL TYPE DRIVER: a FUSE daemon that dies is a failed
# sample, and nothing stays mounted.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2
begin -t "$type" -d "$driver" -w prepared "$scratch/a.img"
daemon=$(pgrep -P $pid -f fsmatrix-) || fail "there is no daemon"
kill -KILL "$daemon"
kill -USR1 $pid
wait $pid
[ $? = 1 ] || fail "ended with $?"

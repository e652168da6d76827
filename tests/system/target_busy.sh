#!/bin/bash
# A mount that somebody else keeps busy is reported, and goes with its user.
. "$(dirname "$0")/system.sh"
need_namespaces
need_loop
begin -t ext4 -w verified "$scratch/a.img"
mount_point=$(sed -n 's/^mount=.* //p' "$scratch/.out")
nsenter -t $pid -m sh -c "cd $mount_point && exec sleep 60" \
    < /dev/null > /dev/null 2>&1 &
holder=$!
sleep 0.3
kill -USR1 $pid
wait $pid
status=$?
kill $holder
wait $holder 2> /dev/null
[ $status = 1 ] || fail "ended with $status"
mentions .err "^finish: unmounting $mount_point: Device or resource busy$"

#!/bin/bash
# clean_all_killed.sh TOOL TYPE DRIVER [device]: a run, its keeper and its daemon are
# killed, the daemon last: it is then the last user of a mount namespace, and
# waits in its own end for its own answer. `clean` frees it, on a loop device as
# on another, of which there is no record.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2 device=${3:-} fsmatrix=$(dirname "$program")/../../fsmatrix
begin -t "$type" -d "$driver" -w prepared "$scratch/a.img"
keeper=$(pgrep -xf "fsm-guard of process $pid") || fail "there is no keeper"
daemon=$(pgrep -P $pid -f fsmatrix-) || fail "there is no daemon"
folder=$(sed -n 's/^+ mount .* //p' "$FSMATRIX_STATE"/run-*)
loop=$(sed -n 's/^+ loop .* //p' "$FSMATRIX_STATE"/run-*)
[ "$device" = '' ] || sed -i 's/^+ loop /+ file /' "$FSMATRIX_STATE"/run-*
kill -STOP "$pid" "$daemon" # or the keeper is replaced
kill -KILL "$keeper" "$pid"
wait $pid 2> /dev/null
kill -KILL "$daemon"
sleep 0.5
# a driver that says goodbye hangs now; the others are gone
stuck=$(cat "/proc/$daemon/stack" 2> /dev/null | grep -c fuse_send_destroy)
echo "stuck: $stuck"

"$fsmatrix" clean -n > "$scratch/.out" || fail "clean -n ended with $?"
says .out "would remove directory $folder"
[ "$stuck" = 0 ] || [ "$device" ] || says .out "would remove loop device $loop"
"$fsmatrix" clean > "$scratch/.out" || fail "clean ended with $?"
says .out "removed directory $folder"
[ "$stuck" = 0 ] || mentions .out "^removed process $daemon "
"$fsmatrix" clean > "$scratch/.out" || fail "clean ended with $?"
says .out "nothing left behind"
expect_no_traces

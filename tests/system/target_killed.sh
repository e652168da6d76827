#!/bin/bash
# target_killed.sh TOOL TYPE DRIVER: kill -9 leaves nothing within 2 s.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2
begin -t "$type" -d "$driver" -w prepared "$scratch/a.img"
# all that is looked for afterwards is seen while it is there
traces > "$scratch/.traces"
grep -qF "$scratch" "$scratch/.traces" || fail "the loop device is not seen"
grep -q '^/run/fsmatrix-' "$scratch/.traces" || fail "the folder is not seen"
grep -qw "$pid" "$scratch/.traces" || fail "the process is not seen"
kill -KILL $pid
wait $pid 2> /dev/null
expect_no_traces

#!/bin/bash
# target_killed.sh TOOL TYPE DRIVER: kill -9 leaves nothing within 2 s.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2
begin -t "$type" -d "$driver" -w prepared "$scratch/a.img"
kill -KILL $pid
wait $pid 2> /dev/null
expect_no_traces

#!/bin/bash
# stop_hung_daemon.sh FSMATRIX TYPE DRIVER: a run whose FUSE daemon does not
# answer ends within 10 s when it is asked to stop, and faster when it is
# asked twice.
. "$(dirname "$0")/system.sh"
need_loop
type=$1 driver=$2
need_tool "$driver" "$driver"
cd "$scratch" || exit 1
cat > m.json << END
{ "volumes": [ { "name": "v", "image": "v.img", "size": "400MiB" } ],
  "filesystems": [ { "name": "f", "type": "$type", "driver": "$driver" } ],
  "workloads": [ { "name": "w", "size": "300MiB", "block": "64KiB" } ] }
END

# stopped SECONDS SIGNAL...: it ends in that time
stopped() {
    local seconds=$1 start
    shift
    "$program" run m.json --db t.db > .out 2> .err < /dev/null &
    pid=$!
    await_writing_daemon "$driver"
    start=$SECONDS
    for signal; do
        kill "-$signal" $pid
        sleep 0.2
    done
    wait $pid
    status=$?
    [ $status = 130 ] || fail "ended with $status: $(cat .err)"
    [ $((SECONDS - start)) -le "$seconds" ] ||
        fail "took $((SECONDS - start)) s after $*"
    expect_no_traces
}

stopped 10 INT
stopped 4 INT INT

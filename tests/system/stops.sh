#!/bin/bash
# stops.sh FSMATRIX [TIMES [SEED]]: a run that is asked to stop at any moment
# ends within 10 s: what was measured is committed and printed as a table,
# nothing is left behind, and the exit status says which signal it was.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
times=${1:-6} RANDOM=${2:-$$}
cd "$scratch" && mkdir dir || exit 1
cat > m.json << 'END'
{ "name": "stops",
  "volumes": [ { "name": "image", "image": "v.img", "size": "320MiB" },
               { "name": "directory", "directory": "dir" } ],
  "filesystems": [
    { "name": "ext4", "type": "ext4" },
    { "name": "xfs", "type": "xfs" },
    { "name": "btrfs", "type": "btrfs" },
    { "name": "vfat", "type": "vfat" },
    { "name": "exfat", "type": "exfat" },
    { "name": "ntfs", "type": "ntfs" } ],
  "workloads": [ { "name": "short", "block": "64KiB", "size": "4MiB" },
                 { "name": "long", "block": "1MiB", "size": "200MiB" } ],
  "rounds": 3 }
END
sql() { sqlite3 s.db "$1"; }
milliseconds() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

# What a run that ended of signal $1 after $2 ms must have left.
check() {
    local wanted=130 told stored
    [ "$1" != TERM ] || wanted=143
    [ "$status" = $wanted ] || fail "SIG$1: ended with $status"
    [ "$2" -le 10000 ] || fail "SIG$1: took $2 ms"
    expect_no_traces
    [ "$(sql 'pragma integrity_check')" = ok ] || fail "damaged database"
    [ "$(sql 'select status from run order by id desc limit 1')" = interrupted ] ||
        fail "SIG$1: the run is $(sql 'select status from run order by id desc limit 1')"
    told=$(grep '^\[' .err | grep -vc ': skipped:') # those are told once
    stored=$(sql "select count(*) from sample where status <> 'skipped' and
        cell in (select id from cell where run = (select max(id) from run))")
    [ "$told" = "$stored" ] || fail "$told samples told, $stored stored"
    grep -q 'go on with: fsmatrix resume' .err || fail "SIG$1: $(cat .err)"
    grep -q 'KB = 1024 bytes' .out || fail "SIG$1: no table is printed"
}

slowest=0
for round in $(seq "$times"); do
    "$program" run m.json --db s.db > .out 2> .err < /dev/null &
    pid=$!
    # a run that is being set up has nothing to say yet
    until [ -n "$(sql 'select 1 from run' 2> /dev/null)" ] &&
        [ "$(sql 'select count(*) from run')" -ge "$round" ]; do
        kill -0 $pid 2> /dev/null || { cat .err; fail "it does not begin"; }
        sleep 0.02
    done
    sleep "0.2"
    sleep "$((RANDOM % 5)).$(printf %03d $((RANDOM % 1000)))"
    signals=(INT TERM HUP)
    signal=${signals[RANDOM % 3]}
    begun=$(milliseconds)
    kill -$signal $pid || fail "the run is over"
    wait $pid
    status=$?
    took=$(($(milliseconds) - begun))
    [ $took -le $slowest ] || slowest=$took
    check $signal $took
    echo "SIG$signal: $took ms, $(sql 'select count(*) from sample where cell in
        (select id from cell where run = (select max(id) from run))') samples"
done
echo "$times stops, the slowest took $slowest ms"

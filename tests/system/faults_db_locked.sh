#!/bin/bash
# faults_db_locked.sh FSMATRIX [SECONDS]: somebody who keeps the database
# locked, for writing or for reading, delays a run and does not end it; asked
# to stop it does not wait for them.
. "$(dirname "$0")/system.sh"
need_tool sqlite3 sqlite3
need_tool python3 python3
seconds=${1:-15}
mkdir "$scratch/dir" && cd "$scratch" || exit 1
cat > m.json << 'END'
{ "volumes": [ { "name": "d", "directory": "dir" } ], "rounds": 100,
  "workloads": [ { "name": "w", "size": "64KiB", "block": "4KiB" } ] }
END
cat > hold.py << 'END'
import sqlite3, sys, time
db = sqlite3.connect("l.db", isolation_level=None, timeout=60)
db.execute(sys.argv[1])
if sys.argv[1] == "BEGIN": db.execute("select count(*) from sample").fetchall()
print("held", flush=True)
time.sleep(float(sys.argv[2]))
END
# hold STATEMENT SECONDS: in the background
hold() {
    rm -f held
    python3 hold.py "$1" "$2" > held &
    holder=$!
    until [ -s held ]; do sleep 0.02; done
}
begin_run() {
    "$program" run m.json --db l.db > .out 2> .err < /dev/null &
    pid=$!
    until grep -q '^\[1/' .err; do sleep 0.01; done
}

begin_run
hold 'BEGIN IMMEDIATE' "$seconds"
wait $pid
status=$?
verdict "database locked by a writer for $seconds s" $status
[ $status = 0 ] || fail "ended with $status"
mentions .err 'l.db is locked by another process; waiting for it'
[ "$(statuses l.db)" = "$(printf 'ok,%.0s' $(seq 99))ok" ] || fail "$(statuses l.db)"
wait $holder
sound l.db

begin_run
hold 'BEGIN' "$seconds"
wait $pid
status=$?
verdict "database read by somebody for $seconds s" $status
[ $status = 0 ] || fail "ended with $status"
sound l.db
kill $holder
wait $holder 2> /dev/null

begin_run
hold 'BEGIN IMMEDIATE' 60
sleep 1
start=$SECONDS
kill -TERM $pid
wait $pid
status=$?
verdict "stopped while the database was locked" $status
[ $((SECONDS - start)) -le 10 ] || fail "it took $((SECONDS - start)) s"
kill $holder
wait $holder 2> /dev/null
sound l.db
"$program" resume --db l.db > .out 2> .err < /dev/null || fail "$(cat .err)"
[ "$(statuses l.db)" = "$(printf 'ok,%.0s' $(seq 99))ok" ] || fail "$(statuses l.db)"

#!/bin/bash
# paused.sh FSMATRIX: a sample during which the process was stopped (SIGSTOP,
# Ctrl-Z), be it alone or with all of its group, is invalid, and the run goes
# on. Ctrl-C is heeded, but not by what a script runs in the background; a
# SIGINT that somebody sends is.
. "$(dirname "$0")/system.sh"
need_tool sqlite3 sqlite3
need_tool script bsdutils
cd "$scratch" && mkdir dir || exit 1
cat > m.json << 'END'
{ "volumes": [ { "name": "v", "directory": "dir" } ],
  "workloads": [ { "name": "w", "size": "128MiB", "block": "4KiB", "duration": "1s" } ],
  "rounds": 3 }
END
sql() { sqlite3 -cmd '.timeout 5000' m.db "$1"; }
written() { compgen -G "dir/.fsmatrix-*/fsm*" > /dev/null || compgen -G 'dir/fsm*' > /dev/null; }
await_sample() {
    for _ in $(seq 6000); do
        written && return
        sleep 0.005
    done
    fail "it does not write"
}
# pause PROCESS
pause() {
    kill -STOP -- "$1" || fail "there is no process $1"
    sleep 0.5
    kill -CONT -- "$1"
}

setsid "$program" run m.json --db m.db > .out 2> .err < /dev/null &
pid=$!
await_sample
pause -$pid
until [ "$(sql 'select count(*) from sample' 2> /dev/null)" = 1 ]; do
    kill -0 $pid 2> /dev/null || fail "it has ended: $(cat .err)"
    sleep 0.01
done
await_sample
pause "$(pgrep -P $pid)"
wait $pid
status=$?
[ $status = 3 ] || fail "ended with $status: $(cat .err)"
[ "$(sql 'select group_concat(status) from sample order by round')" = invalid,invalid,ok ] ||
    fail "$(sql 'select round, status, reason from sample')"
[ "$(sql "select count(*) from sample where status = 'invalid' and
    reason = 'the process was stopped for a while'")" = 2 ] ||
    fail "$(sql 'select round, status, reason from sample')"

# press KEY COMMAND: the key, at the command's terminal, while it measures
press() {
    rm -f m.db* .keys
    mkfifo .keys
    exec 9<> .keys
    script -qefc "$2" /dev/null < .keys > .out 2>&1 9>&- &
    await_sample
    printf '%b' "$1" >&9
    wait $!
    status=$?
    exec 9>&-
}
run="'$program' run m.json --db m.db"
press '\003' "exec $run"
[ $status = 130 ] || fail "Ctrl-C: ended with $status: $(cat .out)"
# as sh runs what has an & behind it
press '\003' "trap '' INT; exec $run < /dev/null"
[ $status = 0 ] || fail "ignored Ctrl-C: ended with $status: $(cat .out)"
rm -f m.db*
(trap '' INT && exec "$program" run m.json --db m.db) > .out 2> .err < /dev/null &
pid=$!
await_sample
kill -INT $pid
wait $pid
status=$?
[ $status = 130 ] || fail "SIGINT: ended with $status: $(cat .err)"
# The process that measures is asked: the run is interrupted all the same.
rm -f m.db*
"$program" run m.json --db m.db > .out 2> .err < /dev/null &
pid=$!
await_sample
worker=$(pgrep -P $pid | tail -n 1)
kill -INT "$worker"
wait $pid
status=$?
[ $status = 130 ] || fail "SIGINT to its worker: ended with $status: $(cat .err)"
grep -q 'was interrupted' .err || fail "SIGINT to its worker: $(cat .err)"

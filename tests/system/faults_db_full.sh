#!/bin/bash
# faults_db_full.sh FSMATRIX: a database that finds no room ends the run. What
# was told is in it, and with room again the run goes on to its end.
. "$(dirname "$0")/system.sh"
need_root
need_tool sqlite3 sqlite3
mkdir "$scratch/small" "$scratch/dir" && cd "$scratch" || exit 1
mount -t tmpfs -o size=640k none small || skip "may not mount"
cat > m.json << 'END'
{ "volumes": [ { "name": "d", "directory": "dir" } ], "rounds": 60,
  "workloads": [ { "name": "w", "read": "warm", "size": "64KiB",
    "block": "4KiB" } ] }
END
"$program" run m.json --db small/f.db > .out 2> .err < /dev/null
status=$?
verdict "no room for the database" $status
[ $status = 1 ] || fail "ended with $status: $(tail -n 1 .err)"
mentions .err 'small/f.db: .*no space left'
told=$(grep -c '^\[' .err)
[ "$told" -gt 0 ] || fail "nothing was measured before"
mount -o remount,size=100m small
sound small/f.db
"$program" resume --db small/f.db > .out 2> .err < /dev/null
status=$?
verdict "resume with room again" $status
[ $status = 0 ] || fail "resume ended with $status: $(tail -n 1 .err)"
[ "$(sqlite3 small/f.db "select count(distinct round) || ' ' || count(*)
    from sample where status = 'ok'")" = '60 60' ] || fail "samples are missing"
[ -z "$(ls -A dir)" ] || fail "left behind: $(ls -A dir)"
cd / && umount "$scratch/small"

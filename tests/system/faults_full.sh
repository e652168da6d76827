#!/bin/bash
# faults_full.sh FSMATRIX TYPE: an image filled to its last block is a result.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
cd "$scratch" || exit 1
cat > m.json << END
{ "volumes": [ { "name": "v", "image": "v.img", "size": "320MiB" } ], "rounds": 1,
  "filesystems": [ { "name": "f", "type": "$1" } ],
  "workloads": [ { "name": "all", "size": "full", "block": "128KiB" },
                 { "name": "direct", "size": "full", "io": "direct" } ] }
END
"$program" run m.json --db f.db > .out 2> .err < /dev/null
status=$?
verdict "image full, $1" $status
if [ "$(statuses f.db)" = skipped,skipped ]; then
    skip "$(sqlite3 f.db 'select reason from sample limit 1')"
fi
[ $status = 0 ] || fail "ended with $status"
[ "$(statuses f.db)" = ok,ok ] || fail "$(statuses f.db)"
[ "$(sqlite3 f.db "select count(*) from result where op = 'W' and
    end_word = 'full' and bytes between 200 << 20 and 320 << 20")" = 2 ] ||
    fail "$(sqlite3 f.db "select end_word, bytes from result")"
sound f.db

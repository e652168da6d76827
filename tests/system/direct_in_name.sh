#!/bin/bash
# direct_in_name.sh FSMATRIX: where a write with O_DIRECT goes through a page
# cache all the same (btrfs, since it must not let its checksums be wrong),
# "direct" says so and "direct!" fails, before it reads.
. "$(dirname "$0")/system.sh"
need_loop
need_tool mkfs.btrfs btrfs-progs
need_tool sqlite3 sqlite3
cd "$scratch" || exit 1
cat > m.json << 'END'
{ "volumes": [ { "name": "v", "image": "v.img", "size": "256MiB" } ],
  "filesystems": [ { "name": "f", "type": "btrfs" } ],
  "workloads": [ { "name": "direct", "size": "16MiB", "io": "direct" },
                 { "name": "strict", "size": "16MiB", "io": "direct!" } ],
  "rounds": 1 }
END
"$program" run m.json --db m.db > .out 2> .err < /dev/null
status=$?
sql() { sqlite3 m.db "$1"; }
word=$(sql "select io_effective from result where workload = 'direct' and op = 'W'")
[ "$word" = direct-in-name ] ||
    skip "btrfs writes '$word' here: $(head -n 1 .err)"
[ $status = 3 ] || fail "ended with $status: $(cat .err)"
[ "$(sql "select group_concat(bytes > 0) from result
    where workload = 'strict' and status = 'failed' and (op = 'R' or
    io_effective = 'direct-in-name') order by op desc")" = 1 ] ||
    fail "$(sql "select * from result where workload = 'strict'")"
mentions .err 'failed: direct I/O was taken in name only: a page cache'

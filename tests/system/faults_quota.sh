#!/bin/bash
# faults_quota.sh FSMATRIX: a quota that is used up ends a write until full,
# and fails one of a certain size.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
need_tool btrfs btrfs-progs
truncate -s 400M "$scratch/kept" && mkfs.btrfs -q "$scratch/kept" &&
    mkdir "$scratch/fs" && cd "$scratch" || exit 1
mount -o loop kept fs || skip "may not mount btrfs"
btrfs quota enable fs > .out 2>&1 && btrfs subvolume create fs/limited > .out &&
    btrfs qgroup limit 60M fs/limited || skip "no quota: $(cat .out)"
cat > m.json << END
{ "volumes": [ { "name": "d", "directory": "fs/limited" } ], "rounds": 1,
  "workloads": [ { "name": "all", "size": "full" },
                 { "name": "much", "size": "100MiB" } ] }
END
"$program" run m.json --db q.db > .out 2> .err < /dev/null
status=$?
verdict "quota (btrfs qgroup)" $status
[ $status = 3 ] || fail "ended with $status"
[ "$(sqlite3 q.db "select group_concat(workload || ' ' || status || ' ' ||
    end_word) from (select * from result where op = 'W' order by workload)")" = \
    "all ok quota,much failed error" ] ||
    fail "$(sqlite3 q.db "select workload, status, end_word, reason from result")"
mentions .err 'Disk quota exceeded \(EDQUOT\)'
sound q.db
[ -z "$(ls -A fs/limited)" ] || fail "left behind: $(ls -A fs/limited)"
cd / && umount "$scratch/fs"

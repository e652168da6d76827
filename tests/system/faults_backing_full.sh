#!/bin/bash
# faults_backing_full.sh FSMATRIX: an image whose own disk is full under it
# fails its sample, tells so at the flush, and not the run.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
need_tool mkfs.ext4 e2fsprogs
mkdir "$scratch/small" && cd "$scratch" || exit 1
mount -t tmpfs -o size=100m none small || skip "may not mount"
cat > m.json << END
{ "volumes": [ { "name": "v", "image": "small/v.img", "size": "300MiB" } ],
  "rounds": 1, "filesystems": [ { "name": "f", "type": "ext4" } ],
  "workloads": [ { "name": "much", "size": "200MiB" },
                 { "name": "little", "size": "20MiB" } ] }
END
"$program" run m.json --seed 1 --db f.db > .out 2> .err < /dev/null
status=$?
verdict "the disk below an image full" $status
[ $status = 3 ] || fail "ended with $status"
[ "$(sqlite3 f.db "select group_concat(workload || ' ' || status)
    from (select * from result where op = 'W' order by workload)")" = \
    "little ok,much failed" ] || fail "$(statuses f.db)"
told=$(sqlite3 f.db "select distinct reason from result where status = 'failed'")
case $told in
*'no space left on the filesystem of image small/v.img'*) ;;
*) fail "the reason is not told: $told" ;;
esac
sound f.db
umount small || fail "the disk is still in use"

# Too full for mkfs, which itself has but an I/O error to tell.
mount -t tmpfs -o size=2m none small || fail "may not mount"
"$program" run m.json --seed 1 --db g.db > .out 2> .err < /dev/null
told=$(sqlite3 g.db "select distinct reason from result")
case $told in
mkfs.ext4*'no space left on the filesystem of image small/v.img'*) ;;
*) fail "the reason is not told: $told" ;;
esac
umount small || fail "the disk is still in use"

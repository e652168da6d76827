#!/bin/bash
# full_leaves_reserve.sh FSMATRIX: with allow_fill the filesystem that holds
# the database is filled but for a reserve, in one stream or in several.
. "$(dirname "$0")/system.sh"
need_loop
need_tool mkfs.ext4 e2fsprogs
need_tool sqlite3 sqlite3
truncate -s 900M "$scratch/kept" && mkfs.ext4 -q "$scratch/kept" &&
    mkdir "$scratch/fs" || exit 1
mount -o loop "$scratch/kept" "$scratch/fs" || skip "may not mount"
mkdir "$scratch/fs/dir" && cd "$scratch/fs" || exit 1
matrix() {
    cat > m.json << END
{ "volumes": [ { "name": "d", "directory": "dir"$1 } ], "rounds": 1,
  "workloads": [ { "name": "one", "size": "full" },
                 { "name": "two", "size": "full", "streams": 2 },
                 { "name": "deep", "size": "full", "depth": 32, "block": "4MiB" } ] }
END
}
matrix ''
expect 4 run m.json
mentions .err 'until volume d \(.*dir\) is full would fill .* holds the database'

# the least that is free while it runs
matrix ', "allow_fill": true'
"$program" run m.json > "$scratch/.out" 2> "$scratch/.err" < /dev/null &
pid=$! least=999999999
while kill -0 $pid 2> /dev/null; do
    free=$(stat -f -c '%a * %S / 1024' . | sed 's/$/ /')
    free=$((free))
    [ $free -ge $least ] || least=$free
    sleep 0.01
done
wait $pid
status=$?
cat "$scratch/.err"
[ $status = 0 ] || fail "ended with $status"
[ "$(sqlite3 fsmatrix.db "select group_concat(distinct end_word) from result
    where op = 'W'")" = full ] || fail "did not end as full"
echo "at the least $least KiB were free"
[ $least -ge 65536 ] || fail "only $least KiB stayed free"
[ $least -le 250000 ] || fail "$least KiB stayed free"
cd / && umount "$scratch/fs"

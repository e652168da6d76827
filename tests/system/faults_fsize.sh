#!/bin/bash
# faults_fsize.sh FSMATRIX: a limit on the size of files (ulimit -f) is not the
# end of the program: a file goes on in a next one, an image that may not be
# that large fails its samples, and a database that may not grow ends the run
# with what it has.
. "$(dirname "$0")/system.sh"
need_tool sqlite3 sqlite3
mkdir "$scratch/dir" && cd "$scratch" || exit 1
# limited KIB ARGUMENT...
limited() (
    ulimit -f "$1"
    shift
    "$program" "$@" > .out 2> .err < /dev/null
)
cat > m.json << 'END'
{ "volumes": [ { "name": "d", "directory": "dir" } ], "rounds": 1,
  "workloads": [ { "name": "w", "size": "25MiB", "block": "1MiB" } ] }
END
limited 10240 run m.json --db s.db
status=$?
verdict "file size limit below the size" $status
[ $status = 0 ] || fail "ended with $status: $(cat .err)"
[ "$(sqlite3 s.db "select files || ' ' || bytes from result where op = 'W'")" = \
    "3 $((25 << 20))" ] || fail "$(sqlite3 s.db "select files, bytes from result")"
sound s.db

if [ "$(id -u)" = 0 ] && [ -c /dev/loop-control ]; then
    cat > i.json << 'END'
{ "volumes": [ { "name": "v", "image": "v.img", "size": "64MiB" } ], "rounds": 1,
  "filesystems": [ { "name": "f", "type": "ext4" } ],
  "workloads": [ { "name": "w", "size": "1MiB" } ] }
END
    limited 10240 run i.json --db s.db
    status=$?
    verdict "file size limit below an image's size" $status
    [ $status = 3 ] || fail "ended with $status: $(cat .err)"
    mentions .err 'failed: giving image .* File too large'
    sound s.db
fi

# 1000 samples need more than what the database may have
sed -i 's/25MiB/4KiB/; s/"1MiB"/"4KiB"/; s/"rounds": 1/"rounds": 1000/' m.json
limited 512 run m.json --db small.db
status=$?
verdict "file size limit below the database's size" $status
[ $status = 1 ] || fail "ended with $status: $(tail -n 2 .err)"
mentions .err 'small.db: .*(File too large|no space left for it)'
sound small.db
[ -z "$(ls -A dir)" ] || fail "left behind: $(ls -A dir)"

#!/bin/bash
# faults_truncated.sh FSMATRIX: an image that loses its bytes while a sample is
# made is never a valid result, and the next one is a new image.
. "$(dirname "$0")/system.sh"
need_loop
need_tool sqlite3 sqlite3
need_tool mkfs.ext4 e2fsprogs
cd "$scratch" || exit 1
cat > m.json << 'END'
{ "volumes": [ { "name": "v", "image": "v.img", "size": "400MiB" } ], "rounds": 2,
  "filesystems": [ { "name": "f", "type": "ext4" } ],
  "workloads": [ { "name": "w", "size": "300MiB", "block": "64KiB" } ] }
END
"$program" run m.json --db t.db > .out 2> .err < /dev/null &
pid=$!
# the file has no name; the worker holds it. Some of it is written, not all.
is_half_written() {
    local blocks
    for file in $(find "/proc/$worker/fd" -lname "$scratch/#* (deleted)" 2> /dev/null); do
        blocks=$(stat -L -c '%b' "$file" 2> /dev/null || echo 0)
        [ "$blocks" -lt 100000 ] || [ "$blocks" -gt 500000 ] || return 0
    done
    return 1
}
stand_still_when is_half_written
truncate -s 0 "$file" || fail "cannot truncate it"
kill -CONT "$worker"
wait $pid
status=$?
verdict "image truncated below a loop device in mid-phase" $status
[ $status = 3 ] || fail "ended with $status"
case $(statuses t.db) in
failed,ok | corrupt,ok) ;;
*) fail "$(statuses t.db)" ;;
esac
sound t.db

#!/bin/bash
# A stop does not wait for a mkfs that takes its time.
. "$(dirname "$0")/system.sh"
need_loop
mkdir "$scratch/bin"
printf '#!/bin/sh\nsleep 65\n' > "$scratch/bin/mkfs.ext4"
chmod +x "$scratch/bin/mkfs.ext4"
PATH=$scratch/bin:$PATH "$program" -t ext4 "$scratch/a.img" \
    > "$scratch/.out" 2> "$scratch/.err" < /dev/null &
pid=$!
for _ in $(seq 200); do
    pgrep -f "$scratch/bin/mkfs.ext4" > /dev/null && break
    sleep 0.05
done
start=$SECONDS
kill -TERM $pid
wait $pid
status=$?
[ $((SECONDS - start)) -le 3 ] || fail "it took $((SECONDS - start)) s"
[ $status = 1 ] || fail "ended with $status"
mentions .err '^mkfs.ext4 -q -F /dev/loop[0-9]+ was stopped$'

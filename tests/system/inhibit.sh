#!/bin/bash
# inhibit.sh FSMATRIX: where systemd manages the machine, it is kept awake as
# long as a run goes on, however that ends; elsewhere nothing is tried.
mountpoint -q / || { echo "skipped: needs a root that is a mount, no chroot"; exit 77; }
if [ "${INHIBIT_PRIVATE:-}" = '' ]; then
    [ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
    # a /run of our own, in which there is a systemd or not
    INHIBIT_PRIVATE=1 exec unshare -m --propagation private bash "$0" "$@"
fi
mount -t tmpfs none /run && mkdir -m 1777 /run/lock || exit 1
. "$(dirname "$0")/system.sh"
cd "$scratch" && mkdir bin dir || exit 1
cat > bin/systemd-inhibit << END
#!/bin/sh
echo "\$@" > $scratch/called
exec sleep 98765
END
chmod +x bin/systemd-inhibit
export PATH=$scratch/bin:$PATH
cat > m.json << 'END'
{ "volumes": [ { "name": "d", "directory": "dir" } ], "rounds": 300,
  "workloads": [ { "name": "w", "size": "64KiB", "block": "4KiB" } ] }
END
sleepers() { pgrep -fx 'sleep 98765'; }

expect 0 run m.json --rounds 1 --db i.db
[ ! -e called ] || fail "it was called without systemd"

mkdir -p /run/systemd/system
expect 0 run m.json --rounds 1 --db i.db
grep -q -e '--what=sleep.*--mode=block sleep infinity' called ||
    fail "called as: $(cat called)"
[ -z "$(sleepers)" ] || fail "the machine stays awake after the run"

for signal in KILL TERM; do
    "$program" run m.json --db i.db > .out 2> .err < /dev/null &
    pid=$!
    for _ in $(seq 500); do
        grep -q '^\[' .err && break
        sleep 0.02
    done
    [ -n "$(sleepers)" ] || fail "the machine is not kept awake"
    kill -$signal $pid
    wait $pid 2> /dev/null
    sleep 2
    [ -z "$(sleepers)" ] || fail "the machine stays awake after SIG$signal"
done

# one that cannot do it is no error
printf '#!/bin/sh\nexit 1\n' > bin/systemd-inhibit
expect 0 run m.json --rounds 1 --db i.db

#!/bin/bash
# units.sh TOOL LOAD_MODULE: fsmatrix.service under a running systemd. A run
# ends well or badly, is stopped or killed in mid-write, and removed: what the
# service manager says of it is what the README does, nothing is left, and
# what was measured is there.
set -u
here=$(dirname "$(realpath "$0")")
tools=$here/../../tools
fsmatrix=$(realpath "$(dirname "$1")/../../fsmatrix") load_module=$2
if grep -qE '__(asan|tsan)_init' "$fsmatrix"; then
    echo "skipped: a sanitized program does not run under this kernel"
    exit 77
fi
for need in mkfs.ext4 systemctl; do
    command -v $need > /dev/null || { echo "skipped: needs $need"; exit 77; }
done
[ -x /lib/systemd/systemd ] || { echo "skipped: needs systemd"; exit 77; }
# the guest has a /dev/shm and a /run of its own
case ${TMPDIR:-} in /dev/shm* | /run*) unset TMPDIR ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT

mkdir -p "$work/units/fsmatrix.service.d"
cp "$tools/fsmatrix.service" "$tools/fsmatrix.timer" "$work/units/"
# there is no journal
printf '%s\n' '[Service]' 'StandardOutput=append:/tmp/t/log' \
    'StandardError=append:/tmp/t/log' > "$work/units/fsmatrix.service.d/log.conf"

cat > "$work/inside" << INSIDE
cp ${fsmatrix@Q} /usr/local/bin/
INSIDE
cat >> "$work/inside" << 'INSIDE'
export FSMATRIX_DB=/var/lib/fsmatrix/fsmatrix.db
failed=0
fail() { echo "FAILED: $*" >&2; failed=1; }
# says WHAT WANTED COMMAND...: what the command prints is WANTED
says() {
    local what=$1 wanted=$2 got
    shift 2
    got=$("$@" 2>&1)
    [ "$got" = "$wanted" ] || fail "$what: $wanted wanted, got: $got"
}
run_status() { fsmatrix list -n 1 --json | grep -o '"status":"[^"]*"'; }
# matrix ROUNDS MKFS
matrix() {
    cat > /etc/fsmatrix/nightly.json << END
{ "volumes": [ { "name": "v", "image": "/tmp/t/v.img", "size": "64MiB" } ],
  "filesystems": [ { "name": "ext4", "type": "ext4", "mkfs": [$2] } ],
  "workloads": [ { "name": "w", "size": "24MiB", "block": "4KiB" } ],
  "rounds": $1 }
END
}
# in_mid_run: started, and past the first sample
in_mid_run() {
    : > /tmp/t/log
    systemctl start --no-block fsmatrix
    for i in $(seq 600); do
        grep -q '^\[1/' /tmp/t/log && return
        sleep 0.1
    done
    fail "no sample came"
    cat /tmp/t/log >&2
}
# settled WHAT STATE RUN: the unit and the run are, and nothing is left
settled() {
    for i in $(seq 300); do
        [ "$(systemctl show -P ActiveState fsmatrix)" = "$2" ] && break
        sleep 0.1
    done
    says "$1: the unit" "$2" systemctl show -P ActiveState fsmatrix
    says "$1: the run" "\"status\":\"$3\"" run_status
    says "$1: loop devices" "" losetup -a
    says "$1: mounts" "" grep -h fsmatrix- /proc/[0-9]*/mountinfo
    says "$1: places" "" find /run /tmp/t -maxdepth 1 -name 'fsmatrix-*' \
        -o -name v.img
    says "$1: records" "" find /var/lib/fsmatrix -name 'run-*'
    says "$1: clean" "nothing left behind" fsmatrix clean
    systemctl reset-failed fsmatrix 2> /dev/null
}

mkdir -p /etc/fsmatrix /tmp/t && mount -t tmpfs -o size=400m t /tmp/t || exit 1
# the machine's own records are not ours
mount -t tmpfs t /var/lib || exit 1
systemctl start fsmatrix.timer || fail "the timer does not start"
says "next" "23:00:00" sh -c "systemctl show -P NextElapseUSecRealtime \
    fsmatrix.timer | grep -oE '[0-9:]{8}'"

matrix 1 ""
systemctl start fsmatrix || fail "a run that is well"
settled "well" inactive done
grep -q 'KB/Sec' /tmp/t/log || fail "no table"
grep -q 'left behind' /tmp/t/log && fail "it speaks of nothing"

matrix 1 '"-Z"'
systemctl start fsmatrix 2> /dev/null && fail "a failed cell is well"
says "failed" 3 systemctl show -P ExecMainStatus fsmatrix
settled "failed" failed done

matrix 1000 ""
in_mid_run
says "others see" "" grep fsmatrix- /proc/1/mountinfo
fsmatrix run /etc/fsmatrix/nightly.json > /tmp/t/second 2>&1
says "a second run" 75 echo $?
systemctl stop fsmatrix 2> /dev/null || fail "stop"
settled "stopped" inactive interrupted
eval "$(grep -oE 'fsmatrix resume .*[0-9]$' /tmp/t/log) --budget 1s" \
    > /dev/null 2>&1 || fail "it cannot be gone on with"
says "resumed" '"status":"stopped"' run_status

in_mid_run
kill -KILL "$(systemctl show -P MainPID fsmatrix)"
settled "killed" failed "broken off"

in_mid_run
systemctl kill --signal KILL fsmatrix
settled "all killed" failed "broken off"
exit $failed
INSIDE
UML_TIMEOUT=250 MODULES=loop UML_UNITS=$work/units UML_MEM=1000M bash "$here/uml.sh" \
    "$load_module" "$work/inside"

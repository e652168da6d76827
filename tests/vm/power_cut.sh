#!/bin/bash
# power_cut.sh TOOL LOAD_MODULE [TIMES]: the power goes during a run. After
# the next boot the disk holds what the run had told of, and nothing that
# `clean`, or the next run, does not remove.
set -u
here=$(dirname "$(realpath "$0")")
tool=$(realpath "$1") load_module=$2 times=${3:-2}
fsmatrix=$(realpath "$(dirname "$tool")/../../fsmatrix")
if grep -qE '__(asan|tsan)_init' "$fsmatrix"; then
    echo "skipped: a sanitized program does not run under this kernel"
    exit 77
fi
for need in mkfs.ext4 sqlite3; do
    command -v $need > /dev/null || { echo "skipped: needs $need"; exit 77; }
done
# the guest has a /dev/shm and a /run of its own
case ${TMPDIR:-} in /dev/shm* | /run*) unset TMPDIR ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT

cat > "$work/begin" << 'BEGIN'
mkdir /tmp/d && mount /dev/ubda /tmp/d && cd /tmp/d || exit 1
export FSMATRIX_STATE=/tmp/d/state
BEGIN
# The printed lines go to the host at once; then the power goes, without a
# flush of anything.
cat > "$work/cut" << CUT
. ${work@Q}/begin
[ -d dir ] || mkdir dir
cat > m.json << END
{ "volumes": [ { "name": "d", "directory": "dir" } ],
  "workloads": [ { "name": "w", "block": "64KiB", "size": "2MiB" } ],
  "rounds": 200 }
END
sync
$fsmatrix run --db k.db m.json 2>&1 > /dev/null | tee /tmp/log &
for i in \$(seq 300); do
    [ "\$(grep -c KB/s /tmp/log)" -lt 3 ] || break
    sleep 0.1
done
sleep 0.\$1
echo o > /proc/sysrq-trigger
sleep 60
CUT
cat > "$work/after" << AFTER
. ${work@Q}/begin
echo "left before: \$(ls -A dir | wc -l) in dir, \$(ls state | wc -l) records"
echo "integrity: \$(sqlite3 k.db 'pragma integrity_check')"
echo "stored: \$(sqlite3 k.db "select count(*) from sample where status = 'ok'")"
$fsmatrix clean
echo "clean: \$?"
echo "left after: \$(ls -A dir state)"
rm k.db*
umount /tmp/d 2> /dev/null || { cd / && umount /tmp/d; }
AFTER

failed=0
truncate -s 256M "$work/disk" && mkfs.ext4 -q "$work/disk" || exit 1
export MODULES=ext4 UML_DISK=$work/disk
for i in $(seq "$times"); do
    UML_CUT=1 bash "$here/uml.sh" "$load_module" "$work/cut" \
        $((RANDOM % 900 + 100)) > "$work/out" 2> "$work/err"
    status=$?
    if [ $status = 77 ]; then
        cat "$work/out"
        exit 77
    fi
    told=$(grep -c KB/s "$work/out")
    bash "$here/uml.sh" "$load_module" "$work/after" > "$work/out2" 2>&1 ||
        failed=1
    stored=$(sed -n 's/^stored: //p' "$work/out2")
    if [ $status != 0 ] || [ "$told" -lt 3 ] ||
        [ "${stored:-0}" -lt "$told" ] ||
        ! grep -qx 'integrity: ok' "$work/out2" ||
        ! grep -qx 'clean: 0' "$work/out2" ||
        [ "$(sed -n '/^left after: /,$p' "$work/out2" | tr -d '\n')" != \
            "left after: dir:state:" ]; then
        echo "FAILED: told of $told samples; after the boot:" >&2
        cat "$work/out" "$work/err" "$work/out2" >&2
        failed=1
    fi
done
cat "$work/out2"
exit $failed

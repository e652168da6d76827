#!/bin/bash
# power_cuts.sh TOOL LOAD_MODULE [TIMES [SEED]]: the power goes again and again
# at any moment of one run, boot included; each time it is gone on with. No
# sample that was told of is lost, none is measured twice, what was left behind
# is removed by the next start, and at the end all of it was measured in the
# order it would have had at once. The database is on another disk than the
# tests.
. "$(dirname "$0")/vm.sh"
need_tool sqlite3 sqlite3
need_tool mkfs.ext4 e2fsprogs
times=${1:-2} RANDOM=${2:-$$}

# One boot: clean up, look at the database, go on. The lines of progress reach
# the host at once.
cat > "$work/script" << 'INSIDE'
mkdir /tmp/d /tmp/r && mount /dev/ubda /tmp/d && mount /dev/ubdb /tmp/r &&
    cd /tmp/d && mkdir -p dir || exit 1
export FSMATRIX_STATE=/tmp/r/state
cat > m.json << 'END'
{ "name": "cuts",
  "volumes": [ { "name": "image", "image": "v.img", "size": "64MiB" },
               { "name": "directory", "directory": "dir" } ],
  "filesystems": [ { "name": "ext4", "type": "ext4" },
                   { "name": "FAT", "type": "vfat", "driver": "vfat" } ],
  "workloads": [ { "name": "w", "block": "64KiB", "size": "6MiB" } ],
  "rounds": ROUNDS }
END
db=/tmp/r/c.db
if [ -e $db ]; then
    echo "integrity $(sqlite3 $db 'pragma integrity_check')"
    echo "stored $(sqlite3 $db "select count(*) from sample where status = 'ok'" 2> /dev/null || echo 0)"
fi
$fsmatrix clean > cleaned 2>&1 || sed 's/^/unclean /' cleaned
{ ls -A dir | grep . ; ls v.img; ls -A $FSMATRIX_STATE | grep run-; } 2> /dev/null |
    sed 's/^/left /'
if [ -n "$(sqlite3 $db 'select 1 from run' 2> /dev/null)" ]; then
    $fsmatrix resume --db $db 2>&1 > table
else
    $fsmatrix run --seed 7 --db $db m.json 2>&1 > table
fi | grep --line-buffered .
echo "ended ${PIPESTATUS[0]}"
sqlite3 $db "select 'order ' || round || ' ' || volume || ' ' || filesystem from result
    where op = 'W' order by position"
sqlite3 $db "select 'doubled ' || round from sample group by cell, round having count(*) > 1"
sqlite3 $db "select 'status ' || status from run"
sync
INSIDE
sed -i "s/ROUNDS/$((times < 10 ? 5 : 60))/" "$work/script"
export UML_DISK="$work/tests $work/results"

fresh_disks() {
    rm -f "$work/tests" "$work/results"
    truncate -s 256M "$work/tests" "$work/results"
    mkfs.ext4 -q "$work/tests" && mkfs.ext4 -q "$work/results" || exit 1
    told=0
}

# look: what the boot that just ended has found and said
look() {
    local stored
    if grep -q '^integrity ' "$work/out"; then
        grep -qx 'integrity ok' "$work/out" || fail "$(cat "$work/out")"
        stored=$(sed -n 's/^stored //p' "$work/out")
        [ -z "$stored" ] || [ "$stored" -ge "$told" ] ||
            fail "$stored samples are stored, but $told were told of"
    fi
    ! grep -E '^(left|unclean|doubled) ' "$work/out" || fail "after a cut: see above"
    ! grep -E ': (failed|corrupt|timeout|stuck)' "$work/out" || fail "see above"
    told=$((told + $(grep -c ': W [0-9]* KB/s' "$work/out")))
}

# whole: the last boot came to the end of the run
whole() {
    grep -qx 'status done' "$work/out" || fail "$(tail -n 3 "$work/out")"
    grep '^order ' "$work/out" | cmp - "$work/order" || fail "the order is another"
    all=$((all + told))
}

fresh_disks
UML_TIMEOUT=600 guest "$work/script" || fail "without a cut: $(cat "$work/err")"
grep -qx 'ended 0' "$work/out" || fail "without a cut: $(tail -n 3 "$work/out")"
grep '^order ' "$work/out" > "$work/order"

fresh_disks
cuts=0 runs=1 all=0
while [ $cuts -lt "$times" ]; do
    UML_CUT_AFTER=$((RANDOM % 6 + 1)).$((RANDOM % 10)) guest "$work/script"
    status=$?
    [ $status = 0 ] || { cat "$work/out" "$work/err" >&2; fail "status $status"; }
    look
    if grep -q '^status done' "$work/out"; then # it was quicker than the cut
        whole
        fresh_disks
        runs=$((runs + 1))
        continue
    fi
    cuts=$((cuts + 1))
done
UML_TIMEOUT=600 guest "$work/script" || fail "the last boot: $(cat "$work/err")"
look
whole
[ -z "${FSMATRIX_FAULTS:-}" ] ||
    echo "power cut at any moment, then resume|it is gone on with to its end|0|$cuts|good" \
        >> "$FSMATRIX_FAULTS"
echo "$cuts cuts of $runs runs, $all samples told of and stored," \
    "each run in the order of one without a cut"

#!/bin/bash
# kill9.sh PROGRAM [KILLS [SEED]]: a run loses a process of its own to kill -9
# at any moment, again and again, and is gone on with until it is done. Two
# seconds after it has ended nothing of it is left, every sample that it had
# told of is in the database, and the database is sound. At its end it has
# every sample once, in the order of a run that nobody disturbed.
mountpoint -q / || { echo "skipped: needs a root that is a mount, no chroot"; exit 77; }
set -u
if [ "${KILL9_PRIVATE:-}" = '' ]; then
    [ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
    [ -c /dev/loop-control ] || { echo "skipped: needs loop devices"; exit 77; }
    for tool in unshare sqlite3 losetup; do
        command -v $tool > /dev/null || { echo "skipped: needs $tool"; exit 77; }
    done
    # a /run of our own: what is left there is ours
    KILL9_PRIVATE=1 exec unshare -m --propagation private bash "$0" "$@"
fi
mount -t tmpfs none /run && mkdir -m 1777 /run/lock || exit 1
program=$(realpath "$1") wanted=${2:-15} seed=${3:-$$}
scratch=$(mktemp -d) || exit 1
RANDOM=$seed
records=$scratch/state
cd "$scratch" && mkdir dir || exit 1
main=

finish() {
    [ -z "$main" ] || kill -KILL "$main" 2> /dev/null
    cd /
    rm -rf --one-file-system "$scratch"
}
trap finish EXIT

# Every filesystem that can be made and mounted here; a run skips the others.
cat > m.json <<'END'
{ "name": "kill9",
  "volumes": [ { "name": "image", "image": "v.img", "size": "320MiB" },
               { "name": "directory", "directory": "dir" } ],
  "filesystems": [
    { "name": "ext4", "type": "ext4" },
    { "name": "xfs", "type": "xfs" },
    { "name": "btrfs", "type": "btrfs" },
    { "name": "vfat", "type": "vfat" },
    { "name": "exfat", "type": "exfat" },
    { "name": "ntfs", "type": "ntfs" },
    { "name": "ext2 by fuse2fs", "type": "ext2", "driver": "fuse2fs" } ],
  "workloads": [ { "name": "short", "block": "64KiB", "size": "4MiB" },
                 { "name": "dirty", "block": "1MiB", "size": "96MiB" } ],
  "rounds": 2 }
END

# The processes of the run but for the main one; its keeper is nobody's child.
others() {
    below "$main"
    pgrep -xf "fsm-guard of process $main"
}

# below PID: its descendants
below() {
    local child
    for child in $(cat /proc/"$1"/task/*/children 2> /dev/null); do
        echo "$child"
        below "$child"
    done
}

# "PID START STATE NAME" of each of the processes that is there
described() {
    local pid stat name
    for pid; do
        stat=$(cat "/proc/$pid/stat" 2> /dev/null) || continue
        name=${stat#*\(} name=${name%)*}
        # shellcheck disable=SC2086 # fields
        set -- ${stat##*) }
        echo "$pid ${20} $1 $name"
    done
}

# Whether the kernel holds a process until somebody else's filesystem is
# unmounted: writing to drop_caches waits for all of them, or goes through all
# of their pages (then it runs, and has no stack to be seen).
waits_for_others() {
    grep -q drop_caches "/proc/$1/stack" 2> /dev/null ||
        [ -n "$(find "/proc/$1/fd" -lname '*/drop_caches' 2> /dev/null)" ]
}

# The processes of the run that live: those we knew, and those that carry our
# environment. A zombie has ended; whose it is to wait for is not ours.
alive() {
    local pid start
    while read -r pid start _; do
        # shellcheck disable=SC2046 # words
        set -- $(described "$pid")
        [ "${2:-}" != "$start" ] || echo "$@"
    done < known
    # shellcheck disable=SC2046 # a list of pids
    described $(grep -lzxF "FSMATRIX_STATE=$records" \
        /proc/[0-9]*/environ 2> /dev/null | cut -d/ -f3)
}

alive_for_no_good_reason() {
    local pid start state name
    alive | while read -r pid start state name; do
        case $state in
        Z | X) continue ;;
        D | R) waits_for_others "$pid" && continue ;;
        esac
        echo "process $pid $name in state $state"
    done
}

traces() {
    alive_for_no_good_reason
    losetup -l -n -O NAME,BACK-FILE | grep -F "$scratch"
    grep -F ' /run/fsmatrix-' /proc/self/mountinfo
    ls -d /run/fsmatrix-* 2> /dev/null
    ls -Ad v.img dir/* dir/.[!.]* 2> /dev/null
    # one without an entry is what a run leaves that had not yet a keeper
    grep -l '^+' "$records"/* 2> /dev/null
}

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

fail() {
    echo "FAILED in round $round (seed $seed): killed $victims: $1" >&2
    exit 1
}

expect_no_traces() {
    local left begun took=0
    begun=$(milliseconds)
    while left=$(traces); [ -n "$left" ]; do
        if [ $took -gt 2000 ]; then
            echo "$left" >&2
            # where the kernel holds them
            for pid in $(alive | cut -d' ' -f1 | sort -u); do
                echo "$pid:" $(cut -d' ' -f2 "/proc/$pid/stack")
            done >&2 2> /dev/null
            sleep 5
            echo "after 5 s more: $(traces)" >&2
            fail "this was left behind"
        fi
        sleep 0.02
        took=$(($(milliseconds) - begun))
    done
    [ $took -le "$slowest" ] || slowest=$took
}

sql() { sqlite3 k.db "$1"; }

of_last_run="cell in (select id from cell where run = (select max(id) from run))"

# Every line with figures was said after its commit. What this run has told of
# since it was begun is $told.
expect_sound_database() {
    local stored twice
    [ "$(sql 'pragma integrity_check; pragma foreign_key_check')" = ok ] ||
        fail "the database is damaged"
    told=$((told + $(grep -c 'W [0-9]* KB/s' log)))
    stored=$(sql "select count(*) from sample where status = 'ok' and
        $of_last_run") || fail "no samples can be read"
    [ "$told" -le "$stored" ] || fail "$told samples told, $stored stored"
    twice=$(sql "select count(*) from (select 1 from sample
        group by cell, round having count(*) > 1)")
    [ "$twice" = 0 ] || fail "$twice samples are there twice"
}

is_unfinished() {
    [ -s k.db ] && [ -n "$(sql "select 1 from run where id =
        (select max(id) from run) and status <> 'done'")" ]
}

# The run that is done: what a plan says, one after the other.
expect_whole() {
    local seed
    seed=$(sql 'select seed from run order by id desc limit 1')
    "$program" plan --seed "$seed" m.json | sed -n 's/^  round [0-9]*: //p' |
        tr ' ' '\n' > planned
    sql "select cell - (select min(id) from cell where run =
        (select max(id) from run)) + 1 from sample where $of_last_run
        order by position" > measured
    cmp planned measured >&2 || fail "the order is another"
    finished=$((finished + 1)) told=0
}

# One process of the run, by its kind first: most of the time there is no
# mkfs and no daemon. Or all of them.
choose() {
    local programs
    case $((RANDOM % 7)) in
    0) echo "$main" ;;
    1) pgrep -xf "fsm-guard of process $main" ;;
    2) echo "$main" $(others) ;;
    3) below "$main" | head -n 1 ;; # what measures
    *)
        programs=$(below "$main" | tail -n +2)
        [ -z "$programs" ] || shuf -n 1 <<< "$programs"
        ;;
    esac
}

# start: a new run, or the last, gone on with
start() {
    if is_unfinished; then
        set -- resume
    else
        set -- run m.json --seed $RANDOM
        told=0
    fi
    FSMATRIX_STATE=$records "$program" "$@" --db k.db > table 2> log < /dev/null &
    main=$!
}

# kill_some: processes of the run, until it ends
kill_some() {
    local victim name
    while kill -0 "$main" 2> /dev/null; do
        # shellcheck disable=SC2046 # a list of pids
        described "$main" $(others) > known
        victim=$(choose)
        name=$(cat "/proc/${victim%% *}/comm" 2> /dev/null) || {
            sleep 0.05
            continue
        }
        [ "$victim" != "$main" ] || name="the main process"
        [ "${victim#* }" = "$victim" ] || name="all of them at once"
        # shellcheck disable=SC2086 # a list of pids
        kill -KILL $victim 2> /dev/null || continue
        victims="$victims; $name"
        killed[$name]=$((${killed[$name]:-0} + 1)) kills=$((kills + 1))
        [ "${victim%% *}" != "$main" ] || break
        sleep "0.$((RANDOM % 900 + 100))"
    done
    wait "$main" 2> /dev/null
    main=
}

slowest=0 kills=0 round=0 finished=0 told=0
declare -A killed
while [ $kills -lt "$wanted" ]; do
    victims= round=$((round + 1))
    start
    # anywhere from the first instruction to the middle of a later sample
    sleep "$((RANDOM % 4)).$(printf %03d $((RANDOM % 1000)))"
    kill_some
    case $victims in
    *"all of them"*) FSMATRIX_STATE=$records "$program" clean > cleaned ||
        fail "clean ended with $?" ;;
    esac
    expect_no_traces
    [ ! -s k.db ] || expect_sound_database
    [ ! -s k.db ] || is_unfinished || [ $told = 0 ] || expect_whole
done
victims=none
if is_unfinished; then
    start
    wait "$main"
    main=
    expect_no_traces
    expect_sound_database
    ! is_unfinished || fail "resume did not end it: $(tail -n 3 log)"
    expect_whole
fi
for name in "${!killed[@]}"; do
    echo "killed $name ${killed[$name]} times"
    [ -z "${FSMATRIX_FAULTS:-}" ] ||
        echo "kill -9 of $name, then resume|it is gone on with to its end|137, 0|${killed[$name]}" >> "$FSMATRIX_FAULTS"
done
echo "$kills kills in $round starts; $finished runs gone on with to their end," \
    "slowest clean-up $slowest ms"

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the scripts here begin with: `. system.sh`, after which $1 is the
# program under test and $scratch a folder that is gone at the end. A script
# fails when it leaves a mount, a loop device, a process or a file behind.
set -u
program=$(realpath "$1")
shift
scratch=$(mktemp -d) || exit 1
export FSMATRIX_STATE=$scratch/.state

skip() {
    echo "skipped: $1"
    exit 77
}

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

need_root() { [ "$(id -u)" = 0 ] || skip "needs root"; }

# Other mount namespaces are entered at their root, which a chroot hides.
need_namespaces() {
    mountpoint -q / || skip "needs a root that is a mount, no chroot"
}

need_loop() {
    need_root
    [ -c /dev/loop-control ] || skip "needs loop devices"
}

need_tool() {
    command -v "$1" > /dev/null || skip "needs $1 (install $2)"
}

# unprivileged COMMAND...: as a user who may do nothing
unprivileged() {
    [ -d "$scratch/.state-user" ] ||
        install -d -o 65534 -m 700 "$scratch/.state-user" || exit 1
    FSMATRIX_STATE=$scratch/.state-user setpriv --reuid=65534 --regid=65534 \
        --clear-groups "$@"
}

# Processes that come from us, by the environment that they inherited.
our_processes() {
    local pid
    for pid in $(grep -lzxF "FSMATRIX_STATE=$FSMATRIX_STATE" \
        /proc/[0-9]*/environ 2> /dev/null | cut -d/ -f3); do
        case $(cat "/proc/$pid/comm" 2> /dev/null) in
        fuse* | ntfs-3g | lowntfs-3g | mount.exfat* | mkfs* | mke2fs | \
            "${program##*/}" | fsmatrix*) echo "$pid" ;;
        esac
    done
}

# Mount points of ours, by what was said of them or is on record: others may
# have theirs beside them.
mount_points() {
    local folder
    for folder in /run/fsmatrix-*; do
        [ -d "$folder" ] || continue
        grep -rqF "${folder##*/}" "$scratch"/.log* "$FSMATRIX_STATE" \
            2> /dev/null && echo "$folder"
    done
}

# What a target could leave, of ours: other runs may be under way.
traces() {
    losetup -l -n -O BACK-FILE | grep -F "$scratch"
    grep -F "$scratch" /proc/self/mountinfo
    mount_points
    our_processes | xargs -r ps -o pid=,stat=,args= -p
    find "$scratch" -xdev ! -path "$scratch/.*" \
        \( -name '*.img' -o -name '.fsmatrix-*' \) ! -name 'kept*'
}

# Waits for up to ten seconds until there are none: whoever on a busy machine
# looks at a loop device in that moment keeps it attached.
expect_no_traces() {
    local i
    for i in $(seq 200); do
        [ -n "$(traces)" ] || return 0
        sleep 0.05
    done
    traces >&2
    fail "this was left behind"
}

cleanup() {
    local status=$?
    trap - EXIT
    if [ $status = 0 ]; then
        (expect_no_traces) || status=1
    fi
    for mounted in $(awk -v d="$scratch/" 'index($5, d) == 1 { print $5 }' \
        /proc/self/mountinfo | tac); do
        umount -l "$mounted"
    done
    rm -rf --one-file-system "$scratch"
    exit $status
}
trap cleanup EXIT

# Keeps what the program said; .out and .err are overwritten.
remember() { cat "$scratch/.out" "$scratch/.err" >> "$scratch/.log"; }

# expect STATUS ARGUMENT...: runs the program; its outputs go to $scratch/.out
# and $scratch/.err.
expect() {
    local wanted=$1 status
    shift
    "$program" "$@" > "$scratch/.out" 2> "$scratch/.err" < /dev/null
    status=$?
    remember
    [ $status = "$wanted" ] && return 0
    cat "$scratch/.out" "$scratch/.err" >&2
    fail "$* ended with $status, not with $wanted"
}

# says FILE TEXT: an exact line of .out or .err
says() {
    grep -qxF -e "$2" "$scratch/$1" && return 0
    cat "$scratch/$1" >&2
    fail "$1 does not say: $2"
}

# mentions FILE REGEX
mentions() {
    grep -qE -e "$2" "$scratch/$1" && return 0
    cat "$scratch/$1" >&2
    fail "$1 does not mention: $2"
}

# begin ARGUMENT...: runs the program behind our back until it says that it
# waits; its process is $pid.
begin() {
    local i
    "$program" "$@" > "$scratch/.out" 2> "$scratch/.err" < /dev/null &
    pid=$!
    for i in $(seq 600); do
        grep -qx waiting "$scratch/.out" && remember && return 0
        kill -0 $pid 2> /dev/null || break
        sleep 0.05
    done
    cat "$scratch/.out" "$scratch/.err" >&2
    kill -KILL $pid 2> /dev/null
    wait $pid
    [ $? = 77 ] && skip "$(cat "$scratch/.err")"
    fail "$* does not come to wait"
}

# await_writing_daemon NAME: until a daemon of ours has written 20 MB, which it
# does in a sample's write phase; its process is $daemon then, and it stopped.
await_writing_daemon() {
    local i candidate written
    for i in $(seq 2000); do
        for candidate in $(our_processes); do
            [ "$(cat "/proc/$candidate/comm" 2> /dev/null)" = "${1:0:15}" ] ||
                continue
            written=$(sed -n 's/^wchar: //p' "/proc/$candidate/io" 2> /dev/null)
            [ "${written:-0}" -ge 20000000 ] || continue
            daemon=$candidate
            kill -STOP "$daemon"
            return
        done
        sleep 0.02
    done
    fail "no $1 came to write"
}

# stand_still_when COMMAND...: until COMMAND is true while the process that
# measures for the run $pid stands still, so that it is true no longer than
# until kill -CONT "$worker".
stand_still_when() {
    local i
    for i in $(seq 4000); do
        kill -0 "$pid" 2> /dev/null || break
        worker=$(pgrep -P "$pid" -x "$(cat "/proc/$pid/comm")" | head -n 1)
        if [ -n "$worker" ] && kill -STOP "$worker" 2> /dev/null; then
            "$@" && return
            kill -CONT "$worker" 2> /dev/null
        fi
        sleep 0.01
    done
    fail "it was never so: $*: $(cat "$scratch/.err")"
}

# For the tests of faults: what FSMATRIX_FAULTS names gets a line for each,
# "fault|what the program said|exit status".
# verdict FAULT STATUS: with the outputs in .err
verdict() {
    local said
    said=$(grep -v ': W [0-9]* KB/s' "$scratch/.err" | head -n 4 | paste -sd '~')
    echo "$1: exit $2: ${said//\~/; }"
    [ -z "${FSMATRIX_FAULTS:-}" ] || echo "$1|$said|$2" >> "$FSMATRIX_FAULTS"
}

# sound DB: every line that was told is a sample in it, and it is whole
sound() {
    local told stored
    [ "$(sqlite3 "$1" 'pragma integrity_check; pragma foreign_key_check')" = ok ] ||
        fail "$1: $(sqlite3 "$1" 'pragma integrity_check')"
    told=$(grep -c '^\[[0-9]*/[0-9]*\]' "$scratch/.err")
    stored=$(sqlite3 "$1" 'select count(*) from sample where cell in
        (select id from cell where run = (select max(id) from run))')
    [ "$told" -le "$stored" ] || fail "$told samples told, $stored stored"
}

# statuses DB: of the last run's samples, in the order measured
statuses() {
    sqlite3 "$1" "select group_concat(status) from (select status from sample
        where cell in (select id from cell where run = (select max(id) from run))
        order by round, position)"
}

#!/bin/bash
# uml.sh LOAD_MODULE SCRIPT [ARGUMENT...]: runs a bash script as root under the
# kernel of Debian's package user-mode-linux, in a second or two.
#
# The guest sees this machine's files at their own paths; what it changes is
# gone with it. $MODULES, words with a space between, are loaded first with
# all they need; one that the kernel has built in or lacks is left out. The
# script's outputs become ours, and so does its status; 77 when there is no
# such kernel here, 125 when it broke down.
#
# UML_DISK names images, with a blank between, that are /dev/ubda, ubdb, ...
# inside, and keep what is written there. With UML_CUT=1 the script is to end
# by the power going (o into /proc/sysrq-trigger): then the status is 0, and
# 125 if it ends otherwise. With UML_CUT_AFTER=SECONDS it goes then from
# outside: the status is 0, or the script's if that ended before.
# UML_KERNEL names another kernel. Speeds inside mean nothing.
#
# UML_UNITS names a folder of units: then systemd is the first process and has
# these, the targets that all units need, and none else of the machine's; the
# script is one of its services.
set -u
kernel=${UML_KERNEL:-$(command -v linux.uml)}
[ -x "$kernel" ] || {
    echo "skipped: no linux.uml (install user-mode-linux)"
    exit 77
}
load_module=$(realpath "$1")
shift
# the guest has a /dev/shm and a /run of its own
case ${TMPDIR:-} in /dev/shm* | /run*) unset TMPDIR ;; esac
box=$(mktemp -d) || exit 125
trap 'rm -rf --one-file-system "$box"' EXIT
# its memory is a file, wanted on a tmpfs that may execute
[ -w /dev/shm ] && export TMPDIR=/dev/shm

# First process: an overlay of the machine's root, and the script inside it.
cat > "$box/first" << 'FIRST'
#!/bin/bash
box=${0%/*}
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
mount -t proc proc /proc
mount -t hostfs -o "$box" box "$box" # the root is read-only
exec > "$box/first.log" 2>&1
. "$box/environment"

# Loads a module behind those it needs: in modules.dep the nearest comes first.
load() {
    local dir=/usr/lib/uml/modules/$(uname -r) line file files=
    line=$(grep -E "/$1\.ko:" "$dir/modules.dep" 2> /dev/null) || return
    for file in ${line%%:*} ${line#*:}; do
        files="$dir/$file $files"
    done
    # shellcheck disable=SC2086 # paths of ours, without blanks
    "$LOAD_MODULE" $files
}

load overlay
mount -t tmpfs layer /mnt && mkdir /mnt/upper /mnt/work /mnt/root || exit
cd /mnt/root || exit
mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work over . ||
    exit
cd ../root || exit
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t devtmpfs devtmpfs dev
mkdir -p dev/shm && mount -t tmpfs shm dev/shm
mount -t tmpfs run run
mount --bind "$box" ".$box"
for module in $MODULES; do
    load "$module"
done
if [ -d "$box/units" ] && [ ! -d sys/fs/cgroup ]; then
    echo 'echo "skipped: no systemd without control groups"; exit 77' \
        > "$box/script"
elif [ -d "$box/units" ]; then
    umount run # it wants one of its own
    export SYSTEMD_UNIT_PATH="$box/units" SYSTEMD_GENERATOR_PATH=/var/empty
    mount -n --move . / && exec chroot . /lib/systemd/systemd --unit=script.service
    exit
fi
chroot . bash "$box/last"
FIRST
cat > "$box/last" << LAST
box=$box
bash "\$box/script" > "\$box/out" 2> "\$box/err" < /dev/null
echo \$? > "\$box/status"
sync
echo o > /proc/sysrq-trigger
sleep 60
LAST
chmod +x "$box/first"
if [ -n "${UML_UNITS:-}" ]; then
    cp -r "$UML_UNITS" "$box/units"
    for target in sysinit basic local-fs timers shutdown; do
        cp "/lib/systemd/system/$target.target" "$box/units/" || exit 125
    done
    printf '%s\n' '[Unit]' 'DefaultDependencies=no' \
        '[Service]' 'Type=oneshot' "ExecStart=/bin/bash $box/last" \
        > "$box/units/script.service"
fi
{
    MODULES=${MODULES:-}
    echo "MODULES=${MODULES@Q} LOAD_MODULE=${load_module@Q}"
} > "$box/environment"
{
    echo "cd ${PWD@Q}"
    echo "exec bash ${*@Q}"
} > "$box/script"

disks=()
letters=abcdefgh
for disk in ${UML_DISK:-}; do
    disks+=("ubd${letters:0:1}=$disk")
    letters=${letters:1}
done
run=("$kernel" mem="${UML_MEM:-768M}" "${disks[@]}" uml_dir="$box/"
    rootfstype=hostfs rootflags=/ ro "init=$box/first"
    con=null con0=null,fd:1)
if [ -n "${UML_CUT_AFTER:-}" ]; then
    UML_CUT=maybe
    # a pipe, for it wants to poll its console
    setsid "${run[@]}" < /dev/null > >(cat > "$box/console") 2>&1 &
    pid=$!
    sleep "$UML_CUT_AFTER" &
    sleeper=$!
    wait -n $pid $sleeper
    # the kernel first, as the power would go, then what helped it
    kill -KILL $pid 2> /dev/null
    kill -KILL -- -$pid 2> /dev/null
    kill $sleeper 2> /dev/null
    wait $pid 2> /dev/null
else
    timeout -k 5 "${UML_TIMEOUT:-120}" "${run[@]}" < /dev/null 2>&1 |
        cat > "$box/console"
fi
if [ "${UML_CUT:-}" = maybe ]; then
    touch "$box/out" "$box/err" # it may not have come that far
fi
if [ -n "${UML_CUT:-}" ] && [ -f "$box/out" ] && [ ! -f "$box/status" ]; then
    cat "$box/out"
    cat "$box/err" >&2
    exit 0
fi
if [ ! -s "$box/status" ] || [ "${UML_CUT:-}" = 1 ]; then
    tail -n 30 "$box/console" >&2
    cat "$box/first.log" >&2
    echo "uml: the guest did not come to its end" >&2
    exit 125
fi
cat "$box/out"
cat "$box/err" >&2
exit "$(cat "$box/status")"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# init_long_path.sh PROGRAM: a disk is mounted where the path is too long for a
# name, or has a line break in it. The matrix that init writes is one that check
# takes, and so is the line that volumes has for it.
# in a mount namespace of its own: what is mounted here nobody else keeps busy
mountpoint -q / || { echo "skipped: needs a root that is a mount, no chroot"; exit 77; }
[ -n "${PRIVATE_MOUNTS:-}" ] || [ "$(id -u)" != 0 ] ||
    PRIVATE_MOUNTS=1 exec unshare -m --propagation private bash "$0" "$@"
. "$(dirname "$0")/system.sh"
need_loop
need_tool mkfs.ext4 e2fsprogs
need_tool sqlite3 sqlite3
cd "$scratch" || exit 1
long=$scratch/$(printf 'long%.0s' {1..40}) broken=$scratch/$'a\nb'
mkdir "$long" "$broken" && install -d -o 65534 work || exit 1
for folder in "$long" "$broken"; do
    file=kept-${#folder}.img
    truncate -s 160M "$file" && mkfs.ext4 -q -F "$file" &&
        mount -o loop "$file" "$folder" && chmod 777 "$folder" || exit 1
done
cp "$program" ./fsmatrix
chmod 755 . fsmatrix

(cd work && HOME=$scratch/work unprivileged "$scratch/fsmatrix" init m.json) \
    > .out 2>&1 || fail "init ended with $?: $(cat .out)"
named=$(sqlite3 :memory: "select count(*) from
    json_each(cast(readfile('work/m.json') as text), '\$.volumes')
    where value ->> 'directory' like '$scratch/%'
    and value ->> 'name' glob 'directory [1-9]*'")
[ "$named" = 2 ] || fail "they are no volumes: $(cat work/m.json)"
(cd work && unprivileged "$scratch/fsmatrix" check m.json) > .out 2>&1 ||
    fail "check refuses it: $(cat .out)"

"$program" volumes > .out || fail "volumes ended with $?"
grep -F "\"directory\": \"$long\"" .out | grep -qF '"name": "directory"' ||
    fail "volumes names it by what can be no name: $(cat .out)"
umount "$long" "$broken"

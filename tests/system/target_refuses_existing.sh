#!/bin/bash
# An image is created, never overwritten, not even through a symlink.
. "$(dirname "$0")/system.sh"
need_loop
echo precious > "$scratch/kept.img"
ln -s nowhere "$scratch/kept-link.img"

expect 4 -t ext4 "$scratch/kept.img"
says .err "image $scratch/kept.img exists already and is not overwritten \
(remove it, or name another)"
[ "$(cat "$scratch/kept.img")" = precious ] || fail "it was overwritten"
expect 4 -t ext4 "$scratch/kept-link.img"
[ ! -e "$scratch/nowhere" ] || fail "the symlink was followed"

# Options of mkfs lead to no other device or file.
victim=$scratch/kept.img
for option in "$victim" "-c$victim" "logdev=$victim,size=8m" "-J device=$victim" \
    /dev/loop0 "journal_dev=/dev/loop0" "/dev/loop0@alias.file" \
    "8:$victim:16" "-c=$victim;x" "$victim other"; do
    expect 4 -t btrfs -m "$option" "$scratch/a.img"
    mentions .err "^mkfs option .*: (/dev/loop0|$victim) exists"
done
expect 4 -t ext4 -m -J -m device=LABEL=home "$scratch/a.img"
says .err "mkfs option device=LABEL=home: names another device"
for option in device=TYPE=jbd -Jdevice=PARTUUID=x PARTLABEL=x a=b,device=UUID=x; do
    expect 4 -t ext4 -m "$option" "$scratch/a.img"
    says .err "mkfs option $option: names another device"
done
[ "$(cat "$victim")" = precious ] || fail "it was overwritten"

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

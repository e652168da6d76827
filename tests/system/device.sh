# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For scripts about devices: `. device.sh`. Loop devices over files stand for
# disks. Their stable paths are links made here, because without udev nobody
# else makes them; where udev is at work we leave /dev/disk alone.
. "$(dirname "$0")/system.sh"
need_loop
need_tool partx util-linux
[ ! -e /run/udev/control ] || skip "needs a machine without udev"
[ -z "$(find /dev/disk -mindepth 1 -type l 2> /dev/null)" ] ||
    skip "there are links in /dev/disk already"

cd "$scratch" || exit 1
mkdir -p /dev/disk/by-id /dev/disk/by-partuuid
links=()
loops=()

declare -A files

backing() { losetup -l -n -O BACK-FILE "$1" 2> /dev/null; }

# detach LOOP: unless it is somebody else's by now, and wait until it is done,
# for others may look at it
detach() {
    local i
    for i in $(seq 100); do
        [ "$(backing "$1")" = "${files[$1]}" ] || return 0
        losetup -d "$1" 2> /dev/null
        sleep 0.05
    done
}

tear_down() {
    local status=$? i
    for i in "${links[@]}"; do rm -f "$i"; done
    rmdir /dev/disk/by-id /dev/disk/by-partuuid /dev/disk 2> /dev/null
    [ -z "${swap:-}" ] || swapoff "$swap" 2> /dev/null
    for ((i = ${#loops[@]} - 1; i >= 0; i--)); do
        detach "${loops[i]}"
    done
    (exit $status)
    cleanup
}
trap tear_down EXIT

# link PATH TARGET: gone at the end
link() {
    links+=("$1")
    ln -sfn "$2" "$1"
}

little_endian() { # little_endian NUMBER: as four bytes for printf
    printf '\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) $(($1 >> 16 & 255)) \
        $(($1 >> 24 & 255))
}

# entry NUMBER START SECTORS: a partition in the table of $image
entry() {
    # shellcheck disable=SC2059 # the format is the bytes
    printf "\\x00\\x00\\x02\\x00\\x83\\xff\\xff\\xff$(little_endian "$2")$(
        little_endian "$3")" |
        dd of="$image" bs=1 seek=$((446 + 16 * ($1 - 1))) conv=notrunc \
            status=none
}

# attach IMAGE [OPTION...]: $loop is its loop device
attach() {
    loop=$(losetup -f --show "${@:2}" "$1") || exit 1
    loops+=("$loop")
    files[$loop]=$(backing "$loop")
}

# disk NAME SIGNATURE: a disk of 32 MiB full of bytes, with two partitions.
# Sets image, loop, part (the first), uuid (its) and path (its stable one).
disk() {
    image=$scratch/kept-$1.img
    seq -w 4194304 | head -c 32M > "$image"
    head -c 512 /dev/zero | dd of="$image" conv=notrunc status=none
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$(little_endian $((16#$2)))" |
        dd of="$image" bs=1 seek=440 conv=notrunc status=none
    entry 1 2048 40960
    entry 2 43008 20480
    printf '\x55\xaa' | dd of="$image" bs=1 seek=510 conv=notrunc status=none
    attach "$image" -P
    [ -b "${loop}p1" ] || partx -a "$loop" || exit 1
    part=${loop}p1
    uuid=$2-01
    path=/dev/disk/by-partuuid/$uuid
    link "$path" "../../${part#/dev/}"
    # shellcheck disable=SC2034 # it is for the script
    erase="$uuid 20971520"
}

# matrix PATH [ERASE [TYPE]]: m.json; ERASE "-" is none
matrix() {
    local consent=
    [ "${2:--}" = - ] || consent=", \"erase\": \"$2\""
    cat > m.json << END
{ "name": "m", "rounds": ${rounds:-1},
  "volumes": [ { "name": "v", "device": "$1"$consent } ],
  "filesystems": [ { "name": "f", "type": "${3:-ext4}" } ],
  "workloads": [ { "name": "w", "size": "2MiB" } ] }
END
}

sum() { sha256sum < "$1"; }

# says_no PATH ERASE REGEX: exit 4 and the words
says_no() {
    matrix "$1" "$2"
    expect 4 run --db x.db m.json
    mentions .err "^fsmatrix: .*$3"
}

# refuses PATH ERASE REGEX: the same, and not a byte of $image has changed
refuses() {
    local before after
    sync "$image"
    before=$(sum "$image")
    says_no "$@"
    sync "$image"
    after=$(sum "$image")
    [ "$before" = "$after" ] || fail "$1 was written to"
}

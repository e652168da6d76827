#!/bin/bash
# What udev says of a device is believed: its serial number makes the consent,
# and a name that it gave to two devices is nobody's.
. "$(dirname "$0")/device.sh"
need_tool mkfs.ext4 e2fsprogs
[ ! -e /run/udev ] || skip "there is a database of udev's"
mkdir -p /run/udev/data
trap 'rm -rf --one-file-system /run/udev; tear_down' EXIT

# plug NAME SERIAL LINK: a whole disk as udev would describe it
plug() {
    image=$scratch/kept-$1.img
    truncate -s 16M "$image"
    attach "$image"
    printf 'S:disk/by-id/%s\nI:1\nE:ID_SERIAL_SHORT=%s\nE:%s\nV:1\n' \
        "$3" "$2" 'ID_MODEL_ENC=Disk\x20of\x20ours' \
        > "/run/udev/data/b7:${loop#/dev/loop}"
    path=/dev/disk/by-id/$3
    link "$path" "$loop"
}

plug one SERIAL1 test-one
refuses "$path" - \
    "${loop#/dev/} \(Disk of ours, 16MiB\).*\"erase\": \"SERIAL1 16777216\""
refuses "$path" "SERIAL2 16777216" "another device"
"$program" volumes > out
grep -qF '{"name": "'"${loop#/dev/}"'", "device": "/dev/disk/by-id/test-one"' \
    out || fail "volumes does not offer it: $(cat out)"
matrix "$path" "SERIAL1 16777216"
expect 0 run --db x.db m.json

plug two SERIAL1 test-one
refuses "$path" "SERIAL1 16777216" "both loop[0-9]+ and loop[0-9]+ go by one name"

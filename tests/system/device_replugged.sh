#!/bin/bash
# Between consent and use the name may go to another disk, even to one that
# looks the same in all that is written on it: that one is not opened. Once
# the device is open, its name cannot go to another.
. "$(dirname "$0")/device.sh"
disk one 1a2b3c4d
cp "$image" kept-clone.img
cat > plug << END
#!/bin/sh
# plug IMAGE: as the device that was \$image
losetup -P "$loop" "\$1" && { [ -b "$part" ] || partx -a "$loop"; }
END
chmod +x plug

expect 0 "$path" "$erase" "true"
says .out "it is the same device"

expect 4 "$path" "$erase" "losetup -d $loop; ./plug kept-clone.img"
says .out "the command ended with 0"
mentions .err "$part: another device than a moment ago has this name"

# By its consent it is as good as the first: only that moment is guarded.
expect 0 "$path" "$erase" "true"

expect 0 "$path" "$erase" held \
    "losetup -d $loop; ./plug $image 2> .err2 && exit 9; exit 0"
says .out "the command ended with 0"
says .out "it is the same device"

#!/bin/bash
# Consent is for one disk: another that comes to the same name is left alone.
. "$(dirname "$0")/device.sh"
need_tool mkfs.ext4 e2fsprogs
disk two 5e6f7a8b
other=$image other_part=$part
disk one 1a2b3c4d
sync "$other"
before=$(sum "$other")

# While the first sample is made, the name goes to the other disk.
mkdir bin
cat > bin/mkfs.ext4 << END
#!/bin/sh
ln -sfn "$other_part" "$path"
exec "$(command -v mkfs.ext4)" "\$@"
END
chmod +x bin/mkfs.ext4
rounds=2
matrix "$path" "$erase"
PATH=$scratch/bin:$PATH expect 3 run --db x.db m.json
mentions .err "leads to ${other_part#/dev/}, whose partition UUID is 5e6f7a8b-01"
sync "$other"
[ "$(sum "$other")" = "$before" ] || fail "the other disk was written to"

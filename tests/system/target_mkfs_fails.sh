#!/bin/bash
# What mkfs says is what we say: XFS on less than 300 MB.
. "$(dirname "$0")/system.sh"
need_loop
need_tool mkfs.xfs xfsprogs
expect 1 -t xfs -s 104857600 "$scratch/a.img"
mentions .err '^mkfs.xfs -q -f /dev/loop[0-9]+ failed \(exit 1\): .*300'
[ "$(wc -l < "$scratch/.err")" = 1 ] || fail "more than one line"
expect 1 -t ext4 -m -O -m no_such_feature "$scratch/a.img"
mentions .err '^mkfs.ext4 -q -F -O no_such_feature .*[Ii]nvalid'

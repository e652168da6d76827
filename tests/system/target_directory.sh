#!/bin/bash
# A directory is used as it is: what was in it stays, what we made goes.
. "$(dirname "$0")/system.sh"
mkdir "$scratch/dir" "$scratch/dir/.fsmatrix-x"
echo precious > "$scratch/dir/data"
ln -s dir "$scratch/link"

expect 0 -k directory "$scratch/dir"
fstype=$(findmnt -n -o FSTYPE -T "$scratch/dir")
says .out "driver=$fstype"
expect 0 -k directory "$scratch/link"
[ "$(cat "$scratch/dir/data")" = precious ] || fail "a file was touched"
rmdir "$scratch/dir/.fsmatrix-x" || fail "a folder of others was touched"
[ "$(ls -A "$scratch/dir")" = data ] || fail "left: $(ls -A "$scratch/dir")"

# A folder is removed only by whom its name was recorded.
mkdir "$scratch/dir/.fsmatrix-Ab3dEf" && touch "$scratch/dir/.fsmatrix-Ab3dEf/f"
begin -k directory -w prepared "$scratch/dir"
first=$pid
expect 0 -k directory "$scratch/dir"
kill -USR1 "$first"
wait "$first" || fail "its folder was taken from it"
rm -r "$scratch/dir/.fsmatrix-Ab3dEf" || fail "a folder of others was touched"

expect 1 -k directory "$scratch/none"
mentions .err "^directory $scratch/none: No such file or directory"
expect 1 -k directory "$scratch/dir/data"
mentions .err "^directory $scratch/dir/data: Not a directory"

begin -k directory -w prepared "$scratch/dir"
kill -KILL $pid
wait $pid 2> /dev/null
expect_no_traces

[ "$(id -u)" = 0 ] && command -v setpriv > /dev/null || exit 0
cp "$program" "$scratch/tool"
chmod 755 "$scratch" "$scratch/tool" "$scratch/dir"
unprivileged "$scratch/tool" -k directory "$scratch/dir" 2> "$scratch/.err" &&
    fail "written without permission"
mentions .err "^writing in directory $scratch/dir: Permission denied"
chown 65534 "$scratch/dir"
unprivileged "$scratch/tool" -k directory "$scratch/dir" > "$scratch/.out" ||
    fail "does not work without root"
says .out "driver=$fstype"

#!/bin/bash
# in_a_chroot.sh PROGRAM: the root directory is no mount and the filesystem
# it is on is out of sight, as in a debootstrap root: directories and images
# are measured all the same, and nothing is left.
. "$(dirname "$0")/system.sh"
need_namespaces
need_loop
need_tool mkfs.ext4 e2fsprogs
need_tool unshare util-linux
root=$scratch/root
mkdir -p "$root"/{usr,etc,dev,proc,sys,run,tmp,w/a,w/b} || exit 1
for link in bin sbin lib lib32 lib64 libx32; do
    [ ! -L /$link ] || cp -P /$link "$root/"
done
[ -L "$root/bin" ] || skip "needs a merged /usr"
cp "$program" "$root/w/fsmatrix" && cp /etc/passwd "$root/etc/"
cat > "$root/w/m.json" << 'E'
{ "volumes": [ { "name": "a", "directory": "a" },
    { "name": "s", "image": "s.img", "size": "64MiB" } ],
  "filesystems": [ { "type": "ext4" } ],
  "workloads": [ { "size": "1MiB" } ], "rounds": 1 }
E
FSMATRIX_STATE=/tmp/state unshare -m bash -c '
    root=$1
    for folder in usr dev proc sys; do
        mount --rbind /$folder "$root/$folder" || exit 99
    done
    cd "$root/w" && chroot "$root" /bin/sh -c "cd /w && ./fsmatrix run m.json"
' bash "$root" > "$scratch/.out" 2> "$scratch/.err"
status=$?
[ $status = 0 ] || fail "ended with $status: $(cat "$scratch/.err")"
mentions .out 'a .*W '
mentions .out 'ext4 .*W '
[ -z "$(ls -A "$root/w/a")" ] || fail "files are left in the directory"
[ ! -e "$root/w/s.img" ] || fail "the image is left"

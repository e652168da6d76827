#!/bin/bash
# adversarial.sh FSMATRIX: matrices whose paths lead astray are refused, or end
# well: nothing that was there is changed, and nothing is left behind.
. "$(dirname "$0")/system.sh"
need_tool sqlite3 sqlite3
cd "$scratch" || exit 1
mkdir dir dir/sub
ln -s dir link && ln -s nowhere dangling && ln -s b a && ln -s a b
echo precious > kept-file && ln -s kept-file link-to-file
mkfifo kept-fifo
snapshot() { ls -lR --time-style=full-iso kept-* link* dangling a b | grep -v ^total; cat kept-file; }
before=$(snapshot)

# ends STATUS_PATTERN REGEX VOLUME[,VOLUME]...: the run; REGEX "" wants no words
ends() {
    local status=$1 regex=$2
    shift 2
    cat > m.json << END
{ "volumes": [ $* ], "rounds": 1,
  "filesystems": [ { "name": "f", "type": "ext4" } ],
  "workloads": [ { "name": "w", "size": "256KiB" } ] }
END
    # what hangs would be no answer
    timeout 60 "$program" run --db "$db" m.json > .out 2> .err < /dev/null
    ended=$?
    remember
    [[ $ended = $status ]] || fail "$*: ended with $ended: $(cat .err)"
    [ -z "$regex" ] || mentions .err "$regex"
    [ "$(snapshot)" = "$before" ] || fail "$*: something was changed: $(snapshot)"
    [ ! -s "$db" ] || [ "$(sqlite3 "$db" 'pragma integrity_check')" = ok ] ||
        fail "$*: the database is damaged"
}
directory() { echo "{ \"name\": \"$1\", \"directory\": \"$2\" }"; }
image() { echo "{ \"name\": \"$1\", \"image\": \"$2\", \"size\": \"64MiB\" }"; }
device() { echo "{ \"name\": \"$1\", \"device\": \"$2\", \"erase\": \"X 1\" }"; }

mkdir results
db=$scratch/results/a.db

# Directories.
ends 0 '' "$(directory v dir/../dir/sub/..)"
ends 0 '' "$(directory v link)"
ends 0 '' "$(directory v link),$(directory w dir),$(directory x dir/sub)"
ends 1 'directory .*dangling: No such file or directory' "$(directory v dangling)"
ends 1 'directory a: Too many levels of symbolic links' "$(directory v a)"
ends 1 'directory .*kept-file: Not a directory' "$(directory v kept-file)"
ends 1 'directory .*link-to-file: Not a directory' "$(directory v link-to-file)"
ends 1 'directory .*kept-fifo: Not a directory' "$(directory v kept-fifo)"
for place in / results results/../results; do
    ends 4 'the database .* lies below the directory of volume v .*under test' "$(directory v $place)"
done
db=link/a.db ends 4 'the database link/a.db lies below the directory of volume v' "$(directory v dir)"
[ "$(id -u)" != 0 ] || for place in /proc /sys; do
    ends '[13]' "making a directory in $place|writing in directory $place" "$(directory v $place)"
done
# more than there is: known before a byte is written where / or the results are
sed 's/256KiB/3EB/; s/3EB/4000000TiB/' m.json > large.json
sed -i "s|\"volumes\": \\[.*\\], \"rounds\"|\"volumes\": [ $(directory v dir) ], \"rounds\"|" large.json
expect 4 run --db "$db" large.json
mentions .err 'directory .*dir may grow to .* some must stay free'
[ "$(find dir -mindepth 1)" = dir/sub ] || fail "left in dir: $(find dir)"

# More of them than files may be open, unless we ask for more.
many=
for i in $(seq 12); do
    mkdir -p many/$i
    many="$many${many:+,}$(directory $i many/$i)"
done
(ulimit -Sn 24 && ends 0 '' "$many") || exit 1

# Images.
for path in / . .. dir dir/ dir/.. kept-file dangling link-to-file kept-fifo \
    m.json results/a.db /dev/null /dev/zero; do
    ends 4 'exists already and is not overwritten' "$(image v $path)"
done
ends 1 'image .*dangling/v.img: No such file or directory' "$(image v dangling/v.img)"
ends 1 'image a/v.img: Too many levels of symbolic links' "$(image v a/v.img)"
ends 1 'image .*kept-file/v.img: Not a directory' "$(image v kept-file/v.img)"
if [ "$(id -u)" = 0 ] && [ -c /dev/loop-control ]; then
    # what the database's companions are called is theirs
    for end in wal shm; do
        ends 3 'exists already and is not overwritten' "$(image v results/a.db-$end)"
    done
    ends 3 'creating image /proc/v.img' "$(image v /proc/v.img)"
    ends 0 '' "$(image v dir/../v.img),$(image w link/../v.img)"
    [ ! -e v.img ] || fail "the image is still there"
fi

# Devices: nothing but a name that stays is one.
# (a chroot's / is no mount)
root=$(findmnt -n -o SOURCE / | sed 's/\[.*//')
for path in / ${root:+"$root"} /dev/null /dev/loop0 /dev/mem dangling a kept-file \
    link-to-file ../../../../../../../../dev/loop0 /dev/disk/by-id/../../loop0 \
    /dev/disk/by-id /dev/disk/by-id/ /dev/disk/by-id/. /dev/fd/0 \
    /proc/self/exe; do
    [ "${path#/}" = "$path" ] && [ -e "$path" ] && path=$scratch/$path
    ends 4 "not a (path in|name that)|no such device|not a block device" \
        "$(device v "$path")"
done

#!/bin/bash
# deb.sh SOURCE: the Debian package is built twice, in two places and at two
# times, to the same bytes; it has what it should, and what its program needs;
# and in a root of its own it is installed, runs, and is removed without trace.
set -eu
source=$(realpath "$1")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/fsmatrix-deb.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT

skip() { echo "skipped: $1"; exit 77; }
fail() { echo "deb: $1" >&2; exit 1; }
for tool in cpack dpkg-shlibdeps dpkg-deb file gzip git; do
    command -v $tool > /dev/null || skip "needs $tool"
done

export SOURCE_DATE_EPOCH=1700000000
build() { # build NAME: $scratch/NAME.deb, of a copy of the source
    local copy=$scratch/$1/source
    mkdir -p "$copy"
    tar -xf "$scratch/source.tar" -C "$copy"
    cmake -S "$copy" -B "$scratch/$1/build" -G Ninja -DBUILD_TESTING=OFF \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo > "$scratch/log" 2>&1 &&
        cmake --build "$scratch/$1/build" >> "$scratch/log" 2>&1 &&
        (cd "$scratch/$1/build" && cpack -G DEB) >> "$scratch/log" 2>&1 || {
        tail -n 30 "$scratch/log" >&2
        fail "building $1"
    }
    mv "$scratch/$1"/build/*.deb "$scratch/$1.deb"
    rm -rf --one-file-system "$scratch/$1"
}
(cd "$source" && tar --exclude=./build --exclude=./.git \
    -cf "$scratch/source.tar" .)
build first
sleep 2
build second
cmp "$scratch/first.deb" "$scratch/second.deb" || {
    for which in first second; do
        dpkg-deb -c "$scratch/$which.deb" > "$scratch/$which.list"
        dpkg-deb -R "$scratch/$which.deb" "$scratch/$which.tree"
    done
    diff "$scratch"/{first,second}.list || true
    diff -rq "$scratch"/{first,second}.tree || true
    fail "two builds, two packages"
}

for which in first second; do
    echo "$(sha256sum < "$scratch/$which.deb" | cut -c 1-64) $which build"
done

field() { dpkg-deb -f "$scratch/first.deb" "$1"; }
for library in libsqlite3-0 libjansson4 liburing2 libmount1 libblkid1 \
    libsmartcols1 r-mathlib libxxhash0 libcsv3 libuuid1 libudev1 libc6; do
    field Depends | tr ',' '\n' | grep -qE "^ *$library( |\$)" ||
        fail "Depends lacks $library: $(field Depends)"
done
for tool in dosfstools ntfs-3g xfsprogs btrfs-progs e2fsprogs sqlite3 \
    bash-completion; do
    field Recommends | tr ',' '\n' | grep -qE "^ *$tool\$" ||
        fail "Recommends lacks $tool: $(field Recommends)"
done

dpkg-deb -c "$scratch/first.deb" > "$scratch/list"
for file in bin/fsmatrix share/man/man1/fsmatrix.1.gz \
    lib/systemd/system/fsmatrix.service lib/systemd/system/fsmatrix.timer \
    share/man/man5/fsmatrix-matrix.5.gz share/man/man5/fsmatrix-db.5.gz \
    share/bash-completion/completions/fsmatrix \
    share/zsh/vendor-completions/_fsmatrix \
    share/fish/vendor_completions.d/fsmatrix.fish \
    share/fsmatrix/matrices/fat-vs-ntfs.json \
    share/fsmatrix/matrices/directories.json \
    share/fsmatrix/schema/matrix.schema.json \
    share/doc/fsmatrix/docs/fat-vs-ntfs.svg \
    share/doc/fsmatrix/copyright share/doc/fsmatrix/changelog.gz; do
    grep -qE "root/root .* \./usr/$file\$" "$scratch/list" ||
        fail "no /usr/$file of root's"
done
awk '$1 !~ /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x)$/ { print; bad = 1 }
    END { exit bad }' "$scratch/list" || fail "odd modes"
dpkg-deb --fsys-tarfile "$scratch/first.deb" | tar -xf - -C "$scratch"
for link in $(grep -oE '\]\([^)#:]+\)' "$scratch/usr/share/doc/fsmatrix/README.md" | tr -d '])('); do
    [ -e "$scratch/usr/share/doc/fsmatrix/$link" ] ||
        fail "README.md leads to $link, which is not there"
done
zcat "$scratch/usr/share/man/man1/fsmatrix.1.gz" |
    grep -qx '\.I /usr/share/fsmatrix/matrices' ||
    fail "fsmatrix(1) names another folder"
strings -a "$scratch/usr/bin/fsmatrix" | grep -F "$scratch" &&
    fail "the program names the place where it was built"
if command -v lintian > /dev/null; then
    lintian --fail-on error --suppress-tags bad-distribution-in-changes-file \
        "$scratch/first.deb" || fail "lintian"
else
    echo "deb: no lintian: its checks are left out"
fi

[ "$(id -u)" = 0 ] || skip "not root: built and looked at, not installed"
command -v debootstrap > /dev/null ||
    skip "no debootstrap: built and looked at, not installed"
root=$scratch/root
(. /etc/os-release && debootstrap --variant=minbase \
    "$VERSION_CODENAME" "$root") > "$scratch/log" 2>&1 ||
    skip "no Debian mirror: built and looked at, not installed"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive "$@"; }
state() { # every path there is, but for what apt and dpkg keep
    (cd "$root" && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/cache \
        -o -path ./var/log -o -path ./var/lib/apt -o -path ./tmp \
        -o -path ./proc -o -path ./sys -o -path ./dev \) -prune -o -print |
        sort)
}
cp "$scratch/first.deb" "$root/tmp/fsmatrix.deb"
libraries=$(field Depends | sed 's/([^)]*)//g; s/,/ /g')
# shellcheck disable=SC2086 # a list
inside apt-get install -y -qq --no-install-recommends $libraries \
    > "$scratch/log" 2>&1 || skip "no Debian mirror for its libraries"
enabled=etc/systemd/system/timers.target.wants
mkdir -p "$root/$enabled"
state > "$scratch/before"
inside dpkg -i /tmp/fsmatrix.deb > "$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; fail "it does not install"; }
inside fsmatrix --version
inside fsmatrix check -q /usr/share/fsmatrix/matrices/fat-vs-ntfs.json
printf '%s\n' os,volume,filesystem,op,kb_per_s 95,C,FAT,W,5599 NT,C,FAT,W,4439 |
    inside fsmatrix import --db /tmp/a.db - > /dev/null
inside fsmatrix compare --db /tmp/a.db --base os=NT --classic |
    grep -q "26%" || fail "installed, it compares wrongly"
inside bash -c ". /usr/share/bash-completion/completions/fsmatrix
    complete -p fsmatrix" > /dev/null || fail "bash does not complete"
cat > "$root/tmp/walk" << 'END'
cd "$HOME" && cp -r /usr/share/fsmatrix . && cd fsmatrix &&
    [ -e matrices/../schema/matrix.schema.json ] &&
    sed -i 's/"256MiB"/"8MiB"/' matrices/directories.json &&
    fsmatrix run --rounds 1 matrices/directories.json 2> log
END
mkdir -p "$root/dev/shm" "$root/tmp/home" && chmod 1777 "$root/dev/shm" &&
    chown 65534:65534 "$root/tmp/home"
inside setpriv --reuid 65534 --regid 65534 --clear-groups \
    env HOME=/tmp/home bash /tmp/walk > "$scratch/log" ||
    { cat "$root/tmp/home/log" >&2
        fail "nobody, without root and loop devices, compares no directories"; }
grep -q '^Linux.* here ' "$scratch/log" && grep -q ' memory ' "$scratch/log" ||
    { cat "$scratch/log" >&2; fail "this is no comparison of directories"; }
# As root it keeps its records here: one that is empty goes with the package.
# So does what `systemctl enable fsmatrix.timer` makes, but not before.
mkdir -m 0700 "$root/var/lib/fsmatrix"
ln -s /lib/systemd/system/fsmatrix.timer "$root/$enabled/fsmatrix.timer"
inside sh -e -c '
    command -v deb-systemd-invoke && dpkg --remove fsmatrix &&
    [ -L "/$1/fsmatrix.timer" ] && dpkg -i /tmp/fsmatrix.deb &&
    [ -L "/$1/fsmatrix.timer" ]' sh $enabled > "$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; fail "it cannot be removed and come back"; }
inside dpkg --purge fsmatrix > "$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; fail "it cannot be removed"; }
state > "$scratch/after"
diff "$scratch/before" "$scratch/after" || fail "removed, it left these"

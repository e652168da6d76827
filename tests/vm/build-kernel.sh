#!/bin/bash
# build-kernel.sh OUT: compiles User-Mode Linux, a kernel that runs as a
# program, from the newest source that Debian has packaged, with every driver
# that a matrix can name (kernel.config), into the file OUT. Needs no root, a
# gigabyte in $TMPDIR, and ten minutes or so; the packages that it is compiled
# with are those of `tools/install-deps kernel`.
set -eu
config=$(dirname "$(realpath "$0")")/kernel.config
out=$(realpath -m "$1")
for tool in gcc make flex bison bc xz dpkg-deb apt-get; do
    command -v $tool > /dev/null || {
        echo "build-kernel: no $tool; see: tools/install-deps kernel" >&2
        exit 1
    }
done
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
cd "$work"

package=$(apt-cache search --names-only '^linux-source-[0-9.]+$' |
    cut -d' ' -f1 | sort -V | tail -n 1)
[ -n "$package" ] || {
    echo "build-kernel: no package linux-source-*; see: apt-get update" >&2
    exit 1
}
echo "build-kernel: $package" >&2
apt-get -qq -o APT::Sandbox::User=root download "$package"
dpkg-deb --fsys-tarfile "$package"_*.deb |
    tar -xO --wildcards './usr/src/*.tar.xz' | tar -xJ
rm ./*.deb
cd "$package"

make -s ARCH=um KCONFIG_ALLCONFIG="$config" allnoconfig
# what another version calls otherwise is missed by the test that needs it
grep '^CONFIG_' "$config" | grep -vxFf .config | sed 's/^/build-kernel: not taken: /' >&2 || true
make -s ARCH=um -j"$(nproc)" linux
strip -o "$out.new" linux
mv "$out.new" "$out"
echo "build-kernel: $("$out" --version) is $out" >&2

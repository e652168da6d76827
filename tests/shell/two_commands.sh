#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# two_commands.sh SOURCE: what tools/demo and tools/test do for a user who is
# not root, on a machine that lacks packages. Debian's programs and cmake are
# shams here; what $LACKING names is not installed.
set -u
source=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
mkdir bin && cp -R "$source/tools" . || exit 1

sham() { # sham NAME: a program whose text comes on standard input
    { echo '#!/bin/sh'; cat; } > "bin/$1" && chmod 755 "bin/$1"
}
sham id < /dev/null
echo 'echo 1000' >> bin/id
sham apt-get < /dev/null
sham dpkg-query << 'END'
for package; do :; done
case " $LACKING " in *" $package "*) exit 1 ;; esac
echo installed
END
sham cmake << 'END'
mkdir -p build/release
printf '#!/bin/sh\necho "fsmatrix $*"\n' > build/release/fsmatrix
chmod 755 build/release/fsmatrix
END

faults=0
try() { # try STATUS LACKING COMMAND...; then the text it is to say
    want=$1 LACKING=$2
    shift 2
    cat > expected
    LACKING=$LACKING PATH="$scratch/bin:$PATH" "$@" > said 2>&1
    got=$?
    [ $got = "$want" ] && diff expected said && return
    echo "^ $*, lacking '$LACKING': exit $got, not $want" >&2
    faults=1
}

try 1 "gcc xfsprogs" tools/demo << END
install-deps: missing: gcc xfsprogs
install-deps: to install that an administrator types (as root):
    $scratch/tools/install-deps build filesystems
demo: then call tools/demo again
END
try 0 xfsprogs tools/demo << END
install-deps: missing: xfsprogs; going on without
install-deps: to install that an administrator types (as root):
    $scratch/tools/install-deps build filesystems
demo: not root: no image can be attached and mounted; comparing two directories instead
demo: build/release/fsmatrix run matrices/directories.json
fsmatrix run $scratch/matrices/directories.json
demo: fsmatrix is $scratch/build/release/fsmatrix here
END
try 1 "zsh" tools/test << END
install-deps: missing: zsh
install-deps: to install that an administrator types (as root):
    $scratch/tools/install-deps build filesystems test
test: then call tools/test again
END
try 2 "" tools/demo quickly << END
demo: it takes no argument: quickly; demo --help says what it does
END
for tool in demo test install-deps; do
    LACKING=gcc "tools/$tool" --help > said 2>&1 && grep -q "^$tool" said &&
        continue
    echo "tools/$tool --help does not say what it does" >&2
    faults=1
done
exit $faults

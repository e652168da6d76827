# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the scripts here begin with: `. vm.sh`, called as SCRIPT TOOL
# LOAD_MODULE [ARGUMENT...]: after it $fsmatrix is the program, $work a folder
# that is gone at the end, and the arguments are those behind the first two.
set -u
here=$(dirname "$(realpath "$0")")
tool=$(realpath "$1") load_module=$2
fsmatrix=$(realpath "$(dirname "$tool")/../../fsmatrix")
shift 2

skip() {
    echo "skipped: $1"
    exit 77
}

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

need_tool() {
    command -v "$1" > /dev/null || skip "needs $1 (install $2)"
}

if grep -qE '__(asan|tsan)_init' "$fsmatrix"; then
    skip "a sanitized program does not run under this kernel"
fi
# the guest has a /dev/shm and a /run of its own
case ${TMPDIR:-} in /dev/shm* | /run*) unset TMPDIR ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$work"' EXIT
# what Debian's kernel has as modules; another has them built in
export MODULES="loop dm-mod dm-delay dm-flakey vfat nls_cp437 nls_iso8859-1 \
nls_ascii f2fs crc32_generic"

# guest SCRIPT [ARGUMENT...]: runs it inside; its outputs go to $work/out and
# $work/err. In it $fsmatrix is the program.
guest() {
    local status
    { echo "fsmatrix=${fsmatrix@Q}"; cat "$1"; } > "$work/inside"
    shift
    bash "$here/uml.sh" "$load_module" "$work/inside" "$@" \
        > "$work/out" 2> "$work/err"
    status=$?
    [ $status != 77 ] || skip "$(sed 's/^skipped: //' "$work/out")"
    return $status
}

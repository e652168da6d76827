#!/bin/bash
# units.sh PROGRAM SOURCE: what the units and the cron file run is what the
# README and the manual say, and systemd takes every line of the units.
set -eu
program=$(realpath "$1") source=$2
fail() { echo "units: $1" >&2; exit 1; }

command=$(sed -n 's/^ExecStart=//p' "$source/tools/fsmatrix.service")
sed "s/ --notify-cmd '[^']*'//" "$source/tools/fsmatrix.cron" |
    grep -qF "$command" ||
    fail "cron runs another command than: $command"
for path in $(grep -oE '/[^ ]+' <<< "$command"); do
    for document in README.md runner/manual/fsmatrix.1; do
        grep -qF "$path" "$source/$document" ||
            fail "$document does not name $path"
    done
done

command -v systemd-analyze > /dev/null ||
    { echo "skipped: needs systemd-analyze"; exit 77; }
# a root of its own, as verify asks whether the program is there
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/usr/bin" "$root/usr/lib/systemd/system"
ln -s usr/lib "$root/lib"
cp "$program" "$root/usr/bin/fsmatrix"
cp "$source"/tools/fsmatrix.{service,timer} "$root/usr/lib/systemd/system/"
for target in sysinit basic timers shutdown; do
    cp "/lib/systemd/system/$target.target" "$root/usr/lib/systemd/system/" ||
        { echo "skipped: needs systemd's targets"; exit 77; }
done
said=$(systemd-analyze verify --man=no --root="$root" \
    fsmatrix.service fsmatrix.timer 2>&1) || fail "$said"
[ -z "$said" ] || fail "$said"

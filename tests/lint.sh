#!/bin/sh
# lint.sh BUILD_DIR: clang-format's layout and clang-tidy's limits hold for
# every file of ours. BUILD_DIR has a compile_commands.json.
set -eu
build=$1
cd "$(dirname "$0")/.."

find core schema reports runner tests -name '*.[ch]' -print0 |
    xargs -0 clang-format --dry-run -Werror
find core schema reports runner tests -name '*.c' -print0 |
    xargs -0 -n 4 -P "$(nproc)" clang-tidy -p "$build" --quiet 2> /dev/null

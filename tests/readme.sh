#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# readme.sh FSMATRIX SOURCE: the table in the README is what the program makes
# of the run whose samples lie in docs/, and so is the picture.
set -eu
program=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset FSMATRIX_DB
export COLUMNS=80 LC_ALL=C.UTF-8
cd "$scratch"

"$program" import "$source/docs/fat-vs-ntfs.csv"
"$program" compare | sed 's/^/    /' > table
lines=$(wc -l < table)
grep -A "$((lines - 1))" -F "$(head -n 1 table)" "$source/README.md" |
    diff - table || { echo "the README has another table" >&2; exit 1; }
"$program" compare --format json | "$source/tools/chart" > chart.svg
cmp chart.svg "$source/docs/fat-vs-ntfs.svg" || {
    echo "docs/fat-vs-ntfs.svg is not what tools/chart draws" >&2
    exit 1
}

#!/bin/sh
# generate.sh FSMATRIX RUNS FILE: a database of RUNS x 20 cells x 5 rounds.
set -eu
fsmatrix=$1 runs=$2 file=$3
here=$(dirname "$0")
schema=$here/../../../schema/migrations

rm -f "$file" "$file-wal" "$file-shm"
cat "$schema"/001_*.sql "$schema"/002_*.sql | sqlite3 -bail "$file"
sed "s/@RUNS@/$runs/g" "$here/generate.sql" | sqlite3 -bail "$file"
# What opens it brings it up to its schema.
"$fsmatrix" list --db "$file" > /dev/null
sqlite3 "$file" 'PRAGMA journal_mode = WAL' > /dev/null

#!/bin/sh
# editor.sh SOURCE: a JSON language server completes, explains and checks a
# matrix through its "$schema". Fetches the server with npm.
set -eu
skip() { echo "skipped: $1"; exit 77; }
command -v node > /dev/null && command -v npm > /dev/null ||
    skip "needs node and npm"
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
cd "$scratch"
echo '{ "private": true }' > package.json
HOME=$scratch timeout 90 npm install --no-audit --no-fund --silent \
    vscode-json-languageservice@5.3.11 > log 2>&1 ||
    skip "npm cannot fetch vscode-json-languageservice: $(head -n 1 log)"
cd "$OLDPWD"
node "$(dirname "$0")/editor.mjs" "$scratch" "$1"

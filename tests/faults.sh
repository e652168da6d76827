#!/bin/bash
# faults.sh [TIMES [KILLS]]: every fault that the suite makes on this machine,
# TIMES (5) times, and the kill -9 of KILLS (50) processes at any moment, as a
# table in Markdown: how often, what the program said, with which status it
# ended, what it left behind, what was lost. Each script checks the last two
# itself: that no mount, loop device, process or file is left, that every
# sample that was told of is in the database, and that this is sound. Takes
# some minutes, as root. $FSMATRIX is the program, or that of build/release.
#
# faults.sh --table FILE: the table of what $FSMATRIX_FAULTS has collected,
# a line "fault|what it said|status|times|good" for each.
set -u
here=$(dirname "$(realpath "$0")")

table() {
    echo '| fault | times | said | exit | left behind | lost |'
    echo '|---|---|---|---|---|---|'
    awk -F'|' '
        { times = $4 ? $4 : 1; count[$1] += times }
        !($1 in said) {
            order[++faults] = $1
            # not which sample it was of, nor that there was one
            gsub(/\[[0-9]+\/[0-9]+\] [^:]*, round [0-9]+: /, "", $2)
            gsub(/~?fsmatrix: [0-9]+ of [0-9]+ samples have no valid.*/, "", $2)
            gsub(/fsmatrix: /, "", $2)
            gsub(/~/, "; ", $2)
            said[$1] = $2 == "" ? "its figures" : $2
        }
        index(" " exits[$1] " ", " " $3 " ") == 0 {
            exits[$1] = exits[$1] (exits[$1] == "" ? "" : " ") $3
        }
        $5 == "FAILED" { failed[$1]++ }
        END {
            for (i = 1; i <= faults; i++) {
                fault = order[i]
                printf "| %s | %d | %s | %s | %s | %s |\n", fault,
                    count[fault], said[fault], exits[fault],
                    fault in failed ? "SEE BELOW" : "nothing",
                    fault in failed ? "SEE BELOW" : "nothing"
            }
        }' "$1"
}
if [ "${1:-}" = --table ]; then
    table "$2"
    exit
fi

times=${1:-5} kills=${2:-50} failed=0
program=${FSMATRIX:-$here/../build/release/fsmatrix}
[ -x "$program" ] || { echo "faults: no $program; build it" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export FSMATRIX_FAULTS=$work/one

# try SCRIPT [ARGUMENT...]: once; its lines go to $work/all with how it ended
try() {
    local status good=good
    : > "$FSMATRIX_FAULTS"
    bash "$here/system/$1.sh" "$program" "${@:2}" > "$work/out" 2>&1
    status=$?
    case $status in
    0) ;;
    77) echo "$*: $(tail -n 1 "$work/out")" >&2 ;;
    *)
        good=FAILED failed=1
        { echo "$*: FAILED with $status"; cat "$work/out"; } >&2
        ;;
    esac
    awk -F'|' -v good=$good -v OFS='|' '{ print $1, $2, $3, $4, good }' \
        "$FSMATRIX_FAULTS" >> "$work/all"
}

locked=130 # for minutes, once
for _ in $(seq "$times"); do
    for type in ext4 xfs btrfs vfat; do
        try faults_full $type
    done
    for fault in quota fsize readonly truncated backing_full db_full; do
        try faults_$fault
    done
    try faults_db_locked "$locked"
    locked=15
    try faults_dead_daemon ntfs ntfs-3g
    try faults_dead_daemon vfat fusefat
done
[ "$kills" = 0 ] || try kill9 "$kills"
table "$work/all"
exit $failed

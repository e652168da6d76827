#!/bin/bash
# An example of matrices/ does what it says, at a reduced size.
#   example.sh PROGRAM EXAMPLE
source=$(cd "$(dirname "$0")/../.." && pwd)
example=$source/matrices/$2
reduce=$source/tests/system/example_reduce.py
case $(grep -oE '"(image|device)":' "$example" | head -n 1) in
*device*)
    . "$(dirname "$0")/device.sh"
    disk one 1a2b3c4d
    given=("$path" "$erase")
    ;;
*image*)
    . "$(dirname "$0")/system.sh"
    need_loop
    given=()
    ;;
*)
    . "$(dirname "$0")/system.sh" # root or not
    given=()
    ;;
esac
# the results are not where the tests are
mkdir "$scratch/m" && cd "$scratch" || exit 1
python3 "$reduce" reduce "$example" "${given[@]}" > m/m.json || fail "reducing"
"$program" plan m/m.json > .out 2> .err || fail "plan: $(cat .err)"
"$program" run --db x.db m/m.json > .out 2> .err < /dev/null
status=$?
[ $status = 0 ] || [ $status = 3 ] || { cat .err >&2; fail "exit $status"; }
python3 "$reduce" judge m/m.json x.db
status=$?
[ $status = 0 ] || [ $status = 77 ] || { cat .out .err >&2; fail "run"; }
[ $status = 0 ] || exit 77

#!/bin/bash
# Profiles that contradict themselves or the switches, and the exact message of each: what profile check
# says of a file stands at its end, in comments.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

cd "$here/tests/contradictions" || exit 1
for profile in *.json; do
    it "contradiction: ${profile%.json}"
    rocectl profile check "$profile"
    expected=$(sed -n '1,/^\/\/ expected:$/d; s/^\/\/ //p' "$profile")
    [[ "$err"$'\n'"status $status" == "$expected" ]] || fail "expected what the end of tests/contradictions/$profile says"
    rocectl profile check "$profile" -o json
    json_is ".status == $status and (.errors | length > 0)"
done
cd "$work" || exit 1

done_testing

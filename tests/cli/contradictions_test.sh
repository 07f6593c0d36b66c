#!/bin/bash
# Profiles that contradict themselves or the switches, and the exact message of each: a folder has
# profile.json and, as `expected`, what profile check says of it.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

for folder in "$here"/tests/contradictions/*/; do
    it "contradiction: $(basename "$folder")"
    cd "$folder" || exit 1
    rocectl profile check profile.json
    [[ "$err"$'\n'"status $status" == "$(<expected)" ]] || fail "expected what ${folder}expected says"
    rocectl profile check profile.json -o json
    json_is ".status == $status and (.errors | length > 0)"
    cd "$work" || exit 1
done

done_testing

#!/bin/bash
# What README.md shows under "First result" is what its commands print.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

it "README.md: the plan under 'First result' is what is printed now"
called="tests/readme/first: tests/readme/first BINARY >new.md makes README.md anew"
"$here/tests/readme/first" "$binary" >new.md 2>err || fail "expected status 0"
err=$(<err) out=$(diff "$here/README.md" new.md) || fail "expected no difference"

done_testing

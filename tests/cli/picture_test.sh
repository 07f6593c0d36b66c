#!/bin/bash
# The picture of README.md is what the tool prints. How many checks there are, and how many of them pass or are skipped, may have grown since.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

it "picture: packaging/picture.svg is what a terminal shows now"
called="packaging/picture: packaging/picture BINARY >packaging/picture.svg makes it anew"
"$here/packaging/picture" "$binary" >picture.svg 2>err || fail "expected status 0"
uncounted() { sed -E '/ checks: /s/[0-9]+ (checks|pass|skip)/N \1/g' "$1"; }
err=$(<err) out=$(diff <(uncounted "$here/packaging/picture.svg") <(uncounted picture.svg)) || fail "expected no difference"
[[ $(stat -c %s "$here/packaging/picture.svg") -lt 61440 ]] || fail "expected less than 60 KiB"
grep -q '(packaging/picture\.svg)' "$here/README.md" || fail "expected the picture in README.md"

it "picture: it has colours, what is shown in them, and a dark form"
for part in 'class="r">dscp-elsewhere<' 'class="g">ok<' 'class="f">host.json:6<' 'prefers-color-scheme: dark'; do
    grep -qF -- "$part" picture.svg || fail "expected in the picture: $part"
done

done_testing

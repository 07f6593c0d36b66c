#!/bin/bash
# Hosts that people have, of which tests/hosts has a redacted snapshot or what a public dump tells: what is found on each.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
hosts=$here/tests/hosts

for state in "$hosts"/*.json; do
    [[ $state != *.earlier.json ]] || continue
    host=$(basename "$state" .json)
    expected=$hosts/$host.expected
    earlier=$hosts/$host.earlier.json
    [[ -f $earlier ]] || earlier=
    it "$host: doctor and a plan of the lossless profile find what is expected"
    called="doctor and plan on tests/hosts/$host.json"
    err=
    "$hosts/findings" "$binary" "$state" ${earlier:+"$earlier"} >found
    if [[ -n ${ROCECTL_REGENERATE:-} ]]; then
        { sed '/^$/q' "$expected"; cat found; } >whole
        cp whole "$expected"
    fi
    out=$(diff <(sed '1,/^$/d' "$expected") found) || fail "expected no difference"
    out=$(head -n 2 "$expected")
    { [[ $(sed -n 1p "$expected") == "source: "?* ]] && [[ $(sed -n 2p "$expected") == "shows: "?* ]]; } || fail "expected where it is from, and what it shows"
    out=$(jq -r '.host.name, .ports[].name' "$state" | grep -vE '^(host|lo|port[0-9]+)$') && fail "expected other names"
done

it "one command makes a host of a redacted snapshot, and takes no other"
called='(tests/hosts/add)'
rocectl snapshot --state "$states/gpu-rail.json" --redact -o redacted.json
status_is 0
out=$(HOSTS=$work ROCECTL=$binary "$hosts/add" redacted.json rail 2>&1) || fail "expected it to be taken"
same redacted.json rail.json
grep -q '^doctor ends with' rail.expected || fail "expected findings"
out=$(HOSTS=$work ROCECTL=$binary "$hosts/add" "$states/gpu-rail.json" other 2>&1) && fail "expected it to be refused"
out_has "expected what rocectl snapshot --redact writes"
[[ ! -e other.json ]] || fail "expected no file"

done_testing

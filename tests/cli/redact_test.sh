#!/bin/bash
# snapshot --redact: a host for somebody who is not to know whose it is.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

it "a snapshot that is there is redacted, and doctor says the same of it"
jq '(.ports[] | select(.name == "enp26s0np0").mtu) = 1500' "$states/gpu-rail.json" >ill.json
rocectl snapshot --state ill.json --redact -o other.json
status_is 0
! grep -qE 'enp[0-9]+s0np0|mlx5_[0-9]|10\.0\.[0-9]+\.' other.json || fail "expected other names: $(grep -oE 'enp[0-9]+s0np0|mlx5_[0-9]|10\.0\.[0-9]+\.[0-9]+' other.json | head -3)"
rocectl doctor --state ill.json -o json
status_is 2
counts=$(jq -c '[.counts, [.causes[].id]]' <<<"$out")
rocectl doctor --state other.json -o json
status_is 2
[[ $(jq -c '[.counts, [.causes[].id]]' <<<"$out") == "$counts" ]] || fail "expected the counts $counts"

it "the other names are others each time"
rocectl snapshot --state ill.json --redact -o again.json
! cmp -s other.json again.json || fail "expected other addresses"

it "this host is redacted too, behind the seal"
rocectl snapshot --redact
status_is 0
json_is '.host.name == "host"'
rocectl snapshot
macs=$(jq -r '.ports[].mac // empty' <<<"$out" | grep -v '^00:00:00:00:00:00$')
rocectl snapshot --redact
for mac in $macs; do
    [[ $out != *"$mac"* ]] || fail "expected nothing of $mac"
done

done_testing

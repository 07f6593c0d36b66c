#!/bin/bash
# What doctor makes of two readings, of state files.
# takes: 45 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

counted() {
    jq --argjson time "$1" --argjson lost "$2" '.host.time = $time | (.ports[] | select(.name == "enp26s0np0"))
        .rdma.counters = {"out_of_sequence": $lost, "local_ack_timeout_err": $lost}' "$states/gpu-rail.json"
}
counted 1700000000 4294967290 >before.json
counted 1700000060 4 >after.json

it "what was counted since a snapshot is found, past the width of the counter too"
rocectl doctor --state after.json --since before.json --only ack-timeouts
status_is 2
out_has "fail 1. ack-timeouts on enp26s0np0"
out_has "local_ack_timeout_err grew by 10 in 60 s"
out_has "no setting changed since 60 s ago"
rocectl doctor --state after.json --since before.json --only ack-timeouts --strict -o json
status_is 2
json_is '.since_seconds == 60 and .changes == [] and [.causes[].id] == ["ack-timeouts"]'

it "what changed since a snapshot is told"
jq '(.ports[] | select(.name == "enp26s0np0").mtu) = 4200 | (.ports[] | select(.name == "enp60s0np0").firmware) = "9.9"' after.json >changed.json
rocectl doctor --state changed.json --since after.json --only ack-timeouts
out_has "changed since the earlier snapshot"
out_has "enp26s0np0: mtu "
out_has "enp60s0np0: firmware "

it "an earlier reading of another host is refused, and not one of a host that was renamed"
jq '.host.name = "other" | .ports |= map(.mac = (.mac | sub("^..:..:.."; "02:99:99")))' before.json >other.json
rocectl doctor --state after.json --since other.json
status_is 1
err_has "other.json: it is of host 'other', this is '$(jq -r .host.name after.json)': expected an earlier snapshot of this host"
[[ -z $out ]] || fail "expected nothing on standard output"
jq '.host.name = "renamed"' before.json >renamed.json
rocectl doctor --state after.json --since renamed.json --only ack-timeouts
status_is 2
out_has "local_ack_timeout_err grew by 10 in 60 s"

it "a window of a state file has nothing in it"
rocectl doctor --state after.json --window 1h --only ack-timeouts
status_is 0
out_lacks "ack-timeouts"
out_has "1 pass"

it "two ways to an earlier reading are one too many"
rocectl doctor --state after.json --since before.json --window 1s
status_is 64
err_has "--window and --since exclude each other"

it "an earlier reading that is none is told with its place"
echo '{"ports": 3}' >broken.json
rocectl doctor --state after.json --since broken.json
status_is 65
err_has "broken.json:1:11: /ports: "

done_testing

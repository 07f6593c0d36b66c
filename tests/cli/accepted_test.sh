#!/bin/bash
# Findings that are meant so: `accepted` of a profile and /etc/rocectl/accepted.json.
# takes: 5 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

vars="$here/tests/vars/gpu-rail.json"
rocectl apply gpu-rail --vars "$vars" --state "$states/gpu-rail.json" --yes --out healthy.json
jq '(.ports[] | select(.name == "enp26s0np0")) |= (.mtu = 1500 | .rdma.active_mtu = 1024)' healthy.json >odd.json
jq '(.ports[] | select(.name == "enp26s0np0")) |= (.carrier = false)' healthy.json >dark.json

# site ENTRY: a profile that accepts what the entry says.
site() { printf '{ "format": 1, "extends": ["gpu-rail"], "accepted": [ %s ] }\n' "$1" >site.json; }
mtu='"finding": "mtu-low", "reason": "an old switch"'

it "what is accepted is shown and counted, and turns no status, in each form"
site "{ $mtu, \"ports\": [\"enp26*\"], \"until\": \"2999-12-31\" }"
rocectl doctor gpu-rail --vars "$vars" --state odd.json
status_is 2
rocectl doctor site.json --vars "$vars" --state odd.json
status_is 0
out_has "accepted: mtu-low on enp26s0np0: an old switch (site.json:1), until 2999-12-31"
out_has " accepted,"
out_lacks "1. "
rocectl doctor site.json --vars "$vars" --state odd.json -o json
status_is 0
json_is '.causes == [] and .counts.accepted >= 1 and .counts.fail == null'
json_is '[.checks[] | select(.id == "mtu-low" and .verdict == "accepted")] | length == 1 and .[0].port == "enp26s0np0" and
    .[0].accepted.reason == "an old switch" and .[0].accepted.until == "2999-12-31" and (.[0].found | length) == 1'
rocectl doctor site.json --vars "$vars" --state odd.json -o prometheus
status_is 0
out_has 'rocectl_doctor_port_checks{port="enp26s0np0",verdict="accepted"} 2'
rocectl doctor site.json --vars "$vars" --state odd.json -o junit
status_is 0
out_has 'failures="0"'
out_has '<skipped message="accepted: an old switch'
rocectl doctor site.json --vars "$vars" --state odd.json -o nagios
status_is 0
out_has "accepted="

it "on another port, or when the last day is past, it is a fault"
site "{ $mtu, \"ports\": [\"enp60*\"] }"
rocectl doctor site.json --vars "$vars" --state odd.json
status_is 2
out_has "1. mtu-low on enp26s0np0"
out_has "mtu-low is accepted on enp60* (site.json:1), and is not found there"
site "{ $mtu, \"until\": \"2020-01-31\" }"
rocectl doctor site.json --vars "$vars" --state odd.json
status_is 2
out_has "was accepted until 2020-01-31"

it "on a fabric of the profile"
fabrics='"fabrics": { "rails": {}, "storage": {} }'
# on FABRIC OF: accepts what is on FABRIC, where the port is of OF.
on() { printf '{ "format": 1, %s, "accepted": [{ %s, "fabric": "%s" }],\n  "ports": [{ "match": { "name": "enp26s0np0" }, "fabric": "%s", "mtu": 9000 }] }\n' "$fabrics" "$mtu" "$1" "$2" >site.json; }
on storage storage
rocectl doctor site.json --state odd.json --only mtu-low -o json
json_is '[.checks[] | select(.id == "mtu-low")][0].verdict == "accepted"'
on storage rails
rocectl doctor site.json --state odd.json --only mtu-low -o json
json_is '[.checks[] | select(.id == "mtu-low")][0].verdict == "fail"'
on storge rails
rocectl profile check site.json
status_is 65
err_has "expected a fabric of 'fabrics': one of rails, storage"

it "one that is not found any more is told"
site "{ $mtu }"
rocectl doctor site.json --vars "$vars" --state healthy.json
status_is 0
out_has "accepted-stale"
rocectl doctor site.json --vars "$vars" --state healthy.json --strict
status_is 2
rocectl doctor site.json --vars "$vars" --state healthy.json --skip accepted-stale --strict
status_is 0

it "verify: what it finds of readiness is accepted too"
rocectl verify gpu-rail --vars "$vars" --state dark.json
status_is 2
site '{ "finding": "no-carrier", "ports": ["enp26s0np0"], "reason": "cabled in March" }'
rocectl verify site.json --vars "$vars" --state dark.json
status_is 0
out_has "accepted: "
out_has "cabled in March"
out_has "1 finding accepted"
rocectl verify site.json --vars "$vars" --state dark.json -o json
status_is 0
json_is '[.findings[] | select(.level == "accepted")] | length == 1'
rocectl verify site.json --vars "$vars" --state dark.json -o junit
status_is 0
out_has '<skipped message="accepted: '

it "an id that no check has, and a day that none is, are refused with what would do"
site '{ "finding": "mtu-lwo", "reason": "r" }'
rocectl doctor site.json --vars "$vars" --state odd.json
status_is 65
err_has "site.json:1"
err_has "did you mean 'mtu-low'?"
site "{ $mtu, \"until\": \"2027-02-30\" }"
rocectl profile check site.json
status_is 65
err_has "expected a day such as 2027-03-31"

it "the schema and explain know it"
rocectl profile schema
status_is 0
json_is '.properties.accepted | tostring | contains("mtu-low")'
for word in accepted accepted.finding accepted.until accepted-stale; do
    rocectl explain $word
    status_is 0
done

it "/etc/rocectl/accepted.json says it for this host, and is no profile"
mkdir -p tree/etc/rocectl
echo '[ { "finding": "mtu-low", "ports": ["no-such"], "reason": "r", "until": "soon" } ]' >tree/etc/rocectl/accepted.json
rocectl doctor --root tree
status_is 65
err_has "accepted.json:1"
err_has "expected a day"
rocectl doctor --root tree --state odd.json
status_is 2
rocectl plan no-such-profile --root tree --state odd.json
status_is 65
[[ $err != *accepted* ]] || fail "expected accepted.json to be no profile"

done_testing

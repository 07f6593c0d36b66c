#!/bin/bash
# Each shipped profile on a host of the kind that it is for: tests/states and tests/vars have one
# of its name.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

for file in "$here"/profiles/*.json; do
    profile=$(basename "$file" .json)
    rocectl profile show "$profile" -o json
    # What others extend names no ports.
    [[ $(jq '.entries | length' <<<"$out") -gt 0 ]] || continue
    state=$states/$profile.json
    desired=("$profile" --vars "$here/tests/vars/$profile.json")

    it "$profile: plan, apply and verify come to rest in one pass"
    rocectl plan "${desired[@]}" --state "$state" --exit-code
    status_is 2
    rocectl apply "${desired[@]}" --state "$state" --yes --out after.json -o json
    status_is 0
    json_is '.changed and .surprises == [] and (.outcomes | length > 0)'
    rocectl verify "${desired[@]}" --state after.json
    status_is 0
    out_has "ok: "
    rocectl plan "${desired[@]}" --state after.json --exit-code
    status_is 0
    rocectl apply "${desired[@]}" --state after.json --yes -o json
    status_is 0
    json_is '.changed == false'

    it "$profile: its host drafted again needs no change, and contradicts nothing"
    rocectl profile init --state after.json -o init.json
    status_is 0
    [[ -z $err ]] || fail "expected nothing to be left out"
    rocectl verify init.json --state after.json -o json
    status_is 0
    json_is '.satisfied and .differences == []'

    it "$profile: every value that it comes to says where it is from"
    rocectl profile show "${desired[@]}" --state "$state" -o json
    status_is 0
    json_is '.ports | length > 0 and all(.[]; .settings | length > 0 and all(.[]; .origin.file | length > 0))'
done

it "gpu-rail: each rail has its own address, gateway, table and rule"
rocectl apply gpu-rail --vars "$here/tests/vars/gpu-rail.json" --state "$states/gpu-rail.json" --yes --out after.json
status_is 0
jq -e '[.ports[].routes[] | select(.to == "10.0.0.0/8") | .table] | sort == ["101","102","103","104","105","106","107","108"]' after.json >/dev/null ||
    fail "expected eight tables"
jq -e '[.host.rules[] | select(.from) | [.from, .table]] | length == 8 and any(.[]; . == ["10.0.0.35/32", "101"])' after.json >/dev/null ||
    fail "expected eight rules"
jq 'del(.ports[3])' "$states/gpu-rail.json" >seven.json
rocectl plan gpu-rail --vars "$here/tests/vars/gpu-rail.json" --state seven.json
status_is 1
out_has "7 ports match"

it "semi-lossless: no priority waits for another"
rocectl apply semi-lossless --vars "$here/tests/vars/semi-lossless.json" --state "$states/semi-lossless.json" --yes --out after.json
status_is 0
jq -e 'all(.ports[]; .pfc.priorities == [] and .dscp.map["26"] == 3 and .rdma.default_tos == 106)' after.json >/dev/null ||
    fail "expected no PFC and the same marking"

it "e810: the NIC's own agent is stopped before DCBX is the host's"
rocectl plan e810 --vars "$here/tests/vars/e810.json" --state "$states/e810.json" -o json
status_is 0
json_is '[.steps[] | select(.port == "ens3f0") | .object][0] == "private_flags"'
rocectl apply e810 --vars "$here/tests/vars/e810.json" --state "$states/e810.json" --yes --out after.json
jq -e 'all(.ports[]; .dcbx.mode == "host" and .private_flags["fw-lldp-agent"] == false)' after.json >/dev/null ||
    fail "expected the host to own DCBX"

it "vlan-pcp: the port trusts the tag alone, and the kernel's priority of the ToS leaves with PCP 3"
rocectl apply vlan-pcp --vars "$here/tests/vars/vlan-pcp.json" --state "$states/vlan-pcp.json" --yes --out after.json
status_is 0
jq -e '[.ports[] | select(.name | startswith("ens1f")) | select(.vlan_link == null) | .dscp] == [range(2) | {"trust": "pcp", "map": {}}]' after.json >/dev/null ||
    fail "expected no code point to be mapped"
jq -e '[.ports[] | select(.vlan_link != null) | [.name, .mtu, .egress_priority["2"], .addresses[0]]] ==
    [["ens1f0np0.100", 9000, 3, "10.100.0.7/24"], ["ens1f1np1.200", 9000, 3, "10.200.0.7/24"]]' after.json >/dev/null || fail "expected two VLANs"

it "bonded-port: the members have DCB and nothing else, the bond the rest"
rocectl apply bonded-port --vars "$here/tests/vars/bonded-port.json" --state "$states/bonded-port.json" --yes --out after.json
status_is 0
jq -e '[.ports[] | select(.master == "bond0") | [.pfc.priorities, .addresses]] == [range(2) | [[3], []]]' after.json >/dev/null || fail "expected DCB of the members"
jq -e '.ports[] | select(.name == "bond0") | .mtu == 9000 and .rdma.default_tos == 106 and .addresses[0] == "10.0.0.7/24"' after.json >/dev/null ||
    fail "expected the rest of the bond"
jq '(.ports[] | select(.name | startswith("ens1f")) ) |= (.driver = "ice" | .pfc.delay = 0 | del(.pfc.cable_length))' "$states/bonded-port.json" >ice.json
rocectl plan bonded-port --vars "$here/tests/vars/bonded-port.json" --state ice.json
status_is 1
out_has "member of bond0, and ice refuses DCB then"

it "nvmeof-storage: the link is forced as the report has it"
rocectl apply nvmeof-storage --vars "$here/tests/vars/nvmeof-storage.json" --state "$states/nvmeof-storage.json" --yes --out after.json
status_is 0
jq -e '[.ports[] | select(.driver == "mlx5_core") | [.link.autoneg, .link.speed, .link.duplex]] == [range(2) | [false, 100000, "full"]]' after.json >/dev/null ||
    fail "expected 100 Gb/s without autonegotiation"

done_testing

#!/bin/bash
# profile show and profile init on bundled state files.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

values=(--set address=192.168.100.1 --set network=192.168.100.0 --set length=24)
state=$states/mlx5_core.json

it "profile check: what there is to know makes no profile invalid"
printf '{ "format": 1, "name": "known", "roce": { "priority": 0, "dscp": 0 }, "ports": [\n  { "match": { "driver": "mlx5_core", "name": "eth1" }, "mtu": 4096,\n    "addresses": ["10.0.0.0/24"],\n    "routes": [{ "to": "10.1.0.0/16", "via": "10.0.0.0" }] } ] }\n' >known.json
rocectl profile check known.json
status_is 0
out_has "known.json: valid"
out_has "note: known.json:1:43: pfc.priorities: roce.priority is 0, which is also the priority of all traffic that nobody marked; state another priority or DSCP in roce"
out_has "note: known.json:1:58: dscp.map 0: roce.dscp is 0, which is also the DSCP of all traffic"
out_has "note: known.json:2:57: /ports/0/mtu: mtu: MTU 4096 gives an RDMA MTU of 2048, since the headers need room too; 4192 gives 4096"
out_has "note: known.json:3:19: /ports/0/addresses/0: addresses: 10.0.0.0/24 is the address of the network itself"
out_has "the route to 10.1.0.0/16 has the port's own address 10.0.0.0 as gateway"
rocectl profile check known.json -o json
status_is 0
json_is '.profiles == ["known.json"] and (.notes | length == 5)'
rocectl profile check db-cluster -o json
json_is '.notes == []'

it "profile show: each value and its origin, without a host"
rocectl profile show db-cluster
status_is 0
out_has "roce.cnp.dscp      48    roce-v2-lossless.json:"
out_has 'name ${nic}'
out_has '"${address}/${length}"'
out_has "  on mlx5_core"
out_has "  on bnxt_en"
out_has "app.udp 4791"
[[ $out =~ rdma.default_tos\ +106\ +derived\ from\ roce.dscp\ \(db-cluster.json: ]] || fail "expected the origin of the ToS"
rocectl profile show db-cluster --set nic=ens1f0np0 "${values[@]}"
status_is 0
out_lacks '${'
out_has "192.168.100.1/24"
rocectl profile show db-cluster --set typo=1
status_is 65

it "profile show: as a document, without a host"
rocectl profile show db-cluster --set nic=ens1f0np0 -o json
status_is 0
json_is '.command == "profile show" and (.entries | length == 1) and .switch == null'
json_is '.roce | map(select(.key == "roce.dscp")) | .[0].value == 26 and .[0].origin.file == "db-cluster.json"'
json_is '.entries[0].open | map(.key) == ["addresses", "routes"]'
json_is '[.entries[0].on[].drivers[]] | sort | contains(["bnxt_en", "generic", "hns3", "ice", "ionic", "mlx5_core"])'
json_is '.entries[0].on[] | select(.drivers[0] == "mlx5_core") | .settings | map(select(.setting == "pfc.priorities")) | .[0].value == [3] and .[0].origin.derived_from == "roce.priority"'

it "profile show --switch: what the switches have to be set to, and how four systems say it"
rocectl profile show gpu-rail --switch
status_is 0
out_has "  DSCP 26     priority 3"
out_has "  PFC         priority 3 alone"
out_has "    nv set qos pfc default-global switch-priority 3"
out_has "       priority-flow-control priority 3 no-drop"
out_lacks '\u'
rocectl profile show gpu-rail --switch -o json
status_is 0
json_is '.switches | length == 1 and .[0].needs == {"trust": "dscp", "priority": 3, "dscp": 26, "cnp": {"priority": 6, "dscp": 48}, "bandwidth": 95, "ecn": true, "mtu": 9000}'
json_is '[.switches[0].systems[].system] == ["SONiC", "Cumulus Linux", "EOS", "NX-OS"] and ([.switches[0].systems[].lines | length] | min > 5)'
rocectl profile show gpu-rail --switch --state "$states/gpu-rail.json"
status_is 64
printf '{ "format": 1, "name": "none", "ports": [ { "match": { "driver": "ice" }, "mtu": 9000 } ] }\n' >none.json
rocectl profile show none.json --switch
status_is 65
err_has "none: --switch is computed from roce, and no roce is stated"
# Two entries with two intents are two parts, and two with one are one.
printf '{ "format": 1, "name": "two", "roce": {}, "ports": [ { "match": { "name": "a" }, "mtu": 9000 }, { "match": { "name": "b" }, "mtu": 9000 }, { "match": { "name": "c" }, "roce": { "dscp": 10, "priority": 4 } } ] }\n' >two.json
rocectl profile show two.json --switch -o json
status_is 0
json_is '[.switches[].entries | length] == [2, 1] and .switches[1].needs.dscp == 10 and .switches[1].needs.mtu == null'

it "profile show: the host and the VLAN children"
printf '{ "format": 1, "name": "three", "host": { "sysctl": { "vm.swappiness": 1 } }, "ports": [\n  { "match": { "driver": "ice" }, "vlans": { "100": { "mtu": 9000 }, "200": null } } ] }\n' >three.json
rocectl profile show three.json
status_is 0
out_has "host.sysctl vm.swappiness  1"
out_has "  VLAN 100"
out_has "  VLAN 200, none"
rocectl profile show three.json -o json
status_is 0
json_is '.host[0].setting == "host.sysctl" and .entries[0].vlans["100"][0].value == 9000 and .entries[0].vlans["200"] == null'

it "profile show: an entry is shown for the drivers that it matches"
printf '{ "format": 1, "name": "two", "extends": ["sonic-default"], "roce": {"dscp": 3}, "ports": [\n  { "match": { "driver": ["ice", "ixgbe"] }, "expect": 2, "mtu": 9000, "optional": ["mtu"] } ] }\n' >two.json
rocectl profile show two.json
status_is 0
out_has "driver ice or ixgbe, expected 2  (two.json:2)"
out_has "  on ice"
out_has "  on unknown driver"
out_lacks "on mlx5_core"
out_has "two.json:2, optional"
out_has "switch.dscp_map 3   3"
out_has "switch.lossless     [3,4]"

it "profile show --state: the ports that match, with the values of variables"
rocectl profile show db-cluster --state "$state" --set nic=ens1f0np0 "${values[@]}"
status_is 0
out_has "ens1f0np0  (mlx5_core)"
[[ $out =~ addresses\ +192.168.100.1/24\ +db-cluster.json: ]] || fail "expected the address of the variable"
out_lacks bnxt_en
rocectl profile show db-cluster --state "$state" --set nic=ens1f0np0 "${values[@]}" -o json
status_is 0
json_is '(.ports | length == 1) and .ports[0].driver == "mlx5_core" and .findings == []'
json_is '.ports[0].settings | map(select(.setting == "mtu")) | .[0].value == 9000 and .[0].origin.line > 0'
rocectl profile show db-cluster --state "$state" --set nic=nope0 "${values[@]}"
status_is 1
out_has "no port matches name nope0"

it "profile init: a profile that its host already fulfils, for every state"
for file in "$states"/*.json; do
    rocectl profile init --state "$file" -o init.json
    status_is 0
    # What bnxt_en answers before it was told ETS is left out, and said so.
    [[ -z $out && -z $(grep -v 'left out: .*: pfc\..*: what the driver answers' <<<"$err") ]] || fail "expected no output"
    rocectl profile check init.json
    status_is 0
    rocectl verify init.json --state "$file" -o json
    status_is 0
    json_is '.satisfied and .differences == []'
    rocectl plan init.json --state "$file" --exit-code
    status_is 0
done

it "profile init: what was applied from an intent is folded back into it"
for driver in mlx5_core bnxt_en ice hns3; do
    file=$states/$driver.json
    port=$(jq -r '.ports[0].name' "$file")
    rocectl apply db-cluster --set "nic=$port" "${values[@]}" --state "$file" --yes --out after.json
    status_is 0
    rocectl profile init "$port" --state after.json
    status_is 0
    printf '%s\n' "$out" >init.json
    out_has '"roce": {'
    out_has '"mtu": 9000'
    out_has '"192.168.100.1/24"'
    out_lacks fe80
    out_lacks '"traffic_class"'
    out_lacks default_tos
    rocectl verify init.json --state after.json
    status_is 0
    rocectl profile show init.json --state after.json -o json
    json_is '.ports[0].settings | map(select(.setting == "rdma.default_tos")) | .[0].value == 106'
    # The profile makes the host as it was of one that was left as it came.
    rocectl apply init.json --state "$file" --yes --out made.json
    status_is 0
    rocectl verify db-cluster --set "nic=$port" "${values[@]}" --state made.json
    status_is 0
done

it "profile init: a port that is not there, and a host without one to choose"
rocectl profile init nope0 --state "$state"
status_is 1
err_has "no port 'nope0'"
printf '{ "format": 1, "ports": [ { "name": "dummy0", "mtu": 1500 } ] }\n' >bare.json
rocectl profile init --state bare.json
status_is 1
err_has "name the ports"
rocectl profile init dummy0 --state bare.json -o init.json
status_is 0
rocectl verify init.json --state bare.json
status_is 0

it "profile init: what would make the profile invalid is left out, and said"
jq '.ports[0].pfc.priorities = [0,1,2,3,4,5,6,7]' "$state" >all.json
rocectl profile init --state all.json -o init.json
status_is 0
err_has "left out: ens1f0np0: pfc.priorities: PFC is on for all eight priorities"
rocectl verify init.json --state all.json
status_is 0

done_testing

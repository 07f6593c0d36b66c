#!/bin/bash
# What a rocectl of before wrote is read: a journal entry, a saved plan and a snapshot, as the binary of commit 5af5982 left them
# (the names of files and of the host made shorter).
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
written=$here/tests/cli/written_before

# The host as that apply left it.
mac=$(head -n 1 "$written/journal-entry.jsonl" | jq -r '.ports[] | select(.name == "roce0").mac')
ip link add roce0 address "$mac" type veth peer name far0
ip link set far0 up
ip link set roce0 mtu 9000 up
ip address add 198.18.0.1/24 dev roce0
ip route add 198.19.0.0/24 via 198.18.0.254 proto static
ip neighbour add 198.18.0.9 lladdr 02:00:00:00:00:09 dev roce0 nud permanent
ip rule add from 198.18.0.1 table 100 priority 32765
sysctl -qw net.ipv4.conf.roce0.arp_ignore=2 net.ipv4.igmp_max_memberships=64
mkdir -p /var/lib/rocectl/journal
cp "$written/journal-entry.jsonl" /var/lib/rocectl/journal/1.jsonl

it "the profile of that apply is what the host holds"
rocectl verify "$written/profile.json"
status_is 0

it "history tells the entry, and what it changed"
rocectl history
status_is 0
out_has "profile.json"
rocectl history 1
status_is 0
out_has "1500 → 9000"
out_has "198.18.0.1/24"

it "rollback goes back before it"
rocectl rollback --yes
status_is 0
[[ $(ip -j link show roce0 | jq '.[0].mtu') == 1500 ]] || fail "the MTU is not as before"
[[ -z $(ip -4 address show dev roce0) ]] || fail "the address is still there"
[[ -z $(ip rule show table 100) ]] || fail "the rule is still there"
[[ -z $(ip neighbour show dev roce0 nud permanent) ]] || fail "the neighbour is still there"
[[ $(sysctl -n net.ipv4.conf.roce0.arp_ignore) == 0 ]] || fail "arp_ignore is not as before"
[[ $(sysctl -n net.ipv4.igmp_max_memberships) == 20 ]] || fail "the kernel parameter is not as before"

it "a saved plan is applied, and brings about what its own binary did"
rocectl apply --plan "$written/plan.json" --state "$states/mlx5_core.json" --yes --out after.json
status_is 0
# Since then every code point is stated on mlx5_core, and nothing else is asked for.
rocectl verify db-cluster --vars "$written/vars.json" --state after.json -o json
status_is 2
json_is '[.differences[].setting] | unique == ["dscp.map"]'

it "a snapshot is read, and verified as on the day it was written"
rocectl verify db-cluster --vars "$written/vars.json" --state "$written/snapshot.json" -o json
status_is 2
json_is '[.differences[].setting] | unique == ["dscp.map"]'
rocectl show --state "$written/snapshot.json"
status_is 0

done_testing

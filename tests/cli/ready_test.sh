#!/bin/bash
# Ports that are as desired and do not work.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

values=(--set nic=ens1f0np0 --set address=192.168.100.1 --set network=192.168.100.0 --set length=24)
desired=(db-cluster "${values[@]}")
"$binary" apply "${desired[@]}" --state "$states/mlx5_core.json" --yes --out good.json >/dev/null 2>&1
gid() { printf '{"index": %s, "gid": "%s", "type": "RoCE v2", "port": "ens1f0np0"}' "$1" "$2"; }
own=$(gid 0 fe80:0000:0000:0000:ba3f:d2ff:fe9a:4c10)
ipv4=$(gid 1 0000:0000:0000:0000:0000:ffff:c0a8:6401)
jq "(.ports[0].rdma.gids) = [$own, $ipv4]" good.json >ready.json

# not_ready ID TEXT FILTER: with the state that the jq filter makes, verify, plan and apply say so.
not_ready() {
    jq "$3" ready.json >state.json
    rocectl verify "${desired[@]}" --state state.json
    status_is 2
    out_has "not ready: $2"
    out_has "not ready: ens1f0np0; "
    rocectl verify "${desired[@]}" --state state.json -o json
    status_is 2
    json_is ".ready == false and .satisfied == false and .differences == [] and .wished == .held + .optional_not_held
        and [.findings[] | select(.level == \"failure\") | .id] == [\"$1\"]"
    rocectl verify "${desired[@]}" --state state.json --settings-only
    status_is 0
    out_has "note: ens1f0np0: not ready: $2"
    out_has "ok: "
    rocectl apply "${desired[@]}" --state state.json --yes -o json
    status_is 2
    json_is '.changed == false and .ready == false and .steps == []'
    rocectl apply "${desired[@]}" --state state.json --yes
    status_is 2
    out_has "nothing changed; "
    out_has " optional not held; not ready: ens1f0np0"
    rocectl apply "${desired[@]}" --state state.json --yes --settings-only
    status_is 0
}

it "a port on which all works is ready"
rocectl verify "${desired[@]}" --state ready.json -o json
status_is 0
json_is '.ready and .satisfied'
rocectl plan "${desired[@]}" --state ready.json -o json
status_is 0
json_is .ready

it "carrier, and nothing of what hangs on it"
not_ready no-carrier "carrier is off" '.ports[0] |= (.carrier = false | .rdma.state = "DOWN" | .rdma.physical_state = "DISABLED" | .rdma.active_mtu = 1024)'
rocectl plan "${desired[@]}" --state state.json --exit-code
status_is 0
out_has "note: ens1f0np0: not ready: carrier is off"

it "RDMA port"
not_ready rdma-not-active "the RDMA port is DOWN, DISABLED" '.ports[0].rdma |= (.state = "DOWN" | .physical_state = "DISABLED")'

it "RDMA MTU"
not_ready rdma-mtu "the RDMA MTU in use is 1024, MTU 9000 gives 4096" '.ports[0].rdma.active_mtu = 1024'

it "GID of the address"
not_ready no-gid "no RoCE v2 GID is 192.168.100.1" '.ports[0].rdma.gids |= .[:1]'

it "negotiated speed"
printf '{"format": 1, "ports": [{"match": {"name": "eth2"}, "link": {"speed": 100000}}]}\n' >speed.json
rocectl apply speed.json --state "$states/nvmeof-storage.json" --yes --out fast.json
status_is 0
rocectl verify speed.json --state fast.json
status_is 0
jq '(.ports[] | select(.name == "eth2")).speed = 25000' fast.json >slow.json
rocectl verify speed.json --state slow.json
status_is 2
out_has "not ready: the link has 25000 Mb/s, not 100000"

it "what a state has not recorded is no fault, and of GIDs no pass"
jq '.ports[0] |= (.carrier = true | .rdma |= del(.state, .physical_state, .active_mtu, .max_mtu, .gids))' ready.json >bare.json
rocectl verify "${desired[@]}" --state bare.json
status_is 1
out_has "unknown: ens1f0np0: rdma.gids: whether it is ready is not known: rdma.gids is not recorded in this state"
out_lacks "failure"

it "apply without a carrier writes all, says so, and keeps it"
jq '.ports[0].carrier = false' "$states/mlx5_core.json" >dark.json
rocectl apply "${desired[@]}" --state dark.json --yes --out after.json
status_is 2
out_has "applied and verified"
out_has "; not ready: ens1f0np0"
rocectl apply "${desired[@]}" --state dark.json --yes -o json
status_is 2
json_is '.changed and .ready == false and [.remaining.findings[] | select(.level == "failure") | .id] == ["no-carrier"]'
rocectl verify "${desired[@]}" --state after.json --settings-only
status_is 0

it "what somebody else sets keeps nothing else from being applied, and a command fixes it"
cat >daemons.json <<'JSON'
{"format": 1, "ports": [{"match": {"name": "ens1f0np0"}, "mtu": 9000}],
 "host": {"tuned": "network-latency", "irqbalance": false, "memlock": {"service:slurmd": "unlimited", "user:alice": "1048576"}}}
JSON
jq '.host += {"tuned": "balanced", "irqbalance": true, "memlock": {}, "absent": {"memlock": ["service:slurmd", "user:alice"]}}' "$states/mlx5_core.json" >state.json
rocectl plan daemons.json --state state.json
status_is 0
out_has "1500 → 9000"
out_has "4 values for others to set"
rocectl plan daemons.json --state state.json --exit-code
status_is 2
rocectl apply daemons.json --state state.json --yes --out after.json
status_is 2
out_has "applied and verified: 1 port, 1 setting"
out_has "    \$ tuned-adm profile network-latency"
out_has "    \$ systemctl disable --now irqbalance"
out_has "    \$ echo 'alice - memlock 1024' >/etc/security/limits.d/memlock-alice.conf"
jq -e '.ports[0].mtu == 9000' after.json >/dev/null || fail "expected the MTU to be set"
rocectl verify daemons.json --state after.json
status_is 2
rocectl apply daemons.json --state after.json --yes -o json
status_is 2
json_is '.changed == false and .ready'

it "what is required and somebody else sets keeps everything from being applied until it is so"
jq '.host.required = ["tuned"]' daemons.json >required.json
rocectl plan required.json --state state.json
status_is 1
out_has "host.tuned: expected network-latency, found balanced"
out_has "expected network-latency, found balanced (required.json:12), and rocectl does not set it; it is required"
out_has "    \$ tuned-adm profile network-latency"
rocectl apply required.json --state state.json --yes --out untouched.json
status_is 1
[[ ! -e untouched.json ]] || jq -e '.ports[0].mtu == 1500' untouched.json >/dev/null || fail "expected nothing to be written"
jq '.host.tuned = "network-latency"' state.json >tuned.json
rocectl apply required.json --state tuned.json --yes --out after.json
status_is 2
jq -e '.ports[0].mtu == 9000' after.json >/dev/null || fail "expected the MTU to be set"
jq 'del(.host.tuned)' state.json >without.json
rocectl plan required.json --state without.json
status_is 1
rocectl profile schema
json_is '[."$defs" | .. | .required? | objects | .items.enum] | length > 0'
rocectl explain required
status_is 0

it "an optional desired value that is not held is counted"
jq '.host.tuned = "balanced"' "$states/mlx5_core.json" >state.json
cat >optional.json <<'JSON'
{"format": 1, "ports": [{"match": {"name": "ens1f0np0"}, "mtu": 1500}], "host": {"tuned": "network-latency", "optional": ["tuned"]}}
JSON
rocectl verify optional.json --state state.json
status_is 0
out_has "note: the host: host.tuned: expected network-latency, found balanced"
out_has "ok: 1 of 2 values match on 1 port and the host, 1 optional not held"
rocectl verify optional.json --state state.json -o json
json_is '.satisfied and .wished == 2 and .held == 1 and .optional_not_held == 1'
rocectl apply optional.json --state state.json --yes
status_is 0

it "one that apply would write is a difference"
sed 's/"mtu": 1500/"mtu": 9000, "optional": ["mtu"]/' optional.json >mtu.json
rocectl verify mtu.json --state state.json
status_is 2

done_testing

#!/bin/bash
# What a state file did not record is named so and passes for nothing; what an apply to one makes is foreseen.
# takes: 10 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

cat >rails.json <<'END'
{ "format": 1, "name": "rails", "extends": ["roce-v2-lossless"],
  "ports": [ { "match": { "name": "ens1f0np0" }, "mtu": 9000, "addresses": ["10.0.0.7/24"] } ] }
END

it "apply foresees the GIDs of addresses, RoCE v1 and v2, behind those that are there"
rocectl apply rails.json --state "$states/mlx5_core.json" --yes --out applied.json
status_is 0
out=$(jq -c '[.ports[] | select(.name == "ens1f0np0").rdma.gids[] | [.index, .gid[-9:], .type]]' applied.json)
[[ $out == '[[0,"fe9a:4c10","IB/RoCE v1"],[1,"fe9a:4c10","RoCE v2"],[2,"0a00:0007","IB/RoCE v1"],[3,"0a00:0007","RoCE v2"]]' ]] ||
    fail "expected two GIDs of the address"
rocectl verify rails.json --state applied.json
status_is 0

# with FILE GIDS: the applied state with another table on the port.
with() {
    jq "(.ports[] | select(.name == \"ens1f0np0\").rdma) |= ($2)" applied.json >"$1"
}

it "a GID table without entries lacks that of the address"
with empty.json '.gids = []'
rocectl verify rails.json --state empty.json
status_is 2
out_has "ens1f0np0: not ready: no RoCE v2 GID is 10.0.0.7"
rocectl doctor --only no-gid --state empty.json
status_is 2
out_has "fail 1. no-gid on ens1f0np0"

it "a GID table that was not recorded is unknown"
with unrecorded.json 'del(.gids)'
rocectl verify rails.json --state unrecorded.json
status_is 1
out_has "rdma.gids is not recorded in this state"
rocectl doctor --only no-gid --state unrecorded.json -o json
json_is '[.checks[]? | select(.port == "ens1f0np0" and .verdict == "pass")] == []'
status_is 1

it "a file of the host that was not recorded ends an apply before anything is written"
sed 's|"roce-v2-lossless"\],|&"roce": {"libraries": ["nccl"]},|' rails.json >libraries.json
rocectl apply libraries.json --state "$states/mlx5_core.json" --yes --out none.json
status_is 1
out_has "unknown: host.nccl is not recorded in this state"
mtus='[.ports[].mtu]'
[[ ! -e none.json || $(jq -c "$mtus" none.json) == "$(jq -c "$mtus" "$states/mlx5_core.json")" ]] || fail "expected nothing to be written"

it "a bond is made from nothing, with its RDMA device, ToS and GIDs"
cat >bond.json <<'END'
{ "format": 1, "name": "bond", "extends": ["roce-v2-lossless"],
  "host": { "bonds": { "bond0": { "mode": "802.3ad", "members": ["ens1f0np0", "ens1f1np1"],
    "xmit_hash_policy": "layer3+4", "lacp_rate": "fast", "miimon": 100 } } },
  "ports": [
    { "match": { "driver": "mlx5_core", "name": "ens1f*" }, "expect": 2 },
    { "match": { "name": "bond0" }, "roce": null, "mtu": 9000, "addresses": ["10.0.0.7/24"],
      "rdma": { "default_mode": "RoCE v2", "default_tos": 106 } }
  ] }
END
rocectl apply bond.json --state "$states/mlx5_core.json" --yes --out bonded.json
status_is 0
rocectl verify bond.json --state bonded.json
status_is 0
out=$(jq -c '.ports[] | select(.name == "bond0") | [.rdma.device, .rdma.default_tos, (.rdma.gids[] | select(.gid[-9:] == "0a00:0007").port)]' bonded.json)
[[ $out == '["mlx5_bond_0",106,"bond0","bond0"]' ]] || fail "expected the bond to have what it was given"

done_testing

#!/bin/bash
# The JSON Schema as an editor uses it: python3-jsonschema judges profiles by it.
# takes: 20 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

cat >validate.py <<'END'
"""validate.py SCHEMA FILE...: a line for each file that is not as the schema has it."""
import json, re, sys
from jsonschema import Draft202012Validator

# A comment, or a string that may look like one.
comment = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*')
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
for name in sys.argv[2:]:
    document = json.loads(comment.sub(lambda found: found.group(1) or "", open(name).read()))
    for error in Draft202012Validator(schema).iter_errors(document):
        print(f"{name}: {error.json_path}: {error.message[:200]}")
        break
END
rocectl profile schema
printf '%s\n' "$out" >schema.json

# `valid FILE...`: nothing is said of any of them.
valid() {
    called="validate $*"
    out=$(/usr/bin/python3 validate.py schema.json "$@" 2>&1)
    [[ -z $out ]] || fail "expected all to be valid"
}

it "the schema is one, by the metaschema"
valid

it "each shipped profile is as the schema has it"
valid "$here"/profiles/*.json

it "each profile that contradicts itself only by what it means is as the schema has it"
valid "$here"/tests/contradictions/*.json

it "a profile that init writes of a host is as the schema has it"
for state in "$states"/*.json; do
    rocectl profile init --state "$state" -o "init-$(basename "$state")"
    status_is 0
done
valid init-*.json

it "what a profile may say is as the schema has it"
says() {
    said=$((said + 1))
    printf '{"$schema": "x", "format": 1, %s}\n' "$1" >"says-$said.json"
    rocectl profile check "says-$said.json"
    status_is 0
}
port() { says "\"ports\": [{\"match\": {\"name\": \"a\"}, $1}]"; }
said=0
says '"name": "x", "extends": ["roce-v2-lossless"]'
says '"roce": null, "switch": null'
says '"roce": {"priority": 4, "dscp": "${dscp}", "cnp": null, "ecn": false, "trust": "pcp"}'
says '"roce": {"cnp": {"priority": 5}}, "switch": {"dscp_map": {"26": 3, "40": null}, "lossless": [3]}'
says '"host": {"modules": ["nvme_rdma", {"name": "siw", "absent": true}], "hugepages": {"2M": 10, "1G/node0": 2}, "sysctl": {"net.core.rmem_max": 5}}'
says '"host": {"hugepages": 4, "rdma": {"netns_mode": "exclusive"}, "optional": ["tuned"], "tuned": "x", "memlock": {"@x": "unlimited"}}'
says '"host": {"rdma.netns_mode": "shared", "cpu": {"governor": "performance"}, "irqbalance": false}'
says '"ports": [{"match": {"driver": ["ice", "bnxt_en"], "name": "ens*"}, "expect": 2, "roce": {"dscp": 30}, "mtu": "${mtu}"}]'
port '"pfc": {"priorities": [3]}, "pfc.storm_prevention": "auto", "maxrate": [0, 0, 0, 1000000, 0, 0, 0, 0]'
port '"pfc.priorities": ["${p}"], "ets": {"algorithm": ["ets", "ets", "ets", "ets", "ets", "ets", "ets", "strict"]}'
port '"dscp.map": {"26": 3, "48": null}, "app": {"udp": {"4791": "${p}"}}, "optional": ["dscp.map"], "exact": ["addresses", "dscp.map"]'
port '"addresses": ["10.0.0.1/24", "${a}/31", {"address": "10.0.0.2/24", "absent": true}]'
port '"routes": [{"to": "10.0.0.0/8", "via": "${gateway}", "table": "${t}"}, {"to": "fd00::/8", "metric": 5, "absent": true}]'
port '"rules": [{"from": "10.0.0.1", "table": 101}, {"to": "10.0.0.0/8", "priority": 5, "absent": true}]'
port '"neighbours": [{"ip": "10.0.0.2", "mac": "0c:42:a1:00:00:01"}, {"ip": "10.0.0.3", "absent": true}], "rdma.device": "mlx5_0", "rdma.link": null'
port '"vlans": {"100": {"name": "storage", "mtu": 9000, "egress_priority": {"3": 3}}, "200": null, "${vlan}": {"optional": ["mtu"]}}'
port '"features": {"rx-gro": true}, "private_flags": {"x": false}, "irq": {"affinity": "local"}, "link": {"speed": 100000, "lanes": 2, "fec": "rs"}'
valid says-*.json

it "what the schema refuses is refused by profile check, and said there with the line"
mistakes=(
    '"format": 2' '"format": 1, "nmae": "x"' '"format": 1, "roce": {"priority": 8}' '"format": 1, "roce": {"trust": "tag"}'
    '"format": 1, "extends": "x"' '"format": 1, "host": {"hugepages": "many"}' '"format": 1, "switch": {"lossless": [9]}'
    '"format": 1, "ports": [{"mtu": 9000}]' '"format": 1, "ports": [{"match": {}}]' '"format": 1, "ports": [{"match": {"nmae": "a"}}]'
)
for wrong in '"mtu": 9' '"mtu": "9000x"' '"mut": 9000' '"pfc": {"priorities": [8]}' '"pfc": {"prioritis": [3]}' '"pfc": {"priorities": [3, 3]}' \
    '"maxrate": [0]' '"ets": {"algorithm": ["fair"]}' '"dscp": {"map": {"x": 3}}' '"dscp": {"map": {"26": 8}}' '"addresses": ["10.0.0.1"]' \
    '"addresses": [{"address": "10.0.0.1/24", "absnet": true}]' '"routes": [{"via": "10.0.0.1"}]' '"routes": [{"to": "10.0.0.0/8", "gateway": "10.0.0.1"}]' \
    '"neighbours": [{"ip": "10.0.0.2"}]' '"rules": [{"from": "10.0.0.1"}]' '"vlans": {"x": {}}' '"vlans": {"100": {"pfc": {"priorities": [3]}}}' '"expect": 0' '"optional": ["mut"]' '"exact": ["mtu"]' '"speed": 5' '"link.speed": 0' '"mtu": null'; do
    mistakes+=("\"format\": 1, \"ports\": [{\"match\": {\"name\": \"a\"}, $wrong}]")
done
for i in "${!mistakes[@]}"; do
    printf '{%s}\n' "${mistakes[i]}" >"wrong-$i.json"
    rocectl profile check "wrong-$i.json"
    status_is 65
    err_has "wrong-$i.json:1:"
done
/usr/bin/python3 validate.py schema.json wrong-*.json >refused 2>&1
for i in "${!mistakes[@]}"; do
    grep -q "^wrong-$i.json: " refused || fail "expected the schema to refuse it: ${mistakes[i]}"
done

it "an editor has a sentence for each key that it offers"
jq -r '[paths(type == "object" and has("additionalProperties") and has("properties")) as $at | getpath($at).properties | to_entries[]
    | select((.value | has("description") or has("properties") or has("$ref") or (.anyOf // [] | any(has("properties")))) | not) | .key]
    | unique | join(" ")' schema.json >silent
[[ -z $(<silent) ]] || fail "no sentence for: $(<silent)"

done_testing

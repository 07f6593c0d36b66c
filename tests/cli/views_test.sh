#!/bin/bash
# What people and CI systems see: screens of eight rails, junit, standard input, help.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

state=$states/gpu-rail.json
desired=(gpu-rail --vars "$here/tests/vars/gpu-rail.json")

# lines_up_to N: that the output takes at most N lines of a terminal with 100 columns.
lines_up_to() {
    local found
    found=$(fold -w 100 <<<"$out" | wc -l)
    ((found <= $1)) || fail "expected at most $1 lines of 100 columns, found $found"
}

it "eight rails: a green verify is a screen, and -q says nothing"
rocectl apply "${desired[@]}" --state "$state" --yes --out after.json
status_is 0
rocectl verify "${desired[@]}" --state after.json
status_is 0
lines_up_to 24
out_has "enp26s0np0 … (8 ports)"
out_has "ok: 672 of 704 values match on 8 ports and the host, 32 not supported here"
rocectl verify "${desired[@]}" --state after.json -q
status_is 0
[[ -z $out$err ]] || fail "expected nothing"
rocectl apply "${desired[@]}" --state after.json --yes -q
status_is 0
[[ -z $out$err ]] || fail "expected nothing"
rocectl plan "${desired[@]}" --state after.json -q
[[ -z $out$err ]] || fail "expected nothing"

it "eight rails: a plan tells each change once, and with -v each port's"
rocectl plan "${desired[@]}" --state "$state"
status_is 0
lines_up_to 56
[[ $(grep -c '^~ mtu ' <<<"$out") == 1 ]] || fail "expected the MTU once"
out_has "10.7.0.35/31"
out_has "link is lost on enp26s0np0 … (8 ports)"
rocectl plan "${desired[@]}" --state "$state" -v
[[ $(grep -c '^~ mtu ' <<<"$out") == 8 ]] || fail "expected the MTU of each port"
rocectl apply "${desired[@]}" --state "$state" --yes -q
[[ -z $out$err ]] || fail "expected nothing"

it "eight rails: one that drifted is named"
jq '(.ports[] | select(.name == "enp94s0np0") | .mtu) = 1500' after.json >drifted.json
rocectl verify "${desired[@]}" --state drifted.json
status_is 2
lines_up_to 24
out_has "enp94s0np0  (mlx5_core)"
out_has "differs: 1 setting on 1 port"
rocectl verify "${desired[@]}" --state drifted.json -q
status_is 2
out_has "differs: 1 setting on 1 port"

it "what operators fear stands first: the default route by a port that loses its link"
jq '(.ports[] | select(.name == "enp94s0np0") | .routes) += [{"to": "default", "via": "10.3.0.34"}]' \
    "$state" >uplink.json
rocectl plan "${desired[@]}" --state uplink.json
status_is 0
first=$(head -n 1 <<<"$out")
[[ $first == "note: enp94s0np0: the default route leads by this port, and its link is lost" ]] ||
    fail "found first: $first"
out_has "apply with --confirm 5m, which goes back by itself unless rocectl confirm comes"
rocectl plan "${desired[@]}" --state uplink.json -o json
json_is '.findings[0].id == "management-link"'
rocectl plan "${desired[@]}" --state uplink.json --port enp60s0np0
[[ $out != *"default route"* ]] || fail "expected nothing of it with another port alone"
[[ $(grep -c '^enp' <<<"$out") == 1 ]] || fail "expected one port"

it "what stands on a port that loses its link, and is none of the profile's, counts"
jq '.ports += [{"name": "storage", "kind": "vlan", "vlan": 100, "lower": "enp94s0np0", "up": true, "carrier": true, "mtu": 1500,
    "addresses": ["10.9.0.5/24"], "routes": [{"to": "default", "via": "10.9.0.1"}]}]' "$state" >upper.json
rocectl plan "${desired[@]}" --state upper.json
status_is 0
first=$(head -n 1 <<<"$out")
[[ $first == "note: storage: the default route leads by this port, and the link below it is lost: enp94s0np0" ]] ||
    fail "found first: $first"

it "what is not to be had is told again once the rest is applied"
rocectl apply "${desired[@]}" --state "$state" --yes
status_is 0
[[ ${out##*"link is lost on"} == *"ecn.notify 3"* ]] || fail "expected ecn.notify after the plan"
out_has "672 of 704 values match, 32 not supported here: ecn"

it "two rails with each other's addresses: one sentence, and apply exchanges them"
jq '(.ports[] | select(.name == "enp60s0np0")) as $a | (.ports[] | select(.name == "enp77s0np0")) as $b
    | (.ports[] | select(.name == "enp60s0np0")) |= . + {addresses: $b.addresses, routes: $b.routes}
    | (.ports[] | select(.name == "enp77s0np0")) |= . + {addresses: $a.addresses, routes: $a.routes}' \
    after.json >swapped.json
rocectl plan "${desired[@]}" --state swapped.json
status_is 0
[[ $(grep -c 'are exchanged, or their cables are' <<<"$out") == 1 ]] || fail "expected one sentence"
rocectl apply "${desired[@]}" --state swapped.json --yes --out mended.json
status_is 0
rocectl verify "${desired[@]}" --state mended.json
status_is 0

it "one cause is told once"
printf '{ "format": 1, "extends": ["roce-v2-lossless"], "ports": [ { "match": { "driver": "bnxt_en" } } ] }\n' >bnxt.json
rocectl plan bnxt.json --state "$states/bnxt_en-agent.json"
status_is 1
[[ $(grep -c '^failure' <<<"$out") == 2 ]] || fail "expected two causes"
[[ $(grep -c 'NVM options' <<<"$out") == 1 ]] || fail "expected the remedy once"
out_has "dscp.map 26,48"
out_has "cannot be applied: 16 failures of 2 causes"

it "documents are never folded, and name the element and one form of origin"
rocectl plan bnxt.json --state "$states/bnxt_en-agent.json" -o json
json_is '[.findings[] | select(.level == "failure")] | length == 16'
json_is '[.findings[] | select(.key == "dscp.map") | .element] | unique == ["26", "48"]'
json_is 'all(.findings[] | select(.id != "remark"); .origin.file and .origin.line)'
rocectl verify "${desired[@]}" --state drifted.json -o json
json_is '.differences[0].origin | .file == "gpu-rail.json" and .line > 0'
rocectl plan "${desired[@]}" --state drifted.json -o json
json_is '.steps[0].changes[0].origin | .file == "gpu-rail.json" and .line > 0'

it "-o commands says on standard error what it leaves out"
rocectl plan "${desired[@]}" --state "$state" -o commands
status_is 0
err_has "left out: enp26s0np0 … (8 ports): ecn.notify 3, ecn.react 3, ecn.cnp_dscp, ecn.cnp_priority: the kernel"
err_lines 1
out_lacks "left out"

junit() {
    python3 - "$@" <<'END'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "testsuites", root.tag
suites = root.findall("testsuite")
assert len(suites) == 1
cases = suites[0].findall("testcase")
count = {"tests": len(cases), "errors": 0,
         "failures": sum(c.find("failure") is not None for c in cases),
         "skipped": sum(c.find("skipped") is not None for c in cases)}
for node in (root, suites[0]):
    for name, number in count.items():
        assert int(node.get(name)) == number, (node.tag, name, node.get(name), number)
for case in cases:
    assert case.get("classname") and case.get("name") and case.get("time") is not None
    for one in case.findall("failure"):
        assert one.get("message") and one.get("type")
names = [(c.get("classname"), c.get("name")) for c in cases]
assert len(names) == len(set(names)), "names are not unique"
assert eval(sys.argv[2], {}, dict(count, cases=cases, suite=suites[0])), (sys.argv[2], count)
END
}
junit_is() {
    printf '%s\n' "$out" >junit.xml
    junit junit.xml "$1" 2>junit.err || fail "expected of the suite: $1: $(tail -n 1 junit.err)"
}

it "junit: a case for each desired value, failures for what differs, skipped for what is only noted"
rocectl verify "${desired[@]}" --state after.json -o junit
status_is 0
junit_is 'failures == 0 and skipped == 32 and tests >= 200'
rocectl verify "${desired[@]}" --state drifted.json -o junit
status_is 2
junit_is 'failures == 1 and [c.get("classname") for c in cases if c.find("failure") is not None] == ["enp94s0np0"]'
rocectl plan "${desired[@]}" --state "$state" -o junit
status_is 0
junit_is 'failures == 0'
rocectl plan "${desired[@]}" --state "$state" -o junit --exit-code
status_is 2
junit_is 'failures == 664'
rocectl plan bnxt.json --state "$states/bnxt_en-agent.json" -o junit
status_is 1
junit_is 'failures == 16'
printf '{ "format": 1, "name": "<&\\"\\u0001>", "ports": [ { "match": { "name": "<nope&>" }, "mtu": 9000 } ] }\n' >odd.json
rocectl verify odd.json --state after.json -o junit
status_is 2
junit_is 'failures == 1 and "<nope&>" in cases[0].find("failure").get("message")'

it "standard input: a profile, a state, variables, a plan, once per run"
cat >mtu.json <<'END'
{ "format": 1, "name": "mtu", "ports": [ { "match": { "name": "enp*" }, "mtu": 9000 } ] }
END
called="plan - <mtu.json"
out=$("$binary" plan - --state "$state" <mtu.json 2>.err) || fail "expected status 0"
out_has "standard input:1"
out=$("$binary" plan mtu.json --state - <"$state" 2>.err) || fail "expected status 0"
out_has "1500 → 9000"
out=$("$binary" profile show gpu-rail --state "$state" --vars - <"$here/tests/vars/gpu-rail.json" 2>.err) ||
    fail "expected status 0"
out_has "10.7.0.35/31"
out=$("$binary" profile check - <mtu.json 2>.err) || fail "expected status 0"
out_has "standard input: valid"
rocectl plan mtu.json --state "$state" --out saved.json
out=$("$binary" apply --plan - --state "$state" --yes <saved.json 2>.err) || fail "expected status 0"
out_has "applied and verified"
rocectl plan - --state -
status_is 64
err_has "standard input can be read once"

it "profile check --vars: values are put in, and a name that has none is an error"
rocectl profile check "${desired[@]}"
status_is 0
out_has "gpu-rail.json: valid"
jq '.ports.enp94s0np0.address = "10.3.0.350"' "$here/tests/vars/gpu-rail.json" >wrong.json
rocectl profile check gpu-rail --vars wrong.json
status_is 65
err_has "10.3.0.350/31"
jq 'del(.host.rails)' "$here/tests/vars/gpu-rail.json" >missing.json
rocectl profile check gpu-rail --vars missing.json
status_is 65
err_has 'found ${rails}, and the variables hold no value of it'
err_lines 1

it "help COMMAND is COMMAND --help"
for command in plan apply verify "profile check" profile snapshot completion; do
    # shellcheck disable=SC2086
    rocectl $command --help
    text=$out
    # shellcheck disable=SC2086
    rocectl help $command
    status_is 0
    [[ $out == "$text" ]] || fail "expected the same help of $command"
done
rocectl help
status_is 0
out_has "profile check"
rocectl help nope
status_is 64

it "explain knows the keys that are no settings"
for key in match match.function optional vlans switch switch.lossless expect extends exact external absent; do
    rocectl explain "$key"
    status_is 0
    out_has "takes"
done
rocectl explain expect -o json
json_is '.key == "expect" and .admits == "1..65535"'

# on_terminal COLUMNS ARGUMENT...: what is shown on a terminal so wide, without colour.
on_terminal() {
    local columns=$1
    shift
    script -qec "stty cols $columns; NO_COLOR=1 TERM=xterm $(printf '%q ' "$binary" "$@")" /dev/null </dev/null | tr -d '\r'
}
it "views: on a terminal each fits its width, and to a pipe no line is folded"
fits=(--set nic=ens1f0np0 --set address=192.168.100.1 --set network=192.168.100.0 --set length=24 --state "$states/mlx5_core.json")
for command in plan verify doctor; do
    called="rocectl $command on a terminal"
    out=$(on_terminal 80 "$command" db-cluster "${fits[@]}")
    err=$(LC_ALL=C.UTF-8 grep -E '^.{81}' <<<"$out" | grep -v '^    \$ ' || true)
    [[ -n $out && -z $err ]] || fail "expected no line of more than 80 columns"
    # Whatever COLUMNS says.
    piped=$(COLUMNS=80 "$binary" "$command" db-cluster "${fits[@]}" | cat)
    [[ $piped == "$("$binary" "$command" db-cluster "${fits[@]}" | cat)" ]] || fail "expected the same to a pipe"
    [[ $(wc -l <<<"$piped") -lt $(wc -l <<<"$out") ]] || fail "expected lines that are not folded"
done

done_testing

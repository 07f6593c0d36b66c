#!/bin/bash
# What other programs put into the kernel is data, whatever it is called: in namespaces of its own, with /run and /var/lib of its own.
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
escape=$'a\e[2Kb' bytes=$'roce\xff\xc3' # an interface of somebody, and one that is configured

mtu_of() { cat "/sys/class/net/$1/mtu"; }
mtu_is() { [[ $(mtu_of "${2:-roce0}") == "$1" ]] || fail "expected mtu $1, found $(mtu_of "${2:-roce0}")"; }
rule_is() { [[ $(ip rule show priority 1000 | wc -l) == "$1" ]] || fail "expected $1 rules of priority 1000"; }
put_odd_things() {
    ip link add "$escape" type veth peer name "$bytes"
    ip rule add priority 500 iif d0:1 table 5
    ip rule add priority 501 oif $'\e[31m\xfe' table 5
}
take_odd_things() {
    ip link del "$escape"
    ip rule del priority 500
    ip rule del priority 501
}
gone_back() {
    for ((i = 0; i < 200; i++)); do
        [[ -e /run/rocectl/pending ]] || break
        sleep 0.1
    done
}
ip link add roce0 type veth peer name far0
mount -t sysfs sysfs /sys
cat >nine.json <<'END'
{ "format": 1, "name": "nine", "ports": [
  { "match": { "name": "roce*" }, "mtu": 9000, "rules": [ { "from": "198.18.0.1", "priority": 1000, "table": 101 } ] } ] }
END

it "apply, verify and rollback go past names and rules that no profile may state"
put_odd_things
rocectl apply nine.json --yes --settings-only
status_is 0
mtu_is 9000
mtu_is 9000 "$bytes"
rule_is 1
rocectl verify nine.json --settings-only
status_is 0
rocectl history 1 -o json
json_is '[.entry.steps[].port] | index("roce\udbff\udeff\udbff\udec3")'
rocectl rollback --yes
status_is 0
mtu_is 1500
mtu_is 1500 "$bytes"
rule_is 0
[[ $(ip rule show priority 500) == *"iif d0:1"* ]] || fail "expected the rule of somebody to stay"
take_odd_things

it "one port is written by its place among ports that no profile may name"
sed 's/"mtu": 9000, "rules": .* }$/"expect": 2, "addresses": ["10.9.${index}.1\/24"] } ] }/' nine.json >rails.json
put_odd_things
rocectl apply rails.json --yes --settings-only
status_is 0
own=$(ip -o -4 addr show roce0)
take_odd_things
ip addr flush dev roce0
rocectl apply rails.json --yes --settings-only
status_is 1
rocectl apply rails.json --yes --settings-only --port roce0
status_is 0
[[ -n $own && $(ip -o -4 addr show roce0) == "$own" ]] || fail "expected '$own'"
ip addr flush dev roce0

it "one port is written by its place beside one whose name a terminal would obey"
put_odd_things
ip link set "$escape" name $'roce\e[2K'
sed 's/"expect": 2/"expect": 3/' rails.json >three.json
rocectl apply three.json --yes --settings-only
status_is 0
ip link del $'roce\e[2K'
rocectl plan three.json --port roce0
status_is 0
[[ $err != *"not known"* ]] || fail "expected the ports of before to be known"
ip rule del priority 500
ip rule del priority 501
ip addr flush dev roce0

it "what comes after apply keeps neither rollback nor the guard from going back"
rocectl apply nine.json --yes --settings-only
status_is 0
put_odd_things
rocectl rollback --yes
status_is 0
mtu_is 1500
take_odd_things
rocectl apply nine.json --yes --settings-only --allow unguarded --confirm 2s
status_is 0
put_odd_things
gone_back
mtu_is 1500
rule_is 0

it "a snapshot of such a host is a state"
rocectl snapshot -o host.json
status_is 0
rocectl plan nine.json --state host.json -o json
status_is 0
json_is '[.steps[].port] | index("roce\udbff\udeff\udbff\udec3")'
rocectl apply nine.json --state host.json --out after.json --yes --settings-only
status_is 0
rocectl verify nine.json --state after.json --settings-only
status_is 0
rocectl plan nine.json --out plan.json
status_is 0
rocectl apply --plan plan.json --yes --settings-only
status_is 0
mtu_is 9000 "$bytes"

it "what a person writes into a state is looked at"
jq 'del(.command)' host.json >mine.json
rocectl plan nine.json --state mine.json
status_is 65
err_has "d0:1"

done_testing

#!/bin/bash
# The main job on bundled state files: plan, apply, verify, and the statuses they end with.
# takes: 30 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

values=(--set address=192.168.100.1 --set network=192.168.100.0 --set length=24)

for driver in mlx5_core bnxt_en ice hns3 generic; do
    state=$states/$driver.json
    port=$(jq -r '.ports[0].name' "$state")
    profile=db-cluster
    [[ $driver != generic ]] || profile=soft-roce
    desired=("$profile" --set "nic=$port" "${values[@]}")

    it "$driver: plan shows and writes nothing"
    cp "$state" before.json
    rocectl plan "${desired[@]}" --state "$state"
    status_is 0
    out_has "1500 → 9000"
    # What bnxt_en answers before it was told ETS is not what the NIC has.
    before='[]' known='[]'
    [[ $driver != bnxt_en ]] || before=unknown known=null
    out_has "$before → [3]"
    out_has "roce-v2-lossless.json:"
    out_has "roce.dscp ("
    same before.json "$state"
    rocectl plan "${desired[@]}" --state "$state" --exit-code
    status_is 2

    it "$driver: plan as a document"
    rocectl plan "${desired[@]}" --state "$state" -o json
    status_is 0
    json_is '.format == 1 and .command == "plan" and .status == 0 and (.ports | length == 1) and (.findings | type == "array")'
    json_is '.steps | length > 5 and all(.[]; (.port | type == "string") and (.object | type == "string") and (.irreversible | type == "boolean")
        and ([.disruption] | inside(["none", "queues", "link", "reload", "reset", "reboot", "unknown"])) and (.changes | length > 0))'
    json_is '[.steps[].changes[]] | all(.[]; has("setting") and has("before") and has("after") and has("origin"))'
    json_is '[.steps[].changes[] | select(.setting == "pfc.priorities")] | length == 1 and .[0].after == [3] and .[0].before == '"$known"

    it "$driver: plan as commands"
    rocectl plan "${desired[@]}" --state "$state" -o commands
    status_is 0
    out_has "$port"
    out_has "dcb "
    out_has "192.168.100.1/24"

    it "$driver: verify finds what differs"
    rocectl verify "${desired[@]}" --state "$state"
    status_is 2
    out_has "EXPECTED"
    out_has "$port"
    out_has mtu
    rocectl verify "${desired[@]}" --state "$state" -o json
    status_is 2
    json_is '.status == 2 and .satisfied == false and ([.differences[] | select(.setting == "mtu")] | .[0].expected == 9000 and .[0].found == 1500)'

    it "$driver: apply, then nothing differs"
    rocectl apply "${desired[@]}" --state "$state" --yes --out after.json
    status_is 0
    out_has "applied and verified"
    same before.json "$state"
    rocectl verify "${desired[@]}" --state after.json
    status_is 0
    out_has "ok: "
    rocectl plan "${desired[@]}" --state after.json --exit-code
    status_is 0
    out_has "nothing to change"

    it "$driver: a second apply changes nothing"
    rocectl apply "${desired[@]}" --state after.json --yes --out again.json
    status_is 0
    out_has "nothing changed"
    same after.json again.json
    rocectl apply "${desired[@]}" --state after.json --yes -o json
    status_is 0
    json_is '.status == 0 and .changed == false and .steps == []'

    it "$driver: the other port is left alone"
    jq '.ports[1]' "$state" >one.json
    jq '.ports[1]' after.json >two.json
    # The state files are older than rdma.name, which a state repeats beside rdma.device, and addresses_kept.
    cmp -s <(jq -S 'del(..|nulls)' one.json) <(jq -S 'del(..|nulls) | del(.rdma.name, .addresses_kept)' two.json) || fail "expected an untouched second port"
done

state=$states/mlx5_core.json
desired=(db-cluster --set 'nic=ens1f0np0' "${values[@]}")

it "drift: verify names port, setting, expected and found, and apply heals only that"
rocectl apply "${desired[@]}" --state "$state" --yes --out after.json
jq '(.ports[] | select(.name == "ens1f0np0") | .pfc.priorities) = []' after.json >drifted.json
rocectl verify "${desired[@]}" --state drifted.json
status_is 2
out_has "ens1f0np0  (mlx5_core)"
out_has "pfc.priorities  [3]       []"
rocectl apply "${desired[@]}" --state drifted.json --yes --out healed.json -o json
status_is 0
json_is '.changed == true and (.steps | length == 1) and .steps[0].object == "pfc"'
same after.json healed.json

it "an optional desired value that the device cannot hold is not counted as held"
jq 'del(.ports[0].pfc)' "$state" >no-pfc.json
cat >optional.json <<'END'
{ "format": 1, "name": "optional", "ports": [
  { "match": { "name": "ens1f0np0" }, "up": true, "mtu": 1500, "pfc.priorities": [3], "optional": ["pfc.priorities"] } ] }
END
rocectl verify optional.json --state no-pfc.json
status_is 0
out_has "note: ens1f0np0: pfc.priorities: "
out_has "ok: 2 of 3 values match on 1 port, 1 optional not held"

it "a --wait that is over is a difference"
rocectl verify "${desired[@]}" --state "$state" --wait 100ms
status_is 2

it "no port matched: 1 from plan and apply, 2 from verify"
rocectl plan db-cluster --set nic=nope0 "${values[@]}" --state "$state"
status_is 1
out_has "failure"
rocectl apply db-cluster --set nic=nope0 "${values[@]}" --state "$state" --yes
status_is 1
rocectl verify db-cluster --set nic=nope0 "${values[@]}" --state "$state"
status_is 2
rocectl verify db-cluster --set nic=nope0 "${values[@]}" --state "$state" -o json
status_is 2
json_is '.status == 2 and (.findings | length > 0)'

it "two entries in conflict: 1 from plan and apply, 2 from verify, naming both"
cat >conflict.json <<'END'
{ "format": 1, "name": "conflict", "ports": [
  { "match": { "name": "ens1f0*" }, "mtu": 9000 },
  { "match": { "driver": "mlx5_core" }, "mtu": 4200 } ] }
END
rocectl plan conflict.json --state "$state"
status_is 1
out_has "conflict.json:2"
out_has "conflict.json:3"
rocectl apply conflict.json --state "$state" --yes --out no.json
status_is 1
rocectl verify conflict.json --state "$state"
status_is 2

it "a profile that states nothing of its ports is never green: 1 from plan and apply, 2 from verify"
printf '{ "format": 1, "name": "idle", "ports": [ { "match": { "driver": "mlx5_core" } } ] }\n' >idle.json
rocectl plan idle.json --state "$state"
status_is 1
out_has "failure: the profile states nothing of the ports it matches"
rocectl apply idle.json --state "$state" --yes -o json
status_is 1
json_is '.changed == false and .outcomes == []'
rocectl verify idle.json --state "$state" -o json
status_is 2
json_is '.satisfied == false and .differences == [] and ([.findings[] | .id] == ["no-wish"])'

it "what cannot be read and nothing else: 1 from plan, apply and verify"
jq '(.ports[0] | .refused) = {"pfc": {"code": 5, "text": "Input/output error"}} | del(.ports[0].pfc)' after.json >unreadable.json
rocectl verify "${desired[@]}" --state unreadable.json
status_is 1
out_has "unknown: ens1f0np0: pfc.priorities: pfc: Input/output error (5) while reading, desired [3]"
out_has "not known on 1 port"
rocectl verify "${desired[@]}" --state unreadable.json -o json
status_is 1
json_is '.satisfied == false and .differences == [] and ([.findings[] | select(.level != "note") | .level] == ["unknown"])'
rocectl plan "${desired[@]}" --state unreadable.json
status_is 1
rocectl apply "${desired[@]}" --state unreadable.json --yes -o json
status_is 1
json_is '.changed == false and .outcomes == []'

it "a second lossless priority shares no class with a lossy one"
for driver in hns3 bnxt_en mlx5_core ice; do
    file=$states/$driver.json
    port=$(jq -r '.ports[0].name' "$file")
    printf '{ "format": 1, "roce": {}, "ports": [ { "match": { "name": "%s" }, "pfc.priorities": [3, 4] } ] }\n' "$port" >two.json
    rocectl apply two.json --state "$file" --yes --out two-after.json
    status_is 0
    rocectl profile init "$port" --state two-after.json -o two-init.json
    [[ -z $err ]] || fail "expected nothing to be left out"
    # Without an intent the classes are as they are, and all in one on some.
    jq '(.ports[] | .ets.traffic_class) = [0,0,0,0,0,0,0,0] | (.ports[] | .ets.bandwidth) = [100,0,0,0,0,0,0,0] | (.ports[] | .pause) = {"autoneg": false, "rx": false, "tx": false}' "$file" >one-class.json
    printf '{ "format": 1, "ports": [ { "match": { "name": "%s" }, "dcbx.mode": "host", "pfc.priorities": [3] } ] }\n' "$port" >alone.json
    rocectl plan alone.json --state one-class.json
    status_is 1
    out_has "lossless priority 3 shares traffic class 0 with priority 0, which may drop"
    rocectl verify alone.json --state one-class.json
    status_is 2
    rocectl apply alone.json --state one-class.json --yes -o json
    status_is 1
    json_is '.changed == false'
done

it "one address on two ports"
printf '{ "format": 1, "ports": [ { "match": { "driver": "mlx5_core" }, "roce": null, "addresses": ["${address}/24"] } ] }\n' >same.json
rocectl plan same.json --set address=10.0.0.5 --state "$state"
status_is 65
err_has "found 10.0.0.5 for every port that matches driver mlx5_core, expected an address of one port"
printf '{ "host": { "address": "10.0.0.5" } }\n' >same-vars.json
rocectl plan same.json --vars same-vars.json --state "$state"
status_is 1
out_has "states 10.0.0.5 here"
rocectl verify same.json --vars same-vars.json --state "$state"
status_is 2

it "fewer ports than expected"
printf '{ "format": 1, "name": "three", "ports": [ { "match": { "driver": "mlx5_core" }, "expect": 3, "mtu": 9000 } ] }\n' >three.json
rocectl plan three.json --state "$state"
status_is 1
rocectl verify three.json --state "$state"
status_is 2
# One error tells what is missing, and none comes of the positions that the others have now.
rocectl apply gpu-rail --vars "$here/tests/vars/gpu-rail.json" --state "$states/gpu-rail.json" --yes --out eight.json
status_is 0
gone=$(jq -r '.ports[3].name' eight.json)
jq 'del(.ports[3])' eight.json >seven.json
rocectl verify gpu-rail --vars "$here/tests/vars/gpu-rail.json" --state seven.json -o json
status_is 2
json_is ".differences == [] and ([.findings[] | select(.level == \"failure\") | .text | endswith(\"expected 8; not there: $gone\")] == [true])"

it "a NIC whose own agent owns DCBX is infeasible and names the remedy"
rocectl plan db-cluster --set nic=ens2f0np0 "${values[@]}" --state "$states/bnxt_en-agent.json"
status_is 1
out_has "remedy:"
rocectl apply db-cluster --set nic=ens2f0np0 "${values[@]}" --state "$states/bnxt_en-agent.json" --yes --out no.json
status_is 1

it "an infeasible plan gives no commands"
rocectl plan db-cluster --set nic=ens2f0np0 "${values[@]}" --state "$states/bnxt_en-agent.json" -o commands
status_is 1
[[ -z $out ]] || fail "expected nothing on standard output"
err_has "ens2f0np0: "

it "--allow refuses before any write, naming the steps"
rm -f no.json
rocectl apply "${desired[@]}" --state "$state" --yes --allow none --out no.json
status_is 1
err_has "ens1f0np0: pfc: "
err_has "--allow none"
[[ ! -e no.json ]] || fail "expected nothing written"

it "a result that could not be written is refused before it is made"
rocectl apply "${desired[@]}" --state "$state" --yes --out /nowhere/at/all.json
status_is 1
err_has "/nowhere/at/all.json"

# As rocectl does, with a standard output that takes nothing.
into_full() {
    called="$* >/dev/full"
    status=0
    "$binary" "$@" >/dev/full 2>"$work/.err" </dev/null || status=$?
    out='' err=$(<"$work/.err")
}

it "output that cannot be written is told, and leaves apply's status to what became of the host"
if [[ -w /dev/full ]]; then
    for form in text json; do
        rm -f full.json
        into_full apply "${desired[@]}" --state "$state" --yes --out full.json -o $form
        status_is 0
        err_lines 1
        err_has "standard output cannot be written"
        same after.json full.json
        into_full apply "${desired[@]}" --state after.json --yes -o $form
        status_is 0
        into_full apply db-cluster --set nic=nope0 "${values[@]}" --state "$state" --yes -o $form
        status_is 1
        err_lines 1
        into_full verify "${desired[@]}" --state "$state" -o $form
        status_is 2
        err_has "standard output cannot be written"
        into_full verify "${desired[@]}" --state after.json -o $form
        status_is 1
        into_full plan "${desired[@]}" --state "$state" -o $form
        status_is 1
    done
    into_full doctor --state "$state" --only port-down -o nagios
    status_is 3
    err_lines 1
    into_full doctor --state "$state" --only port-down -o npd
    status_is 2
else
    skip "no /dev/full"
fi

it "a reader that went away does not end an apply that wrote"
rm -f piped.json
mkfifo gate
called='apply -o json | a reader that is gone'
{
    read -r _ <gate
    "$binary" apply "${desired[@]}" --state "$state" --yes --out piped.json -o json 2>"$work/.err"
    echo $? >piped.status
} | {
    exec <&-
    echo >gate
}
status=$(<piped.status) err=$(<"$work/.err")
status_is 0
err_has "standard output cannot be written"
same after.json piped.json

it "-v lists what is not managed"
rocectl plan "${desired[@]}" --state after.json -v
status_is 0
out_has "unmanaged on ens1f0np0"
out_has pfc.cable_length

it "-q says nothing of what goes well"
rocectl verify "${desired[@]}" --state after.json -q
status_is 0
[[ -z $err ]] || fail "expected nothing on standard error"

it "an address that changes is replaced, not added beside the old one"
rocectl apply db-cluster --set nic=ens1f0np0 --set address=192.168.100.1 --set network=192.168.0.0 --set length=16 \
    --state after.json --yes --out moved.json
status_is 0
jq -e '[.ports[0].addresses[] | select(startswith("fe80") | not)] == ["192.168.100.1/16"]' moved.json >/dev/null || fail "expected one address"

it "snapshot --state gives a state that --state takes"
rocectl snapshot --state "$state"
status_is 0
json_is '.format == 1 and .command == "snapshot" and (.ports | length == 2)'
rocectl snapshot --state "$state" -o taken.json
rocectl snapshot --state taken.json -o again.json
status_is 0
same taken.json again.json

it "show lists ports, and one port whole"
rocectl show --state "$state"
status_is 0
out_has "PORT"
out_has ens1f1np1
rocectl show ens1f1np1 --state "$state"
status_is 0
out_has "0000:3b:00.1"
out_lacks ens1f0np0
rocectl show nope0 --state "$state"
status_is 1
rocectl show 'ens*' --state "$state"
status_is 1
rocectl show --state "$state"
out_has " 100G "
rocectl show --gids --state "$state"
status_is 0
out_has "mlx5_0/"
[[ $(head -n 1 <<<"$out") == "PORT "*" GID" ]] || fail "expected one table"
rocectl show --gids ens1f0np0 --state "$state" -o json
status_is 0
json_is '(.gids | map(.port) | unique) == ["ens1f0np0"] and (.gids | map(.version) | index("RoCE v2")) != null'
rocectl show --state "$state" -o json
json_is '.command == "show" and (.ports | length == 2)'

it "explain knows every setting"
for key in up mtu pause.rx dcbx.mode ets.bandwidth maxrate pfc.priorities pfc.delay pfc.cable_length pfc.storm_prevention buffer.of_priority buffer.size dscp.trust dscp.map app.udp rdma.link \
    rdma.default_mode rdma.default_tos addresses routes; do
    rocectl explain "$key"
    status_is 0
    out_has disruption
    out_has example
    rocectl explain "$key" -o json
    json_is ".key == \"$key\" and .use == \"setting\""
done

it "explain knows every finding that a command prints"
for id in pfc-with-rx-pause no-match conflict unsupported gone switch-dscp; do
    rocectl explain "$id"
    status_is 0
    out_has level
    out_has manual
    rocectl explain "$id" -o json
    json_is ".id == \"$id\" and .level == \"failure\" and (.why | length > 0)"
done
rocectl explain pfc-with-rx-pause
out_has "examines  pause.rx, pfc.priorities"
rocectl explain firmware
out_has "fact: only observed"
out_has "group     wish"
rocectl explain firmware -o json
json_is '.key == "firmware" and .use == "fact"'
rocectl explain no-mach
status_is 64
err_has no-match

it "explain roce says what follows from the intent on each driver"
rocectl explain roce
status_is 0
out_has "roce.cnp.dscp      0..63                       preset 48"
for driver in mlx5_core bnxt_en ice hns3 "unknown driver"; do
    out_has "$driver  "
done
rocectl explain roce bnxt_en
status_is 0
out_has "  rdma.default_tos "
out_has "from roce.dscp, roce.ecn"
out_has "app.udp 4791"
out_has "no interface of its own"
rocectl explain roce mlx5_core -o json
status_is 0
json_is '.key == "roce" and (.drivers | length == 1) and .drivers[0].driver == "mlx5_core"'
json_is '.drivers[0].derived | map(select(.setting == "dscp.map" and .element == "26")) | .[0].value == 3 and .[0].from == ["roce.priority", "roce.dscp", "roce.trust"]'
json_is '.drivers[0].elsewhere | map(select(.setting == "app.udp")) | .[0].drivers == ["bnxt_en"]'
rocectl explain roce.bandwidth
status_is 0
out_has "ets.bandwidth"
out_lacks "pfc.priorities"
rocectl explain pfc.priorities ice
status_is 64

it "profile schema is a JSON Schema"
rocectl profile schema
status_is 0
json_is '."$schema" | startswith("https://json-schema.org/")'

it "colour is for terminals alone"
unset NO_COLOR
rocectl plan "${desired[@]}" --state "$state"
export NO_COLOR=1
out_lacks $'\x1b'

done_testing

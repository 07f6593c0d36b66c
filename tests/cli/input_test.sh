#!/bin/bash
# What is wrong in a file is one line with its place, status 65, and nothing written.
# takes: 40 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

state=$states/mlx5_core.json

# A profile with this one entry, which plan and apply must refuse in one line.
refuses() {
    local what=$1 entry=$2 place=$3
    it "$what"
    printf '{\n  "format": 1, "name": "bad",\n  "ports": [ { "match": { "name": "ens1f0np0" },\n    %s } ]\n}\n' \
        "$entry" >bad.json
    rocectl plan bad.json --state "$state"
    status_is 65
    err_lines 1
    err_has "bad.json:$place"
    rocectl apply bad.json --state "$state" --yes --out written.json
    status_is 65
    [[ ! -e written.json ]] || fail "expected nothing written"
    rocectl verify bad.json --state "$state" -o json
    status_is 65
    json_is '.format == 1 and .command == "verify" and .status == 65 and (.errors | length == 1)'
    rocectl profile check bad.json
    status_is 65
    err_lines 1
}

refuses "an unknown key" '"mtuu": 9000' 4:5
refuses "a duplicate key" '"mtu": 9000, "mtu": 9000' 4:18
refuses "a key stated twice, nested and dotted" '"pfc": {"priorities": [3]}, "pfc.priorities": [3]' 4:
refuses "a wrong type" '"mtu": "large"' 4:12
refuses "priority 9" '"pfc": {"priorities": [9]}' 4:
refuses "DSCP 64" '"dscp": {"map": {"64": 3}}' 4:
refuses "a route prefix with host bits set" '"routes": [{"to": "10.0.0.1/8"}]' 4:
refuses "an address without a prefix length" '"addresses": ["192.168.1.1"]' 4:
refuses "an MTU of 70000" '"mtu": 70000' 4:12
refuses "an entry that is cut off" '"mtu": 9000, ' 4:
refuses "a number with a fraction" '"mtu": 9000.5' 4:12
refuses "a negative number" '"mtu": -1' 4:12
refuses "a number beyond all bounds" '"mtu": 99999999999999999999999' 4:12
refuses "a control character in a name" '"rdma": {"link": {"type": "rxe", "name": "a\u0000b"}}' 4:

it "truncated JSON"
printf '{ "format": 1, "ports": [ { "match"' >cut.json
rocectl plan cut.json --state "$state"
status_is 65
err_lines 1
err_has "cut.json:1:"

it "an empty file"
: >empty.json
rocectl plan empty.json --state "$state"
status_is 65
err_lines 1

it "a directory instead of a file"
mkdir folder.json
rocectl plan folder.json --state "$state"
status_is 65
err_lines 1
err_has "folder.json: Is a directory"
rocectl plan db-cluster --state folder.json
status_is 65
err_lines 1

it "a file that is not there"
rocectl profile check nowhere.json
status_is 65
err_has "nowhere.json: No such file or directory"

it "a bare name that no folder has"
rocectl plan nowhere --state "$state"
status_is 65
err_lines 1
err_has "db-cluster, "
err_has ", soft-roce, sonic-default, virtual-functions, vlan-pcp;"

it "10 MB of nested brackets"
head -c 10000000 /dev/zero | tr '\0' '[' >deep.json
rocectl plan deep.json --state "$state"
status_is 65
err_lines 1
rocectl plan db-cluster --state deep.json
status_is 65
err_lines 1

it "ten errors in one file are ten lines"
{
    printf '{ "format": 1, "ports": [ { "match": { "name": "*" },\n'
    for i in 1 2 3 4 5 6 7 8 9; do printf '"unknown%d": 1,\n' $i; done
    printf '"unknown10": 1 } ] }\n'
} >ten.json
rocectl plan ten.json --state "$state"
status_is 65
err_lines 10
err_has "ten.json:2:"
err_has "ten.json:11:"

it "errors of all files of one profile are reported together"
printf '{ "format": 1, "mtuu": 1 }\n' >base.json
printf '{ "format": 1, "extends": ["./base.json"], "ports": [ { "match": { "name": "*" }, "mtuu": 1 } ] }\n' >top.json
rocectl plan top.json --state "$state"
status_is 65
err_has "base.json:1:"
err_has "top.json:1:"

it "a profile that extends itself"
printf '{ "format": 1, "extends": ["./self.json"] }\n' >self.json
rocectl profile check self.json
status_is 65
err_lines 1

it "a state file that is no state"
printf '{ "format": 1, "ports": [ { "name": "a", "mtuu": 1 } ] }\n' >state.json
rocectl show --state state.json
status_is 65
err_has "state.json:1:"

it "a vars file that is none"
printf '[]\n' >vars.json
rocectl plan db-cluster --state "$state" --vars vars.json
status_is 65
err_has "vars.json:1:"

it "a variable that stands for nothing"
rocectl plan db-cluster --state "$state"
status_is 65
err_has "nic"

it "a --set that no \${…} of the profile uses names what it uses"
printf '{"ports": {"ens1f0np0": {"rack": 7}}, "host": {"nic": "ens1f0np0", "zone": "b"}}\n' >vars.json
for command in plan 'apply --yes' verify; do
    # shellcheck disable=SC2086 # the words of a command
    rocectl $command db-cluster --state "$state" --vars vars.json --set adress=192.168.100.1
    status_is 65
    err_lines 1
    err_has "--set adress: "
    err_has "expected one of address, length, network, nic"
done
rocectl profile check db-cluster soft-roce --set nic=ens1f0np0 --set typo=1 -o json
status_is 65
json_is '.errors | length == 2 and all(.[]; contains("typo") and contains("address, length, network, nic"))'
rocectl profile check db-cluster soft-roce --set nic=ens1f0np0
status_is 0

it "values of a --vars file may be for other profiles"
rocectl plan db-cluster --state "$state" --vars vars.json --set nic=ens1f0np0 \
    --set address=192.168.100.1 --set network=192.168.100.0 --set length=24
status_is 0

it "profile check finds an illegal value that --set gives"
rocectl profile check db-cluster --set length=99 --set address=192.168.100.1
status_is 65
err_lines 1
err_has "/ports/0/addresses/0: found '192.168.100.1/99'"

it "every profile is checked, whatever is wrong with the first"
printf '{ "format": 1, "one": 1 }\n' >one.json
printf '{ "format": 1, "two": 1 }\n' >two.json
rocectl profile check one.json db-cluster two.json
status_is 65
err_has "one.json"
err_has "two.json"

it "the shipped profiles are valid"
shipped=()
for file in "$here"/profiles/*.json; do shipped+=("$(basename "$file" .json)"); done
rocectl profile check "${shipped[@]}" -o json
status_is 0
json_is ".status == 0 and (.profiles | length == ${#shipped[@]}) and (.profiles | length > 8)"

it "a FIFO can hold a state"
mkfifo pipe
cat "$state" >pipe &
rocectl show --state pipe
wait
status_is 0
out_has ens1f0np0

it "a state file full of hostile names is data: nothing of the host is opened by them"
jq --arg trap "../../../../$work/trap" '.ports[0] |= (.pci = $trap | .rdma.device = $trap | .lower = $trap |
    .master = $trap | .ecn.interface = $trap | .rdma.gids[0].port = $trap) |
    .host |= (.name = $trap | .tuned = $trap | .hugepages = {($trap): 1} | .sysctl = {($trap): "1", "net/../../trap": "1"} |
    .memlock = {("service:" + $trap): "1", ("user:" + $trap): "1"})' "$states/mlx5_core.json" >hostile.json
echo '{ "format": 1, "roce": { "priority": 3, "dscp": 26 }, "ports": [ { "match": { "name": "ens1f0np0" }, "mtu": 9000,
    "pcie": { "read_request": 4096 } } ], "host": { "hugepages": 4, "sysctl": { "vm.swappiness": 1 } } }' >desired.json
rocectl show --state hostile.json
status_is 0
mkdir trap
if command -v strace >/dev/null; then
    for command in "plan desired.json" "verify desired.json" "show" "show ens1f0np0" "snapshot" "profile init ens1f0np0" \
        "profile show desired.json" "apply desired.json --yes --allow reset"; do
        # shellcheck disable=SC2086
        strace -f -qq -e trace=%file -o trace "$binary" $command --state hostile.json >said 2>&1
        grep -q 'trap\|ens1f0np0' said || fail "expected $command to have read the state"
        ! grep -E 'trap|"/(sys|proc/sys)/' trace >found || fail "$command opened $(head -n 1 found)"
    done
fi
for port in ../../etc/passwd 'a/b' .. 'the host' $'e\x1b[2J' ''; do
    jq --arg name "$port" '.ports[0].name = $name' hostile.json >port.json
    rocectl show --state port.json
    status_is 65
    err_has /ports/0
done

it "names in a profile that would lead elsewhere are refused without a host"
for bad in .. net/../../etc net..core .net.core net.core. /net/core 'net core' net.core/../x; do
    jq -n --arg name "$bad" '{format: 1, host: {sysctl: {($name): 1}}}' >bad.json
    rocectl profile check bad.json
    status_is 65
    err_has "the name of a kernel parameter"
done
for bad in a/b .. sixteen-letters-; do
    jq -n --arg name "$bad" '{format: 1, ports: [{match: {name: "a"}, vlans: {"7": {name: $name}}}]}' >bad.json
    rocectl profile check bad.json
    status_is 65
    err_has "/ports/0/vlans/7/name"
done

it "a file that is written is not standard error, where that was closed"
plan=(plan db-cluster --state "$states/mlx5_core.json" --set nic=ens1f0np0 --set address=192.168.100.1 --set network=192.168.100.0 --set length=24)
called="${plan[*]}"
"$binary" "${plan[@]}" --out open.json >/dev/null 2>&1
"$binary" "${plan[@]}" -v --out closed.json >/dev/null 2>&-
same open.json closed.json
"$binary" "${plan[@]}" >&- 2>err && fail "expected standard output that is closed to be told"
err=$(<err) out=
err_has "standard output cannot be written"

it "a folder that links to itself has as many files as it holds"
mkdir x
ln -s . x/x
ln -s . x/y
echo '{ "format": 1, "extends": ["x/sym.json", "y/sym.json", "x/y/sym.json"] }' >x/sym.json
start=$SECONDS
rocectl profile check x/sym.json
status_is 65
err_has "found a cycle: x/sym.json extends x/sym.json"
((SECONDS - start < 5)) || fail "it took $((SECONDS - start)) s"

it "ten megabytes take no more than 120, and what is mapped of libraries"
if grep -q __asan_init "$binary"; then
    skip "a sanitizer takes more than what it watches"
else
    # many START ONE END: a file of ten megabytes.
    many() { { printf '%s' "$1"; yes "$2" | head -c 10000000 | head -n -1 | tr -d '\n'; printf '%s' "$3"; } >large.json; }
    bounded() {
        called="$* (within 125 MiB of addresses)"
        status=0
        (ulimit -v 128000 && exec "$binary" "$@") >"$work/.out" 2>"$work/.err" </dev/null || status=$?
        out=$(head -c 10000 "$work/.out") err=$(head -c 10000 "$work/.err")
        [[ $status == 0 || $status == 65 || $status == 1 ]] || fail "found status $status"
        [[ $err != *bad_alloc* ]] || fail "expected less memory to be enough"
    }
    echo '{ "format": 1, "ports": [ { "match": { "name": "lo" }, "mtu": 65535 } ] }' >small.json
    # What is read as, and its start, one of many, and its end.
    while read -r as start one end; do
        many "$start" "$one" "$end"
        case $as in
            profile) bounded profile check large.json ;;
            state) bounded plan small.json --state large.json ;;
            vars) bounded plan small.json --state "$states/mlx5_core.json" --vars large.json ;;
            plan) bounded apply --plan large.json --state "$states/mlx5_core.json" --yes ;;
        esac
        status_is 65
    done <<'END'
profile [ 1, 1]
profile {"format":1,"ports":[ {"match":{}}, 1]}
state {"ports":[ {"name":"a"}, 1]}
vars {"host":{"a":[ [], 1]}}
plan {"format":1,"steps":[ {}, 1]}
END
    # numbered COUNT START ONE END: as many of the same kind as there are, each with its number in three parts.
    numbered() {
        awk -v count="$1" -v start="$2" -v one="$3" -v end="$4" 'BEGIN {
            printf "%s", start
            for (i = 0; i < count; i++)
                printf "%s" one, i == 0 ? "" : ",", i / 40000, i / 200 % 200, i % 200
            printf "%s", end
        }' >large.json
    }
    # More than a profile may state: how many, their start, one of them, their end, and what there is too much of.
    while read -r count start one end what; do
        numbered "$count" "$start" "$one" "$end"
        bounded profile check large.json
        status_is 65
        err_has "${what/_/ }"
    done <<'END'
900000 {"format":1,"ports":[{"match":{"name":[ "e%d.%d.%d" ]},"mtu":1500}]} more_values
600000 {"format":1,"ports":[{"match":{"name":"a"},"addresses":[ "10.%d.%d.%d/8" ]}]} more_values
49000 {"format":1,"ports":[{"match":{"name":"a"},"addresses":[ "10.%d.%d.%d/8" ]}]} more_elements
49000 {"format":1,"ports":[{"match":{"name":"a"},"routes":[ {"to":"10.%d.%d.%d/32"} ]}]} more_elements
49000 {"format":1,"host":{"sysctl":{ "net.a%d.b%d.c%d":1 }}} more_elements
49000 {"format":1,"host":{"bonds":{"b":{"mode":"802.3ad","members":[ "e%d-%d-%d" ]}}}} more_elements
49000 {"format":1,"host":{"bonds":{ "b%d-%d-%d":{"mode":"802.3ad"} }}} more_elements
900000 {"format":1,"extends":[ "p%d.%d.%d" ]} more_values
END
    # As many as it may.
    while read -r start one end; do
        numbered 20000 "$start" "$one" "$end"
        bounded profile check large.json
        status_is 0
        [[ $err != *"more elements"* ]] || fail "expected as many as it may state to be taken"
    done <<'END'
{"format":1,"ports":[{"match":{"name":"a"},"addresses":[ "10.%d.%d.%d/8" ]}]}
{"format":1,"ports":[{"match":{"name":"a"},"routes":[ {"to":"10.%d.%d.%d/32"} ]}]}
{"format":1,"host":{"sysctl":{ "net.a%d.b%d.c%d":1 }}}
END
    # Not hostile, and as long: as rocectl writes it.
    port=$(jq '.ports[0]' "$states/mlx5_core.json")
    {
        echo '{ "format": 1, "host": { "name": "n", "kernel": "6.1" }, "ports": ['
        for ((i = 0; i < 10000000 / ${#port}; i++)); do echo "${port//ens1f0np0/port$i},"; done
        echo "$port ] }"
    } >large.json
    (($(stat -c %s large.json) > 9500000)) || fail "expected ten megabytes, found $(stat -c %s large.json)"
    bounded plan small.json --state large.json
    status_is 1
    out_has "no port"
    # The smallest that a list can hold, in no order.
    {
        printf '{ "format": 1, "host": { "name": "n", "kernel": "6.1" }, "ports": [ { "name": "a", "addresses": [ '
        awk 'BEGIN {
            for (i = 0; i < 555000; i++)
                printf "%s\"10.%d.%d.%d/24\"", i == 0 ? "" : ",", i % 200, int(i / 200) % 200, int(i / 40000)
        }'
        echo ' ] } ] }'
    } >large.json
    (($(stat -c %s large.json) > 8500000)) || fail "expected nine megabytes, found $(stat -c %s large.json)"
    bounded plan small.json --state large.json
    status_is 1
    out_has "no port"
fi

done_testing

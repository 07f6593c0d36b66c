#!/bin/bash
# What is kept of a run that writes, and the way back: on a veth port in namespaces of its own, with /run and /var/lib of its own.
if [[ ${2:-} != inside ]]; then
    as_root=(--map-root-user)
    ((EUID != 0)) || as_root=()
    if ! unshare "${as_root[@]}" --net --mount true 2>/dev/null; then
        echo "skip journal: no namespaces here"
        echo "0 passed, 0 failed, 1 skipped"
        exit 77
    fi
    exec unshare "${as_root[@]}" --net --mount "$0" "$1" inside
fi
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib
ip link add roce0 type veth peer name far0
ip link set roce0 up

mtu_of() { ip -j link show "$1" | jq '.[0].mtu'; }
mtu_is() { [[ $(mtu_of "${2:-roce0}") == "$1" ]] || fail "expected mtu $1, found $(mtu_of "${2:-roce0}")"; }
profile() { printf '{ "format": 1, "name": "%s", "ports": [ { "match": { "name": "roce*" }, "mtu": %s } ] }\n' "$1" "$2" >"$1.json"; }
profile nine 9000
profile four 4000
mtu_is 1500

it "history is empty before the first run"
rocectl history
status_is 0
out_has "nothing was written"
rocectl rollback --yes
status_is 1
err_has "the journal has no apply"

it "plan and verify leave nothing behind"
rm -rf /run/rocectl
rocectl plan nine.json
status_is 0
rocectl verify nine.json
status_is 2
[[ ! -e /var/lib/rocectl && ! -e /run/rocectl ]] || fail "something was written"

it "apply is kept, and history tells it"
rocectl apply nine.json --yes -o json
status_is 0
json_is '.entry == 1 and .changed'
mtu_is 9000
rocectl history
status_is 0
out_has "nine.json"
out_has "1 of 1"
out_has "done"
rocectl history 1
out_has "1500 → 9000"
out_has "applied"
rocectl history -o json
json_is '.entries | length == 1 and .[0].command == "apply" and .[0].end == 0 and (.[0].digest | length == 64) and .[0].open == false'
rocectl history 1 -o json
json_is '.entry.attempts[0] | .result == "applied" and .back == false and .step.changes[0].setting == "mtu"'
rocectl history 2
status_is 1
rocectl history two
status_is 64

it "an apply that changes nothing is not kept"
rocectl apply nine.json --yes -o json
status_is 0
json_is '.entry == null and (.changed | not)'
[[ $(find /var/lib/rocectl/journal -type f | wc -l) == 1 ]] || fail "expected one entry"

it "rollback goes back before the last apply, and once is enough"
rocectl apply four.json --yes
status_is 0
rocectl rollback --yes
status_is 0
out_has "rolled back and verified: as before 2"
mtu_is 9000
rocectl rollback --yes
status_is 0
out_has "nothing changed: as before 2"
mtu_is 9000
rocectl history
out_has "rolled back by 3"
rocectl history -o json
json_is '.entries[2] | .command == "rollback" and .state == "done"'

it "rollback ID goes back before all that came after it, from wherever the host is"
ip link set roce0 mtu 3000
rocectl rollback 1 --yes -o json
status_is 0
json_is '.entry == 4 and .status == 0'
mtu_is 1500

it "a port that was renamed is found again"
rocectl apply nine.json --yes
status_is 0
ip link set roce0 down
ip link set roce0 name roce7
ip link set roce7 up
rocectl rollback --yes
status_is 0
mtu_is 1500 roce7
ip link set roce7 down
ip link set roce7 name roce0
ip link set roce0 up

it "a port that is gone is told, and the status is not 0"
ip link add roce1 type veth peer name far1
rocectl apply nine.json --yes
status_is 0
ip link del roce1
rocectl rollback --yes
status_is 4
out_has "roce1"
out_has "is not there"
mtu_is 1500
rocectl show
err_has "is left changed"
rocectl history -o json
mac=$(jq -r '[.entries[].ports[] | select(.name == "roce1")][-1].mac' <<<"$out")
ip link add roce1 address "$mac" type veth peer name far1
rocectl rollback --yes
status_is 0
ip link del roce1

it "an entry that cannot be read is told, and nothing is rolled back over it"
rocectl apply nine.json --yes
status_is 0
rocectl apply four.json --yes -o json
status_is 0
newest=$(jq .entry <<<"$out") kept=$(cat "/var/lib/rocectl/journal/$(jq .entry <<<"$out").jsonl")
echo '{"format": 2}' >"/var/lib/rocectl/journal/$newest.jsonl"
rocectl rollback "$((newest - 1))" --yes
status_is 1
err_has "$newest.jsonl"
mtu_is 4000
mv "/var/lib/rocectl/journal/$newest.jsonl" "/var/lib/rocectl/journal/$newest.open.jsonl"
rocectl show roce0
status_is 0
err_has "$newest.open.jsonl"
rocectl plan four.json
status_is 0
rm "/var/lib/rocectl/journal/$newest.open.jsonl"
echo "$kept" >"/var/lib/rocectl/journal/$newest.jsonl"
rocectl rollback "$((newest - 1))" --yes
status_is 0
mtu_is 1500

it "a saved plan is applied, or refused with what has changed"
rocectl plan nine.json --out saved.json
status_is 0
ip link set roce0 mtu 2000
rocectl apply --plan saved.json --yes
status_is 1
err_has "roce0: mtu: was 1500, is 2000"
mtu_is 2000
ip link set roce0 mtu 1500
rocectl apply --plan saved.json --yes
status_is 0
mtu_is 9000
echo '{"format": 1}' >broken.json
rocectl apply --plan broken.json --yes
status_is 65
rocectl rollback --yes
status_is 0

it "a file system that is full or cannot be written refuses the apply before any write"
mount -t tmpfs -o size=4k tmpfs /var/lib
head -c 4096 /dev/zero >/var/lib/full
rocectl apply nine.json --yes
status_is 1
mtu_is 1500
rm /var/lib/full
mount -o remount,ro /var/lib
rocectl apply nine.json --yes
status_is 1
err_has "Read-only file system"
mtu_is 1500
umount /var/lib

it "a terminal sees what is written, in one line"
called="apply, on a terminal"
out=$(TERM=xterm script -qec "$binary apply nine.json --yes >/dev/null" /dev/null </dev/null) err=
out_has "1 of 1: roce0: link"
[[ $out == *$'\r\x1b[K' ]] || fail "expected the line to be gone"
mtu_is 9000
rocectl rollback --yes
status_is 0

it "one that waits to be confirmed goes back by itself, or stays when it is confirmed"
rocectl apply nine.json --yes --confirm 2s
status_is 0
mtu_is 9000
rocectl confirm --status -o json
status_is 0
json_is '.pending.guarded and .pending.left_ms > 0'
rocectl apply four.json --yes
status_is 1
err_has "waits to be confirmed"
for ((i = 0; i < 100; i++)); do
    [[ -e /run/rocectl/pending ]] || break
    sleep 0.1
done
mtu_is 1500
rocectl apply nine.json --yes --confirm 30s
status_is 0
rocectl confirm
status_is 0
rocectl confirm --status
out_has "nothing waits"
mtu_is 9000
rocectl rollback --yes
status_is 0

it "the gateway is probed, IPv4 and IPv6"
unshare --net sleep 60 &
elsewhere=$!
until [[ $(readlink /proc/$elsewhere/ns/net) != $(readlink /proc/self/ns/net) ]]; do sleep 0.05; done
far() { nsenter --net=/proc/$elsewhere/ns/net "$@"; }
ip link set far0 netns $elsewhere
far ip addr add 192.0.2.254/24 dev far0
far ip addr add fd00::fe/64 dev far0 nodad
far ip link set far0 up
ip addr add 192.0.2.1/24 dev roce0
ip addr add fd00::1/64 dev roce0 nodad
rocectl apply nine.json --yes --confirm 60s --probe gateway
status_is 1
err_has "there is no default gateway"
ip route add default via 192.0.2.254
ip -6 route add default via fd00::fe
rocectl apply nine.json --yes --confirm 60s --probe gateway
status_is 0
rocectl confirm
status_is 0
far ip addr del fd00::fe/64 dev far0
rocectl apply four.json --yes --confirm 60s --probe gateway
status_is 1
err_has "probe gateway does not hold: fd00::fe: "
mtu_is 9000
far ip addr add fd00::fe/64 dev far0 nodad
rocectl apply four.json --yes --confirm 60s --probe gateway
status_is 0
mtu_is 4000
# The other one answers still; that this one has gone is what counts.
ip -6 route del default
far ip addr del fd00::fe/64 dev far0
for ((i = 0; i < 100; i++)); do
    [[ -e /run/rocectl/pending ]] || break
    sleep 0.1
done
mtu_is 9000
rocectl history
out_has "probe gateway does not hold: fd00::fe: "
kill $elsewhere

it "an apply is not written over an entry that nobody can read, nor is a dry run kept from it"
echo '{"format": 2}' >/var/lib/rocectl/journal/99.open.jsonl
ip link add roce8 type veth peer name far8
rocectl apply four.json --yes
status_is 1
err_has "99.open.jsonl left behind"
rocectl apply "$here/profiles/db-cluster.json" --yes --state "$states/mlx5_core.json" --set nic=ens1f0np0 \
    --set address=192.168.100.1 --set network=192.168.100.0 --set length=24
status_is 0
err_lines 0

it "what is kept is root's alone to write, whatever the caller lets others write"
rm -rf /run/rocectl /var/lib/rocectl
ip link add roce0 mtu 3000 type veth peer name far0
(umask 0 && "$binary" apply nine.json --yes >/dev/null)
mtu_is 9000
writable=$(find /run/rocectl /var/lib/rocectl -perm /022)
[[ -z $writable ]] || fail "others may write $writable"
[[ $(stat -c %a /run/rocectl/lock) == 600 ]] || fail "others may hold the lock"

done_testing

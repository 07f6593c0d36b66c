#!/bin/bash
# What is kept of a run that writes, and the way back: on a veth port in namespaces of its own, with /run and /var/lib of its own.
# takes: 120 s
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
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

it "rollback alone keeps rolled back what is, and history tells what is in force"
rocectl apply nine.json --yes
status_is 0
rocectl apply four.json --yes -o json
status_is 0
last=$(jq .entry <<<"$out")
rocectl rollback $((last - 1)) --yes
status_is 0
mtu_is 1500
rocectl rollback --yes
status_is 0
out_has "nothing changed: as before $((last - 1))"
mtu_is 1500
rocectl rollback "$last" --yes # by its name, it goes back to the first apply
status_is 0
mtu_is 9000
rocectl history -o json
json_is "[.entries[] | select(.id >= $((last - 1))).state] == [\"done\", \"rolled back by $((last + 2))\", \"rolled back by $((last + 2))\", \"done\"]"
rocectl rollback "$((last - 1))" --yes
status_is 0
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

it "output that cannot be written leaves the status to what became of the host"
for form in text json; do
    rocectl apply nine.json --yes --allow unguarded --confirm 60s
    called="confirm -o $form >/dev/full" status=0
    "$binary" confirm -o $form >/dev/full 2>.err || status=$?
    out='' err=$(<.err)
    status_is 0
    err_has "standard output cannot be written"
    called="rollback --yes -o $form >/dev/full" status=0
    "$binary" rollback --yes -o $form >/dev/full 2>.err || status=$?
    out='' err=$(<.err)
    status_is 0
    err_has "standard output cannot be written"
    mtu_is 1500
    called="confirm --status -o $form >/dev/full" status=0
    "$binary" confirm --status -o $form >/dev/full 2>.err || status=$?
    status_is 1
done

it "a signal while a link is waited for brings the host back"
printf '{ "format": 1, "ports": [ { "match": { "name": "roce0" }, "up": true, "mtu": 9000 } ] }\n' >up.json
called="apply up.json --yes --wait 60s, and SIGTERM" out='' err='' start=$SECONDS
"$binary" apply up.json --yes --wait 60s >.out 2>.err &
until [[ $(mtu_of roce0) == 9000 ]]; do sleep 0.1; done
sleep 0.5
kill $!
status=0
wait $! || status=$?
out=$(<.out) err=$(<.err)
status_is 3
out_has "interrupted"
((SECONDS - start < 30)) || fail "it took $((SECONDS - start)) s"
mtu_is 1500

it "one that waits to be confirmed goes back by itself, or stays when it is confirmed"
rocectl apply nine.json --yes --allow unguarded --confirm 2s
status_is 0
mtu_is 9000
rocectl confirm --status -o json -v
status_is 0
json_is '.pending.guarded and .pending.left_ms > 0'
err_has "sealed: no capabilities"
rocectl apply four.json --yes
status_is 1
err_has "waits to be confirmed"
for ((i = 0; i < 100; i++)); do
    [[ -e /run/rocectl/pending ]] || break
    sleep 0.1
done
mtu_is 1500
rocectl apply nine.json --yes --allow unguarded --confirm 30s
status_is 0
rocectl confirm
status_is 0
rocectl confirm --status
out_has "nothing waits"
mtu_is 9000
rocectl rollback --yes
status_is 0

it "the gateway is probed, IPv4 and IPv6"
elsewhere_begins 300 || fail "expected another namespace"
far() { nsenter --net=/proc/$elsewhere/ns/net "$@"; }
ip link set far0 netns $elsewhere
far ip addr add 192.0.2.254/24 dev far0
far ip addr add fd00::fe/64 dev far0 nodad
far ip link set far0 up
ip addr add 192.0.2.1/24 dev roce0
ip addr add fd00::1/64 dev roce0 nodad
rocectl apply nine.json --yes --allow unguarded --confirm 60s --probe gateway
status_is 1
err_has "there is no default gateway"
ip route add default via 192.0.2.254
ip -6 route add default via fd00::fe
rocectl apply nine.json --yes --allow unguarded --confirm 60s --probe gateway
status_is 0
rocectl confirm
status_is 0
far ip addr del fd00::fe/64 dev far0
rocectl apply four.json --yes --allow unguarded --confirm 60s --probe gateway
status_is 1
err_has "probe gateway does not hold: fd00::fe: "
mtu_is 9000
far ip addr add fd00::fe/64 dev far0 nodad
rocectl apply four.json --yes --allow unguarded --confirm 60s --probe gateway
status_is 0
mtu_is 4000
# The other one answers still; that this one has gone is what counts.
ip -6 route del default
far ip addr del fd00::fe/64 dev far0
for ((i = 0; i < 400; i++)); do
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

# Until nothing waits to be confirmed any more.
await_guard() {
    for ((i = 0; i < 100; i++)); do
        [[ -e /run/rocectl/pending ]] || break
        sleep 0.1
    done
}

it "the way back needs no journal that can be written: full, or read-only"
rm -rf /run/rocectl /var/lib/rocectl
ip link del roce8
ip link add roce0 mtu 1500 type veth peer name far0
mount -t tmpfs -o size=256k tmpfs /var/lib
rocectl apply nine.json --yes
status_is 0
head -c 9999999 /dev/zero >/var/lib/full 2>/dev/null
rocectl rollback --yes -o json
status_is 0
json_is '.status == 0 and ([.surprises[] | select(.id == "unnoted" and (.text | contains("No space left")))] | length == 1)'
err_has "not noted in the journal: "
mtu_is 1500
rm /var/lib/full
rocectl history
out_has "rolled back"
for how in full read-only; do
    rocectl apply nine.json --yes --allow unguarded --confirm 1s
    status_is 0
    mtu_is 9000
    if [[ $how == full ]]; then
        head -c 9999999 /dev/zero >/var/lib/full 2>/dev/null
    else
        mount -o remount,ro /var/lib
    fi
    await_guard
    mtu_is 1500
    rm -f /var/lib/full
done
mount -o remount,rw /var/lib
rocectl apply nine.json --yes
status_is 0
mount -o remount,ro /var/lib
mount -o remount,ro /run
rocectl rollback --yes
status_is 0
out_has "rolled back and verified"
err_has "going back without the lock: "
err_has "not noted in the journal: "
mtu_is 1500
mount -o remount,rw /run
mount -o remount,rw /var/lib

it "a file system that can no longer be written in the middle of an apply brings everything back"
for ((i = 1; i < 12; i++)); do ip link add "roce$i" type veth peer name "far$i"; done
mtus() { ip -j link show | jq -c '[.[] | select(.ifname | startswith("roce")).mtu] | unique'; }
# Runs what is given, followed by the process of apply, when the first port is written and the last is not: apply goes on from stop
# to stop until then, so that neither load nor speed decides when that is. Again after the next stop where it fails.
midway() {
    local pid
    SECONDS=0
    while ((SECONDS < 60)); do
        { read -r pid </run/rocectl/lock && kill -STOP "$pid"; } 2>/dev/null || continue
        if [[ $(mtus) == "[1500,9000]" ]] && "$@" "$pid" 2>/dev/null; then
            kill -CONT "$pid"
            return
        fi
        kill -CONT "$pid"
    done
}
read_only() { mount -o remount,ro /var/lib; }
midway read_only &
rocectl apply nine.json --yes -o json
status_is 3
wait $!
json_is '[.remaining.findings[] | select(.id == "unnoted")] | length == 1'
[[ $(mtus) == "[1500]" ]] || fail "expected all as before, found $(mtus)"
mount -o remount,rw /var/lib

it "signals that end a program end no apply midway: it goes back, or on"
for signal in QUIT TERM; do
    midway kill "-$signal" &
    rocectl apply nine.json --yes -o json
    wait $!
    status_is 3
    json_is '.interrupted and .left_changed == []'
    [[ $(mtus) == "[1500]" ]] || fail "$signal: expected all as before, found $(mtus)"
done
err=$(ulimit -f 0 && exec "$binary" apply nine.json --yes 2>&1 >/dev/null </dev/null)
status=$? out='' called="apply, where no file may grow"
status_is 1
err_has "File too large"
[[ $(mtus) == "[1500]" ]] || fail "expected all as before, found $(mtus)"
for ((i = 1; i < 12; i++)); do ip link del "roce$i"; done
umount /var/lib

it "nobody's lock keeps the guard from going back, and what strangers wrote is not written"
rocectl apply nine.json --yes --allow unguarded --confirm 3s
status_is 0
chown 65534:65534 /run/rocectl/lock
chmod 666 /run/rocectl/lock
setpriv --reuid=65534 --regid=65534 --clear-groups perl -e 'use Fcntl; open(F, "+<", "/run/rocectl/lock") or die;
    my $l = pack("s s x4 q q l x4", F_WRLCK, 0, 0, 0, 0); fcntl(F, F_SETLK, $l) or die; sleep 30' &
locker=$!
await_guard
mtu_is 1500
rocectl apply nine.json --yes
status_is 1
err_has "/run/rocectl/lock: mode 0666 and owner 65534 let others write it"
kill $locker
rm /run/rocectl/lock
rocectl apply nine.json --yes -o json
status_is 0
kept=/var/lib/rocectl/journal/$(jq .entry <<<"$out").jsonl
chmod 666 "$kept"
sed -i 's/"value":1500/"value":1400/' "$kept"
rocectl rollback --yes
status_is 1
mtu_is 9000
chmod 777 /var/lib/rocectl/journal
chmod 644 "$kept"
rocectl rollback --yes
status_is 1
err_has "/var/lib/rocectl/journal: mode 0777 and owner 0 let others write it"
mtu_is 9000
rocectl plan nine.json
status_is 0
err_has "/var/lib/rocectl/journal: mode 0777"
ip link set roce0 mtu 1500

it "another device of that name gets nothing, and what was the lost one's is reported"
rm -rf /run/rocectl /var/lib/rocectl
rocectl apply nine.json --yes
status_is 0
ip link set roce0 name moved0
ip link add roce0 type veth peer name other0
ip link set roce0 mtu 4200 up
rocectl rollback --yes # the device is the same under its new name
status_is 0
[[ $(ip -j link show moved0 | jq '.[0].mtu') == 1500 ]] || fail "the device that was renamed is not as before"
mtu_is 4200
ip link del roce0
ip link set moved0 name roce0
rocectl apply nine.json --yes
status_is 0
ip link del roce0
ip link add roce0 type veth peer name far0
ip link set roce0 mtu 4200 up
rocectl rollback --yes -o json
status_is 4
json_is '[.left_changed[].id] == ["other-port"]'
mtu_is 4200
ip link set roce0 mtu 1500
rm -rf /run/rocectl /var/lib/rocectl

it "a parameter that names a port goes back where that port is, whatever it is called"
ip link add roce1 type veth peer name far1
gc_stale_time=/proc/sys/net/ipv4/neigh
echo 61 >$gc_stale_time/roce0/gc_stale_time
echo 62 >$gc_stale_time/roce1/gc_stale_time
echo '{ "format": 1, "name": "own", "host": { "sysctl": { "net/ipv4/neigh/roce0/gc_stale_time": "77" } } }' >own.json
rocectl apply own.json --yes
status_is 0
ip link set roce0 name moved0
ip link set roce1 name roce0
rocectl rollback --yes
status_is 0
[[ $(cat $gc_stale_time/{moved0,roce0}/gc_stale_time | xargs) == '61 62' ]] ||
    fail "expected 61 62, found $(cat $gc_stale_time/{moved0,roce0}/gc_stale_time | xargs)"
ip link set roce0 name roce1
ip link set moved0 name roce0
rm -rf /run/rocectl /var/lib/rocectl
rocectl apply own.json --yes
status_is 0
ip link del roce0
ip link set roce1 name roce0
rocectl rollback --yes -o json
status_is 4
json_is '[.left_changed[].id] == ["other-port"]'
[[ $(<$gc_stale_time/roce0/gc_stale_time) == 62 ]] || fail "expected 62, found $(<$gc_stale_time/roce0/gc_stale_time)"
ip link del roce0
ip link add roce0 type veth peer name far0
rm -rf /run/rocectl /var/lib/rocectl

it "a parameter of a bridge goes back, whatever MAC address a new member gives it"
if ip link add br9 type bridge 2>/dev/null; then
    ip link add member1 address 02:00:00:00:00:bb type veth peer name far1
    ip link add member2 address 02:00:00:00:00:aa type veth peer name far2
    ip link set member1 master br9
    echo 61 >$gc_stale_time/br9/gc_stale_time
    sed 's/roce0/br9/' own.json >bridge.json
    rocectl apply bridge.json --yes
    status_is 0
    ip link set member2 master br9
    rocectl rollback --yes
    status_is 0
    [[ $(<$gc_stale_time/br9/gc_stale_time) == 61 ]] || fail "expected 61, found $(<$gc_stale_time/br9/gc_stale_time)"
    ip link del br9
    ip link del member1
    ip link del member2
    rm -rf /run/rocectl /var/lib/rocectl
else
    skip "no bridges here"
fi

it "another network namespace with the same journal gets nothing"
mac=$(ip -j link show roce0 | jq -r '.[0].address')
rocectl apply nine.json --yes
status_is 0
called="rollback in another network namespace" status=0
out=$(unshare -n sh -c "ip link add roce0 address $mac type veth peer name far0; ip link set roce0 mtu 4200
    \"$binary\" rollback --yes -o json || echo status \$?; ip -o link show roce0" 2>.err) || status=$?
[[ $out == *"status 4"*"mtu 4200"* ]] || fail "expected 4 and the MTU as it was, found $out"
rocectl rollback --yes
status_is 0
mtu_is 1500

it "an empty kernel parameter can be asked for, and comes back"
reserved=/proc/sys/net/ipv4/ip_local_reserved_ports
rm -rf /run/rocectl /var/lib/rocectl
for wanted in 8080 ""; do
    if [[ $wanted ]]; then echo >$reserved; else echo 8080 >$reserved; fi
    before=$(<$reserved)
    echo "{\"format\": 1, \"name\": \"ports\", \"host\": {\"sysctl\": {\"net.ipv4.ip_local_reserved_ports\": \"$wanted\"}}}" >ports.json
    rocectl apply ports.json --yes
    status_is 0
    [[ $(<$reserved) == "$wanted" ]] || fail "expected '$wanted', found '$(<$reserved)'"
    rocectl verify ports.json
    status_is 0
    rocectl rollback --yes
    status_is 0
    [[ $(<$reserved) == "$before" ]] || fail "expected '$before', found '$(<$reserved)'"
done

it "a sysctl that is longer than a page comes back as it was"
rm -rf /run/rocectl /var/lib/rocectl
reserved=/proc/sys/net/ipv4/ip_local_reserved_ports
# The kernel takes a page at a time, up to the last whole number.
perl -e '$v = join(",", map { 1001 + 2 * $_ } 0 .. 2500); while (length $v) { substr($v, 0, syswrite(STDOUT, $v) // die $!) = "" }' >$reserved
cat $reserved >before.txt
(($(stat -c %s before.txt) > 8192)) || fail "expected more than two pages"
echo '{"format": 1, "name": "ports", "host": {"sysctl": {"net.ipv4.ip_local_reserved_ports": "8080"}}}' >ports.json
rocectl apply ports.json --yes
status_is 0
[[ $(<$reserved) == 8080 ]] || fail "expected 8080, found $(<$reserved)"
rocectl rollback --yes
status_is 0
cat $reserved >after.txt
same before.txt after.txt
echo >$reserved

it "what the kernel refused of what is optional is known to verify, and to a snapshot"
rm -rf /var/lib/rocectl
refused() {
    printf '{"format": 1, "name": "refused", "ports": [{"match": {"name": "roce0"}, "mtu": 4000}], "host": {%s"sysctl": {"%s": "%s"}}}\n' "$@"
}
control=net.ipv4.tcp_congestion_control
refused '"optional": ["sysctl"], ' $control nobody >refused.json
rocectl verify refused.json
status_is 2
rocectl apply refused.json --yes -o json
status_is 0
json_is '.optional_not_held == 1 and .changed'
rocectl verify refused.json
status_is 0
out_has "refused by the device on 20"
out_has "Z: No such file or directory"
out_has "ok: 1 of 2 values match on 1 port and the host, 1 optional not held"
cp .out host.txt
rocectl snapshot refused.json
printf '%s\n' "$out" >snapshot.json
rocectl verify refused.json --state snapshot.json
status_is 0
same .out host.txt
# A difference beside it is one, another value was never refused, and who needs it has not got it.
ip link set roce0 mtu 1500
rocectl verify refused.json -o json
status_is 2
json_is '[.differences[].setting] == ["mtu"] and .optional_not_held == 1'
ip link set roce0 mtu 4000
refused '"optional": ["sysctl"], ' $control somebody >other.json
rocectl verify other.json
status_is 2
refused '' $control nobody >needed.json
rocectl verify needed.json
status_is 2
# Another start of the host is another host, of which nothing is known.
sed -i 's/"boot":"[^"]*"/"boot":"another"/' /var/lib/rocectl/journal/*.jsonl
rocectl verify refused.json
status_is 2
ip link set roce0 mtu 1500

it "who calls itself lldpad and is not root's is not taken for it"
bind_lldpad() {
    setpriv --reuid="$1" --clear-groups perl -e 'use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0);
        bind(S, pack_sockaddr_un("\0/com/intel/lldpad")) or die; $0 = "lldpad"; $| = 1; print "bound\n"; sleep 30' >.bound &
    until [[ -s .bound ]]; do sleep 0.05; done
}
owned_by() { rocectl snapshot && jq -r '[.ports[].owners // {} | keys[]] | unique | join(" ")' <<<"$out"; }
bind_lldpad 65534
[[ $(owned_by) != *lldpad* ]] || fail "expected nobody to manage the ports, found $(owned_by)"
kill $! && wait $! 2>/dev/null
rm .bound
bind_lldpad 0
[[ $(owned_by) == *lldpad* ]] || fail "expected lldpad, found $(owned_by)"
kill $! && wait $! 2>/dev/null

it "what is kept is root's alone to write, whatever the caller lets others write"
rm -rf /run/rocectl /var/lib/rocectl
(umask 0 && "$binary" apply nine.json --yes >/dev/null)
mtu_is 9000
writable=$(find /run/rocectl /var/lib/rocectl -perm /022)
[[ -z $writable ]] || fail "others may write $writable"
[[ $(stat -c %a /run/rocectl/lock) == 600 ]] || fail "others may hold the lock"

it "who may not see the lock is not told that a run which still writes was killed"
if [[ $(tr -s ' ' </proc/self/uid_map) == *' 0 0 4294967295' ]]; then
    rm -rf /run/rocectl /var/lib/rocectl
    ip link set roce0 mtu 1500
    chmod 755 "$work"
    rocectl apply nine.json --yes
    status_is 0
    sed -i 2q /var/lib/rocectl/journal/1.jsonl
    mv /var/lib/rocectl/journal/1.jsonl /var/lib/rocectl/journal/1.open.jsonl
    # F_OFD_SETLK of a whole file for writing.
    python3 -c 'import fcntl, struct, time
lock = open("/run/rocectl/lock", "r+")
fcntl.fcntl(lock, 37, struct.pack("hhqqi4x", 1, 0, 0, 0, 0))
open("held", "w")
time.sleep(60)' &
    until [[ -e held ]]; do sleep 0.05; done
    as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups "$binary")
    err=$("${as_nobody[@]}" plan nine.json 2>&1 >/dev/null)
    err_has "apply 1 of"
    err_has "root can see whether it still writes"
    [[ $err != *"goes back"* ]] || fail "expected nobody to be told to go back"
    rocectl plan nine.json -v
    err_has "writes to this host at the moment"
    [[ $err != *"is unfinished"* ]] || fail "expected nothing of what is being written"
    printf '1\n2999-01-01T00:00:00Z\napply other\n' >/run/rocectl/lock # a run that began behind it
    rocectl plan nine.json
    err_has "apply 1 of"
    err_has "is unfinished, 1 of 1 steps were written"
    printf '1\n2999-01-01T00:00:00Z\nrollback --yes\n' >/run/rocectl/lock # which goes back over it
    rocectl plan nine.json
    [[ $err != *"is unfinished"* ]] || fail "expected nobody to be told to go back while one does"
    kill $! && wait $! 2>/dev/null
    rocectl plan nine.json
    err_has "is unfinished, 1 of 1 steps were written; rocectl rollback goes back before it"
    rocectl rollback --yes
    status_is 0
else
    skip "needs root"
fi

it "no command that modprobe.d has in a module's place is run"
if ldconfig -p | grep -qF libkmod.so.2 && mount -t tmpfs tmpfs /etc/modprobe.d; then
    rm -rf /run/rocectl /var/lib/rocectl
    echo "install no_such_module touch $work/ran" >/etc/modprobe.d/site.conf
    echo '{ "format": 1, "ports": [ { "match": { "name": "roce0" } } ], "host": { "modules": [ "no_such_module" ] } }' >module.json
    rocectl apply module.json --yes
    status_is 3
    out_has "modprobe.d has a command to load module no_such_module, 'touch $work/ran'"
    [[ ! -e ran ]] || fail "expected the command not to be run"
    umount /etc/modprobe.d
else
    skip "no libkmod, or no /etc/modprobe.d"
fi

done_testing

#!/bin/bash
# A mesh of eight hosts, each a network namespace of its own, joined by a bridge: over TCP all is measured, and what takes RDMA is said to be left out.
if [[ ${2:-} != --inside ]]; then
    exec unshare --mount --net bash "$0" "$1" --inside
fi
# takes: 60 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/netns
(umask 077; echo 0123456789abcdef0123456789abcdef >/run/secret)
ip link add br0 type bridge
ip link set br0 up
ip addr add 10.9.0.100/24 dev br0
ip link set lo up
trap '((BASHPID != $$)) || { kill -CONT "${pid[@]}" 2>/dev/null; kill "${pid[@]}" 2>/dev/null; rm -rf "$work"; }' EXIT
pid=()
for host in {1..8}; do
    ip netns add h$host
    ip link add v$host type veth peer name eth0 netns h$host
    ip link set v$host master br0 up
    ip -n h$host link set lo up
    ip -n h$host addr add 10.9.0.$host/24 dev eth0
    ip -n h$host link set eth0 up
    ip netns exec h$host "$binary" probe serve --mesh --secret /run/secret >served.$host 2>&1 &
    pid[host]=$!
done
for host in {1..8}; do
    for _ in {1..100}; do ! grep -qs serving served.$host || break; sleep 0.1; done
done
# Two cores have sixteen ends: who waits sleeps.
run_mesh() { rocectl probe mesh '10.9.0.[1-8]' --secret /run/secret --completion event --iterations 20 --time-limit 30s "$@"; }

it "all 56 measurements are made over TCP, in rounds in which no host is in two"
run_mesh --operation tcp --html page.html -o json
status_is 0
json_is '[.pairs[] | select(.verdict == "pass" and .fallback == "" and (.trials | length == 1) and .trials[0].operation == "tcp" and .trials[0].p50 > 0 and .trials[0].p50 <= .trials[0].p99)] | length == 56'
json_is '[.pairs[] | .from + " " + .to] | unique | length == 56'
json_is '[.hosts[] | .unreachable] | unique == [""]'
grep -q 10.9.0.8 page.html || fail "expected the hosts in the page"

it "what takes RDMA is said to be left out, and fails nothing"
run_mesh --operation tcp,write --expect 'tcp.p50<10s'
status_is 0
out_has "8 hosts, 56 measurements: 56 well, 0 failed, 0 skipped"
out_has "56 measurements: RDMA was left out: eth0: has no RDMA device"
run_mesh --operation write
status_is 2
out_has "0 well, 0 failed, 56 skipped"

it "without --bind a server listens at all addresses, of both families"
"$binary" probe serve --secret /run/secret >served.all 2>&1 &
pid[9]=$!
for _ in {1..100}; do ! grep -qs serving served.all || break; sleep 0.1; done
if [[ -s /proc/net/if_inet6 ]]; then
    rocectl probe run ::1 --secret /run/secret --operation tcp --iterations 20
    status_is 0
fi
rocectl probe run 127.0.0.1 --secret /run/secret --operation tcp --iterations 20 -o json
status_is 0
json_is '.paths[0].peer.address == "127.0.0.1"'
json_is '[.paths[0].trials[] | select(.latency).processor | .here > 0 and .here < 1.5 and .peer < 1.5] | length > 0 and all'

it "an option that no operation has is refused, and so is what is none"
for words in "--functional" "--classes" "--direction in" "--duration 0s" "--duration 1s" "--expect tcp.p50<infus" \
    "--rate 1Gb/s" "--queue-pairs 2" "--depth 4" "--set a=b"; do
    # shellcheck disable=SC2086
    rocectl probe run 127.0.0.1 --secret /run/secret --operation tcp --iterations 20 $words
    status_is 64
    err_has "${words%% *}"
done
for words in "--bandwidth" "--size 4" "--expect send.p50<1s" "--iterations 9"; do
    # shellcheck disable=SC2086
    rocectl probe run 127.0.0.1 --secret /run/secret --functional $words
    status_is 64
    err_has "${words%% *}: nothing that is asked for has it; expected a run without --functional"
done
rocectl probe run 127.0.0.1 --secret /run/secret --operation tcp --iterations 20 --bandwidth --duration 100ms --rate 1Gb/s --queue-pairs 2
status_is 0
rocectl probe run 127.0.0.1 --secret /run/secret --operation rpc --bandwidth
status_is 64
err_has "--bandwidth: nothing that is asked for has it; expected send, write, read or tcp among the operations"
echo '{"format": 1, "ports": [{"match": {"name": "v1"}}], "probe": {"classes": true}}' >classes.json
rocectl probe run 127.0.0.1 --secret /run/secret --operation tcp --profile classes.json
status_is 64
err_has "--classes: nothing that is asked for has it"
rocectl probe mesh 127.0.0.1 127.0.0.2 --secret /run/secret --operation tcp --rate 1Gb/s
status_is 64
rocectl probe run 127.0.0.1 --secret /run/secret --operation rpc --functional
status_is 1
err_has "has no RDMA device"
rocectl probe serve --bind 127.0.0.1:84052 --secret /run/secret
status_is 64
err_has "'84052' is no port"

it "strangers who come and say nothing neither take the turn of a client nor end --once"
"$binary" probe serve --bind 127.0.0.1:18520 --once --secret /run/secret >served.once 2>&1 &
once=$!
for _ in {1..100}; do ! grep -qs serving served.once || break; sleep 0.1; done
exec 6<>/dev/tcp/127.0.0.1/18520 7<>/dev/tcp/127.0.0.1/18520
exec 7>&-
sleep 0.3
kill -0 "$once" || fail "a stranger ended the server"
start=$SECONDS
rocectl probe run 127.0.0.1:18520 --secret /run/secret --operation tcp --iterations 20
status_is 0
((SECONDS - start <= 4)) || fail "it took $((SECONDS - start)) s beside a stranger"
wait "$once" || fail "the server ended with $?"
exec 6>&-
grep -q "closed the connection" served.once || fail "expected a word on who left: $(cat served.once)"

it "a peer that knows the secret and speaks without end holds nobody past the deadlines"
kill "${pid[9]}"
wait "${pid[9]}"
for pause in 0 0.02; do
    ip addr add 127.0.0.2/8 dev lo 2>/dev/null
    rm -f served.endless
    python3 "$here/tests/cli/endless_peer" /run/secret 127.0.0.2 $pause >served.endless 2>&1 &
    pid[10]=$!
    for _ in {1..100}; do ! grep -qs serving served.endless || break; sleep 0.1; done
    start=$SECONDS
    rocectl probe run 127.0.0.2 --secret /run/secret --operation tcp --iterations 20 --time-limit 2s
    [[ $status == [12] ]] || fail "expected a failure, found $status"
    ((SECONDS - start <= 12)) || fail "it took $((SECONDS - start)) s"
    kill "${pid[10]}"
    wait "${pid[10]}" 2>/dev/null
done
rm -f served.endless
python3 "$here/tests/cli/endless_peer" /run/secret 127.0.0.2 0 >served.endless 2>&1 &
pid[10]=$!
for _ in {1..100}; do ! grep -qs serving served.endless || break; sleep 0.1; done
"$binary" probe mesh 127.0.0.2 10.9.0.1 --secret /run/secret --operation tcp --iterations 20 >interrupted 2>&1 &
run=$!
sleep 2
kill -INT $run
start=$SECONDS
wait $run
((SECONDS - start <= 2)) || fail "SIGINT ended the mesh after $((SECONDS - start)) s"
kill "${pid[10]}"

it "a host that goes is named, and the others are measured"
ip link set v3 down
run_mesh --operation tcp -o json
status_is 2
json_is '[.hosts[] | select(.unreachable != "") | .name] == ["10.9.0.3"]'
json_is '[.pairs[] | select(.verdict == "pass")] | length == 42'

done_testing

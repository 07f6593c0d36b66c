#!/bin/bash
# A mesh of servers that have no RDMA: who takes part, who does not, and what is said. The data path is the lab's.
# takes: 45 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

(umask 077; echo 0123456789abcdef0123456789abcdef >secret; echo 0123456789abcdef0123456789abcdeX >other)
port=$((20000 + $$ % 20000))
declare -A pid
serve() { # serve NUMBER OPTION...: at 127.0.0.NUMBER
    "$binary" probe serve --bind "127.0.0.$1:$port" "${@:2}" >"served.$1" 2>&1 &
    pid[$1]=$!
    for _ in {1..100}; do grep -qs serving "served.$1" && return; sleep 0.1; done
}
trap '((BASHPID != $$)) || { kill -CONT "${pid[@]}" 2>/dev/null; kill "${pid[@]}" 2>/dev/null; rm -rf "$work"; }' EXIT
for number in 2 3 4; do serve $number --mesh --secret secret; done

it "a mesh without a list, of one host, or not in a job is refused"
rocectl probe mesh
status_is 64
err_has "HOST is missing"
for words in "a b" "a" "a a" "a[1" "@/nowhere" "a b --concurrency 0" "--hosts-from slurm" "a b --hosts-from lsf"; do
    # shellcheck disable=SC2086
    rocectl probe mesh $words
    [[ $status == 64 || $status == 65 ]] || fail "expected 64 or 65, found $status"
done

it "a server takes part with --mesh and a secret alone"
rocectl probe serve --bind "127.0.0.9:$port" --no-secret --mesh
status_is 64
err_has "--mesh needs --secret"

it "a server ends with whoever reads what it says, as sshd leaves those of pdsh; one that writes to a file goes on"
("$binary" probe serve --bind "127.0.0.8:$port" --mesh --secret secret & echo $! >server.8) | head -n 1 >served.8
grep -q "serving at 127.0.0.8" served.8 || fail "$(<served.8)"
for _ in {1..50}; do kill -0 "$(<server.8)" 2>/dev/null || break; sleep 0.1; done
! kill "$(<server.8)" 2>/dev/null || fail "it goes on"
kill -0 "${pid[2]}" || fail "the one that writes to a file has ended"

it "--dry-run tells rounds, time and load, and connects to nobody"
rocectl probe mesh 'n[0001-1024]' --dry-run --concurrency 512 --bandwidth --rate 1Gb/s --operation write
status_is 0
out_has "1023 rounds"
out_has "512 pairs at one time: 1023 steps"
out_has "512.0 Gb/s in all"
rocectl probe mesh 'n[1-5]' --dry-run -o json
json_is '.plan | .pairs == 10 and .rounds == 5 and .measurements == 20 and .at_once == 2'
SLURM_JOB_NODELIST='gpu[1-3]' rocectl probe mesh --hosts-from slurm --dry-run
out_has "3 hosts, 3 pairs"
printf '# here\na b,c\n' >list
rocectl probe mesh @list d --dry-run
out_has "4 hosts, 6 pairs"

it "where there is no RDMA, pairs are skipped and say why, and nothing measured is not well"
rocectl probe mesh "127.0.0.[2-4]:$port" --secret secret -o json
status_is 2
json_is '[.pairs[] | .verdict] == ["skip","skip","skip","skip","skip","skip"]'
json_is '[.pairs[] | .why | test("has no RDMA device|no port of this host")] | all'
json_is '[.hosts[].unreachable] == ["","",""]'
rocectl probe mesh "127.0.0.[2-4]:$port" --secret secret -o junit
[[ $(grep -c '<skipped' <<<"$out") == 6 ]] || fail "expected six skipped cases"

it "who is not there, has another secret or takes no part is told, and the others are asked"
serve 5 --secret secret
serve 6 --mesh --secret other
rocectl probe mesh "127.0.0.[2-7]:$port" "no.such.host.invalid:$port" --secret secret
status_is 2
out_has "127.0.0.5:$port: this server takes part in no mesh: rocectl probe serve --mesh does"
out_has "127.0.0.6:$port: its server ended the handshake: it has another secret"
out_has "127.0.0.7:$port: its host answers, and no rocectl probe serve listens there"
out_has "no.such.host.invalid:$port: "
out_has "7 hosts, 6 measurements: 0 well, 0 failed, 6 skipped"

it "a server that is stopped costs one wait, and SIGINT ends the mesh with what there is"
kill -STOP "${pid[3]}"
start=$SECONDS
rocectl probe mesh "127.0.0.[2-4]:$port" --secret secret -o json
((SECONDS - start <= 8)) || fail "expected it to take one wait, it took $((SECONDS - start)) s"
json_is '.hosts[1].unreachable | test("says nothing")'
json_is '[.pairs[] | [.from, .to] | join(" ") | gsub(":[0-9]+"; "")] == ["127.0.0.2 127.0.0.4", "127.0.0.4 127.0.0.2"]'
called="probe mesh, interrupted"
"$binary" probe mesh "127.0.0.[2-4]:$port" --secret secret -o json >interrupted 2>&1 &
run=$!
sleep 1
kill -INT $run
start=$SECONDS status=0
wait $run || status=$?
out=$(<interrupted)
status_is 2
((SECONDS - start <= 2)) || fail "expected it to end at once"
json_is '.interrupted'
kill -CONT "${pid[3]}"

it "an option that says how is measured is held to its bounds by both sides, and an --expect of an operation that is not there fails nothing that is skipped"
rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret --iterations 2
status_is 64
rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret --iterations 20 --expect 'write.p50<1us' --dscp 0
out_has "2 skipped"

it "a matrix has one figure for each pair: more than one size is refused"
for list in "--size 2,4096" "--depth 1,8" "--completion poll,event"; do
    # shellcheck disable=SC2086
    rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret $list
    status_is 64
    err_has "${list% *}: found 2 values, expected one"
done

it "where there is no RDMA, what goes by TCP is measured, and RDMA is said to be left out"
rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret --operation write,tcp --iterations 20 --expect 'tcp.p50<10s' -o json
status_is 0
json_is '[.pairs[] | [.verdict, (.fallback | test("no RDMA device|no port of this host")), [.trials[].operation], .unmet]] == [["pass",true,["tcp"],[]],["pass",true,["tcp"],[]]]'
for words in "--operation write,tcp --expect write.p50<1s" "--operation rpc --expect rpc.p50<1s"; do
    # shellcheck disable=SC2086
    rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret --iterations 20 $words
    status_is 2
    out_has "p50<1s: not measured"
done
rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret --operation rpc --iterations 20
status_is 0
out_has "2 measurements: RDMA was left out: "
rocectl probe mesh "127.0.0.[2-3]:$port" --secret secret --operation tcp --iterations 20 --expect 'tcp.p50<1ns' -o junit
status_is 2
[[ $(grep -c '<failure' <<<"$out") == 2 ]] || fail "expected two failures"

it "--html writes a page beside"
rocectl probe mesh "127.0.0.[2-4]:$port" --secret secret --html page.html
[[ $(head -c 15 page.html) == "<!DOCTYPE html>" ]] || fail "expected a page"
grep -q "127.0.0.4:$port" page.html || fail "expected the hosts in the page"

it "the unit is one that systemd takes"
if command -v systemd-analyze >/dev/null; then
    sed "s#^ExecStart=rocectl#ExecStart=$binary#" "$here/packaging/systemd/rocectl-probe.service" >rocectl-probe.service
    called="systemd-analyze verify"
    out=$(systemd-analyze verify --man=no rocectl-probe.service 2>&1) || fail "expected it to be taken"
    [[ -z $out ]] || fail "expected no complaint"
else
    skip "no systemd-analyze"
fi

done_testing

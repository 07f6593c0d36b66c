#!/bin/bash
# What doctor --watch tells of this host while it changes, in namespaces of its own.
# takes: 20 s
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

ip link add t0 type veth peer name t1
ip link set t0 up
ip link set t1 up
ip address add 10.1.0.1/24 dev t0
printf '{ "format": 1, "ports": [ { "match": { "name": "t0" }, "up": true, "mtu": 1500 } ] }\n' >t0.json
ends() { # ends SIGNAL STATUS
    status=0
    kill -"$1" $watcher
    wait $watcher || status=$?
    out=$(<story) err=$(<errors)
    status_is "$2"
}
tells() {
    for _ in {1..100}; do
        # The first line of a day begins with its date.
        ! sed -E 's/^[0-9]{4}-[0-9]{2}-[0-9]{2} //' story | grep -E "$1" >/dev/null || return 0
        sleep 0.1
    done
    out=$(<story) err=$(<errors)
    fail "expected a line like $1 in $out"
}
watch() {
    : >story # the last one's words are not this one's
    "$binary" doctor t0.json --watch "$@" >story 2>errors </dev/null &
    watcher=$!
    tells watching
}

it "what happens is told with its time, and summed up at the end"
watch --only no-carrier,no-address,drift
ip link set t1 down
tells '^[0-9:]{8} note changed: t0 carrier on → off$'
tells '^[0-9:]{8} fail no-carrier t0: .*; fix: '
ip link set t1 up
tells '^[0-9:]{8} ok well again: no-carrier t0, after '
ip address del 10.1.0.1/24 dev t0
tells '^[0-9:]{8} note changed: t0 addresses 10.1.0.1/24 → none$'
tells '^[0-9:]{8} fail no-address t0: '
ip link set t0 mtu 1600
tells '^[0-9:]{8} fail drift t0: mtu: expected 1500, found 1600; fix: ip link set dev t0 mtu 1500$'
ends INT 2
out_has "watched for "
out_has "3 findings, 2 still there"
[[ -z $err ]] || fail "expected nothing on standard error: $err"
[[ $(head -1 story) =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}\ [0-9:]{8}\ note\ watching\ 1\ port ]] || fail "expected the day in the first line"

it "SIGTERM ends it too, and what was well all the time is 0"
ip link set t0 mtu 1500
watch --only drift
ends TERM 0
out_has "0 findings"

it "--window bounds it, and -o json is an object a line"
rocectl doctor t0.json --watch --window 1s --only drift -o json
status_is 0
[[ $(jq -r .event <<<"$out") == $'began\nended' ]] || fail "expected two events: $out"

it "it ends with whoever reads it"
start=$SECONDS
timeout 60 "$binary" doctor t0.json --watch | head -1 >first
grep -q watching first || fail "expected a first line"
((SECONDS - start < 20)) || fail "expected an end"

it "standard output that takes nothing ends it with 1"
status=0
timeout 60 "$binary" doctor t0.json --watch >/dev/full 2>errors || status=$?
err=$(<errors)
status_is 1
err_has "standard output"

it "what cannot be watched, or told so, is a usage error"
for other in "--state $states/generic.json" "--since $states/generic.json" "--html page" "--output-file text" "-o junit" "-o prometheus" "-o nagios"; do
    # shellcheck disable=SC2086
    rocectl doctor --watch $other
    [[ $other == "-o nagios" ]] && status_is 3 && continue
    status_is 64
    err_has "--watch"
done

done_testing

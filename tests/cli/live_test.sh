#!/bin/bash
# This host, without writing to it.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

printf '{ "format": 1, "name": "lo", "ports": [ { "match": { "name": "lo" }, "mtu": 65535 } ] }\n' >lo.json

as_nobody() {
    called="$* (as nobody)"
    status=0
    setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
        "$binary" "$@" >"$work/.out" 2>"$work/.err" </dev/null || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
}
if ((EUID != 0)); then
    as_nobody() { rocectl "$@"; }
fi
chmod 755 "$work"

it "plan reads without privilege"
as_nobody plan "$work/lo.json"
status_is 0
out_has "65536 → 65535"

it "apply without privilege says what is missing, before any write"
before=$(cat /sys/class/net/lo/mtu)
as_nobody apply "$work/lo.json" --yes
status_is 77
err_has CAP_NET_ADMIN
[[ $(cat /sys/class/net/lo/mtu) == "$before" ]] || fail "expected an untouched lo"
as_nobody apply "$work/lo.json" --yes -o json
status_is 77
json_is '.command == "apply" and .status == 77 and (.errors | length == 1)'

it "apply without privilege and without anything to do is done"
printf '{ "format": 1, "name": "lo", "ports": [ { "match": { "name": "lo" }, "mtu": 65536 } ] }\n' >same.json
sed -i 's/"mtu": 65536/"up": true/' same.json
as_nobody apply "$work/same.json" --yes
status_is 0
out_has "nothing changed"

it "snapshot of this host is a state"
rocectl snapshot -o host.json
status_is 0
rocectl show lo --state host.json
status_is 0

it "verify of a snapshot is verify of this host, also of what nobody can list"
filter=$(</proc/sys/net/ipv4/conf/all/rp_filter)
named() { printf '{ "format": 1, "host": { %s } }\n' "$1" >named.json; }
same_of_both() {
    rocectl verify named.json
    status_is "$1"
    live=$out$err
    rocectl snapshot named.json -o host.json
    status_is 0
    rocectl verify named.json --state host.json
    status_is "$1"
    [[ $out$err == "$live" ]] || fail "expected the words of the host: $live"
}
named "\"sysctl\": { \"net.ipv4.conf.all.rp_filter\": $filter }"
same_of_both 0
named '"sysctl": { "net.no.such": 1 }'
same_of_both 2
out_has "the host has no kernel parameter net.no.such"
named '"modules": [ { "name": "no_such_module", "absent": true } ]'
same_of_both 0
named '"modules": [ "no_such_module" ]'
same_of_both 2

it "what a snapshot did not ask for is unknown, and a profile of /etc/rocectl asks for it"
named '"sysctl": { "net.no.such": 1 }'
rocectl snapshot -o host.json
rocectl verify named.json --state host.json
status_is 1
out_has "the state does not record host.sysctl net.no.such"
mkdir -p asking/etc/rocectl
mkdir -p asking/proc/sys
cp named.json asking/etc/rocectl/site.json
printf 'broken' >asking/etc/rocectl/broken.json
rocectl snapshot --root asking -o host.json
status_is 0
jq -e '.host.absent.sysctl | index("net.no.such") != null' host.json >/dev/null || fail "expected it to be asked for"
rocectl snapshot no-such-profile
status_is 65

it "a device and what a link points at are written as they are"
rocectl snapshot -o /dev/stdout
status_is 0
json_is '.ports | length > 0'
[[ -L /dev/stdout ]] || fail "expected /dev/stdout to be a link still"
head -c 9999999 /dev/zero >target.json
ln -s target.json link.json
rocectl snapshot -o link.json
status_is 0
[[ -L link.json ]] && jq -e .ports target.json >/dev/null || fail "expected a state behind the link"
[[ $("$binary" snapshot -o /dev/stdout | jq '.ports | length > 0') == true ]] || fail "expected a state in the pipe"
# Also of a child, whose standard output is not this one.
for command in "snapshot -o" "profile init lo -o" "plan same.json --out"; do
    # shellcheck disable=SC2086
    [[ -n $("$binary" $command /dev/stdout --time-limit 30s) ]] || fail "expected what $command writes in the pipe"
done
[[ $("$binary" doctor --html /dev/stdout) == *"</html>"* ]] || fail "expected doctor's page in the pipe"
[[ $("$binary" doctor --output-file /dev/stdout) == *"no port of this host"* ]] || fail "expected what doctor says in the pipe"
rocectl snapshot -o /dev/full
status_is 1
err_has "/dev/full: No space left"

it "a stranger's link is not followed to what is written"
if ((EUID == 0)); then
    mkdir -m 1777 open
    echo mine >precious
    mkdir folder && echo mine >folder/out.json
    as_stranger() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    as_stranger ln -s "$work/precious" open/out.json
    as_stranger ln -s "$work/folder" open/folder
    for command in "snapshot -o" "profile init lo -o" "plan same.json --out"; do
        for name in open/out.json open/folder/out.json; do
            # shellcheck disable=SC2086
            rocectl $command $name
            status_is 1
            err_has "is owner 65534's, who would choose what is written"
        done
    done
    [[ $(cat precious folder/out.json) == $'mine\nmine' ]] || fail "expected untouched files"
    ln -s "$work/folder" open/own
    rocectl snapshot -o open/own/out.json
    status_is 0
    jq -e .ports folder/out.json >/dev/null || fail "expected a state behind the caller's own link"
else
    skip "needs root"
fi

it "what reads ends in the time that --time-limit gives, whatever hangs"
mkdir -p hanging/proc/sys/net/ipv4
mkfifo hanging/proc/sys/net/ipv4/ip_forward
printf '{ "format": 1, "host": { "sysctl": { "net.ipv4.ip_forward": 1 } } }\n' >forward.json
for command in plan verify; do
    start=$SECONDS
    rocectl $command forward.json --root hanging --time-limit 300ms -o json
    status_is 1
    ((SECONDS - start < 10)) || fail "it took $((SECONDS - start)) s"
    err_has "$command: the kernel has not reported all in 300 ms; process "
    err_has " is left behind"
    json_is ".command == \"$command\" and .status == 1 and (.errors | length == 1)"
    rocectl $command "$work/same.json" --time-limit 30s
    limited=$status$out$err
    rocectl $command "$work/same.json"
    [[ $limited == "$status$out$err" ]] || fail "expected the same within the limit: $limited"
done
mkfifo hanging/proc/modules
for command in snapshot "profile init lo"; do
    start=$SECONDS
    # shellcheck disable=SC2086
    rocectl $command --root hanging --time-limit 300ms
    status_is 1
    ((SECONDS - start < 10)) || fail "it took $((SECONDS - start)) s"
    err_has ": the kernel has not reported all in 300 ms; process "
done
for command in "show lo" "profile init lo" "snapshot -o limited.json"; do
    # shellcheck disable=SC2086
    rocectl $command --time-limit 30s
    status_is 0
    limited=$out
    # shellcheck disable=SC2086
    rocectl $command
    [[ $limited == "$out" ]] || fail "expected the same within the limit: $limited"
done
jq -e ".ports | length > 0" limited.json >/dev/null || fail "expected a state"
rocectl plan no-such.json --time-limit 30s
status_is 65
rocectl plan same.json --out saved.json --time-limit 30s
status_is 0
jq -e ".format == 1" saved.json >/dev/null || fail "expected a plan"

it "profile init reads this host without privilege, and verify finds nothing to change"
as_nobody profile init lo
status_is 0
err_has "left out: lo: mtu: found 65536, expected 68..65535"
printf '%s\n' "$out" >init.json
as_nobody verify "$work/init.json"
status_is 0
out_has "ok: "

it "--root: profiles of that tree"
mkdir -p tree/etc/rocectl
cp lo.json tree/etc/rocectl/local.json
rocectl profile check local --root tree
status_is 0
out_has "local.json: valid"

it "completion of every shell is understood by that shell"
for shell in bash zsh fish; do
    rocectl completion $shell
    status_is 0
    if command -v $shell >/dev/null; then
        "$binary" completion $shell >completion.$shell
        $shell -n completion.$shell || fail "expected $shell to parse its completion"
    fi
done

done_testing

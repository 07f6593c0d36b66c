#!/bin/bash
# What the commands that only read can reach, and the file that they write.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

profile='{ "format": 1, "name": "lo", "ports": [ { "match": { "name": "lo" }, "mtu": 65535 } ] }'
echo "$profile" >lo.json
state=$states/mlx5_core.json
files_beside() { find . -maxdepth 1 -name "$1*" | wc -l; }

it "-v says what the kernel had to seal with"
rocectl plan lo.json -v
status_is 0
err_has "sealed: no capabilities"
rocectl explain mtu -v
err_has "sealed: no capabilities"
rocectl plan lo.json --state "$state" -v
err_has "sealed: no capabilities"

# What the process can do once it waits for somebody to read what it tells: its standard output takes nothing any more.
rights_at_the_end() {
    exec 7<>full
    timeout 0.5 cat /dev/zero >&7
    "$binary" "$@" --root "$work" >&7 2>/dev/null &
    pid=$!
    for ((i = 0; i < 50; i++)); do
        rights=$(awk '$1 == "CapEff:" { print $2 }' /proc/$pid/status)
        [[ $rights == *[1-9a-f]* || $(readlink /proc/$pid/exe) != "$(realpath "$binary")" ]] || break
        sleep 0.1
    done
    kill -KILL $pid
    wait $pid 2>/dev/null
    exec 7>&-
    [[ $rights == 0000000000000000 ]] || fail "expected $1 to keep no capability, found $rights"
}

it "the right to read files of others goes where no file is read any more"
mkfifo full
for command in history "confirm --status" "profile check lo.json" "profile show lo.json" "explain mtu"; do
    # shellcheck disable=SC2086 # words of a command
    rights_at_the_end $command
done

it "the named output file appears as a whole, and nothing is left beside it"
echo old >out.json
rocectl snapshot -o out.json
status_is 0
jq -e .ports out.json >/dev/null || fail "expected a state in out.json"
[[ $(files_beside out.json) == 1 ]] || fail "expected nothing beside out.json"
rocectl profile init lo --out fresh.json
status_is 0
[[ $(stat -c %a fresh.json) == 644 ]] || fail "expected mode 644"

it "where the command fails, the file stays what it was"
echo old >out.json
rocectl snapshot --state missing.json -o out.json
status_is 65
[[ $(<out.json) == old && $(files_beside out.json) == 1 ]] || fail "expected out.json alone, as it was"
rocectl snapshot -o missing/out.json
status_is 1

it "where the command is killed, the file stays what it was and nothing is left beside it"
mkfifo pipe
"$binary" snapshot --state pipe -o out.json &
pid=$!
for ((i = 0; i < 50; i++)); do
    (($(files_beside out.json) < 2)) || break
    sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
for ((i = 0; i < 50; i++)); do
    (($(files_beside out.json) > 1)) || break
    sleep 0.1
done
[[ $(<out.json) == old && $(files_beside out.json) == 1 ]] || fail "expected out.json alone, as it was"

it "a file that is written is read by nobody whom its caller keeps out"
rm -f own.json
(umask 077 && "$binary" snapshot -o own.json) || fail "expected status 0"
[[ $(stat -c %a own.json) == 600 ]] || fail "expected mode 600 of the caller's umask, found $(stat -c %a own.json)"
(umask 0 && "$binary" snapshot -o fresh.json && "$binary" snapshot -o own.json) || fail "expected status 0"
[[ $(stat -c %a own.json) == 600 ]] || fail "expected the mode of the file before, 600, found $(stat -c %a own.json)"
rm fresh.json
(umask 0 && "$binary" doctor --html fresh.json >/dev/null)
[[ $(stat -c %a fresh.json) == 644 ]] || fail "expected nobody else to write it, found mode $(stat -c %a fresh.json)"

it "what is written goes to no pipe of another user, and the file of one who ran sudo stays his"
if ((EUID == 0)) && [[ $(tr -s ' ' </proc/self/uid_map) == *' 0 0 4294967295' ]]; then
    chmod 755 "$work"
    mkfifo theirs
    chown 65534 theirs
    called="snapshot -o theirs"
    status=0
    timeout 20 "$binary" snapshot -o theirs >.out 2>.err || status=$?
    out=$(<.out) err=$(<.err)
    status_is 1
    err_has "theirs: is a pipe of owner 65534's"
    mkdir -m 700 home
    echo old >home/out.json
    chmod 600 home/out.json
    chown -R 65534:65534 home
    SUDO_UID=65534 rocectl snapshot -o home/out.json
    status_is 0
    [[ $(stat -c '%u %g %a' home/out.json) == '65534 65534 600' ]] || fail "expected his file, found $(stat -c '%u %g %a' home/out.json)"
else
    skip "needs root"
fi

it "what the caller left open is closed, but for standard streams and what an argument names"
"$binary" profile check ./pipe 9>spare 8<lo.json >/dev/null &
pid=$!
left_open() { [[ $(readlink /proc/$pid/exe) != "$(realpath "$binary")" || -e /proc/$pid/fd/8 || -e /proc/$pid/fd/9 ]]; }
for ((i = 0; i < 50; i++)); do
    left_open || break
    sleep 0.1
done
! left_open || fail "expected 8 and 9 to be closed"
for number in 0 1 2; do [[ -e /proc/$pid/fd/$number ]] || fail "expected $number to be open"; done
cat lo.json >pipe
wait $pid || fail "expected status 0"
rocectl profile check <(cat lo.json)
status_is 0
rocectl profile check --vars=/proc/self/fd/9 /dev/fd/8 8<lo.json 9< <(echo '{ "host": {} }')
status_is 0

it "what is asked with no terminal, no standard input or another locale is told behind the seal too"
for how in "env LC_ALL=C.UTF-8" "env NO_COLOR=1 TERM=dumb" "env -i"; do
    diff <($how "$binary" show) <("$binary" show) || fail "with $how, show tells otherwise"
done
diff <("$binary" show <&-) <("$binary" show) || fail "without standard input, show tells otherwise"

done_testing

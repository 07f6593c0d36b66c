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

done_testing

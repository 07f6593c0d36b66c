#!/bin/bash
# Whose profiles and variables root takes.
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

profile='{ "format": 1, "name": "lo", "ports": [ { "match": { "name": "lo" }, "mtu": 65535 } ] }'
echo "$profile" >lo.json
state=$states/mlx5_core.json
is_root() { ((EUID == 0)) && [[ $(tr -s ' ' </proc/self/uid_map) == *' 0 0 4294967295' ]]; }

it "root takes no profile or variables that others could have written"
if is_root; then
    chmod 755 "$work"
    chmod 666 lo.json
    for command in "plan lo.json" "verify lo.json" "apply lo.json --yes"; do
        # shellcheck disable=SC2086
        rocectl $command
        status_is 65
        err_has "$work/lo.json: mode 0666 and owner 0"
        err_has --trust-files
    done
    rocectl plan lo.json --trust-files
    status_is 0
    rocectl plan lo.json --state "$state"
    [[ $err != *--trust-files* ]] || fail "expected no question of trust with --state"
    rocectl profile check lo.json
    status_is 0
    chmod 644 lo.json
    rocectl plan lo.json
    status_is 0

    mkdir -m 777 open
    echo "$profile" >open/base.json
    echo '{ "format": 1, "extends": ["open/base.json"] }' >site.json
    rocectl plan site.json
    status_is 65
    err_has "its directory $work/open: mode 0777"
    echo '{}' >open/vars.json
    rocectl plan lo.json --vars open/vars.json
    status_is 65
    err_has "its directory $work/open"
    mkdir -p tree/etc/rocectl
    echo '{}' >tree/etc/rocectl/vars.json
    chmod 666 tree/etc/rocectl/vars.json
    rocectl plan lo.json --root tree
    status_is 65
    err_has "tree/etc/rocectl/vars.json: mode 0666"
else
    skip "needs root"
fi

it "root reads and writes where only another user may, and whose sudo it is"
if is_root; then
    mkdir home
    cp lo.json home/lo.json
    chmod 600 home/lo.json
    chown -R 65534:65534 home
    chmod 700 home
    rocectl plan home/lo.json
    status_is 65
    err_has "owner 65534"
    SUDO_UID=65534 rocectl plan home/lo.json
    status_is 0
    SUDO_UID=65534 rocectl snapshot -o home/out.json
    status_is 0
    jq -e .ports home/out.json >/dev/null || fail "expected a state in home/out.json"
else
    skip "needs root"
fi

done_testing

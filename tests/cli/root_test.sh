#!/bin/bash
# --root DIR, whose owner has made links that lead out of it: nothing outside is read, and nothing is written.
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

mkdir outside
trap '((BASHPID != $$)) || { cd / && umount "$work/outside"; rm -rf "$work"; }' EXIT
mount -t tmpfs -o strictatime tmpfs outside # which notes each time that a file is read and a folder listed

# lead PATH TARGET: a link in the tree to what is outside, in the way of $form; folders on the way are made.
lead() {
    rm -rf "tree/$1"
    mkdir -p "tree/$(dirname "$1")"
    if [[ $form == absolute ]]; then
        ln -s "$work/outside/$2" "tree/$1"
    else
        ln -s "$(realpath -m --relative-to="tree/$(dirname "$1")" "outside/$2")" "tree/$1"
    fi
}
# As an owner of the tree would leave it: what a host has, and outside of it what nobody is to see.
fresh() {
    rm -rf tree outside/*
    mkdir -p tree/{etc/rocectl,etc/ucx,proc/self/ns,run,var/lib} outside/{journal,run,ucx,sysctl.d,rocectl,state/journal} \
        outside/sys/net/{core,ipv4/conf/{all,lo}}
    echo 4711 | tee outside/sys/net/core/somaxconn outside/sys/net/ipv4/conf/{all,lo}/{arp_ignore,arp_announce,rp_filter,accept_local} >/dev/null
    printf 'NCCL_TOKEN=of-another\nNCCL_IB_TC=4711\n' >outside/nccl.conf
    printf 'UCX_TOKEN=of-another\n' >outside/ucx/ucx.conf
    printf 'net.core.somaxconn = 4711\n' >outside/sysctl.d/90.conf
    echo '{ "format": 1, "name": "of-another", "ports": [] }' >outside/rocectl/site.json
    echo '{ "format": 1, "host": { "of-another": 1 } }' >outside/vars.json
    cp entry.jsonl outside/journal/1.open.jsonl
    contents >outside.before
}
# All that is outside; then when each was read last.
contents() {
    find outside -exec md5sum {} + 2>/dev/null | sort
    find outside | sort | tee names
    # shellcheck disable=SC2046
    stat -c '%n %x' $(<names) >read.before
}
leaves_it_alone() {
    # shellcheck disable=SC2046
    stat -c '%n %x' $(<names) >read.after
    same read.before read.after
    contents >outside.after
    same outside.before outside.after
    [[ $out$err != *of-another* && $out != *4711* ]] || fail "expected nothing of what is outside to be said"
}

cat >nccl.json <<'END'
{ "format": 1, "name": "nccl", "ports": [], "host": { "nccl": { "NCCL_IB_TC": 106 }, "ucx": { "UCX_IB_TRAFFIC_CLASS": 106 } } }
END
# An entry of a journal, which is outside.
mkdir -p earlier/etc/ucx
rocectl apply nccl.json --root earlier --yes
cp earlier/var/lib/rocectl/journal/1.jsonl entry.jsonl 2>/dev/null || cp earlier/var/lib/rocectl/journal/1.open.jsonl entry.jsonl
sed -i 's/"user":"[^"]*"/"user":"of-another"/' entry.jsonl

for form in absolute upward; do
    it "$form: snapshot, show and doctor read nothing outside, by a link at the end or a folder on the way"
    fresh
    lead etc/nccl.conf nccl.conf
    lead etc/ucx ucx
    lead etc/sysctl.d sysctl.d
    lead proc/sys sys
    lead etc/NetworkManager/system-connections rocectl
    for command in "snapshot nccl.json" "doctor -o json" "plan nccl.json" "verify nccl.json -o json" "verify nccl.json --persistent -o json" \
        "profile init lo" "show lo"; do
        # shellcheck disable=SC2086
        rocectl $command --root tree
        ((status < 3)) || fail "expected it to run, found status $status"
        leaves_it_alone
    done

    it "$form: profiles and variables of the tree are files of the tree"
    fresh
    lead etc/rocectl/site.json rocectl/site.json
    for command in "profile check" "profile show" plan verify; do
        # shellcheck disable=SC2086
        rocectl $command site --root tree -o json
        status_is 65
        leaves_it_alone
    done
    echo "{ \"format\": 1, \"name\": \"top\", \"extends\": [\"$([[ $form == absolute ]] && echo "$work" || echo ../../..)/outside/rocectl/site.json\"] }" >tree/etc/rocectl/top.json
    rocectl profile show top --root tree
    status_is 65
    leaves_it_alone
    lead etc/rocectl/vars.json vars.json
    rocectl plan nccl.json --root tree
    status_is 0
    leaves_it_alone

    it "$form: history, confirm and rollback take no journal from outside"
    for path in var/lib/rocectl var/lib/rocectl/journal; do
        fresh
        mv outside/journal/* outside/state/journal/
        contents >outside.before
        lead $path "$([[ $path == */journal ]] && echo state/journal || echo state)"
        for command in history "history 1" "rollback --yes" "rollback 1 --yes" "confirm --status" confirm; do
            # shellcheck disable=SC2086
            rocectl $command --root tree
            [[ $status == [01] ]] || fail "expected it to find none, found status $status"
            leaves_it_alone
        done
    done

    it "$form: apply and rollback write no file outside: not what is configured, nor a journal, a lock or what is pending"
    for where in "etc/nccl.conf nccl.conf" "etc/ucx ucx" "var/lib/rocectl state" "var/lib/rocectl/journal journal" "var/lib state" \
        "run/rocectl run" "run run" "var state" "etc/nccl.conf no-such-file" "run/rocectl/lock no-such-file" \
        "run/rocectl/pending.new no-such-file" "etc/ucx/ucx.conf.rocectl no-such-file" "var/lib/rocectl/journal/1.open.jsonl.new no-such-file"; do
        fresh
        # shellcheck disable=SC2086
        lead $where
        rocectl apply nccl.json --root tree --yes
        leaves_it_alone
        rocectl rollback --root tree --yes
        leaves_it_alone
        [[ $where == run* ]] || continue
        rocectl apply nccl.json --root tree --yes --confirm 1s --allow unguarded
        leaves_it_alone
        rocectl confirm --root tree
        leaves_it_alone
    done
done

it "a link that is absolute leads to what the tree has there, as in a root of its own"
form=absolute
fresh
lead etc/nccl.conf nccl.conf
mkdir -p "tree$work/outside"
printf 'NCCL_DEBUG=INFO\n' >"tree$work/outside/nccl.conf"
rocectl apply nccl.json --root tree --yes
status_is 0
[[ $(sort "tree$work/outside/nccl.conf" | paste -sd ' ') == "NCCL_DEBUG=INFO NCCL_IB_TC=106" ]] || fail "found $(cat "tree$work/outside/nccl.conf")"
[[ -L tree/etc/nccl.conf ]] || fail "the link is none any more"
rocectl rollback --root tree --yes
status_is 0
rocectl apply nccl.json --root tree --yes --confirm 30s --allow unguarded # the guard has another working directory
status_is 0
rocectl confirm --root tree
status_is 0
leaves_it_alone
rocectl rollback --root tree --yes
status_is 0
[[ $(<"tree$work/outside/nccl.conf") == NCCL_DEBUG=INFO ]] || fail "it is not as before"

done_testing

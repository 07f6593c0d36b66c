#!/bin/bash
# After rollback a host is as before, in all that ip(8) and /proc/sys/net tell of every port; where that cannot be, plan says so and
# apply asks for --allow irreversible. Each case in namespaces of its own, with another port beside that no profile names.
# takes: 40 s
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
export binary work

# Without ages, counts and indexes. The order of IPv6 addresses is the newest first, and no more than a last resort; nodad counts only
# while an address is added.
everything() {
    local asked='link show\naddress show\nroute show table all\nneighbour show nud permanent\nrule show\n'
    # shellcheck disable=SC2059
    {
        printf "$asked" | ip -d -j -4 -batch -
        printf "$asked" | ip -d -j -6 -batch -
    } | jq -c 'walk(if type == "object" then del(.ifindex, .link_index, .expires, .used, .cacheinfo, .nodad)
            | if .dynamic then del(.valid_life_time, .preferred_life_time) else . end else . end)
        | .[] | select(. != {})
        | if .addr_info[0].family == "inet6" then .ifname as $port | .addr_info[] | [$port, .] else . end' | sort
    ip nexthop show
    grep -rs '' /proc/sys/net --exclude=nf_conntrack_count | sort
}
# Until no address is tentative, which without detection too one is for a moment, and each has the route of its own that comes after.
settle() {
    for ((i = 0; i < 100; ++i)); do
        [[ ! $(ip -6 address show tentative) ]] &&
            (($(ip -6 route show table local type local | wc -l) >= $(ip -6 -o address show up | wc -l))) && return
        sleep 0.02
    done
    return 0
}
make_ports() {
    mount -t sysfs sysfs /sys
    echo 0 | tee /proc/sys/net/ipv6/conf/{all,default}/accept_dad >/dev/null
    ip link set lo up
    ip link add roce0 type veth peer name far0
    ip link add other0 type veth peer name far1
    for port in roce0 far0 other0 far1; do ip link set "$port" up; done
    # A busy host tells of a carrier, which link-local addresses wait for, when it comes to it.
    for ((i = 0; i < 500; ++i)); do
        (($(ip -6 -o address show scope link | wc -l) < 4)) || break
        sleep 0.02
    done
    settle
}
set_up() {
    make_ports
    bash -euc "${before:?}" || exit 77
    settle
    everything >before
}
left() {
    for ((i = 0; i < 5; ++i)); do
        everything >after
        cmp -s before after && return 0
        sleep 0.05
    done
    diff before after | cut -c1-300
    return 1
}
there_and_back() {
    set_up
    "$binary" plan profile.json -o json >plan.json || exit
    jq -e '(.steps | length > 0) and all(.steps[]; .irreversible | not)' plan.json >/dev/null || { echo "the plan: $(jq -c . plan.json)"; exit 1; }
    "$binary" apply profile.json --yes --settings-only >report 2>&1 || { echo "apply: status $?"; cat report; exit 1; }
    settle
    cmp -s before <(everything) && { echo "the apply changed nothing"; exit 1; }
    "$binary" rollback --yes >report 2>&1 || { echo "rollback: status $?"; cat report; left; exit 1; }
    left
}
asked_for() {
    set_up
    "$binary" plan profile.json -o json >plan.json || exit
    jq -e 'any(.steps[]; .irreversible)' plan.json >/dev/null || { echo "no step of the plan is irreversible"; exit 1; }
    grep -F "$expected" plan.json >/dev/null || { jq -c .findings plan.json; exit 1; }
    status=0
    "$binary" apply profile.json --yes --settings-only >report 2>&1 || status=$?
    ((status == 1)) || { echo "apply without --allow irreversible: status $status"; cat report; exit 1; }
    grep irreversible report >/dev/null || { cat report; exit 1; }
    left || exit
    "$binary" apply profile.json --yes --settings-only --allow irreversible >report 2>&1 || { echo "apply --allow irreversible: status $?"; cat report; exit 1; }
}
export -f everything settle make_ports set_up left there_and_back asked_for

# run FUNCTION BEFORE SETTINGS HOST
run() {
    rm -rf /run/rocectl /var/lib/rocectl
    # shellcheck disable=SC2034 # for fail
    called="apply of $3 $4" out='' err=''
    printf '{ "format": 1, "name": "a", "ports": [ { "match": { "name": "roce0" } %s } ], "host": { %s } }\n' "${3:+, $3}" "$4" >profile.json
    local status=0 said
    said=$(before=$2 unshare --net --mount bash -c "$1" 2>&1) || status=$?
    if ((status == 77)); then skip "not in this kernel"; else ((status == 0)) || fail "$said"; fi
}
# comes_back NAME BEFORE SETTINGS [HOST]
comes_back() {
    it "$1"
    run there_and_back "$2" "$3" "${4:-}"
}
# is_irreversible NAME BEFORE SETTINGS HOST SENTENCE
is_irreversible() {
    it "$1"
    export expected=$5
    run asked_for "$2" "$3" "$4"
}
parameter() { printf '"sysctl": { "%s": "%s" }' "$1" "$2"; }
conf=/proc/sys/net/ipv4/conf conf6=/proc/sys/net/ipv6/conf
export conf conf6

# Parameters that set others.
own="echo 1 >\$conf/other0/forwarding; echo 0 >\$conf/all/accept_redirects"
comes_back "ip_forward: a port's own value, and whether redirects are taken" "$own" "" "$(parameter net.ipv4.ip_forward 1)"
comes_back "forwarding of all: a port's own value" "$own" "" "$(parameter net.ipv4.conf.all.forwarding 1)"
comes_back "ip_forward that is turned off: a port's own value" "echo 1 >/proc/sys/net/ipv4/ip_forward; echo 0 >\$conf/other0/forwarding" "" \
    "$(parameter net.ipv4.ip_forward 0)"
comes_back "forwarding of all of IPv6 that is turned off: a port's own value" "echo 1 >\$conf6/all/forwarding; echo 0 >\$conf6/other0/forwarding" "" \
    "$(parameter net.ipv6.conf.all.forwarding 0)"
comes_back "ignore_routes_with_linkdown of all: a port's own value" "echo 1 >\$conf6/other0/ignore_routes_with_linkdown" "" \
    "$(parameter net.ipv6.conf.all.ignore_routes_with_linkdown 1)"
comes_back "force_forwarding of all: a port's own value" "echo 1 >\$conf6/other0/force_forwarding" "" \
    "$(parameter net.ipv6.conf.all.force_forwarding 1)"
comes_back "a default: a port's own value, and who follows it" "echo 1 >\$conf/other0/log_martians" "" \
    "$(parameter net.ipv4.conf.default.log_martians 1)"
comes_back "a limit in packets: the same one in bytes" "echo 500000 >/proc/sys/net/ipv4/neigh/roce0/unres_qlen_bytes" "" \
    "$(parameter net.ipv4.neigh.roce0.unres_qlen 5)"
comes_back "a time in seconds: the same one in milliseconds" "echo 30500 >/proc/sys/net/ipv4/neigh/roce0/base_reachable_time_ms" "" \
    "$(parameter net.ipv4.neigh.roce0.base_reachable_time 40)"

# Addresses.
three="for host in 1 2 3; do ip address add 10.0.0.\$host/24 dev roce0; done"
only() { printf '"exact": ["addresses"], "addresses": [%s]' "$1"; }
comes_back "a primary address that goes is the primary one again" "$three" "$(only '"10.0.0.2/24", "10.0.0.3/24"')"
comes_back "a primary address that goes is the primary one again, with promote_secondaries" "echo 1 >\$conf/roce0/promote_secondaries; $three" \
    "$(only '"10.0.0.2/24", "10.0.0.3/24"')"
comes_back "a secondary address that goes has its place again" "$three; ip address add 10.0.0.4/24 dev roce0" \
    "$(only '"10.0.0.1/24", "10.0.0.3/24", "10.0.0.4/24"')"
comes_back "a broadcast address" "ip address add 10.0.0.1/24 broadcast + dev roce0; ip address add 10.1.0.1/24 broadcast 10.1.0.77 dev roce0" \
    "$(only '"10.0.0.9/24"')"
comes_back "an address of another prefix length has its broadcast address again" "ip address add 10.0.0.1/24 broadcast + dev roce0" \
    '"addresses": ["10.0.0.1/16"]'
comes_back "a preferred lifetime of 0" "ip address add 10.0.0.1/24 dev roce0 preferred_lft 0; ip address add fd00::1/64 dev roce0 preferred_lft 0 nodad" \
    "$(only '"10.0.0.9/24"')"
comes_back "a link-local address that somebody set" "ip address add fe80::77/64 dev roce0 nodad" '"up": false'

# What the kernel changes with the MTU.
comes_back "the MTU of a route of IPv6" "ip address add fd00::1/64 dev roce0 nodad; ip -6 route add fd08::/48 via fd00::2 dev roce0 mtu 1400" '"mtu": 1300'

# What nothing brings back.
is_irreversible "disable_ipv6 of all" "ip address add fd00::1/64 dev other0 nodad" "" "$(parameter net.ipv6.conf.all.disable_ipv6 1)" \
    "takes the IPv6 addresses, routes and neighbours of ports"
is_irreversible "disable_ipv6 of all that is turned off: a port's own value" \
    "echo 1 >\$conf6/all/disable_ipv6; echo 0 >\$conf6/other0/disable_ipv6; ip address add fd00::1/64 dev other0 nodad" "" \
    "$(parameter net.ipv6.conf.all.disable_ipv6 0)" "takes the IPv6 addresses, routes and neighbours of ports"
is_irreversible "disable_ipv6 of a port" "ip address add fd00::1/64 dev roce0 nodad" "" "$(parameter net.ipv6.conf.roce0.disable_ipv6 1)" \
    "takes the IPv6 addresses, routes and neighbours of ports"
is_irreversible "forwarding of IPv6" ":" "" "$(parameter net.ipv6.conf.all.forwarding 1)" "takes the default routes that routers advertised"
is_irreversible "an address of limited life" "ip address add fd00::9/64 dev roce0 nodad valid_lft 3000 preferred_lft 2000" '"up": false' "" "valid_lft"
is_irreversible "a route by a gateway that nothing reaches any more" \
    "ip address add 10.0.0.1/24 dev roce0; ip address add 10.5.0.1/24 dev roce0; ip route add 10.9.0.0/16 via 10.0.0.2; ip address delete 10.0.0.1/24 dev roce0" \
    '"routes": [{ "to": "10.9.0.0/16", "absent": true }]' "" "10.9.0.0/16 main 0 goes, and the kernel does not take it again"
is_irreversible "a next-hop object that no route uses" "ip address add 10.0.0.1/24 dev roce0; ip nexthop add id 7 via 10.0.0.2 dev roce0" '"up": false' "" "nexthop 7"
is_irreversible "a route by a next-hop object" \
    "ip address add 10.0.0.1/24 dev roce0; ip nexthop add id 7 via 10.0.0.2 dev roce0; ip route add 10.9.0.0/16 nhid 7" '"up": false' "" "10.9.0.0/16"
is_irreversible "an MTU below 1280" "echo 3 >\$conf6/roce0/dad_transmits" '"mtu": 1000' "" "an MTU below 1280 takes IPv6 off the port"
done_testing

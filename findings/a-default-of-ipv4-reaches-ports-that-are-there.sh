#!/bin/bash
# Guess: net.ipv4.conf.default is what ports to come begin with, and changes none that is there, as net.ipv6.conf.default does.
# Seen: in Linux 6.18 (iproute2 6.1.0-3) a port that never had an IPv4 address follows it, in each parameter that was never written for the port
# itself; one that had an address, or whose own value was written once, an equal one too, follows no more. So who brings back a
# default has to bring it back first, and to leave alone the ports that then read as before.
source "$(dirname "$0")/iproute2.bash"

seen() {
    cd /proc/sys/net || return
    value() { echo "$1: IPv4 $(cat ipv4/conf/rail0/accept_redirects), IPv6 $(cat ipv6/conf/rail0/accept_redirects)"; }
    value "at first"
    echo 0 | tee ipv4/conf/default/accept_redirects ipv6/conf/default/accept_redirects >/dev/null
    value "by the default"
    echo 0 >ipv4/conf/rail0/accept_redirects
    echo 1 >ipv4/conf/default/accept_redirects
    value "written itself"
    echo 1 >ipv4/conf/default/log_martians
    echo "another parameter: $(cat ipv4/conf/rail0/log_martians)"
    ip address add 10.0.0.1/24 dev rail0
    echo 0 >ipv4/conf/default/log_martians
    echo "with an address: $(cat ipv4/conf/rail0/log_martians)"
}
export -f seen
in_network seen | same "a default of IPv4" 'at first: IPv4 1, IPv6 1
by the default: IPv4 0, IPv6 1
written itself: IPv4 0, IPv6 1
another parameter: 1
with an address: 1'

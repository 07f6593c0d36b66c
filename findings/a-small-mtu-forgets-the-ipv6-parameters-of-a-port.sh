#!/bin/bash
# Guess: an MTU below 1280, which IPv6 does not work with, takes a port's IPv6 addresses until it is 1280 again, and its parameters stay as they were set.
# Seen: in Linux 6.18 (iproute2 6.1.0-3) the whole folder net.ipv6.conf.PORT is gone meanwhile, as are the addresses, and what comes back
# with the MTU is a new one: each parameter has the default of the namespace, also where somebody had set it, and no address but a
# link-local one is there. So an MTU that was lowered and raised has changed settings that nobody wrote.
source "$(dirname "$0")/iproute2.bash"

seen() {
    ip address add 2001:db8::1/64 dev rail0 nodad
    echo 0 >/proc/sys/net/ipv6/conf/rail0/autoconf
    echo 3 >/proc/sys/net/ipv6/conf/rail0/dad_transmits
    ip link set rail0 mtu 1279
    [[ -e /proc/sys/net/ipv6/conf/rail0 ]] || echo "no folder"
    ip link set rail0 mtu 1280
    cat /proc/sys/net/ipv6/conf/rail0/{autoconf,dad_transmits}
    ip -6 -oneline address show dev rail0 scope global | wc -l
}
export -f seen
in_network seen | same "after 1279 and 1280" 'no folder
1
1
0'

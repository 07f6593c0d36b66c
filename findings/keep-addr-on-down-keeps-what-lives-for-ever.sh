#!/bin/bash
# Guess: with net.ipv6.conf.PORT.keep_addr_on_down a port that goes down and up has every IPv6 address again that somebody set, and the routes by it.
# Seen: in Linux 6.18 (iproute2 6.1.0-3) it keeps global addresses of unlimited life alone, one with noprefixroute too. An address with a lifetime and
# a link-local one that was set by hand are gone, a link-local one of the kernel's own making stands in their place, and a
# route by a gateway is gone with them, while the connected ones come back.
source "$(dirname "$0")/iproute2.bash"

seen() {
    echo 1 >/proc/sys/net/ipv6/conf/rail0/keep_addr_on_down
    ip address add 2001:db8::1/64 dev rail0 nodad
    ip address add 2001:db8::2/64 dev rail0 nodad valid_lft 600 preferred_lft 300
    ip address add 2001:db8::3/128 dev rail0 nodad noprefixroute
    ip address add fe80::77/64 dev rail0 nodad
    ip -6 route add 2001:db8:5::/48 via 2001:db8::9 dev rail0
    ip link set rail0 down
    ip link set rail0 up
    ip -6 -oneline address show dev rail0 scope global | awk '{ print $4 }' | sort
    ip -6 -oneline address show dev rail0 | grep -c 'fe80::77/' || true
    ip -6 route show dev rail0 | grep -c via || true
}
export -f seen
in_network seen | same "kept" '2001:db8::1/64
2001:db8::3/128
0
0'

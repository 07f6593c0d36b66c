#!/bin/bash
# Guess: net.ipv6.conf.all.disable_ipv6 and net.ipv4.ip_forward alike reach the ports when their value changes, and writing what they hold is nothing.
# Seen: in Linux 6.18 0 written to all.disable_ipv6, which was 0, turns a port from 1 to 0 all the same (addrconf_disable_change walks the ports
# whatever was there), and with it its addresses come and go. 0 written to ip_forward, which was 0, leaves a port's 1; only a change
# reaches the ports, and the default for new ones too. A tool that skips writes of equal values leaves a port of the first kind as it was, and
# one that does not skip them changes a port that nobody named.
source "$(dirname "$0")/iproute2.bash"

seen() {
    cd /proc/sys/net
    echo 1 >ipv6/conf/rail0/disable_ipv6
    echo 1 >ipv4/conf/rail0/forwarding
    echo "all $(cat ipv6/conf/all/disable_ipv6), ip_forward $(cat ipv4/ip_forward)"
    echo 0 >ipv6/conf/all/disable_ipv6
    echo 0 >ipv4/ip_forward
    echo "equal values: disable_ipv6 $(cat ipv6/conf/rail0/disable_ipv6), forwarding $(cat ipv4/conf/rail0/forwarding)"
    echo 1 >ipv4/ip_forward
    echo 0 >ipv4/ip_forward
    echo "changed: forwarding $(cat ipv4/conf/rail0/forwarding) $(cat ipv4/conf/default/forwarding)"
}
export -f seen
in_network seen | same "all, and ip_forward" 'all 0, ip_forward 0
equal values: disable_ipv6 0, forwarding 1
changed: forwarding 0 0'

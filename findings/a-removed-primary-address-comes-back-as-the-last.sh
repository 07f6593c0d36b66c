#!/bin/bash
# Guess: with net.ipv4.conf.PORT.promote_secondaries the primary address of a subnet can be removed and added again, and all is as before.
# Seen: in Linux 6.18 (iproute2 6.1.0-3) the next one is the primary from then on, and the one that was added again is the last secondary: the
# connected route has another source, and so has every connection that binds to none. Without the parameter (the kernel's default; systemd sets it to 1)
# the removal takes all of the subnet along.
source "$(dirname "$0")/iproute2.bash"

seen() {
    for each in 0 1; do
        echo "$each" >/proc/sys/net/ipv4/conf/rail0/promote_secondaries
        ip address flush dev rail0
        for host in 1 2 3; do ip address add "10.0.0.$host/24" dev rail0; done
        ip route show 10.0.0.0/24
        ip address delete 10.0.0.1/24 dev rail0
        ip address add 10.0.0.1/24 dev rail0
        ip -4 -oneline address show dev rail0 | awk '{ print $4, $7 == "secondary" ? $7 : "primary" }'
        ip route show 10.0.0.0/24
    done
}
export -f seen
in_network seen | same "removed and added again" '10.0.0.0/24 dev rail0 proto kernel scope link src 10.0.0.1 
10.0.0.1/24 primary
10.0.0.0/24 dev rail0 proto kernel scope link src 10.0.0.1 
10.0.0.0/24 dev rail0 proto kernel scope link src 10.0.0.1 
10.0.0.2/24 primary
10.0.0.3/24 secondary
10.0.0.1/24 secondary
10.0.0.0/24 dev rail0 proto kernel scope link src 10.0.0.2 '

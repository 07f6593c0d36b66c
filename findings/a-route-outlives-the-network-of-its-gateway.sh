#!/bin/bash
# Guess: a route by a gateway goes with the last address from which the gateway can be reached, as it could not be added any more.
# Seen: in Linux 6.18 (iproute2 6.1.0-3) the route stays while the device has another address, and who removes it cannot add it again:
# "Nexthop has invalid gateway". So what undoes a change has to bring the address back before the route, and a route that is already
# without a network for its gateway cannot be brought back at all. Only the last IPv4 address of a device takes its routes along.
source "$(dirname "$0")/iproute2.bash"

seen() {
    ip address add 10.0.0.1/24 dev rail0
    ip address add 10.5.0.1/24 dev rail0
    ip route add 10.9.0.0/16 via 10.0.0.2
    ip address delete 10.0.0.1/24 dev rail0
    ip route show 10.9.0.0/16
    ip route delete 10.9.0.0/16
    ip route add 10.9.0.0/16 via 10.0.0.2 2>&1 || echo "refused"
    ip address add 10.0.0.1/24 dev rail0
    ip route add 10.9.0.0/16 via 10.0.0.2
    ip address flush dev rail0
    echo "without an address: $(ip route show 10.9.0.0/16 | wc -l) routes"
}
export -f seen
in_network seen | same "a gateway without a network" '10.9.0.0/16 via 10.0.0.2 dev rail0 
Error: Nexthop has invalid gateway.
refused
without an address: 0 routes'

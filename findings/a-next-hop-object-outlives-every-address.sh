#!/bin/bash
# Guess: a next-hop object and the routes by it go with the addresses of its device, as routes by a gateway do: the last IPv4 address of a device
# takes all of its IPv4 routes along.
# Seen: in Linux 6.18 (iproute2 6.1.0-3) neither goes: without any IPv4 address the device keeps the object and a route that sends by it. Only the
# link's going down takes them, and nothing brings them back. The same object cannot be made anew in between: "Nexthop has invalid gateway".
source "$(dirname "$0")/iproute2.bash"

seen() {
    ip address add 10.0.0.1/24 dev rail0
    ip nexthop add id 7 via 10.0.0.2 dev rail0
    ip route add 10.9.0.0/16 nhid 7
    ip address delete 10.0.0.1/24 dev rail0
    ip -4 -brief address show dev rail0
    ip nexthop show id 7
    ip route show 10.9.0.0/16
    ip nexthop add id 8 via 10.0.0.2 dev rail0 2>&1 || echo "refused"
    ip link set rail0 down
    ip link set rail0 up
    echo "after down and up: $(ip nexthop | wc -l) objects, $(ip route | wc -l) routes"
}
export -f seen
in_network seen | same "an object without an address" 'id 7 via 10.0.0.2 dev rail0 scope link 
10.9.0.0/16 nhid 7 via 10.0.0.2 dev rail0 
Error: Nexthop has invalid gateway.
refused
after down and up: 0 objects, 0 routes'

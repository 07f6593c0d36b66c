# Of a scenario with two hosts: this one and the peer, joined by eth0 on both, which a cable of the lab connects. With three, eth1 of this one and eth0
# of the second peer are the ends of another cable.

# Since Linux 7.3 soft RoCE runs in network namespaces, of which each peer is one there: the commands of a peer are run in it, and what is no network's,
# such as modules and files, is this machine's. A device of the peer has a name of its own then: $far, and of the second peer $further.
apart() { [[ $(uname -r) == 6.* ]]; }
far=rxe0 further=rxe0
apart || far=rxe1 further=rxe2

# peer COMMAND...: runs it in a shell of the peer, prints what it printed, and ends with its status.
peer() {
    apart || { within peer "$@"; return; }
    local number=0 i
    while [[ -e $LAB_OUT/ask.$number ]]; do number=$((number + 1)); done
    printf 'export LAB_BINARY=%q LAB_KERNEL=%q\n%s\n' "$LAB_BINARY" "$LAB_KERNEL" "$*" >"$LAB_OUT/new"
    mv "$LAB_OUT/new" "$LAB_OUT/ask.$number"
    for i in {1..1300}; do
        [[ ! -e $LAB_OUT/done.$number ]] || { cat "$LAB_OUT/said.$number"; return "$(<"$LAB_OUT/done.$number")"; }
        sleep 0.1
    done
    fail "the peer does not answer: $*"
}
# By way of files, as with a machine: what goes on in the background holds nobody up, and no shell has the name of what it looks for in its arguments.
within() {
    local script said status=0
    script=$(mktemp) said=$(mktemp)
    printf '%s\n' "${*:2}" >"$script"
    timeout 120 ip netns exec "$1" bash "$script" >"$said" 2>&1 </dev/null || status=$?
    cat "$said"
    rm "$script" "$said"
    return $status
}
# An end of a network, NAME, as another host has it: ADDRESS on eth0, and the RDMA device DEVICE. A bridge of this host, if there is one, has the cable.
new_peer() { # new_peer NAME ADDRESS DEVICE CABLE
    ip netns add "$1"
    ip link add "$4" mtu 9000 type veth peer name eth0 mtu 9000 netns "$1"
    within "$1" "ip link set lo up; ip link set eth0 up; ip addr add $2/24 dev eth0; rdma link add $3 type rxe netdev eth0"
    ip link set "$4" up
}

# What an earlier scenario may have left at a machine of a cable, where nothing takes it away: servers, rules, queueing, addresses.
leftover='pkill -KILL -f "[p]robe serve --"; LD_LIBRARY_PATH=$LAB_KERNEL/usr/lib/x86_64-linux-gnu:$LAB_KERNEL/lib/x86_64-linux-gnu $LAB_KERNEL/usr/sbin/nft delete table inet lab
    tc qdisc del dev eth0 root; ip -6 addr flush dev eth0 scope global; true'

# Both ends of a soft RoCE fabric: 10.1.1.1 here, 10.1.1.2 at the peer, MTU 9000.
join() {
    local script='modprobe -a virtio_net rdma_rxe rdma_ucm; for i in {1..50}; do [[ ! -e /sys/class/net/eth0 ]] || break; sleep 0.1; done
        ip link set eth0 mtu 9000 up; ip addr replace 10.1.1.END/24 dev eth0; [[ -e /sys/class/infiniband/rxe0 ]] || rdma link add rxe0 type rxe netdev eth0'
    if apart; then
        bash -c "$leftover" &>/dev/null
        bash -c "${script/END/1}"
        peer "($leftover) &>/dev/null; ${script/END/2}"
    else
        modprobe -a rdma_rxe rdma_ucm veth
        new_peer peer 10.1.1.2 $far eth0
        bash -c "${script/END/1}"
    fi
    for i in {1..50}; do
        [[ $(rdma link show rxe0/1) != *"state ACTIVE"* || ! $(</sys/class/infiniband/rxe0/ports/1/gids/1) =~ ffff:0a01 ]] || return 0
        sleep 0.1
    done
    fail "rxe0 does not come up"
}

# second COMMAND...: the same by the second peer.
second() { if apart; then LAB_OUT=$LAB_OUT/2 peer "$@"; else within second "$@"; fi; }

# Three ends of one network: 10.1.1.1 here, on a bridge between both cables, 10.1.1.2 at the peer and 10.1.1.3 at the second.
join_three() {
    local script='modprobe -a virtio_net rdma_rxe rdma_ucm bridge; for i in {1..50}; do [[ ! -e /sys/class/net/eth0 ]] || break; sleep 0.1; done
        ip link set eth0 mtu 9000 up; ip addr replace 10.1.1.END/24 dev eth0; [[ -e /sys/class/infiniband/rxe0 ]] || rdma link add rxe0 type rxe netdev eth0'
    modprobe -a virtio_net rdma_rxe rdma_ucm bridge veth
    if ! apart; then
        new_peer peer 10.1.1.2 $far eth0
        new_peer second 10.1.1.3 $further eth1
    fi
    ip link add br0 type bridge
    for i in eth0 eth1; do ip link set $i mtu 9000 master br0 up; done
    ip link set br0 mtu 9000 up
    ip addr add 10.1.1.1/24 dev br0
    rdma link add rxe0 type rxe netdev br0
    if apart; then
        bash -c "$leftover" &>/dev/null
        peer "($leftover) &>/dev/null; ${script/END/2}"
        second "($leftover) &>/dev/null; ${script/END/3}"
    fi
    for i in {1..50}; do
        [[ $(rdma link show rxe0/1) != *"state ACTIVE"* || ! $(</sys/class/infiniband/rxe0/ports/1/gids/1) =~ ffff:0a01 ]] || return 0
        sleep 0.1
    done
    fail "rxe0 does not come up"
}

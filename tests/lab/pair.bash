# Of a scenario with two machines: this one and the peer, joined by eth0 on both, which a cable of the lab connects.

# peer COMMAND...: runs it in a shell of the peer, prints what it printed, and ends with its status.
peer() {
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

# Both ends of a soft RoCE fabric: 10.1.1.1 here, 10.1.1.2 at the peer, MTU 9000.
join() {
    local script='modprobe -a virtio_net rdma_rxe rdma_ucm; for i in {1..50}; do [[ ! -e /sys/class/net/eth0 ]] || break; sleep 0.1; done
        ip link set eth0 mtu 9000 up; ip addr replace 10.1.1.END/24 dev eth0; [[ -e /sys/class/infiniband/rxe0 ]] || rdma link add rxe0 type rxe netdev eth0'
    bash -c "${script/END/1}"
    peer "${script/END/2}"
    for i in {1..50}; do
        [[ $(rdma link show rxe0/1) != *"state ACTIVE"* || ! $(</sys/class/infiniband/rxe0/ports/1/gids/1) =~ ffff:0a01 ]] || return 0
        sleep 0.1
    done
    fail "rxe0 does not come up"
}

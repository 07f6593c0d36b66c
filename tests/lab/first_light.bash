# The shipped soft-RoCE profile on sim0, and what iproute2, ethtool and configfs say of it.

desired=(soft-roce --set nic=sim0 --set address=192.168.100.1 --set network=192.168.100.0 --set length=24)
defaults=/sys/kernel/config/rdma_cm/rxe_sim0/ports/1

# Everything that another tool can read of a port and that a setting may change. One jq for all of it: a process is slow to start under emulation.
seen() {
    local port=${1:-sim0} link routes routes6 ets pfc app rdma directories
    link=$(ip -j addr show "$port") routes=$(ip -j route show table all dev "$port") routes6=$(ip -6 -j route show table all dev "$port")
    ets=$(dcb -j ets show dev "$port") pfc=$(dcb -j pfc show dev "$port") app=$(dcb -j app show dev "$port") rdma=$(rdma -j link show)
    # What the kernel makes itself comes back by itself, a moment later.
    jq -c --arg port "$port" '(.link[] | select(.ifname) | [.mtu, (.flags | index("UP") != null)], ([.addr_info[] | select(.scope != "link") | [.local, .prefixlen]] | sort)),
        (.routes[] | [.[] | select(.protocol != "kernel") | del(.flags)] | sort),
        (.ets | [.prio_tc, .tc_tsa, .tc_bw]), (.pfc | [.prio_pfc, .delay]), .app, [.rdma[] | select(.netdev == $port) | .ifname]' \
        <<<"{\"link\": $link, \"routes\": [${routes:-[]}, ${routes6:-[]}], \"ets\": ${ets:-null}, \"pfc\": ${pfc:-null}, \"app\": ${app:-null}, \"rdma\": ${rdma:-[]}}" ||
        fail "what ip, dcb and rdma say of $port is no JSON"
    echo "pause $(pause_of "$port")"
    directories=(/sys/kernel/config/rdma_cm/*)
    echo "${directories[@]##*/}"
}

# As a host with rdma-core boots: its modules are there.
modprobe -a rdma_rxe rdma_cm ib_uverbs

# A host whose NIC comes up with MTU 1500, pause on, no PFC and no RDMA link is brought onto the fabric.
first_light() {
    local driver=$1 before
    shift
    nic "$driver" "$@"
    before=$(seen)
    run_status 0 rocectl plan "${desired[@]}"
    expect_text 'mtu +1500 → 9000 .*soft-roce.json:[0-9]+'
    expect_text 'pfc.priorities +(\[\]|unknown) → \[3\] .*roce.priority \(roce-v2-lossless.json:[0-9]+\)'
    expect_text 'link|none'
    expect "$(writes)" 0
    expect "$(seen)" "$before" "plan changed something"

    run_json 0 rocectl apply "${desired[@]}" --yes -o json
    expect "$(jq -c '[.status, .changed, .surprises]' <<<"$output")" '[0,true,[]]'
    on_the_fabric "$driver"
    run_status 0 rocectl verify "${desired[@]}"

    reset_writes
    run_status 0 rocectl apply "${desired[@]}" --yes
    expect_text 'nothing'
    expect "$(writes)" 0
    run_json 0 rocectl apply "${desired[@]}" --yes -o json
    expect "$(jq .changed <<<"$output")" false
}

on_the_fabric() {
    expect_json '.[0].mtu == 9000 and (.[0].flags | index("UP") != null)' ip -j link show sim0
    expect_json '[.[].addr_info[].local] | index("192.168.100.1") != null' ip -j addr show sim0
    expect_json '.[0].protocol == "kernel" and .[0].scope == "link" and .[0].prefsrc == "192.168.100.1"' \
        ip -j route show 192.168.100.0/24
    [[ $(pause_of sim0) == *"off off" ]] || fail "pause is $(pause_of sim0)"
    expect_json '.prio_pfc == [false,false,false,true,false,false,false,false]' dcb -j pfc show dev sim0
    expect_json '.dscp_prio | contains([[26, 3]]) and contains([[48, 6]])' dcb -j app show dev sim0
    expect_json '.tc_bw | add == 100' dcb -j ets show dev sim0
    expect_json '.tc_tsa[.prio_tc[3]] == "ets" and .tc_tsa[.prio_tc[6]] == "strict" and .tc_bw[.prio_tc[3]] == 50' \
        dcb -j ets show dev sim0
    expect_json '.[] | select(.netdev == "sim0") | .ifname == "rxe_sim0"' rdma -j link show
    expect "$(cat $defaults/default_roce_mode)" "RoCE v2"
    expect "$(cat $defaults/default_roce_tos)" 106
    # What nobody lists stays in the hardware there, so that every code point is listed, and one alone is lossless.
    [[ $1 != mlx5_core ]] || expect_json '(.dscp_prio | length == 64) and [.dscp_prio[] | select(.[1] == 3)] == [[26, 3]]' dcb -j app show dev sim0
    case $1 in
    mlx5_core | hns3 | ice) [[ $(state_of sim0) == "trust dscp"* ]] || fail "$(state_of sim0)" ;;
    other) expect_json '.prio_buffer == [0,0,0,1,0,0,0,0] and .buffer_size[:2] == [131968,130176]' dcb -j buffer show dev sim0 ;;
    bnxt_en) expect_json '.dgram_port_prio == [[4791, 3]]' dcb -j app show dev sim0 ;;
    esac
}

# strace ends rocectl, and not its children, when it is about to tell the disk for the Nth time what it does:
# an odd time is before a write, an even one after it.
killed_at() { strace -o /dev/null -e trace=fdatasync -e "inject=fdatasync:signal=KILL:when=$1" "$LAB_BINARY" apply "${desired[@]}" --yes; }

# An apply that is killed before its first write, in the middle or after the last goes back.
killed_and_back() {
    local driver=$1 before steps point status
    nic "$driver"
    before=$(seen)
    steps=$(rocectl plan "${desired[@]}" -o json | jq '.steps | length')
    for point in 1 $((steps | 1)) $((2 * steps)); do
        status=0
        output=$(killed_at "$point" 2>&1) || status=$?
        ((status == 137)) || show_mismatch "point $point: exit status $status"
        run_status 0 rocectl rollback --yes
        expect_text 'as before'
        expect "$(seen)" "$before" "$driver, point $point"
    done
}

causes() { jq -r '.causes[].id' <<<"$output"; }

# The first cause; what doctor says fixes it leaves nothing to be found. With the profile other values of it may be gone with the fault.
named() {
    local id=$1
    shift
    run_json 2 rocectl doctor --skip log,software,processes,firewall "$@" -o json
    expect "$(causes | head -1)" "$id" "of $(causes | tr '\n' ' ')"
    jq -r '.causes[0].mend.commands[]' <<<"$output" >fix
    [[ -s fix ]] || return 0
    sh fix >said 2>&1 || true
    [[ $# == 0 ]] || run_status 0 rocectl apply "$@" --yes
    well "$@"
}

# Soon: what follows from a setting takes its time.
well() {
    for _ in {1..40}; do
        output=$(rocectl doctor --skip log,software,processes,firewall "$@" 2>/dev/null) && return
        sleep 0.5
    done
    show_mismatch "not well"
}

# What another tool turned off is named by doctor, and turned on by what it prints.
doctor_mends() {
    nic "$1"
    run_status 0 rocectl apply "${desired[@]}" --yes
    well "${desired[@]}"
    dcb pfc set dev sim0 prio-pfc all:off
    named pfc-off "${desired[@]}"
    on_the_fabric "$1"
}

# An operation answers success and stores nothing: status 3, and everything as it was.
lies() {
    local driver=$1 op=$2 before
    nic "$driver"
    before=$(seen)
    fault "$op" lie
    run_status 3 rocectl apply "${desired[@]}" --yes
    expect_text 'answered with success, but'
    fault clear
    expect "$(seen)" "$before" "$driver $op"
}

# The write of an object is refused: status 3, the kernel's words, and everything as it was.
refused() {
    local driver=$1 object=$2 before want='No space left on device.*\(28\)'
    nic "$driver"
    before=$(seen)
    refuse "$object" 28
    [[ $object != dcbx ]] || want=refused # DCBX has no errno
    run_status 3 rocectl apply "${desired[@]}" --yes
    expect_text "$want"
    fault clear
    expect "$(seen)" "$before" "$driver $object"
    remove_ports
}

# What `plan -o commands` prints for a profile that states much, typed into a shell line by line, is what the profile states.

# dcb of iproute2 6.1 hands bytes a second on as kbit/s: the line is right, the tool is not. Later ones convert.
dcb_counts_bytes() {
    command dcb maxrate set dev sim1 tc-maxrate 0:100mbit >/dev/null 2>&1 || return 1
    [[ $(last_write) == *setmaxrate\ 12500000\ * ]]
}

# All lines go to one shell: a shell of its own for each would take as long as what they start. What `dcb ets set` and its kin say is not to
# be believed (see witness.bash), so verify has the word on these.
typed() {
    local line number=0 lines=() failed
    mapfile -t lines
    for line in "${lines[@]}"; do
        [[ ! ${by_bytes:-} || $line != "dcb maxrate set "* ]] || line=${line//kbit/bps}
        printf '{ %s\n} >said.%d 2>&1 </dev/null || echo %d\n' "$line" $number $number
        number=$((number + 1))
    done >lines
    ((number > 0)) || fail "there is nothing to be typed"
    failed=$(sh lines) || fail "no shell takes these lines: $(<lines)"
    for number in $failed; do
        line=${lines[number]}
        case $line in
        "dcb ets set "* | "dcb pfc set "* | "dcb maxrate set "* | "dcb buffer set "*) ;;
        *) output=$(<"said.$number"); show_mismatch "not to be typed: $line" ;;
        esac
    done
}

# By the binary itself: while the host is still on its way, a snapshot of it is of another moment.
as_desired() { "$LAB_BINARY" verify profile.json; }

# The profile of stdin, by hand; what it comes to is read by rocectl, whose reading the other scenarios prove.
by_hand() {
    cat >profile.json
    run_json 0 rocectl plan profile.json -o json
    jq -r '.steps[].changes[].setting' <<<"$output" >>settings
    run_json 0 rocectl plan profile.json -o commands
    expect "$(writes)" 0
    typed <<<"$output"
    output=$(as_desired 2>&1) || eventually as_desired || show_mismatch "by hand it is not as desired"
}

# Every setting of the schema was typed, or is one for which the lab has no hardware (simnic has full duplex alone, rxe RoCE v2 alone),
# for which its iproute2 has no command (dscp.rewrite), or which has a scenario of its own, as bonds and virtual functions have.
all_typed() {
    local key
    local -A typed=()
    while read -r key; do typed[$key]=1; done <settings
    local setting no_hardware="bond\. vf\. ecn\. dcqcn\. pcie\. irq\. rdma.traffic_class$ link.duplex$ rdma.default_mode$ dscp.rewrite$ rdma.enable_roce$ rdma.name$" missing=
    for key in $(rocectl profile schema | jq -r '."$defs".entry.properties | to_entries[] | select(.value.properties == null) | .key'); do
        case $key in match | fabric | missing | expect | roce | optional | external | required | exact | rdma.device | vlans) continue ;; esac
        for setting in $no_hardware; do [[ ! $key =~ ^$setting ]] || continue 2; done
        [[ ${typed[$key]:-} ]] || missing+=" $key"
    done
    [[ -z $missing ]] || fail "no command was typed for$missing"
}

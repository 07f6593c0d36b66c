# SPDX-License-Identifier: Apache-2.0
# What a scenario may say. Every value is read by iproute2 and ethtool, never by rocectl.
#
#   nic DRIVER [pairs=1] [PARAM=VALUE...]   simnic afresh: sim0-sim1, sim2-sim3, ... connected; the odd ends are up
#   rocectl ARG...                          the binary under test
#   run_status N COMMAND...                 runs it, keeps its stdout and stderr in $output, wants exit status N
#   run_fails COMMAND...                    the same with any status but 0
#   run_json N COMMAND...                   the same with only stdout in $output
#   expect_text REGEX / reject_text REGEX   about $output
#   expect_json FILTER COMMAND...           the command's JSON satisfies the jq filter
#   expect A B                              both words are equal
#   eventually COMMAND...                   the command succeeds within twenty seconds, which a busy host may take
#   settled COMMAND...                      prints what the command prints, once it has printed the same for a second
#   writes / opens / write_log              what reached the driver
#   last_write / expect_last PATTERN        the last of them with its result, as "sim0 setpfc 0x08 delay 0 -> -22"
#   reset_writes                            from here on
#   refuse OBJECT [ERRNO] [count=K]         the kernel refuses to write that object (5 if no errno is given)
#   pretend OBJECT [count=K]                the kernel claims to have written it
#   pause_of PORT                           "autoneg rx tx", each on or off
#   carrier PORT                            succeeds where there is one
#   state_of PORT                           trust, number of DSCP entries and the DSCP map in the hardware
#   fault ...                               see simnic/faults.c
#   skip REASON / fail REASON               end here

sim=/sys/kernel/debug/simnic
output=
[[ ! -x $LAB_KERNEL/usr/bin/gojq ]] || jq() { "$LAB_KERNEL/usr/bin/gojq" "$@"; }

fail() { echo "$*" >>"$LAB_WORK/reason"; echo "FAIL: $*"; trap - ERR; exit 1; }
skip() { echo "$*" >>"$LAB_WORK/reason"; trap - ERR; exit 77; }

nic() {
    local driver=$1 port
    shift
    remove_ports
    modprobe simnic driver="$driver" "$@"
    for port in /sys/class/net/sim*[13579]; do
        ip link set "${port##*/}" up
    done
    reset_writes
}

remove_ports() {
    local path
    for path in /sys/kernel/config/rdma_cm/*/; do
        [[ ! -d $path ]] || rmdir "$path"
    done
    for path in /sys/class/infiniband/*; do
        [[ ! -e $path ]] || rdma link del "${path##*/}" 2>/dev/null || true
    done
    [[ ! -e /sys/module/simnic ]] || modprobe -r simnic
}

# The host as it was booted, as far as scenarios change it.
cleanup() {
    local path rule
    # An application that a scenario left would keep its RDMA device, and a device file that was moved leads to that one, not to the next: EIO.
    for path in rocectl ibv_rc_pingpong; do pkill -KILL -x "$path" || true; done
    [[ ! -e $sim/fault ]] || echo clear >$sim/fault
    remove_ports
    for path in /sys/class/net/*; do
        [[ $path == */lo ]] || ip link del "${path##*/}" 2>/dev/null || true
    done
    for path in -4 -6; do
        while IFS=: read -r rule _; do
            [[ $rule =~ ^(0|32766|32767)$ ]] || ip $path rule del pref "$rule"
        done < <(ip $path rule show)
    done
    [[ $(ip rule show pref 0) == *"from all lookup local"* ]] || ip rule add pref 0 lookup local
    for path in $(ip rule show pref 0 | sed -n 's/.* iif \([^ ]*\) .*/\1/p'); do ip rule del pref 0 iif "$path"; done
    [[ -z $(ls /run/netns 2>/dev/null) ]] || ip -all netns delete
    # Its namespaces go a moment after their names.
    [[ ! -e /sys/module/ib_core || $(rdma system) != *exclusive* ]] || eventually rdma system set netns shared
    rm -rf /var/lib/rocectl /run/rocectl /etc/rocectl
    # What a scenario leaves of the host's own is another's surprise.
    echo 0 >/proc/sys/vm/nr_hugepages
    for path in gc_thresh1=128 gc_thresh2=512 gc_thresh3=1024; do echo "${path#*=}" >/proc/sys/net/ipv4/neigh/default/"${path%=*}"; done
}

# Whatever a scenario has verified, a snapshot of the host has to say too, word for word: what verify prints of the one and of the other is equal.
rocectl() {
    if [[ $1 != verify || " $* " == *" --state "* ]]; then
        "$LAB_BINARY" "$@"
        return
    fi
    local status=0 again=0 vars=() firmware=() asked=() word kept
    kept=$(mktemp -d)
    # A snapshot has what firmware says, and that of a state is not asked.
    for word; do
        if [[ $word == --firmware ]]; then firmware=("$word"); else asked+=("$word"); fi
    done
    "$LAB_BINARY" "$@" >"$kept/host" 2>"$kept/host.err" || status=$?
    # A state file is another host, to which the variables of this one do not belong.
    [[ " $* " == *" --vars "* || ! -e /etc/rocectl/vars.json ]] || vars=(--vars /etc/rocectl/vars.json)
    "$LAB_BINARY" snapshot "$2" "${firmware[@]}" -o "$kept/state.json" 2>"$kept/snapshot.err" || fail "no snapshot: $(<"$kept/snapshot.err")"
    "$LAB_BINARY" "${asked[@]}" "${vars[@]}" --state "$kept/state.json" >"$kept/file" 2>"$kept/file.err" || again=$?
    ((status == again)) && diff "$kept/host" "$kept/file" >"$kept/diff" || {
        cat "$kept/diff" "$kept/file.err"
        fail "verify says $status of the host and $again of its snapshot: $*"
    }
    cat "$kept/host"
    cat "$kept/host.err" >&2
    rm -r "$kept"
    return $status
}

show_mismatch() {
    printf '%s\n' "$output"
    fail "$1"
}

run_status() {
    local want=$1 got=0
    shift
    output=$("$@" 2>&1) || got=$?
    ((got == want)) || show_mismatch "exit status $got, not $want: $*"
}

run_fails() {
    output=$("$@" 2>&1) || return 0
    show_mismatch "succeeded: $*"
}

run_json() {
    local want=$1 got=0
    shift
    output=$("$@") || got=$?
    ((got == want)) || show_mismatch "exit status $got, not $want: $*"
}

# Whether a line of $output matches; without grep, since starting a process under emulation takes a tenth of a second and more.
said() {
    local IFS=$'\n' line
    local -
    set -f
    for line in $output; do
        [[ ! $line =~ $1 ]] || return 0
    done
    return 1
}

expect_text() { said "$1" || show_mismatch "not in the output: $1"; }
reject_text() { ! said "$1" || show_mismatch "in the output: $1"; }

expect_json() {
    local filter=$1
    shift
    output=$("$@") || show_mismatch "exit status $?: $*"
    jq -e "$filter" <<<"$output" >/dev/null || show_mismatch "not so: $filter: $*"
}

expect() { [[ $1 == "$2" ]] || fail "found '$1', not '$2'${3:+: $3}"; }

eventually() {
    local i
    for i in {1..200}; do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    fail "not within twenty seconds: $*"
}
settled() {
    local last now same=0 i
    last=$("$@")
    for i in {1..100}; do
        sleep 0.2
        now=$("$@")
        if [[ $now != "$last" ]]; then same=0 last=$now; elif ((++same == 5)); then break; fi
    done
    echo "$last"
}

# "dcb ets set", "dcb pfc set" and the like of iproute2 6.1 ask first and take the acknowledgement of that question for the answer to the write:
# success if both fall into one second, else "Protocol error". So their exit status says nothing; last_write does.
# Since iproute2 6.15 "dcb -j app show" puts the blank between two entries into the entry: [26,3," "] is what was [26,3].
dcb() {
    local output status=0
    case "$1 $2" in
    "ets set" | "maxrate set" | "buffer set" | "pfc set") command dcb "$@" 2>/dev/null || true ;;
    "-j app")
        output=$(command dcb "$@") || status=$?
        printf '%s\n' "${output//,\" \"]/]}"
        return $status
        ;;
    *) command dcb "$@" ;;
    esac
}

last_write() { tail -n 1 $sim/log; }
expect_last() { [[ $(last_write) == $1 ]] || fail "the last write was '$(last_write)', not '$1'"; }

writes() { cat $sim/writes; }
opens() { cat $sim/opens; }
write_log() { cat $sim/log; }
reset_writes() { echo 1 >$sim/reset; }

# Where the write of each object can be stopped: an operation of simnic, or functions of the kernel.
fault_points() {
    case $1 in
    up) echo open ;;
    mtu | pause | ets | maxrate | pfc | buffer | tunable | dcbx | ring | channels | features | fec | coalesce) echo "$1" ;;
    app) echo appset appdel ;;
    link_modes) echo linkmodes ;;
    private_flags) echo privflags ;;
    address) echo probe:inet_rtm_newaddr probe:inet6_rtm_newaddr ;;
    address.del) echo probe:inet_rtm_deladdr probe:inet6_rtm_deladdr ;;
    route) echo probe:inet_rtm_newroute probe:inet6_rtm_newroute ;;
    route.del) echo probe:inet_rtm_delroute probe:inet6_rtm_delroute ;;
    link.new) echo probe:rtnl_newlink ;;
    link.del) echo probe:rtnl_dellink ;;
    rdma.link) echo probe:nldev_newlink ;;
    rdma.link.del) echo probe:nldev_dellink ;;
    rdma.moderation) echo probe:nldev_set_doit ;;
    rdma.name) echo probe:nldev_set_doit ;;
    rdma.directory) echo probe:make_cma_dev ;;
    rdma.default_mode) echo probe:default_roce_mode_store ;;
    rdma.default_tos) echo probe:default_roce_tos_store ;;
    *) fail "no fault point for $1" ;;
    esac
}

refuse() {
    local object=$1 errno=5 point extack
    shift
    [[ ! ${1:-} =~ ^[0-9]+$ ]] || { errno=$1; shift; }
    for point in $(fault_points "$object"); do
        extack=extack
        [[ $point != *_store && $point != *:make_cma_dev ]] || extack=
        if [[ $point == probe:* ]]; then fault probe "${point#probe:}" "$errno" $extack "$@"; else fault "$point" fail "$errno" "$@"; fi
    done
}

pretend() {
    local object=$1 point argument
    shift
    for point in $(fault_points "$object"); do
        argument=
        [[ $point != *_store ]] || argument=arg3
        [[ $point != *:make_cma_dev ]] || fail "a directory cannot be pretended"
        if [[ $point == probe:* ]]; then fault probe "${point#probe:}" lie $argument "$@"; else fault "$point" lie "$@"; fi
    done
}

fault() { echo "$*" >$sim/fault || fail "fault $* was not taken"; }
state_of() { sed -n "s/^$1 //p" $sim/state; }
# "autoneg rx tx", each on or off. The JSON of ethtool 6.1 says true for each of them, whatever they are.
pause_of() {
    local name value said=()
    while read -r name value _; do
        case $name in Autonegotiate: | RX: | TX:) said+=("$value") ;; esac
    done < <(ethtool -a "$1")
    echo "${said[*]}"
}
carrier() { [[ $(cat "/sys/class/net/$1/carrier" 2>/dev/null) == 1 ]]; }
# undated FILE: what a watch told, without the date that the first line of a day begins with.
undated() { sed -E 's/^[0-9]{4}-[0-9]{2}-[0-9]{2} //' "$1"; }

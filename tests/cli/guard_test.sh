#!/bin/bash
# The guard of apply --confirm goes back whatever stands in its way: in namespaces of its own, with a /dev/log, /run and /var/lib of its own.
# takes: 90 s
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
trap '((BASHPID != $$)) || { kill "${helpers[@]}" 2>/dev/null; rm -rf "$work"; }' EXIT
helpers=()

ip link set lo up
ip link add roce0 type veth peer name far0
ip link add roce1 type veth peer name far1
echo '{ "format": 1, "name": "nine", "ports": [ { "match": { "name": "roce*" }, "mtu": 9000 } ] }' >nine.json
mtu_of() { ip -j link show "$1" 2>/dev/null | jq '.[0].mtu'; }
mtu_is() { [[ $(mtu_of "${2:-roce0}") == "$1" ]] || fail "expected mtu $1 of ${2:-roce0}, found $(mtu_of "${2:-roce0}")"; }
# within SECONDS COMMAND...: whether it holds within so long.
within() {
    local end=$((${EPOCHREALTIME/./} + $1 * 1000000))
    shift
    until "$@"; do
        ((${EPOCHREALTIME/./} < end)) || return 1
        sleep 0.1
    done
}
as_before() { [[ $(mtu_of roce0) == 1500 ]]; }
written() { [[ $(mtu_of roce0) == 9000 ]]; }
nothing_pending() { [[ ! -e /run/rocectl/pending ]]; }
afresh() {
    within 20 nothing_pending || fail "still pending: $("$binary" confirm --status)"
    rm -rf /run/rocectl /var/lib/rocectl
    ip link set roce0 mtu 1500
    ip link set roce1 mtu 1500
}
# Where the tests themselves are in a container the guard is allowed to end with it.
confirm() { rocectl apply nine.json --yes --settings-only --allow unguarded --confirm "$@"; }

it "a log whose daemon does not read keeps nothing from going back"
own_dev dev
# The queue of a datagram socket is short (net.unix.max_dgram_qlen), and filled before.
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_DGRAM, 0); bind(S, pack_sockaddr_un("/dev/log")) or die; socket(C, AF_UNIX, SOCK_DGRAM, 0);
    connect(C, pack_sockaddr_un("/dev/log")) or die; for (1 .. 100000) { send(C, "x", 0x40) or last } open(F, ">", "full"); close F; sleep 300' &
helpers+=($!)
within 10 test -e full || fail "expected a log that is full"
confirm 2s
status_is 0
written || fail "expected it to be written"
within 8 as_before || fail "expected it to be as before"
within 5 nothing_pending || fail "expected it to have ended"
kill "${helpers[0]}"
no_own_dev dev
afresh

it "what removes the pending file is no consent, and it is there again"
confirm 3s
rm /run/rocectl/pending
within 2 test -e /run/rocectl/pending || fail "expected the file to be there again"
rocectl confirm --status
out_has "waits to be confirmed"
rm -rf /run/rocectl
within 8 as_before || fail "expected it to be as before"
afresh
confirm 3s
: >/run/rocectl/pending
within 8 as_before || fail "expected it to be as before, though the file says nothing"
afresh

it "a boot_id that cannot be read is no consent, nor is a pending file that tells nothing"
confirm 4s
status_is 0
mount --bind /dev/null /proc/sys/kernel/random/boot_id
rocectl confirm --status
out_has "waits to be confirmed"
rocectl apply nine.json --yes
status_is 1
err_has "waits to be confirmed"
within 9 as_before || fail "expected it to be as before"
umount /proc/sys/kernel/random/boot_id
afresh
mkdir -p /run/rocectl
: >/run/rocectl/pending
rocectl confirm --status
status_is 1
err_has "is not as the guard of an apply writes it"
rm /run/rocectl/pending

it "too few files are found before the first write, or there are more"
called="apply, where 40 files may be open" out='' status=0
err=$(prlimit --nofile=40:40 setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource \
    "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 2s 2>&1 >/dev/null </dev/null) || status=$?
status_is 1
err_has "may have 40 files open"
mtu_is 1500
nothing_pending || fail "expected no guard"
prlimit --nofile=9:4096 "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 2s >/dev/null 2>&1 </dev/null
mtu_is 9000
within 8 as_before || fail "expected it to be as before"
afresh

it "a port that is away at the deadline is waited for, the others go back at once, and it is told"
elsewhere_begins 300 || fail "expected another namespace"
helpers+=("$elsewhere")
confirm 2s
status_is 0
mtu_is 9000
mtu_is 9000 roce1
ip link set roce0 netns $elsewhere
one_as_before() { [[ $(mtu_of roce1) == 1500 ]]; }
within 8 one_as_before || fail "expected the other port to be as before"
waits_for_it() {
    rocectl confirm --status
    [[ $out == *"what is not there and is waited for"*": roce0"* ]]
}
within 5 waits_for_it || fail "expected it to be waited for"
status_is 0
rocectl confirm --status -o json
json_is '.pending | .phase == "going-back" and .away == ["roce0"] and .left_ms > 500000 and .left_ms <= 600000'
rocectl confirm
status_is 1
err_has "cannot be confirmed any more"
rocectl apply nine.json --yes --lock-timeout 20s
status_is 1
err_has "what is not there and is waited for"
nsenter --net=/proc/$elsewhere/ns/net ip link set roce0 netns $$
within 6 as_before || fail "expected it to be as before when it is there again"
within 5 nothing_pending || fail "expected the guard to have ended"
rocectl history
out_has "rolled back"
afresh

it "an apply that is stopped while it waits goes back, and never goes on"
echo '{ "format": 1, "name": "up", "ports": [ { "match": { "name": "roce0" }, "up": true, "mtu": 9000 } ] }' >up.json
"$binary" apply up.json --yes --wait 60s --allow unguarded --confirm 60s >.out 2>.err </dev/null &
apply=$! called="apply up.json --wait 60s, stopped"
within 10 written || fail "expected it to be written"
kill -STOP $apply
is_stopped() { [[ $(ps -o stat= -p $apply) == T* ]]; }
within 5 is_stopped || fail "expected it to be stopped"
rocectl rollback --yes # which ends it, and the guard goes back
status_is 0
mtu_is 1500
kill -CONT $apply 2>/dev/null
status=0
wait $apply 2>/dev/null || status=$?
status_is 137
afresh
"$binary" apply up.json --yes --wait 60s --allow unguarded --confirm 2s >.out 2>.err </dev/null &
apply=$! called="apply up.json --wait 60s, stopped"
within 10 written || fail "expected it to be written"
kill -STOP $apply
within 9 as_before || fail "expected it to be as before"
kill -CONT $apply 2>/dev/null
status=0
wait $apply 2>/dev/null || status=$?
status_is 137
mtu_is 1500
ip link set roce0 down
afresh

it "an apply that goes on is waited for longer than the confirmation"
"$binary" apply up.json --yes --wait 8s --allow unguarded --confirm 1s >.out 2>.err </dev/null &
apply=$! called="apply up.json --wait 8s"
status=0
wait $apply || status=$?
out=$(<.out)
[[ $status != 137 ]] || fail "expected it not to be ended"
within 12 as_before || fail "expected it to be as before"
ip link set roce0 down
afresh

it "a name server that does not answer is found before the first write, and the guard asks none"
grep -q '^hosts:.*dns' /etc/nsswitch.conf || skip "no DNS here"
if [[ -n $name ]]; then
    perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 0); bind(S, sockaddr_in(53, inet_aton("127.0.0.1"))) or die; open(F, ">", "silent"); close F; sleep 300' &
    helpers+=($!)
    within 10 test -e silent || fail "expected a name server"
    echo 'nameserver 127.0.0.1' >resolv.conf
    mount --bind resolv.conf "$(readlink -f /etc/resolv.conf)"
    start=$SECONDS
    confirm 2s --probe tcp:peer.example:22
    status_is 1
    err_has "probe tcp:peer.example:22 does not hold: peer.example is not resolved within 5 s, before anything was written"
    ((SECONDS - start < 10)) || fail "it took $((SECONDS - start)) s"
    mtu_is 1500
    umount "$(readlink -f /etc/resolv.conf)"
    # Resolved while the file said so, and asked for nowhere then.
    perl -MSocket -e 'socket(S, AF_INET, SOCK_STREAM, 0); setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
        bind(S, sockaddr_in(2222, inet_aton("127.0.0.1"))) or die; listen(S, 64); open(F, ">", "listens"); close F; while (accept(C, S)) { close C }' &
    helpers+=($!)
    cp /etc/hosts hosts.old
    { cat /etc/hosts; echo '127.0.0.1 peer.example'; } >hosts
    mount --bind hosts /etc/hosts
    within 10 test -e listens || fail "expected a peer"
    confirm 4s --probe tcp:peer.example:2222
    status_is 0
    umount /etc/hosts
    mount --bind resolv.conf "$(readlink -f /etc/resolv.conf)"
    sleep 3
    mtu_is 9000
    within 7 as_before || fail "expected it to be as before"
    rocectl history
    out_has "not confirmed in time"
    umount "$(readlink -f /etc/resolv.conf)"
    afresh
fi

it "a probe that does not answer keeps nothing from going back"
cat >slow <<'SH'
#!/bin/bash
[[ ! -e hang ]] || sleep 9
SH
chmod +x slow
cat >slow.sh <<SH
#!/bin/bash
cd $work && exec ./slow
SH
chmod +x slow.sh
confirm 3s --probe "command:$work/slow.sh"
status_is 0
: >hang
within 7 as_before || fail "expected it to be as before while the probe is asked"
rm hang
afresh

it "neither want of memory nor a disk that its pages are on ends or holds the guard; told to end it goes back first"
confirm 60s
status_is 0
guard=$(sed -n 3p /run/rocectl/pending | tr -d ' ')
if (echo -1000 >/proc/self/oom_score_adj) 2>/dev/null; then
    [[ $(<"/proc/$guard/oom_score_adj") == -1000 ]] || fail "expected -1000, found $(<"/proc/$guard/oom_score_adj")"
    # AddressSanitizer locks nothing.
    [[ ${ASAN_OPTIONS:-} ]] || ! grep -q '^VmLck:[[:space:]]*0 kB' "/proc/$guard/status" || fail "expected its memory to be locked"
fi
kill -TERM "$guard"
within 6 as_before || fail "expected it to be as before"
rocectl history
out_has "the guard was told to end"
afresh

it "no signal but those that tell it to end means anything to the guard"
confirm 4s
status_is 0
guard=$(sed -n 3p /run/rocectl/pending | tr -d ' ')
for ((signal = 1; signal <= 64; ++signal)); do
    case $(kill -l $signal 2>/dev/null) in
        '' | INT | KILL | TERM | CHLD | STOP | TSTP | TTIN | TTOU) ;;
        *) kill -$signal "$guard" || fail "expected it to be there after signal $((signal - 1))" ;;
    esac
done
within 9 as_before || fail "expected it to be as before"
within 5 nothing_pending || fail "expected the guard to have ended"
afresh

it "told to end it goes back, whatever its caller blocked"
# As a program that blocks signals starts others (sigprocmask(2)).
perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); exec @ARGV' \
    "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 60s >/dev/null 2>&1 </dev/null
written || fail "expected it to be written"
kill -TERM "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
within 6 as_before || fail "expected it to be as before"
afresh

it "limits that the caller has are not the guard's"
limits=('-s 64' '-d 1000' '-t 1')
# AddressSanitizer takes more than so much memory and stack.
! grep -q __asan_init "$binary" || limits=('-t 1')
for limit in "${limits[@]}"; do
    # shellcheck disable=SC2086 # two words
    (ulimit -S $limit && exec "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 2s >/dev/null 2>&1 </dev/null)
    written || fail "ulimit $limit: expected it to be written"
    within 8 as_before || fail "ulimit $limit: expected it to be as before"
    ! written || kill -KILL "$(sed -n 3p /run/rocectl/pending | tr -d ' ')" 2>/dev/null
    ! written || rm -f /run/rocectl/pending
    afresh
done

it "a program that a probe names is heard, whatever its caller ignored"
: >holds
# As a daemon that ignores SIGCHLD starts others: the kernel keeps no status of their children.
perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 60s \
    --probe "command:test -e $work/holds" >/dev/null 2>&1 </dev/null
written || fail "expected it to be written"
rm holds
within 8 as_before || fail "expected it to be as before"
! written || kill -TERM "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
afresh

it "its memory is locked where root may"
if (($((16#$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status))) >> 14 & 1)) && ! grep -q __asan_init "$binary"; then
    confirm 60s
    guard=$(sed -n 3p /run/rocectl/pending | tr -d ' ')
    ! grep -q '^VmLck:[[:space:]]*0 kB' "/proc/$guard/status" || fail "expected its memory to be locked"
    rocectl confirm
    status_is 0
    ip link set roce0 mtu 1500
else
    skip "CAP_IPC_LOCK is missing, or AddressSanitizer locks nothing"
fi
afresh

it "a time namespace has no other deadline"
ahead=(unshare --time --boottime 86400 --fork)
if ! "${ahead[@]}" true 2>/dev/null; then
    skip "no time namespaces here"
else
    confirm 60s
    called="confirm --extend 2s in a time namespace" status=0
    out=$("${ahead[@]}" "$binary" confirm --extend 2s 2>.err </dev/null) || status=$?
    err=$(<.err)
    status_is 0
    within 8 as_before || fail "expected it to be as before"
    ! written || kill -TERM "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
    afresh
    "${ahead[@]}" "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 60s >/dev/null 2>&1 </dev/null
    rocectl confirm --status -o json
    json_is '.pending | .guarded and (.stalled | not) and .left_ms <= 60000'
    rocectl confirm
    status_is 0
    ip link set roce0 mtu 1500
fi
afresh

it "what is said to be confirmed stays: a guard that does not see it is told"
confirm 9s
# As who copies a folder back does.
cp -a /var/lib/rocectl/journal /var/lib/rocectl/copy
mv /var/lib/rocectl/journal /var/lib/rocectl/moved
mv /var/lib/rocectl/copy /var/lib/rocectl/journal
rocectl confirm
status_is 1
err_has "does not see that it is confirmed, and will go back"
within 14 as_before || fail "expected it to be as before"
afresh

it "a guard that is stopped is told, and rollback does without it"
confirm 2s
status_is 0
guard=$(sed -n 3p /run/rocectl/pending | tr -d ' ')
kill -STOP "$guard"
tells_it() { rocectl confirm --status; ((status == 1)); }
within 5 tells_it || fail "expected it to be told"
out_has "the process that would go back (pid $guard) does not run: kill -CONT $guard lets it go on where it is stopped, rocectl rollback goes back at once"
rocectl confirm --status -o json
json_is '.pending.guarded and .pending.stalled'
rocectl rollback --yes
status_is 0
mtu_is 1500
kill -CONT "$guard"
within 5 nothing_pending || fail "expected the guard to have ended"
mtu_is 1500
afresh

it "a guard that is gone has the apply go back by itself"
"$binary" apply up.json --yes --wait 20s --allow unguarded --confirm 30s >.out 2>.err </dev/null &
apply=$! called="apply up.json, without its guard"
within 10 written || fail "expected it to be written"
kill -KILL "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
status=0
wait $apply || status=$?
out=$(<.out) err=$(<.err)
status_is 3
mtu_is 1500
rm -f /run/rocectl/pending
ip link set roce0 down
afresh

it "what a boot left of an apply that nobody confirmed is brought back, and nothing else"
mkdir -p etc
cp -a /etc/. etc/ 2>/dev/null
echo 'NCCL_DEBUG=INFO' >etc/nccl.conf
mount --bind etc /etc
cat >both.json <<'JSON'
{ "format": 1, "name": "both", "ports": [ { "match": { "name": "roce0" }, "mtu": 9000 } ], "host": { "nccl": { "NCCL_DEBUG": "WARN" } } }
JSON
rocectl apply both.json --yes --settings-only --allow unguarded --confirm 60s
status_is 0
grep -q WARN /etc/nccl.conf || fail "expected it to be written"
rocectl rollback --unconfirmed --yes
status_is 0
out_has "nothing is unconfirmed" # its guard is there
kill -KILL "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
rm /run/rocectl/pending
sed -i '1s/"boot":"[^"]*"/"boot":"00000000-1111-2222-3333-444444444444"/' /var/lib/rocectl/journal/1.open.jsonl
rocectl rollback --unconfirmed 1 --yes
status_is 64
err_has "--unconfirmed"
rocectl rollback --unconfirmed --yes
status_is 0
out_has "nccl"
[[ $(</etc/nccl.conf) == NCCL_DEBUG=INFO ]] || fail "expected it to be as before: $(</etc/nccl.conf)"
mtu_is 9000 # which a boot would not have left
rocectl rollback --unconfirmed --yes
status_is 0
out_has "nothing is unconfirmed"
rocectl history
out_has "rolled back by 2"
# One that was killed before its first write is nothing to go back on, and what was accepted since stays.
sed -n 1p /var/lib/rocectl/journal/1.jsonl | sed 's/"id":1,/"id":3,/' >/var/lib/rocectl/journal/3.open.jsonl
rocectl rollback --unconfirmed --yes
status_is 0
out_has "nothing is unconfirmed"
rm -rf /var/lib/rocectl
ip link set roce0 mtu 1500
rocectl apply both.json --yes --settings-only --allow unguarded --confirm 60s
kill -KILL "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
rm /run/rocectl/pending
sed 's/9000/8000/; s/WARN/TRACE/' both.json >later.json
rocectl apply later.json --yes --settings-only
status_is 0
rocectl rollback --unconfirmed --yes
status_is 1
err_has "entry 1 was not confirmed, and entry 2 was accepted after it: nothing was undone; rocectl rollback 1 undoes both"
mtu_is 8000
rocectl rollback 1 --yes
status_is 0
mtu_is 1500
# Of this boot, it is all.
rm -rf /var/lib/rocectl
ip link set roce0 mtu 1500
rocectl apply both.json --yes --settings-only --allow unguarded --confirm 60s
guard=$(sed -n 3p /run/rocectl/pending | tr -d ' ')
kill -KILL "$guard"
guard_is_gone() { [[ ! -e /proc/$guard ]]; }
within 5 guard_is_gone || fail "expected it to end"
rocectl rollback --unconfirmed --yes
status_is 0
mtu_is 1500
[[ $(</etc/nccl.conf) == NCCL_DEBUG=INFO ]] || fail "expected it to be as before: $(</etc/nccl.conf)"
umount /etc
for says in Wants After; do
    grep -q "^$says=.* rocectl-unconfirmed\.service\b" "$here/packaging/systemd/rocectl.service" || fail "expected rocectl.service to start it before itself"
done
afresh

it "an apply that is killed while its guard comes up leaves nothing behind"
if ! command -v strace >/dev/null; then
    skip "no strace here"
else
    # The guard alone closes the files that it does not take along.
    strace -f -qq -o /dev/null -e trace=close_range -e inject=close_range:delay_enter=1000000:when=1 \
        "$binary" apply nine.json --yes --settings-only --allow unguarded --confirm 60s >/dev/null 2>&1 </dev/null &
    tracer=$! called="apply nine.json, killed"
    begun() { compgen -G '/var/lib/rocectl/journal/*.open.jsonl' >/dev/null; }
    within 20 begun || fail "expected an entry"
    sleep 0.3
    pkill -KILL -P $tracer
    wait $tracer
    nothing_pending || fail "expected nothing to be pending: $(</run/rocectl/pending)"
    mtu_is 1500
    rocectl history
    out_has "rolled back"
fi
afresh

it "a journal that others may write says nothing, and is not needed"
confirm 3s
chmod 666 /var/lib/rocectl/journal/*.jsonl
sed -i 's/"value":1500/"value":1400/' /var/lib/rocectl/journal/*.jsonl
within 8 as_before || fail "expected it to be as before"
within 5 nothing_pending || fail "expected the guard to have ended"
afresh

it "a disk that does not answer keeps nothing from going back"
frozen=
trap '((BASHPID != $$)) || { [[ ! $frozen ]] || fsfreeze -u "$frozen"; kill "${helpers[@]}" 2>/dev/null; rm -rf "$work"; }' EXIT
truncate -s 16M disk
mkfs.ext4 -q -F disk
mkdir /var/lib/rocectl
if ! mount -o loop disk /var/lib/rocectl 2>/dev/null; then
    skip "no loop devices here"
else
    confirm 2s
    status_is 0
    fsfreeze -f /var/lib/rocectl && frozen=/var/lib/rocectl
    within 8 as_before || fail "expected it to be as before while the disk does not answer"
    within 5 nothing_pending || fail "expected the guard to have ended"
    fsfreeze -u $frozen
    rocectl history
    out_has "not confirmed" # the disk could not take what became of it
    rocectl rollback --yes
    status_is 0
    # A confirmation that the disk takes too late is none.
    rm -rf /var/lib/rocectl/journal
    confirm 2s
    fsfreeze -f /var/lib/rocectl && frozen=/var/lib/rocectl
    "$binary" confirm >"$work/.out" 2>"$work/.err" </dev/null &
    late=$! called="confirm, on a disk that answers too late"
    within 9 as_before || fail "expected it to be as before while the disk does not answer"
    within 5 nothing_pending || fail "expected the guard to have ended"
    fsfreeze -u $frozen
    frozen=
    wait $late && status=0 || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
    status_is 1
    err_has "went back before it was confirmed"
    mtu_is 1500
    # Nor is one that the disk takes while the guard goes back without it.
    rm -rf /var/lib/rocectl/journal
    confirm 2s
    fsfreeze -f /var/lib/rocectl && frozen=/var/lib/rocectl
    "$binary" confirm >"$work/.out" 2>"$work/.err" </dev/null &
    late=$! called="confirm, on a disk that answers while the guard goes back"
    within 9 as_before || fail "expected it to be as before while the disk does not answer"
    sleep 1
    fsfreeze -u $frozen
    frozen=
    wait $late && status=0 || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
    status_is 1
    err_has "went back before it was confirmed"
    within 5 nothing_pending || fail "expected the guard to have ended"
    mtu_is 1500
    # One that hangs while it writes is not waited for either.
    ip link set roce0 down
    "$binary" apply up.json --yes --wait 3s --allow unguarded --confirm 1s >.out 2>.err </dev/null &
    apply=$! called="apply up.json, whose disk hangs"
    within 10 written || fail "expected it to be written"
    fsfreeze -f $frozen
    within 16 as_before || fail "expected it to be as before while the apply waits for the disk"
    fsfreeze -u $frozen
    frozen=
    wait $apply 2>/dev/null
    ip link set roce0 down
    within 20 nothing_pending || fail "expected the guard to have ended"
    # An apply gives up before its first write; a rollback goes back without it.
    ip link set roce0 up mtu 1500
    rocectl apply nine.json --yes --settings-only
    status_is 0
    fsfreeze -f /var/lib/rocectl && frozen=/var/lib/rocectl
    sed 's/9000/4000/' nine.json >four.json
    rocectl apply four.json --yes --settings-only --time-limit 4s
    status_is 1
    err_has "the disk of the journal has not answered in 4000 ms"
    mtu_is 9000
    "$binary" rollback --yes --time-limit 4s >"$work/.out" 2>"$work/.err" </dev/null &
    rollback=$! called="rollback, on a disk that answers after its writes"
    within 16 as_before || fail "expected it to be as before while the disk does not answer"
    fsfreeze -u $frozen
    frozen=
    wait $rollback && status=0 || status=$?
    out=$(<"$work/.out") err=$(<"$work/.err")
    status_is 0
    out_has "as before"
    err_has "the disk of the journal has not answered in 4000 ms"
    rocectl history
    [[ $(tail -n 1 <<<"$out") == *"rolled back" ]] || fail "expected the last one to be marked"
    within 5 umount /var/lib/rocectl || fail "expected nobody to use the disk any more"
fi
afresh

it "a journal that comes over the network is told before the first write, and has to be allowed"
mkdir -p /var/lib/rocectl
"$here/tests/cli/fuse_folder" /var/lib/rocectl 2>why &
mounted() { mountpoint -q /var/lib/rocectl; }
if ! within 5 mounted; then
    skip "no FUSE here: $(<why)"
else
    rocectl apply nine.json --yes --settings-only --confirm 2s
    status_is 1
    err_has "/var/lib/rocectl/journal is on FUSE, which the guard that would go back cannot read where the network is cut; --allow unguarded accepts it"
    mtu_is 1500
    umount /var/lib/rocectl
fi
afresh

it "where no process can be started any more it goes back by itself"
chmod 755 "$work"
cp "$binary" rocectl
cat >alone.sh <<'SH'
mount -t tmpfs -o mode=755 tmpfs /run && mount -t tmpfs -o mode=755 tmpfs /var/lib && ip link add roce0 type veth peer name far0 || exit 77
./rocectl apply nine.json --trust-files --yes --settings-only --allow unguarded --confirm 2s || exit
# Who is root of the machine is not held to it (kernel/fork.c, copy_process).
prlimit --pid "$(sed -n 3p /run/rocectl/pending | tr -d ' ')" --nproc=1:1
for ((i = 0; i < 80; ++i)); do
    [[ $(ip -j link show roce0 | jq '.[0].mtu') != 1500 ]] || exit 0
    sleep 0.1
done
kill -KILL "$(sed -n 3p /run/rocectl/pending | tr -d ' ')"
exit 1
SH
status=0
setpriv --reuid=65533 --regid=65533 --clear-groups unshare --user --map-root-user --net --mount bash alone.sh >.out 2>.err || status=$?
out=$(<.out) err=$(<.err)
if ((status == 77)); then skip "no namespaces of other users here"; else status_is 0; fi

it "a place that ends with its caller is told before the first write, and has to be allowed"
called="apply in a PID namespace" status=0 out=''
err=$(unshare --pid --fork --mount-proc "$binary" apply nine.json --yes --settings-only --confirm 2s 2>&1 >/dev/null </dev/null) || status=$?
status_is 1
err_has "in a PID namespace of its own, as a container has, and end with it; --allow unguarded accepts it"
mtu_is 1500
[[ ! -e /var/lib/rocectl/journal ]] || fail "expected nothing to be begun"
err=$(unshare --pid --fork --mount-proc bash -c '"$0" apply nine.json --yes --settings-only --allow unguarded --confirm 1s; sleep 8' "$binary" 2>&1 >/dev/null </dev/null)
err_has "in a PID namespace of its own, as a container has, and ends with it"
mtu_is 1500
afresh

it "where systemd makes no scope a service is warned, and a session that logind ends has to be allowed"
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere
mkdir -p tree/{etc/systemd,proc/self/ns,proc/sys/kernel/random,run,var/lib}
cat /proc/sys/kernel/random/boot_id >tree/proc/sys/kernel/random/boot_id
ln -s 'pid:[4026531836]' tree/proc/self/ns/pid
ln -s 'cgroup:[4026531835]' tree/proc/self/ns/cgroup
echo '0::/system.slice/nightly.service' >tree/proc/self/cgroup
echo '{ "format": 1, "name": "file", "host": { "nccl": { "NCCL_IB_TC": "106" } } }' >file.json
rocectl apply file.json --root tree --yes --confirm 60s
status_is 0
err_has "the guard that would go back is in nightly.service, and may end with it; systemd-run --scope rocectl ... gives it a place of its own"
rocectl confirm --root tree
status_is 0
rocectl rollback --root tree --yes
status_is 0
echo '0::/user.slice/user-1000.slice/session-4.scope' >tree/proc/self/cgroup
echo 'KillUserProcesses=yes' >tree/etc/systemd/logind.conf
rocectl apply file.json --root tree --yes --confirm 60s
status_is 1
err_has "in session-4.scope, whose processes logind ends (KillUserProcesses), and ends with it; systemd has no scope for it: "
err_has "; --allow unguarded accepts it"
! grep -q NCCL_IB_TC tree/etc/nccl.conf 2>/dev/null || fail "expected nothing to be written"
rocectl apply file.json --root tree --yes --allow unguarded --confirm 60s
status_is 0
err_has "in session-4.scope, whose processes logind ends (KillUserProcesses), and ends with it"
rocectl confirm --root tree
status_is 0

done_testing

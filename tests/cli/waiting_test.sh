#!/bin/bash
# What a process that only waits for another still holds while that one hangs.
# takes: 20 s
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

mkdir -p tree/etc
mkfifo tree/etc/nccl.conf # nobody writes: who reads it hangs, as with a driver that does
echo '{ "format": 1, "ports": [ { "match": { "name": "lo" }, "up": true } ], "host": { "nccl": { "NCCL_DEBUG": "WARN" } } }' >desired.json

# within SECONDS COMMAND...: whether it holds within so long.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.05
    done
}
child_of() { ps -o pid= --ppid "$1" 2>/dev/null | tr -d ' ' | head -n 1; }
has_child() { [[ -n $(child_of "$1") ]]; }
word_of() { sed -n "s/^$2:[[:blank:]]*//p" "/proc/$1/status" 2>/dev/null; }
gone() { [[ ! -e /proc/$1 || $(word_of "$1" State) == Z* ]]; }
# hangs PID: whether its child sleeps behind its seal, as it does when it waits for a pipe that nobody writes.
hangs() {
    local child
    child=$(child_of "$1")
    [[ -n $child && $(word_of "$child" NoNewPrivs) == 1 && $(word_of "$child" State) == S* ]]
}

# starts COMMAND...: with the output in .out and .err; $pid.
starts() {
    called=$*
    "$binary" "$@" >.out 2>.err </dev/null &
    pid=$!
}
ends() {
    kill -KILL "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
}

# gave_up PID CAPABILITIES WHO: that the process holds these at most, and cannot get any.
gave_up() {
    local of found
    for of in CapEff CapPrm; do
        found=$(word_of "$1" $of)
        [[ -n $found ]] && ((0x$found == (0x$found & $2))) || fail "expected no more than $2 in $of of $3, found $found"
    done
    for of in CapInh CapAmb; do
        [[ $(word_of "$1" $of) == 0000000000000000 ]] || fail "expected nothing in $of of $3"
    done
    ((EUID != 0)) || [[ $(word_of "$1" CapBnd) == 0000000000000000 ]] || fail "expected nothing that a program of $3 could get"
    [[ $(word_of "$1" NoNewPrivs) == 1 ]] || fail "expected $3 to get no new rights"
    [[ $(uname -m) != @(x86_64|aarch64) ]] || [[ $(word_of "$1" Seccomp) == 2 ]] || fail "expected a filter of system calls in $3"
}

it "who waits for a command that reads holds no right, and can do nothing else"
for command in doctor "doctor --watch" "verify desired.json --time-limit 20s" "plan desired.json --time-limit 20s" "watch desired.json"; do
    # shellcheck disable=SC2086
    starts $command --root tree
    within 20 hangs $pid || fail "expected a child that hangs: $(<.err)"
    gave_up $pid 0 "the one that waits"
    ends
done

it "it still ends what hangs when the time is over, and says so"
rocectl doctor --root tree --time-limit 2s
status_is 1
err_has "is left behind"
left=$(grep -oE 'process [0-9]+' <<<"$err" | tr -dc 0-9)
within 10 gone "${left:-self}" || fail "expected $left to be ended"

it "it passes on what ends a command that goes on"
rm tree/etc/nccl.conf
starts doctor --watch -o json --root tree
within 20 grep -q began .out || fail "expected it to have begun: $(<.err)"
kill -TERM $pid
within 10 gone $pid || fail "expected it to end"
grep -q '"ended"' .out || fail "expected it to tell its end: $(<.out)"
ends
mkfifo tree/etc/nccl.conf

it "who gives a file its name holds no more than that takes"
starts doctor --root tree --output-file named.txt
within 20 hangs $pid || fail "expected a child that hangs"
child=$(child_of $pid)
within 5 has_child "$child" || fail "expected one that waits to name the file"
gave_up "$(child_of "$child")" $((1 << 1 | 1 << 3)) "the one that names the file" # CAP_DAC_OVERRIDE, CAP_FOWNER
ends
none_left() { [[ -z $(find . -name "named.txt*") ]]; }
within 10 none_left || fail "expected nothing to be left"

done_testing

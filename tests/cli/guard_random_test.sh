#!/bin/bash
# Whatever happens at random to a host, its disk and its log, what was is so again, or it was confirmed: see guard_random.
# GUARD_SEED and GUARD_SECONDS; night draws for an hour.
# takes: 90 s
# shellcheck source=own_namespaces.bash
. "$(dirname "$0")/own_namespaces.bash"
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
: "${GUARD_SECONDS:=75}"
[[ ! ${NIGHT:-} ]] || GUARD_SECONDS=3600 GUARD_SEED=${GUARD_SEED:-$RANDOM}
export GUARD_SECONDS GUARD_SEED="${GUARD_SEED:-1}"

ip link set lo up
ip link add roce0 type veth peer name far0
ip link add roce1 type veth peer name far1
elsewhere_begins 100000 || exit 1
trap '((BASHPID != $$)) || { kill "$elsewhere"; umount -l /var/lib/rocectl; no_own_dev dev; rm -rf "$work"; } 2>/dev/null' EXIT
own_dev dev

it "whatever happens at random, what was is so again, or it was confirmed"
called="guard_random (GUARD_SEED=$GUARD_SEED)"
out=$("$here/tests/cli/guard_random" "$binary" "$elsewhere") || fail "a change stayed"
echo "$out"

done_testing

#!/bin/bash
# Hosts of families whose kernel driver leaves much to others, as they are reported.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"

cases=$here/tests/cases

it "ionic: its firmware's counters are known, and those that no row knows are listed"
rocectl doctor --state "$cases/ionic-counters/after.json" --since "$cases/ionic-counters/before.json" -o json
status_is 2
json_is '[.checks[] | select(.verdict == "fail" or .verdict == "warn") | .id] | (["out-of-sequence", "ack-timeouts", "retries-exhausted", "pfc-rx-storm", "receive-starved"] - .) == []'
rocectl doctor --state "$cases/ionic-counters/after.json" --since "$cases/ionic-counters/before.json"
out_has 'these moved: frames_rx_pripause, rx_rdma_mtu_discard_pkts'
[[ $out != *'has no such counter'* ]] || fail "what is not known is no counter that is missing"

it "virtual functions: what the physical function decides is one note, and all else is planned"
rocectl plan virtual-functions --vars "$here/tests/vars/virtual-functions.json" --state "$states/virtual-functions.json"
status_is 0
[[ $(grep -c '^note:' <<<"$out") == 1 ]] || fail "expected one note"
out_has 'eth1, eth2: pause.rx, pause.tx, dcbx.mode, ets.traffic_class, ets.algorithm, ets.bandwidth, pfc.priorities, dscp.trust, dscp.map 0-63'
out_has '~ mtu                1500 → 9000'
rocectl plan virtual-functions --vars "$here/tests/vars/virtual-functions.json" --state "$states/virtual-functions.json" -o json
json_is '[.steps[].object] | unique | (index("pause") == null) and (index("link") != null) and (index("cm_defaults") != null)'

it "virtual functions that firmware has none of: its setting and a reset are named"
rocectl plan "$cases/functions-off-in-firmware/profile.json" --state "$cases/functions-off-in-firmware/state.json"
status_is 1
out_has 'the device can have 0 virtual functions'
out_has "remedy: the firmware's stored setting of SR-IOV, and then a reset of the NIC: mlxconfig SRIOV_EN and NUM_OF_VFS"
done_testing

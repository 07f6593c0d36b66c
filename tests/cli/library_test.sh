#!/bin/bash
# The variables of NCCL and UCX: in files of a root of their own, written, verified and brought back.
# shellcheck source=assert.bash
. "$(dirname "$0")/assert.bash"
mkdir -p root/etc/ucx
printf '# ours\nNCCL_DEBUG=WARN\nNCCL_IB_TC=96\n' >root/etc/nccl.conf
cp root/etc/nccl.conf before
# As seen from outside, with the file of the other library.
conf() { grep -hv '^#' root/etc/nccl.conf root/etc/ucx/ucx.conf 2>/dev/null | sort | paste -sd ' '; }
cat >desired.json <<'END'
{ "format": 1, "name": "libraries", "ports": [],
  "host": { "nccl": { "NCCL_IB_TC": 106, "NCCL_IB_SL": "3" }, "ucx": { "UCX_IB_TRAFFIC_CLASS": 106 } } }
END

it "what the files say is seen, and what an operator would type is printed"
rocectl verify desired.json --root root
status_is 2
out_has "host.nccl NCCL_IB_TC"
rocectl plan desired.json --root root -o commands
status_is 0
out_has "echo NCCL_IB_TC=106 >> /etc/nccl.conf"
out_has "echo UCX_IB_TRAFFIC_CLASS=106 >> /etc/ucx/ucx.conf"

if ((EUID == 0)); then
    it "apply writes them, keeps what else is there, and rollback brings the file back"
    rocectl apply desired.json --root root --yes
    status_is 0
    [[ $(conf) == "NCCL_DEBUG=WARN NCCL_IB_SL=3 NCCL_IB_TC=106 UCX_IB_TRAFFIC_CLASS=106" ]] || fail "found $(conf)"
    rocectl apply desired.json --root root --yes
    out_has "nothing changed"
    rocectl rollback --root root --yes
    status_is 0
    [[ $(sort root/etc/nccl.conf) == "$(sort before)" ]] || fail "nccl.conf is not as before"
    [[ ! -e root/etc/ucx/ucx.conf ]] || fail "ucx.conf is still there"

    it "null takes a variable away"
    echo '{ "format": 1, "name": "no", "ports": [], "host": { "nccl": { "NCCL_IB_TC": null } } }' >none.json
    rocectl apply none.json --root root --yes
    status_is 0
    [[ $(conf) == "NCCL_DEBUG=WARN" ]] || fail "found $(conf)"
fi

it "a name that the library does not read is refused"
echo '{ "format": 1, "name": "no", "ports": [], "host": { "nccl": { "UCX_IB_SL": 3 }, "ucx": { "ucx_sl": 3 } } }' >bad.json
rocectl profile check bad.json
status_is 65
err_has "found 'UCX_IB_SL', expected a name that begins with NCCL_, such as NCCL_IB_TC"
err_has "found 'ucx_sl', expected a name that begins with UCX_, such as UCX_IB_TRAFFIC_CLASS"

done_testing

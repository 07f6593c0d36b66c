// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// Work completions (libibverbs, ibv_wc_status_str), as each program prints them. The vendor's
/// numbers are those of mlx5.
constexpr std::array kCompletions = {
    ErrorText{
        .name = "wc-retries-exceeded",
        .by = "a completion with status 12: NCCL, UCX, perftest, NVMe-oF, Ceph",
        .patterns = "retry_exc_err\n"
                    "transport retry counter exceeded\n"
                    "transport retry count exceeded\n"
                    "got completion*status 12\n"
                    "got completion*error 12\n"
                    "failed status 12\n"
                    "wc status 12\n"
                    "wc 12\n"
                    "status 12*vendor\n"
                    "vendor_err 129",
        .sample = "node-2:5776:5902 [0] transport/net_ib.cc:1296 NCCL WARN NET/IB : Got completion "
                  "from peer 10.2.0.5<33092> with error 12, opcode 0, len 0, vendor err 129 (Recv)",
        .meaning =
            "What was sent was not acknowledged, however often it was sent again; at the first "
            "message something on the way is wrong, later it is loss, a flap or the end of the "
            "peer.",
        .candidates = "link-flapping\n"
                      "mtu-of-siblings\n"
                      "pfc-off\n"
                      "dscp-elsewhere\n"
                      "route-by-other-port\n"
                      "at the first message: UDP 4791 is dropped on the way, the switch "
                      "has a smaller MTU, or the GIDs are of other versions\n"
                      "later: the peer's process ended or its port went down: look there "
                      "first",
        .mistaken = "a longer timeout (NCCL_IB_TIMEOUT) hides it: the time until it is printed is "
                    "already 4 to 60 s"},
    ErrorText{
        .name = "wc-rnr",
        .by = "a completion with status 13",
        .patterns = "rnr_retry_exc_err\n"
                    "rnr retry counter exceeded\n"
                    "rnr retry count exceeded\n"
                    "receiver not ready\n"
                    "got completion*status 13\n"
                    "got completion*error 13\n"
                    "failed status 13\n"
                    "wc status 13\n"
                    "wc 13\n"
                    "status 13*vendor",
        .sample =
            "ib_mlx5_log.c:177 RNR retry count exceeded on mlx5_0:1/RoCE (synd 0x16 vend 0x87 "
            "hw_synd 0/0)",
        .meaning =
            "The receiver had no buffer posted: its program is slow or stuck, and the network "
            "delivered.",
        .candidates = "the receiving program: stopped, busy, short of CPU or of receive "
                      "buffers\n"
                      "irq-remote",
        .mistaken = "PFC and ECN have nothing to do with it"},
    ErrorText{
        .name = "wc-remote-access",
        .by = "a completion with status 10",
        .patterns = "rem_access_err\n"
                    "remote access error\n"
                    "got completion*status 10\n"
                    "got completion*error 10\n"
                    "failed status 10\n"
                    "wc status 10\n"
                    "wc 10\n"
                    "status 10*vendor\n"
                    "vendor err 136\n"
                    "vend 0x88",
        .sample = " Failed status 10: wr_id 0 syndrom 0x88",
        .meaning =
            "The far end refused the address or key of a READ or WRITE: a fault of the program.",
        .candidates = "the program: a key that is stale, memory that was freed, a range "
                      "that is too long",
        .mistaken = "stop looking at the network: it delivered the request and the refusal"},
    ErrorText{
        .name = "wc-remote-invalid",
        .by = "a completion with status 9",
        .patterns = "rem_inv_req_err\n"
                    "remote invalid request error\n"
                    "got completion*status 9\n"
                    "got completion*error 9\n"
                    "failed status 9\n"
                    "wc status 9\n"
                    "wc 9\n"
                    "status 9*vendor\n"
                    "vendor err 138\n"
                    "vend 0x8a",
        .sample =
            "NCCL WARN NET/IB: Got completion from peer 10.0.0.2<4711> with status=9 opcode=0 "
            "len=0 vendor err 138 (Send)",
        .meaning = "The far end does not allow the operation on its queue pair: a fault of the "
                   "program.",
        .candidates = "the program: access flags of the far queue pair, a message longer "
                      "than the buffer",
        .mistaken = "stop looking at the network"},
    ErrorText{.name = "wc-remote-operation",
              .by = "a completion with status 11",
              .patterns = "rem_op_err\n"
                          "remote operation error\n"
                          "got completion*status 11\n"
                          "got completion*error 11\n"
                          "failed status 11\n"
                          "wc status 11\n"
                          "status 11*vendor",
              .sample = "Got completion from peer 10.0.0.2<4711> with status=IBV_WC_REM_OP_ERR(11) "
                        "opcode=IBV_WC_SEND(0) vendor_err=137",
              .meaning = "The far end could not carry out the operation, of reasons of its own.",
              .candidates = "the far program's and kernel's log at that time"},
    ErrorText{
        .name = "wc-local-protection",
        .by = "a completion with status 4",
        .patterns = "loc_prot_err\n"
                    "local protection error\n"
                    "got completion*status 4\n"
                    "got completion*error 4\n"
                    "failed status 4\n"
                    "wc status 4\n"
                    "wc 4\n"
                    "status 4*vendor\n"
                    "vendor err 81",
        .sample = "NCCL WARN NET/IB: Got completion from peer 10.99.91.63<51161> with status=4 "
                  "opcode=32614 len=32614 vendor err 81 (Send) hca mlx5_1",
        .meaning =
            "The device may not use the memory that the program named: a fault of the program "
            "or of its GPU driver.",
        .candidates = "the program; with GPU memory: nvidia_peermem or dma-buf, ACS "
                      "(NCCL_NET_GDR_LEVEL=0 tells)\n"
                      "gpu-acs",
        .mistaken = "stop looking at the network: nothing was sent"},
    ErrorText{
        .name = "wc-local",
        .by = "a completion with status 1 or 2",
        .patterns = "loc_len_err\n"
                    "local length error\n"
                    "loc_qp_op_err\n"
                    "local qp operation\n"
                    "got completion*status 1\n"
                    "got completion*status 2\n"
                    "failed status 1\n"
                    "failed status 2\n"
                    "wc status 1\n"
                    "wc status 2",
        .sample =
            "ib_mlx5_log.c:177 Local QP operation on mlx5_0:1/RoCE (synd 0x2 vend 0x68 hw_synd "
            "0/0)",
        .meaning = "The work request itself was wrong: a fault of the program.",
        .candidates = "the program: lengths and states of its own queue pair",
        .mistaken = "stop looking at the network: nothing was sent"},
    ErrorText{
        .name = "wc-flushed",
        .by = "a completion with status 5",
        .patterns = "wr_flush_err\n"
                    "work request flushed\n"
                    "wr flushed\n"
                    "got completion*status 5\n"
                    "got completion*error 5\n"
                    "failed status 5\n"
                    "wc status 5\n"
                    "wc 5\n"
                    "status 5*vendor\n"
                    "vend 0xf5",
        .sample = "Completion with error at client\tFailed status 5: wr_id 0 syndrom 0xf9",
        .meaning =
            "The queue pair had failed before: the first completion with another status is the "
            "one to look at.",
        .candidates = "the first other status in this log, which explain tells\n"
                      "send-refused"},
};

}  // namespace

const std::span<const ErrorText> completions = kCompletions;

}  // namespace core::error_text

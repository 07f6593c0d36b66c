// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_text_rows.hpp"

namespace core::error_text {
namespace {

/// Work completions (libibverbs, ibv_wc_status_str), as each program prints them. The vendor's
/// numbers are those of mlx5.
constexpr std::array kCompletions = {
    ErrorText{
        .name = "wc-retries-exceeded",
        .by = "a completion with status 12: NCCL, UCX, perftest, NVMe-oF, Ceph",
        .patterns = {"retry_exc_err", "transport retry counter exceeded",
                     "transport retry count exceeded", "got completion*status 12",
                     "got completion*error 12", "failed status 12", "wc status 12", "wc 12",
                     "status 12*vendor", "vendor_err 129"},
        .sample = "node-2:5776:5902 [0] transport/net_ib.cc:1296 NCCL WARN NET/IB : Got completion "
                  "from peer 10.2.0.5<33092> with error 12, opcode 0, len 0, vendor err 129 (Recv)",
        .meaning =
            "What was sent was not acknowledged, however often it was sent again; at the first "
            "message something on the way is wrong, later it is loss, a flap or the end of the "
            "peer.",
        .candidates =
            {{{"link-flapping"},
              {"mtu-of-siblings"},
              {"pfc-off"},
              {"dscp-elsewhere"},
              {"route-by-other-port"},
              {.words = "at the first message: UDP 4791 is dropped on the way, the switch "
                        "has a smaller MTU, or the GIDs are of other versions"},
              {.words = "later: the peer's process ended or its port went down: look there "
                        "first"}}},
        .mistaken = "a longer timeout (NCCL_IB_TIMEOUT) hides it: the time until it is printed is "
                    "already 4 to 60 s"},
    ErrorText{
        .name = "wc-rnr",
        .by = "a completion with status 13",
        .patterns = {"rnr_retry_exc_err", "rnr retry counter exceeded", "rnr retry count exceeded",
                     "receiver not ready", "got completion*status 13", "got completion*error 13",
                     "failed status 13", "wc status 13", "wc 13", "status 13*vendor"},
        .sample =
            "ib_mlx5_log.c:177 RNR retry count exceeded on mlx5_0:1/RoCE (synd 0x16 vend 0x87 "
            "hw_synd 0/0)",
        .meaning =
            "The receiver had no buffer posted: its program is slow or stuck, and the network "
            "delivered.",
        .candidates = {{{.words =
                             "the receiving program: stopped, busy, short of CPU or of receive "
                             "buffers"},
                        {"irq-remote"}}},
        .mistaken = "PFC and ECN have nothing to do with it"},
    ErrorText{
        .name = "wc-remote-access",
        .by = "a completion with status 10",
        .patterns = {"rem_access_err", "remote access error", "got completion*status 10",
                     "got completion*error 10", "failed status 10", "wc status 10", "wc 10",
                     "status 10*vendor", "vendor err 136", "vend 0x88"},
        .sample = " Failed status 10: wr_id 0 syndrom 0x88",
        .meaning =
            "The far end refused the address or key of a READ or WRITE: a fault of the program.",
        .candidates = {{{.words =
                             "the program: a key that is stale, memory that was freed, a range "
                             "that is too long"}}},
        .mistaken = "stop looking at the network: it delivered the request and the refusal"},
    ErrorText{
        .name = "wc-remote-invalid",
        .by = "a completion with status 9",
        .patterns = {"rem_inv_req_err", "remote invalid request error", "got completion*status 9",
                     "got completion*error 9", "failed status 9", "wc status 9", "wc 9",
                     "status 9*vendor", "vendor err 138", "vend 0x8a"},
        .sample =
            "NCCL WARN NET/IB: Got completion from peer 10.0.0.2<4711> with status=9 opcode=0 "
            "len=0 vendor err 138 (Send)",
        .meaning = "The far end does not allow the operation on its queue pair: a fault of the "
                   "program.",
        .candidates = {{{.words =
                             "the program: access flags of the far queue pair, a message longer "
                             "than the buffer"}}},
        .mistaken = "stop looking at the network"},
    ErrorText{.name = "wc-remote-operation",
              .by = "a completion with status 11",
              .patterns = {"rem_op_err", "remote operation error", "got completion*status 11",
                           "got completion*error 11", "failed status 11", "wc status 11",
                           "status 11*vendor"},
              .sample = "Got completion from peer 10.0.0.2<4711> with status=IBV_WC_REM_OP_ERR(11) "
                        "opcode=IBV_WC_SEND(0) vendor_err=137",
              .meaning = "The far end could not carry out the operation, of reasons of its own.",
              .candidates = {{{.words = "the far program's and kernel's log at that time"}}}},
    ErrorText{
        .name = "wc-local-protection",
        .by = "a completion with status 4",
        .patterns = {"loc_prot_err", "local protection error", "got completion*status 4",
                     "got completion*error 4", "failed status 4", "wc status 4", "wc 4",
                     "status 4*vendor", "vendor err 81"},
        .sample = "NCCL WARN NET/IB: Got completion from peer 10.99.91.63<51161> with status=4 "
                  "opcode=32614 len=32614 vendor err 81 (Send) hca mlx5_1",
        .meaning =
            "The device may not use the memory that the program named: a fault of the program "
            "or of its GPU driver.",
        .candidates = {{{.words = "the program; with GPU memory: nvidia_peermem or dma-buf, ACS "
                                  "(NCCL_NET_GDR_LEVEL=0 tells)"}}},
        .mistaken = "stop looking at the network: nothing was sent"},
    ErrorText{
        .name = "wc-local",
        .by = "a completion with status 1 or 2",
        .patterns = {"loc_len_err", "local length error", "loc_qp_op_err", "local qp operation",
                     "got completion*status 1", "got completion*status 2", "failed status 1",
                     "failed status 2", "wc status 1", "wc status 2"},
        .sample =
            "ib_mlx5_log.c:177 Local QP operation on mlx5_0:1/RoCE (synd 0x2 vend 0x68 hw_synd "
            "0/0)",
        .meaning = "The work request itself was wrong: a fault of the program.",
        .candidates = {{{.words = "the program: lengths and states of its own queue pair"}}},
        .mistaken = "stop looking at the network: nothing was sent"},
    ErrorText{
        .name = "wc-flushed",
        .by = "a completion with status 5",
        .patterns = {"wr_flush_err", "work request flushed", "wr flushed",
                     "got completion*status 5", "got completion*error 5", "failed status 5",
                     "wc status 5", "wc 5", "status 5*vendor", "vend 0xf5"},
        .sample = "Completion with error at client\tFailed status 5: wr_id 0 syndrom 0xf9",
        .meaning =
            "The queue pair had failed before: the first completion with another status is the "
            "one to look at.",
        .candidates = {{{.words = "the first other status in this log, which explain tells"}}}},
};

}  // namespace

const std::span<const ErrorText> completions = kCompletions;

}  // namespace core::error_text

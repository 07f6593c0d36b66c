// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_text_rows.hpp"

namespace core::error_text {
namespace {

/// What ibv_modify_qp to RTR answers: drivers/infiniband/core/addr.c addr_resolve for RoCE,
/// core/cache.c rdma_get_gid_attr for the GID.
constexpr std::array kQueuePairs = {
    ErrorText{
        .name = "rtr-timed-out",
        .by = "ibv_modify_qp to RTR: NCCL, UCX, perftest",
        .patterns = {"ibv_modify_qp*110 connection timed out", "ibv_modify_qp*connection timed out",
                     "ibv_modify_qp*etimedout", "ibv_modify_qp*errno 110", "ibv_modify_qp 110",
                     "ibv_modify_qp failed 110", "ibv_modify_qp*failed with 110",
                     "modify*rtr*connection timed out", "modify*rtr*etimedout",
                     "modify*rtr*errno 110"},
        .sample =
            "node-2:5776:5902 [0] misc/ibvwrap.cc:262 NCCL WARN Call to ibv_modify_qp failed "
            "with 110 Connection timed out, on dev mlx5_3:1, curr state INIT, next state RTR, "
            "local GID index 3, local GID ::ffff:10.0.3.1, remote GID ::ffff:10.0.4.2",
        .meaning =
            "The neighbour of the far address was not found within a second: the kernel asked "
            "for it on the link of the GID's own port.",
        .candidates = {{{"no-route-by-port"},
                        {"asked-on-link"},
                        {"neighbour-failed"},
                        {"port-down"},
                        {"no-carrier"},
                        {"arp-flux"},
                        {.words = "the peer is down, or a VLAN or a rail that is kept apart lies "
                                  "between the two"}}},
        .mistaken = "ping that works proves nothing here: it may leave by another port; NCCL waits "
                    "about 95 s before it prints this, which is no slow network"},
    ErrorText{
        .name = "rtr-unreachable",
        .by = "ibv_modify_qp to RTR",
        .patterns = {"ibv_modify_qp*network is unreachable", "ibv_modify_qp*enetunreach",
                     "ibv_modify_qp*errno 101", "ibv_modify_qp 101", "ibv_modify_qp failed 101",
                     "ibv_modify_qp*failed with 101", "modify*rtr*network is unreachable",
                     "modify*rtr*errno 101", "ibv_modify_qp*no route to host"},
        .sample = "NCCL WARN Call to ibv_modify_qp failed with 101 Network is unreachable, on dev "
                  "mlx5_0:1, curr state INIT, next state RTR, local GID index 3",
        .meaning = "There is no route to the far address, or the port of the GID is down.",
        .candidates = {{{"port-down"},
                        {"no-carrier"},
                        {"no-route-by-port"},
                        {"route-by-other-port"},
                        {"no-address"},
                        {.words = "an IPv6 GID whose network has no route"}}}},
    ErrorText{
        .name = "rtr-no-device",
        .by = "ibv_modify_qp to RTR",
        .patterns = {"ibv_modify_qp*no such device", "ibv_modify_qp*enodev",
                     "ibv_modify_qp*errno 19", "ibv_modify_qp 19", "ibv_modify_qp failed 19",
                     "ibv_modify_qp*failed with 19", "modify*rtr*no such device",
                     "modify*rtr*errno 19"},
        .sample = "NCCL WARN Call to ibv_modify_qp failed with 19 No such device, on dev mlx5_1:1",
        .meaning =
            "The network interface of the GID is gone, or the far address is link-local or the "
            "host's own.",
        .candidates = {{{"rdma-netns-exclusive"},
                        {"rdma-device-missing"},
                        {"no-gid"},
                        {"no-address"},
                        {.words =
                             "a GID index that is the link-local address: leave the index to the "
                             "program, or take that of the IPv4 address with RoCE v2"}}}},
    ErrorText{
        .name = "rtr-no-data",
        .by = "ibv_modify_qp to RTR",
        .patterns = {"ibv_modify_qp*no data available", "ibv_modify_qp*enodata",
                     "ibv_modify_qp*errno 61", "ibv_modify_qp 61", "ibv_modify_qp failed 61",
                     "ibv_modify_qp*failed with 61", "modify*rtr*no data available",
                     "modify*rtr*errno 61"},
        .sample =
            "NCCL WARN Call to ibv_modify_qp failed with 61 No data available, on dev mlx5_2:1, "
            "curr state INIT, next state RTR, local GID index 5",
        .meaning = "There is no GID at the index that the program takes.",
        .candidates = {{{"no-gid"}, {"no-address"}, {"port-down"}, {"app-gid-index"}}},
        .mistaken =
            "\"NCCL_IB_GID_INDEX=3\" is right on some hosts alone; unset, NCCL looks for the "
            "RoCE v2 GID by itself"},
    ErrorText{
        .name = "rtr-invalid",
        .by = "ibv_modify_qp to RTR",
        .patterns = {"ibv_modify_qp*invalid argument", "ibv_modify_qp*einval",
                     "ibv_modify_qp*errno 22", "ibv_modify_qp 22", "ibv_modify_qp failed 22",
                     "ibv_modify_qp*failed with 22", "modify*rtr*invalid argument",
                     "modify*rtr*errno 22"},
        .sample =
            "NCCL WARN Call to ibv_modify_qp failed with 22 Invalid argument, on dev mlx5_0:1, "
            "curr state INIT, next state RTR, local GID index 17",
        .meaning =
            "The two ends do not fit: a GID index outside the table, IPv4 with IPv6, RoCE v1 "
            "across a gateway, or a path MTU larger than the active one.",
        .candidates = {{{"no-gid"},
                        {"mode-v-one"},
                        {"mtu-low"},
                        {"rdma-mtu"},
                        {"mtu-of-siblings"},
                        {"app-gid-index"}}}},
    ErrorText{
        .name = "rtr-failed",
        .by = "perftest, Mooncake",
        .patterns = {"failed to modify*to rtr", "failed to modify qp*rtr", "modify qp to rtr",
                     "modify_qp_to_rtr"},
        .sample =
            "E1118 rdma_endpoint.cpp:432] Failed to modify QP to RTR, check mtu, gid, peer lid, "
            "peer qp num: Invalid GID",
        .meaning =
            "The queue pair could not be joined with the far end: its GID, the route to it or "
            "the MTU is wrong.",
        .candidates = {{{"no-gid"},
                        {"no-route-by-port"},
                        {"neighbour-failed"},
                        {"no-address"},
                        {"rdma-mtu"},
                        {.words = "the link-local GID (fe80::, often index 0 or 1) was taken: name "
                                  "the one of the RoCE v2 address"}}}},
    ErrorText{
        .name = "gid-types-differ",
        .by = "perftest",
        .patterns = {"incompatibility issue with gid types"},
        .sample = " Found Incompatibility issue with GID types.",
        .meaning = "One end took a GID of RoCE v1 and the other one of RoCE v2.",
        .candidates = {{{"no-gid"},
                        {"mode-v-one"},
                        {"no-address"},
                        {.words = "give both ends -x with the index of their RoCE v2 GID (rdma "
                                  "resource, show_gids)"}}}},
    ErrorText{
        .name = "mr-no-memory",
        .by = "ibv_reg_mr, ibv_create_cq: perftest, Ceph, MPI",
        .patterns = {"couldn't allocate mr", "ibv_reg_mr*cannot allocate memory",
                     "ibv_reg_mr failed", "ibv_create_cq*cannot allocate memory",
                     "ibv_create_qp*cannot allocate memory",
                     "failed to register memory*cannot allocate", "ibv_reg_mr*enomem",
                     "memlock*too small", "rlimit_memlock"},
        .sample = "Couldn't allocate MR",
        .meaning = "The process may not lock as much memory as it wants to register.",
        .candidates = {{{"memlock-limit"},
                        {.words =
                             "memory or the device's keys are used up (rdma resource show mr)"}}},
        .mistaken = "/etc/security/limits.conf does not reach services of systemd nor containers: "
                    "their own limit counts"},
    ErrorText{
        .name = "no-memory",
        .by = "any program",
        .patterns = {"cannot allocate memory", "enomem"},
        .sample = "Cannot allocate memory",
        .meaning =
            "From a verbs program it is mostly the limit of locked memory, not memory itself.",
        .candidates = {{{.words =
                             "memlock of the process: ulimit -l, /proc/PID/limits, LimitMEMLOCK= "
                             "of its service, --ulimit memlock=-1 of a container"}}},
        .common = true},
    ErrorText{
        .name = "qp-too-big",
        .by = "perftest",
        .patterns = {"requested qp size might be too big", "requested sqe size too big"},
        .sample = "Requested QP size might be too big. Try reducing TX depth and/or inline size.",
        .meaning = "The program asks for a deeper queue or longer inline data than the device has.",
        .candidates = {{{.words = "lower -t and -I: max_qp_wr of ibv_devinfo -v is the limit; "
                                  "nothing of the network is wrong"}}}},
    ErrorText{
        .name = "no-verbs-device",
        .by = "libibverbs, perftest, NCCL, Ceph",
        .patterns = {"no ib devices found", "did not detect devices", "net/ib no device found",
                     "no rdma device found", "open rdma device failed", "no verbs devices found",
                     "failed to get ib devices list", "no ibv devices"},
        .sample = "node-1:812:812 [0] NCCL INFO NET/IB : No device found.",
        .meaning = "The program sees no RDMA device that it can open.",
        .candidates = {{{"rdma-device-missing"},
                        {"rdma-module-missing"},
                        {"rdma-disabled"},
                        {"rdma-netns-exclusive"},
                        {"no-device-nodes"},
                        {"verbs-provider-missing"},
                        {.words =
                             "the NIC is not passed on: IOMMU or VT-d in the firmware setup"}}}},
    ErrorText{
        .name = "verbs-provider",
        .by = "libibverbs",
        .patterns = {"libibverbs*couldn't load driver",
                     "no userspace device-specific driver found"},
        .sample =
            "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so': cannot open shared "
            "object file: No such file or directory",
        .meaning =
            "The kernel has the device, and this system or container has no library for it or "
            "one of another version.",
        .candidates = {{{"verbs-provider-missing"}}}},
    ErrorText{
        .name = "verbs-no-context",
        .by = "libibverbs",
        .patterns = {"couldn't get context for", "failed to open device*/dev/infiniband",
                     "/dev/infiniband/*permission denied"},
        .sample = "Couldn't get context for mlx5_0",
        .meaning = "The device is there, and its node below /dev/infiniband cannot be opened.",
        .candidates = {{{"uverbs-permission"}, {"no-device-nodes"}, {"rdma-netns-exclusive"}}}},
};

}  // namespace

const std::span<const ErrorText> queue_pairs = kQueuePairs;

}  // namespace core::error_text

// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// What ibv_modify_qp to RTR answers: drivers/infiniband/core/addr.c addr_resolve for RoCE,
/// core/cache.c rdma_get_gid_attr for the GID.
constexpr std::array kQueuePairs = {
    ErrorText{
        .name = "rtr-timed-out",
        .by = "ibv_modify_qp to RTR: NCCL, UCX, perftest",
        .patterns = "ibv_modify_qp*110 connection timed out\n"
                    "ibv_modify_qp*connection timed out\n"
                    "ibv_modify_qp*etimedout\n"
                    "ibv_modify_qp*errno 110\n"
                    "ibv_modify_qp 110\n"
                    "ibv_modify_qp failed 110\n"
                    "ibv_modify_qp*failed with 110\n"
                    "modify*rtr*connection timed out\n"
                    "modify*rtr*etimedout\n"
                    "modify*rtr*errno 110",
        .sample =
            "node-2:5776:5902 [0] misc/ibvwrap.cc:262 NCCL WARN Call to ibv_modify_qp failed "
            "with 110 Connection timed out, on dev mlx5_3:1, curr state INIT, next state RTR, "
            "local GID index 3, local GID ::ffff:10.0.3.1, remote GID ::ffff:10.0.4.2",
        .meaning =
            "The neighbour of the far address was not found within a second: the kernel asked "
            "for it on the link of the GID's own port.",
        .candidates = "no-route-by-port\n"
                      "asked-on-link\n"
                      "neighbour-failed\n"
                      "port-down\n"
                      "no-carrier\n"
                      "arp-flux\n"
                      "the peer is down, or a VLAN or a rail that is kept apart lies "
                      "between the two",
        .mistaken = "ping that works proves nothing here: it may leave by another port; NCCL waits "
                    "about 95 s before it prints this, which is no slow network"},
    ErrorText{.name = "rtr-unreachable",
              .by = "ibv_modify_qp to RTR",
              .patterns = "ibv_modify_qp*network is unreachable\n"
                          "ibv_modify_qp*enetunreach\n"
                          "ibv_modify_qp*errno 101\n"
                          "ibv_modify_qp 101\n"
                          "ibv_modify_qp failed 101\n"
                          "ibv_modify_qp*failed with 101\n"
                          "modify*rtr*network is unreachable\n"
                          "modify*rtr*errno 101\n"
                          "ibv_modify_qp*no route to host",
              .sample =
                  "NCCL WARN Call to ibv_modify_qp failed with 101 Network is unreachable, on dev "
                  "mlx5_0:1, curr state INIT, next state RTR, local GID index 3",
              .meaning = "There is no route to the far address, or the port of the GID is down.",
              .candidates = "port-down\n"
                            "no-carrier\n"
                            "no-route-by-port\n"
                            "route-by-other-port\n"
                            "no-address\n"
                            "an IPv6 GID whose network has no route"},
    ErrorText{
        .name = "rtr-no-device",
        .by = "ibv_modify_qp to RTR",
        .patterns = "ibv_modify_qp*no such device\n"
                    "ibv_modify_qp*enodev\n"
                    "ibv_modify_qp*errno 19\n"
                    "ibv_modify_qp 19\n"
                    "ibv_modify_qp failed 19\n"
                    "ibv_modify_qp*failed with 19\n"
                    "modify*rtr*no such device\n"
                    "modify*rtr*errno 19",
        .sample = "NCCL WARN Call to ibv_modify_qp failed with 19 No such device, on dev mlx5_1:1",
        .meaning =
            "The network interface of the GID is gone, or the far address is link-local or the "
            "host's own.",
        .candidates = "rdma-netns-exclusive\n"
                      "rdma-device-missing\n"
                      "no-gid\n"
                      "no-address\n"
                      "a GID index that is the link-local address: leave the index to the "
                      "program, or take that of the IPv4 address with RoCE v2"},
    ErrorText{
        .name = "rtr-no-data",
        .by = "ibv_modify_qp to RTR",
        .patterns = "ibv_modify_qp*no data available\n"
                    "ibv_modify_qp*enodata\n"
                    "ibv_modify_qp*errno 61\n"
                    "ibv_modify_qp 61\n"
                    "ibv_modify_qp failed 61\n"
                    "ibv_modify_qp*failed with 61\n"
                    "modify*rtr*no data available\n"
                    "modify*rtr*errno 61",
        .sample =
            "NCCL WARN Call to ibv_modify_qp failed with 61 No data available, on dev mlx5_2:1, "
            "curr state INIT, next state RTR, local GID index 5",
        .meaning = "There is no GID at the index that the program takes.",
        .candidates = "no-gid\n"
                      "no-address\n"
                      "port-down\n"
                      "app-gid-index",
        .mistaken =
            "\"NCCL_IB_GID_INDEX=3\" is right on some hosts alone; unset, NCCL looks for the "
            "RoCE v2 GID by itself"},
    ErrorText{
        .name = "rtr-invalid",
        .by = "ibv_modify_qp to RTR",
        .patterns = "ibv_modify_qp*invalid argument\n"
                    "ibv_modify_qp*einval\n"
                    "ibv_modify_qp*errno 22\n"
                    "ibv_modify_qp 22\n"
                    "ibv_modify_qp failed 22\n"
                    "ibv_modify_qp*failed with 22\n"
                    "modify*rtr*invalid argument\n"
                    "modify*rtr*errno 22",
        .sample =
            "NCCL WARN Call to ibv_modify_qp failed with 22 Invalid argument, on dev mlx5_0:1, "
            "curr state INIT, next state RTR, local GID index 17",
        .meaning =
            "The two ends do not fit: a GID index outside the table, IPv4 with IPv6, RoCE v1 "
            "across a gateway, or a path MTU larger than the active one.",
        .candidates = "no-gid\n"
                      "mode-v-one\n"
                      "mtu-low\n"
                      "rdma-mtu\n"
                      "mtu-of-siblings\n"
                      "app-gid-index"},
    ErrorText{
        .name = "rtr-failed",
        .by = "perftest, Mooncake",
        .patterns = "failed to modify*to rtr\n"
                    "failed to modify qp*rtr\n"
                    "modify qp to rtr\n"
                    "modify_qp_to_rtr",
        .sample =
            "E1118 rdma_endpoint.cpp:432] Failed to modify QP to RTR, check mtu, gid, peer lid, "
            "peer qp num: Invalid GID",
        .meaning =
            "The queue pair could not be joined with the far end: its GID, the route to it or "
            "the MTU is wrong.",
        .candidates = "no-gid\n"
                      "no-route-by-port\n"
                      "neighbour-failed\n"
                      "no-address\n"
                      "rdma-mtu\n"
                      "the link-local GID (fe80::, often index 0 or 1) was taken: name "
                      "the one of the RoCE v2 address"},
    ErrorText{.name = "gid-types-differ",
              .by = "perftest",
              .patterns = "incompatibility issue with gid types",
              .sample = " Found Incompatibility issue with GID types.",
              .meaning = "One end took a GID of RoCE v1 and the other one of RoCE v2.",
              .candidates = "no-gid\n"
                            "mode-v-one\n"
                            "no-address\n"
                            "give both ends -x with the index of their RoCE v2 GID (rdma "
                            "resource, show_gids)"},
    ErrorText{.name = "mr-no-memory",
              .by = "ibv_reg_mr and ibv_create_cq: perftest, Ceph, Open MPI",
              .patterns = "couldn't allocate mr\n"
                          "ibv_reg_mr*cannot allocate memory\n"
                          "ibv_reg_mr failed\n"
                          "ibv_create_cq*cannot allocate memory\n"
                          "ibv_create_qp*cannot allocate memory\n"
                          "failed to register memory*cannot allocate\n"
                          "ibv_reg_mr*enomem\n"
                          "memlock*too small\n"
                          "rlimit_memlock",
              .sample = "Couldn't allocate MR",
              .meaning = "The process may not lock as much memory as it wants to register.",
              .candidates = "memlock-limit\n"
                            "memory or the device's keys are used up (rdma resource show mr)",
              .mistaken =
                  "/etc/security/limits.conf does not reach services of systemd nor containers: "
                  "their own limit counts"},
    ErrorText{
        .name = "no-memory",
        .by = "any program",
        .patterns = "cannot allocate memory\n"
                    "enomem",
        .sample = "Cannot allocate memory",
        .meaning =
            "From a verbs program it is mostly the limit of locked memory, not memory itself.",
        .candidates = "memlock of the process: ulimit -l, /proc/PID/limits, LimitMEMLOCK= "
                      "of its service, --ulimit memlock=-1 of a container",
        .common = true},
    ErrorText{
        .name = "qp-too-big",
        .by = "perftest",
        .patterns = "requested qp size might be too big\n"
                    "requested sqe size too big",
        .sample = "Requested QP size might be too big. Try reducing TX depth and/or inline size.",
        .meaning = "The program asks for a deeper queue or longer inline data than the device has.",
        .candidates = "lower -t and -I: max_qp_wr of ibv_devinfo -v is the limit; "
                      "nothing of the network is wrong"},
    ErrorText{.name = "no-verbs-device",
              .by = "libibverbs, perftest, NCCL, Ceph",
              .patterns = "no ib devices found\n"
                          "did not detect devices\n"
                          "net/ib no device found\n"
                          "no rdma device found\n"
                          "open rdma device failed\n"
                          "no verbs devices found\n"
                          "failed to get ib devices list\n"
                          "no ibv devices",
              .sample = "node-1:812:812 [0] NCCL INFO NET/IB : No device found.",
              .meaning = "The program sees no RDMA device that it can open.",
              .candidates = "rdma-device-missing\n"
                            "rdma-module-missing\n"
                            "uverbs-missing\n"
                            "rdma-disabled\n"
                            "rdma-netns-exclusive\n"
                            "no-device-nodes\n"
                            "verbs-provider-missing\n"
                            "the NIC is not passed on: IOMMU or VT-d in the firmware setup"},
    ErrorText{
        .name = "qp-init-refused",
        .by = "ibv_modify_qp to INIT: perftest, Mooncake, UCX",
        .patterns = "failed to modify*qp*init\n"
                    "failed to modify qp to init\n"
                    "modify*to init*failed\n"
                    "ibv_modify_qp*next state init",
        .sample = "E1118 rdma_endpoint.cpp:418] Failed to modify QP to INIT: Invalid argument [22]",
        .meaning =
            "The driver refused the port number, the partition key or the access flags that the "
            "program asks for.",
        .candidates =
            "the program: port number 1 on most NICs, pkey index 0 on RoCE, access flags that "
            "ibv_devinfo -v names (atomics, on-demand paging)\n"
            "a provider library of another version than the kernel's driver: "
            "verbs-provider-missing "
            "tells, and ibv_devinfo\n"
            "verbs-provider-missing",
        .mistaken =
            "nothing of the fabric is asked in this step: GIDs, routes and MTU come with RTR"},
    ErrorText{.name = "gid-not-found",
              .by = "NCCL, Mooncake, NVSHMEM, UCX",
              .patterns = "no suitable gid found\n"
                          "gid is null\n"
                          "read failed*ncclibrocegetversionnum\n"
                          "ncclibrocegetversionnum*failed\n"
                          "ibv_query_gid*failed\n"
                          "failed to query gid\n"
                          "invalid gid index",
              .sample = "GID is NULL, please check your GID index by specifying MC_GID_INDEX",
              .meaning =
                  "The slot of the port's GID table that the program takes is empty, or was while "
                  "addresses changed.",
              .candidates = "no-gid\n"
                            "app-gid-index\n"
                            "no-address\n"
                            "port-down\n"
                            "managed-beside\n"
                            "rocectl show names the index of each port's RoCE v2 GID; unset, NCCL, "
                            "UCX and Mooncake "
                            "look for it themselves",
              .mistaken = "an index that is right on one host (3) is another one's empty slot"},
    ErrorText{
        .name = "verbs-abi",
        .by = "libibverbs",
        .patterns = "does not support the kernel abi",
        .sample = "libibverbs: Warning: Driver bnxt_re does not support the kernel ABI of 6 "
                  "(supports 1 to 1) "
                  "for device /sys/class/infiniband/bnxt_re0",
        .meaning =
            "The provider library is older or newer than the kernel's driver of the device, as in "
            "a container with the distribution's rdma-core on a host with the vendor's stack.",
        .candidates =
            "take the library of the host's stack: install the vendor's rdma-core in the image, or "
            "mount the host's into it\n"
            "verbs-provider-missing",
        .mistaken = "loading modules again changes nothing: the two have to be of one stack"},
    ErrorText{
        .name = "verbs-provider",
        .by = "libibverbs",
        .patterns = "libibverbs*couldn't load driver\n"
                    "no userspace device-specific driver found",
        .sample =
            "libibverbs: Warning: couldn't load driver 'libmlx5-rdmav34.so': cannot open shared "
            "object file: No such file or directory",
        .meaning =
            "The kernel has the device, and this system or container has no library for it or "
            "one of another version.",
        .candidates = "verbs-provider-missing"},
    ErrorText{
        .name = "verbs-no-context",
        .by = "libibverbs",
        .patterns = "couldn't get context for\n"
                    "failed to open device*/dev/infiniband\n"
                    "/dev/infiniband/*permission denied",
        .sample = "Couldn't get context for mlx5_0",
        .meaning = "The device is there, and its node below /dev/infiniband cannot be opened.",
        .candidates = "uverbs-permission\n"
                      "no-device-nodes\n"
                      "rdma-netns-exclusive"},
};

}  // namespace

const std::span<const ErrorText> queue_pairs = kQueuePairs;

}  // namespace core::error_text

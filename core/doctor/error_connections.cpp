// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// Events of rdma_cm (include/rdma/rdma_cm.h), and what the kernel's own users print of them
/// (drivers/nvme/host/rdma.c).
constexpr std::array kConnections = {
    ErrorText{.name = "cm-addr-not-rdma",
              .by = "rdma_cm (rdma_resolve_addr)",
              .patterns = "rdma_cm_event_addr_error*19\n"
                          "rdma_resolve_addr*no such device\n"
                          "rdma_resolve_addr failed 19\n"
                          "rdma_cm_event_addr_error*no such device\n"
                          "addr_error*errno 19",
              .sample = "cma event RDMA_CM_EVENT_ADDR_ERROR, error -19",
              .meaning = "The route to the address leads out of a port that has no RDMA device.",
              .candidates = "route-by-other-port\n"
                            "no-route-by-port\n"
                            "rdma-device-missing\n"
                            "no-gid\n"
                            "in a container: the address is reached by its own eth0, which is "
                            "no port of the NIC"},
    ErrorText{.name = "cm-addr-unreachable",
              .by = "rdma_cm (rdma_resolve_addr)",
              .patterns = "rdma_cm_event_addr_error*101\n"
                          "rdma_resolve_addr*network is unreachable\n"
                          "rdma_resolve_addr failed 101\n"
                          "rdma_cm_event_addr_error*unreachable",
              .sample = "RDMA_CM_EVENT_ADDR_ERROR, status -101",
              .meaning = "There is no route to the address.",
              .candidates = "port-down\n"
                            "no-carrier\n"
                            "no-address\n"
                            "no-route-by-port\n"
                            "rule-local"},
    ErrorText{.name = "cm-addr-error",
              .by = "rdma_cm (rdma_resolve_addr)",
              .patterns = "rdma_cm_event_addr_error\n"
                          "rdma_resolve_addr failed\n"
                          "rdma_resolve_addr error\n"
                          "rdma_resolve_addr*timed out",
              .sample = "rping: cma event RDMA_CM_EVENT_ADDR_ERROR, error -110",
              .meaning =
                  "Nobody answered for the address or its gateway on the link (ARP or neighbour "
                  "discovery).",
              .candidates = "neighbour-failed\n"
                            "port-down\n"
                            "no-carrier\n"
                            "route-by-other-port\n"
                            "arp-flux\n"
                            "the far host is down or in another VLAN"},
    ErrorText{.name = "cm-route-error",
              .by = "rdma_cm (rdma_resolve_route)",
              .patterns = "rdma_cm_event_route_error\n"
                          "rdma_resolve_route failed\n"
                          "rdma_resolve_route*invalid argument",
              .sample = "cma event RDMA_CM_EVENT_ROUTE_ERROR, error -22",
              .meaning =
                  "rdma_cm connects in RoCE v1, which passes no gateway, or the port has no GID of "
                  "the version it wants.",
              .candidates = "mode-v-one\n"
                            "no-gid\n"
                            "port-down"},
    ErrorText{
        .name = "cm-unreachable",
        .by = "rdma_cm",
        .patterns = "rdma_cm_event_unreachable\n"
                    "rdma_cm*event unreachable\n"
                    "nvme*rdma connection establishment failed 110\n"
                    "nvme*rdma connection establishment failed -110\n"
                    "rdma_connect*connection timed out\n"
                    "rdma connect*timed out",
        .sample = "RDMA_CM_EVENT_UNREACHABLE, error -110",
        .meaning =
            "The address was resolved, and the request to connect was not answered: it or its "
            "answer was lost on the way.",
        .candidates = "route-by-other-port\n"
                      "arp-flux\n"
                      "no-route-by-port\n"
                      "mode-v-one\n"
                      "firewall-roce\n"
                      "UDP 4791 is dropped on the way, or on the far host where that has "
                      "soft RoCE\n"
                      "the far port is in another VLAN, or its RDMA port is not ACTIVE",
        .mistaken = "\"check the route with ip route get\": that answers even where no route leads "
                    "out of the RoCE port; ask ip route get fibmatch ADDRESS oif PORT"},
    // The reasons of a rejection: enum ib_cm_rej_reason, include/rdma/ib_cm.h. An 8 behind the
    // event's name in brackets is the event's own number (enum rdma_cm_event_type, rdma_cma.h).
    ErrorText{
        .name = "cm-stale",
        .by = "rdma_cm, the kernel's NVMe-oF",
        .patterns = "rdma_cm_event_rejected*status 10\n"
                    "rdma_cm_event_rejected*error 10\n"
                    "rdma_cm_event_rejected*reason 10\n"
                    "connect rejected status 10\n"
                    "rejected*reason 10\n"
                    "rejected*stale conn",
        .sample = "received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = 10)",
        .meaning = "The far host still has the connection that this host had before under the same "
                   "numbers, as after a crash or a reboot.",
        .candidates =
            "connect again: the far host drops the old connection with this answer; where it comes "
            "again and again, the far program ends it (rdma resource show cm_id)\n"
            "two hosts answer for one address: arping from a third one\n"
            "address-on-two-ports",
        .mistaken =
            "8 is the event's own number here, and not the reason: invalid service id is status 8"},
    ErrorText{
        .name = "cm-nobody-listens",
        .by = "rdma_cm, the kernel's NVMe-oF",
        .patterns = "rdma_cm_event_rejected*status 8\n"
                    "rdma_cm_event_rejected*error 8\n"
                    "rdma_cm_event_rejected*reason 8\n"
                    "connect rejected status 8\n"
                    "invalid service id\n"
                    "nvme*rdma connection establishment failed 104\n"
                    "nvme*rdma connection establishment failed -104\n"
                    "rejected*reason 8",
        .sample = "nvme nvme0: Connect rejected: status 8 (invalid service ID).",
        .meaning = "The far host answered, and nobody listens there on that port and address.",
        .candidates = "the target listens on another address or port, or its program does "
                      "not run\n"
                      "arp-flux\n"
                      "arp-announce\n"
                      "address-on-two-ports",
        .mistaken = "it is no firewall: a packet that is dropped is not answered"},
    ErrorText{.name = "cm-refused",
              .by = "rdma_cm",
              .patterns = "rdma_cm_event_rejected*status 28\n"
                          "rdma_cm_event_rejected*error 28\n"
                          "rdma_cm_event_rejected*reason 28\n"
                          "connect rejected status 28\n"
                          "consumer defined\n"
                          "rejected*reason 28",
              .sample = "RDMA_CM_EVENT_REJECTED, status 28",
              .meaning = "The far program itself refused: the network works.",
              .candidates = "the far program's own log: a name (NQN), a login, a version or a "
                            "limit of connections"},
    ErrorText{
        .name = "cm-rejected",
        .by = "rdma_cm",
        .patterns = "rdma_cm_event_rejected\n"
                    "nvme*connect rejected\n"
                    "rdma*connection rejected\n"
                    "connect rejected status",
        .sample = "ucx: got event RDMA_CM_EVENT_REJECTED",
        .meaning = "The far end answered and did not want the connection; with several NICs in one "
                   "network the wrong one may have answered.",
        .candidates = "the reason, which the program or the kernel prints as status: 3 no "
                      "resources, 8 nobody "
                      "listens, 10 a connection of before, 12 the GID, 26 the MTU, 28 the program\n"
                      "arp-flux\n"
                      "arp-announce\n"
                      "address-on-two-ports\n"
                      "the far program's own log",
        .mistaken = "RDMA_CM_EVENT_REJECTED (8): 8 is the event's own number and no reason"},
    ErrorText{
        .name = "nvme-mkey",
        .by = "the kernel's NVMe-oF over mlx5",
        .patterns = "create_mkey*failed\n"
                    "failed to initialize mr pool",
        .sample = "mlx5_core 0000:3b:00.0: mlx5_cmd_check: CREATE_MKEY(0x200) op_mod(0x0) failed, "
                  "status limits exceeded(0x8), syndrome (0x59c8a4)",
        .meaning =
            "The device has no memory keys left, or its firmware refused one: no fault of the "
            "network.",
        .candidates = "rdma resource show mr: who holds the keys; fewer I/O queues "
                      "(nvme connect -i)\n"
                      "a fault of driver or firmware: compare the versions"},
    ErrorText{
        .name = "nvme-connect-failed",
        .by = "the kernel's NVMe-oF",
        .patterns = "nvme*rdma connection establishment failed\n"
                    "nvme*rdma_connect failed\n"
                    "nvme*rdma_resolve_route failed",
        .sample = "nvme nvme0: rdma connection establishment failed (-22)",
        .meaning = "The connection to the target did not come about; the line before it in the "
                   "kernel's log says why.",
        .candidates = "mode-v-one\n"
                      "tos-unset\n"
                      "no-gid\n"
                      "route-by-other-port\n"
                      "create_mkey … failed before it: driver or firmware, not the "
                      "network",
        .mistaken = "discovery that works proves little: the target may offer an address that this "
                    "host does not reach"},
    ErrorText{
        .name = "cm-connect-error",
        .by = "rdma_cm",
        .patterns = "rdma_cm_event_connect_error\n"
                    "rdma_cm_event_connect_response",
        .sample = "RDMA_CM_EVENT_CONNECT_ERROR, error -22",
        .meaning =
            "The two ends agreed, and the queue pair could not be made ready: address, MTU or "
            "GID changed or do not fit.",
        .candidates = "no-route-by-port\n"
                      "neighbour-failed\n"
                      "no-gid\n"
                      "rdma-mtu\n"
                      "mode-v-one"},
    ErrorText{
        .name = "cm-device-removal",
        .by = "rdma_cm",
        .patterns = "rdma_cm_event_device_removal",
        .sample = "RDMA_CM_EVENT_DEVICE_REMOVAL",
        .meaning =
            "The RDMA device went away: its driver was reloaded, its firmware reset, or it was "
            "moved to another network namespace.",
        .candidates = "rdma-device-missing\n"
                      "rdma-netns-exclusive\n"
                      "rdma-disabled\n"
                      "the kernel's log at that time: a reset or \"health compromised\""},
    ErrorText{.name = "cm-addr-change",
              .by = "rdma_cm",
              .patterns = "rdma_cm_event_addr_change",
              .sample = "RDMA_CM_EVENT_ADDR_CHANGE",
              .meaning = "The hardware address behind the connection changed: a bond failed over.",
              .candidates = "link-flapping\n"
                            "no-carrier\n"
                            "managed-beside"},
    ErrorText{.name = "cm-no-channel",
              .by = "librdmacm",
              .patterns = "rdma_create_event_channel failed\n"
                          "rdma_create_event_channel*no such device\n"
                          "rdma_cm is not loaded\n"
                          "unable to open rdma device /dev/infiniband/rdma_cm\n"
                          "librdmacm*couldn't read abi version",
              .sample = "rdma_create_event_channel failed: No such device",
              .meaning =
                  "/dev/infiniband/rdma_cm is not there: the module rdma_ucm is not loaded, or the "
                  "container was not given it.",
              .candidates = "rdma-device-missing\n"
                            "rdma-ucm-missing\n"
                            "no-device-nodes"},
};

}  // namespace

const std::span<const ErrorText> connections = kConnections;

}  // namespace core::error_text

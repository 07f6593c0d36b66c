// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// NCCL (transport/net_ib), UCX, perftest, Galera, Ceph, and tools.
constexpr std::array kPrograms = {
    ErrorText{
        .name = "gid-table-changed",
        .by = "NCCL, libibverbs",
        .patterns = "gid table change\n"
                    "gid table changed\n"
                    "ibv_event_gid_change",
        .sample = "NCCL WARN NET/IB : mlx5_3:1 Got async event : GID table change",
        .meaning =
            "An address of the port was taken away or set again: connections that use its GID "
            "fail seconds later.",
        .candidates = "managed-beside\n"
                      "link-flapping\n"
                      "no-gid\n"
                      "who sets addresses: NetworkManager, netplan, a script; its log at "
                      "that time"},
    ErrorText{.name = "async-port-error",
              .by = "NCCL, libibverbs",
              .patterns = "async*port error\n"
                          "ibv_event_port_err\n"
                          "async event*port active",
              .sample = "NCCL WARN NET/IB : mlx5_0:1 Got async event : port error",
              .meaning = "The port lost its link.",
              .candidates = "link-flapping\n"
                            "no-carrier\n"
                            "port-down\n"
                            "fec-of-siblings"},
    ErrorText{
        .name = "async-local-access",
        .by = "NCCL, libibverbs",
        .patterns = "async event*local access violation\n"
                    "async event*invalid request local work queue",
        .sample = "NET/IB: mlx5_1:1 Got async event : local access violation work queue error",
        .meaning =
            "A work request named memory that its key does not cover: a fault of the program or "
            "of its GPU driver.",
        .candidates =
            "the program: memory that was freed or registered anew while the NIC still used it\n"
            "memory of a GPU: nvidia_peermem that was unloaded or a driver that was updated "
            "beneath it; NCCL_NET_GDR_LEVEL=LOC tells",
        .mistaken = "stop looking at the network: the NIC of this host refused it"},
    ErrorText{
        .name = "async-fatal",
        .by = "NCCL, libibverbs",
        .patterns = "async fatal event\n"
                    "ibv_event_device_fatal\n"
                    "ibv_event_qp_fatal\n"
                    "ibv_event_qp_access_err",
        .sample = "NET/IB: mlx5_1:1 async fatal event on QP: the queue pair is in error",
        .meaning = "The device or a queue pair stopped by itself; the words behind say which.",
        .candidates = "device: the kernel's log (health, PCIe errors); queue pair: the "
                      "program's memory\n"
                      "pcie-degraded"},
    ErrorText{
        .name = "nccl-no-socket",
        .by = "NCCL bootstrap",
        .patterns = "nccl*no socket interface found\n"
                    "nccl*no usable network interface\n"
                    "socketstartconnect*connect to*failed\n"
                    "nccl*bootstrap*no route to host",
        .sample =
            "NCCL WARN socketStartConnect: Connect to 10.1.0.7<41235> failed : No route to host",
        .meaning = "NCCL's own TCP connections, which come before RoCE, do not come about.",
        .candidates = "route-by-other-port\n"
                      "rp-filter-strict\n"
                      "NCCL_SOCKET_IFNAME names a port that the others do not reach, or a "
                      "firewall drops TCP between the hosts"},
    ErrorText{
        .name = "ucx-no-transport",
        .by = "UCX",
        .patterns = "no usable transports\n"
                    "no active ports\n"
                    "no usable devices\n"
                    "net_device*is not available\n"
                    "network device*not available",
        .sample =
            "ucp_context.c:1071 UCX  WARN  network device 'mlx5_0:1' is not available, please "
            "use one or more of: 'eth0'(tcp)",
        .meaning = "None of the devices that UCX may use has a port that is ACTIVE and a GID.",
        .candidates = "port-down\n"
                      "no-carrier\n"
                      "rdma-not-active\n"
                      "rdma-device-missing\n"
                      "no-gid\n"
                      "UCX_NET_DEVICES has a name that the device does not have here"},
    ErrorText{.name = "ucx-remote-unreachable",
              .by = "UCX, Open MPI",
              .patterns = "destination is unreachable\n"
                          "no remote ep address for lane\n"
                          "no*transport to*endpoint",
              .sample =
                  "select.c:627 UCX  ERROR   no active messages transport to <no debug data>: "
                  "self/memory - Destination is unreachable",
              .meaning = "UCX found no device from which the far address can be reached.",
              .candidates = "no-route-by-port\n"
                            "no-gid\n"
                            "no-address\n"
                            "UCX_IB_GID_INDEX or UCX_NET_DEVICES fixed to what is not the same "
                            "on each host"},
    ErrorText{.name = "port-state-down",
              .by = "perftest, Ceph",
              .patterns = "port number*state is down\n"
                          "port*is not what we want. state\n"
                          "port not found\n"
                          "port state*is not active",
              .sample = " Port number 1 state is Down",
              .meaning = "The RDMA port has no link.",
              .candidates = "port-down\n"
                            "no-carrier\n"
                            "rdma-not-active\n"
                            "rdma-disabled"},
    ErrorText{
        .name = "oob-tcp",
        .by = "perftest, qperf",
        .patterns = "couldn't connect to*18515\n"
                    "unable to connect to*18515\n"
                    "connect*19765\n"
                    "failed to exchange data between server and clients",
        .sample = "Couldn't connect to 10.0.0.2:18515",
        .meaning =
            "The test's own TCP connection failed, before anything of RoCE: nobody listens, or "
            "TCP is blocked.",
        .candidates = "neighbour-failed\n"
                      "route-by-other-port\n"
                      "start the server first; let TCP 18515 (qperf: 19765) through"},
    ErrorText{
        .name = "cpu-frequency",
        .by = "perftest",
        .patterns = "conflicting cpu frequency values\n"
                    "cpu frequency is not max",
        .sample =
            "Conflicting CPU frequency values detected: 800.000000 != 2900.000000. CPU Frequency "
            "is not max.",
        .meaning = "The CPU slows down between packets: latencies are higher and scatter.",
        .candidates = "the governor: cpupower frequency-set -g performance, in a profile "
                      "\"cpu\": {\"governor\": \"performance\"}"},
    ErrorText{.name = "relaxed-ordering",
              .by = "perftest",
              .patterns = "not pcie relaxed ordering compliant",
              .sample = "WARNING: CPU is not PCIe relaxed ordering compliant.",
              .meaning =
                  "perftest turns relaxed ordering off on this CPU; on AMD and Arm that costs "
                  "bandwidth.",
              .candidates = "read-request-small\n"
                            "pcie-slow"},
    ErrorText{
        .name = "mlnx-qos-lldpad",
        .by = "mlnx_qos",
        .patterns = "lldpad service is running",
        .sample = "Warning: lldpad service is running and may overwrite your settings",
        .meaning = "lldpad sets PFC and ETS anew from its own file and from what the switch says.",
        .candidates = "managed-beside\n"
                      "dcbx-firmware"},
    ErrorText{.name = "dcbx-firmware-controlled",
              .by = "mlnx_qos",
              .patterns = "dcbx mode firmware controlled",
              .sample = "DCBX mode: Firmware controlled",
              .meaning =
                  "The NIC's firmware negotiates DCB with the switch and overwrites what the host "
                  "sets.",
              .candidates = "dcbx-firmware"},
    ErrorText{
        .name = "ceph-local-gid",
        .by = "Ceph",
        .patterns = "requested local gid was not found\n"
                    "malformed or no gid supplied",
        .sample = "Infiniband Port Requested local GID was not found in GID table",
        .meaning = "ms_async_rdma_local_gid is no GID of this host's port, or not of that version.",
        .candidates = "no-gid\n"
                      "no-address\n"
                      "mode-v-one\n"
                      "ms_async_rdma_local_gid is of one host alone: it cannot stand in "
                      "the part of ceph.conf for all"},
    ErrorText{
        .name = "ceph-rdma-memory",
        .by = "Ceph",
        .patterns = "ms_async_rdma_receive_queue_length\n"
                    "rdma buffer allocation\n"
                    "failed to create queue pair",
        .sample = "Infiniband init try reducing ms_async_rdma_receive_queue_length, "
                  "ms_async_rdma_send_buffers or ms_async_rdma_buffer_size",
        .meaning =
            "Ceph's buffers could not be registered: the limit of locked memory of its service "
            "is too small.",
        .candidates = "LimitMEMLOCK=infinity and PrivateDevices=no of ceph-osd@.service "
                      "and its like"},
    ErrorText{.name = "galera-no-primary",
              .by = "Galera",
              .patterns = "wsrep*failed to reach primary view\n"
                          "wsrep*failed to open gcomm backend\n"
                          "wsrep*failed to open channel",
              .sample =
                  "[ERROR] WSREP: failed to open gcomm backend connection: 110: failed to reach "
                  "primary view: 110 (Connection timed out)",
              .meaning =
                  "The nodes do not reach each other by TCP 4567, or none has a primary component: "
                  "Galera does not use RoCE.",
              .candidates = "rp-filter-strict\n"
                            "route-by-other-port\n"
                            "mtu-of-siblings\n"
                            "TCP 4567, 4568 and 4444 in the firewalls; the first node was "
                            "started with galera_new_cluster"},
};

}  // namespace

const std::span<const ErrorText> programs = kPrograms;

}  // namespace core::error_text

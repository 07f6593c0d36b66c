// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// Lines of the kernel's log, and of modprobe.
constexpr std::array kKernel = {
    ErrorText{
        .name = "module-missing",
        .by = "modprobe, rdma of iproute2",
        .patterns = "module {rdma} not found\n"
                    "module ib_uverbs not found\n"
                    "module rdma_ucm not found\n"
                    "failed to open netlink_rdma socket",
        .sample =
            "modprobe: FATAL: Module rdma_rxe not found in directory /lib/modules/6.1.0-18-amd64",
        .meaning = "The kernel's RDMA modules are not on this disk, or not for this kernel.",
        .candidates = "rdma-device-missing\n"
                      "install linux-modules-extra or kernel-modules-extra of the kernel "
                      "that runs"},
    ErrorText{.name = "module-mixed",
              .by = "the kernel",
              .patterns = "mlx5*disagrees about version of symbol\n"
                          "ib_*disagrees about version of symbol\n"
                          "rdma*disagrees about version of symbol\n"
                          "mlx5*unknown symbol\n"
                          "ib_core*unknown symbol\n"
                          "ib_*unknown symbol\n"
                          "bnxt_re*unknown symbol\n"
                          "irdma*unknown symbol",
              .sample = "mlx5_ib: disagrees about version of symbol ib_register_device",
              .meaning =
                  "Modules of a vendor's stack and of the kernel are mixed: one does not fit the "
                  "other, and is not loaded.",
              .candidates = "log-module-mismatch\n"
                            "rdma-device-missing\n"
                            "one stack alone: remove the vendor's, or install all of it for "
                            "this kernel (modinfo -n shows where a module is from)"},
    ErrorText{
        .name = "module-signature",
        .by = "modprobe, the kernel",
        .patterns = "key was rejected by service",
        .sample = "modprobe: ERROR: could not insert 'mlx5_ib': Key was rejected by service",
        .meaning =
            "Secure Boot is on and the module is not signed with a key that the machine knows.",
        .candidates = "log-module-rejected\n"
                      "rdma-device-missing\n"
                      "enrol the key (mokutil --import) or take the distribution's "
                      "modules"},
    ErrorText{
        .name = "pcie-bandwidth",
        .by = "the kernel",
        .patterns = "available pcie bandwidth",
        .sample =
            "mlx5_core 0000:01:00.0: 126.028 Gb/s available PCIe bandwidth, limited by 32.0 GT/s "
            "PCIe x4 link at 0000:00:01.0 (capable of 504.112 Gb/s with 32.0 GT/s PCIe x16 "
            "link)",
        .meaning =
            "The bus carries less than the device could; less than its port carries is a fault.",
        .candidates = "pcie-slow\n"
                      "pcie-degraded"},
    ErrorText{
        .name = "pcie-power",
        .by = "the kernel (mlx5)",
        .patterns = "insufficient power on the pcie slot",
        .sample = "mlx5_core 0000:01:00.0: mlx5_pcie_event:301: Detected insufficient power on the "
                  "PCIe slot (27W).",
        .meaning = "The slot says that it gives less power than the card may take; hosts with this "
                   "line run at full speed or at a tenth of it.",
        .candidates = "pcie-slow\n"
                      "pcie-degraded\n"
                      "measure: ib_write_bw tells whether it limits anything",
        .mistaken = "the line alone is no fault: only a bandwidth of a tenth with it is"},
    ErrorText{.name = "pcie-aer",
              .by = "the kernel",
              .patterns = "mlx5*aer\n"
                          "bnxt_en*aer\n"
                          "pcieport*aer\n"
                          "pcie bus error",
              .sample = "pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0",
              .meaning =
                  "Signals on the bus are bad: corrected errors cost time, others stop the device.",
              .candidates = "log-aer-fatal\n"
                            "log-aer\n"
                            "pcie-degraded\n"
                            "pcie-slow\n"
                            "seat the card again; another slot or riser"},
    ErrorText{.name = "module-temperature",
              .by = "the kernel (mlx5)",
              .patterns = "port module event*high temperature\n"
                          "cable error*high temperature",
              .sample =
                  "mlx5_core 0000:3b:00.0: Port module event[error]: module 0, Cable error, High "
                  "Temperature",
              .meaning = "The transceiver is too hot and may be turned off.",
              .candidates = "log-overheating\n"
                            "no-carrier\n"
                            "link-flapping\n"
                            "airflow; the transceiver"},
    ErrorText{.name = "module-event",
              .by = "the kernel (mlx5)",
              .patterns = "port module event\n"
                          "cable unplugged",
              .sample = "mlx5_core 0000:3b:00.0: Port module event: module 0, Cable unplugged",
              .meaning = "The cable or transceiver was taken out, or is not accepted.",
              .candidates = "no-carrier\n"
                            "link-flapping"},
    ErrorText{
        .name = "device-health",
        .by = "the kernel (mlx5)",
        .patterns = "health compromised\n"
                    "mlx5*firmware fatal error\n"
                    "mlx5*device's health\n"
                    "bnxt_en*firmware fatal",
        .sample = "mlx5_core 0000:3b:00.0: poll_health:1084: device's health compromised - reached "
                  "miss count",
        .meaning =
            "The NIC's firmware stopped answering: the driver resets it, and all connections on "
            "it are lost.",
        .candidates = "log-device-fatal\n"
                      "rdma-device-missing\n"
                      "no-carrier\n"
                      "pcie-degraded\n"
                      "devlink health show; the firmware's version"},
    ErrorText{
        .name = "firmware-silent",
        .by = "the kernel (bnxt_re)",
        .patterns = "qplib*cmdq*timedout\n"
                    "qplib*cmdq*timeout\n"
                    "bnxt_en*hwrm*timeout\n"
                    "bnxt_en*hwrm_ring*error\n"
                    "bnxt_re*firmware*not respond",
        .sample = "infiniband bnxt_re0: QPLIB: cmdq[0x1f4]=0x9 timedout (1000)msec",
        .meaning =
            "The NIC's firmware does not answer a command of the RDMA driver: queue pairs can be "
            "neither made nor ended until it is reset.",
        .candidates = "log-device-fatal\n"
                      "reset the firmware: devlink dev reload pci/ADDRESS action fw_activate, or a "
                      "cold start\n"
                      "a driver that does not fit the firmware: devlink dev info; the vendor's "
                      "table of versions"},
    ErrorText{.name = "register-not-offered",
              .by = "the kernel (mlx5)",
              .patterns = "access_reg*bad resource state\n"
                          "access_reg*bad parameter\n"
                          "access_reg*bad operation",
              .sample = "mlx5_core 0000:3b:00.0: mlx5_cmd_out_err:834:(pid 1234): "
                        "ACCESS_REG(0x805) op_mod(0x1) "
                        "failed, status bad resource state(0x9), syndrome (0x3c1)",
              .meaning = "Somebody read or wrote a register that this function or its firmware "
                         "does not offer; by "
                         "itself it harms nothing.",
              .candidates = "who asks: a monitoring agent or ethtool -m of a virtual function, by "
                            "the time of the line\n"
                            "a tool of another version than the firmware: devlink dev info",
              .mistaken = "no queue pair and no packet depends on it: look for another line"},
    ErrorText{.name = "neighbour-overflow",
              .by = "the kernel",
              .patterns = "neighbor table overflow\n"
                          "neighbour table overflow",
              .sample = "neighbour: arp_cache: neighbor table overflow!",
              .meaning =
                  "The table of neighbours is full: new ones are not found, and connections fail "
                  "after a second.",
              .candidates = "log-neighbours-full\n"
                            "neighbour-failed\n"
                            "net.ipv4.neigh.default.gc_thresh3, in a profile a sysctl of the "
                            "host"},
    ErrorText{
        .name = "netns-mode",
        .by = "the device plugin of Kubernetes",
        .patterns = "incorrect rdma subsystem network namespace",
        .sample = "can not change : incorrect RDMA subsystem network namespace",
        .meaning =
            "The plugin wants RDMA devices shared between network namespaces, or each in one, "
            "and the host has the other.",
        .candidates = "rdma-netns-exclusive\n"
                      "rdma system set netns shared (or exclusive), in a profile \"rdma\": "
                      "{\"netns_mode\": \"shared\"} of the host"},
    ErrorText{
        .name = "selinux-denied",
        .by = "the kernel's audit",
        .patterns = "avc*denied*infiniband",
        .sample =
            "avc:  denied  { read write } for  pid=811 comm=\"python\" path=\"/dev/infiniband/"
            "uverbs0\" tcontext=system_u:object_r:infiniband_device_t:s0",
        .meaning = "SELinux keeps the process, mostly a container, from the RDMA device.",
        .candidates = "setsebool -P container_use_devices 1"},
    ErrorText{.name = "roce-lag",
              .by = "VMA (on mlx5)",
              .patterns = "while roce lag is enabled\n"
                          "lag*failed to create*roce",
              .sample = "VMA cannot offload the device while RoCE LAG is enabled",
              .meaning = "The two ports of the NIC are bonded and have one RDMA device together.",
              .candidates = "use the bond's device (mlx5_bond_0), or take the bond apart"},
    ErrorText{.name = "dcb-refused",
              .by = "dcb of iproute2, mlnx_qos, the kernel",
              .patterns = "dcb*operation not permitted\n"
                          "dcb*operation not supported\n"
                          "netlink error*dcb\n"
                          "attribute write*pfc*operation not",
              .sample = "dcb: Attribute write: Operation not supported",
              .meaning =
                  "The driver does not take the setting: its firmware negotiates DCB itself, or it "
                  "has no such setting.",
              .candidates = "dcbx-firmware\n"
                            "managed-beside"},
    ErrorText{.name = "rdma-link-add-refused",
              .by = "rdma of iproute2",
              .patterns = "rdma*link add*error\n"
                          "rdma_link*unknown parameter\n"
                          "unknown parameter rdma_link",
              .sample = "Unknown parameter 'rdma_link'.",
              .meaning = "rdma link add takes type rxe or siw, for soft devices alone.",
              .candidates = "rdma-device-missing\n"
                            "rdma-disabled",
              .mistaken = "the RDMA device of a NIC comes with its driver and is not added"},
    ErrorText{.name = "link-down",
              .by = "the kernel",
              .patterns = "link is down\n"
                          "link down\n"
                          "lost carrier",
              .sample = "mlx5_core 0000:3b:00.0 ens1f0np0: Link down",
              .meaning =
                  "A port lost its link: of one of the fabric every connection on it ends, some "
                  "minutes later.",
              .candidates = "port-down\n"
                            "no-carrier\n"
                            "link-flapping\n"
                            "fec-of-siblings"},
};

}  // namespace

const std::span<const ErrorText> kernel = kKernel;

}  // namespace core::error_text

// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/error_texts.hpp"

namespace core::error_text {
namespace {

/// Commands that guides have, and that do not do what they are said to do.
constexpr std::array kAdvice = {
    ErrorText{
        .name = "advice-tcp-4791",
        .by = "guides to firewalls",
        .patterns = "tcp 4791\n"
                    "4791/tcp\n"
                    "tcp*port 4791\n"
                    "tcp*dport 4791\n"
                    "4791 tcp\n"
                    "tcp port 4791\n"
                    "4791 over tcp",
        .sample = "firewall-cmd --permanent --add-port=4791/tcp",
        .meaning = "RoCE v2 is UDP with destination port 4791: a rule for TCP 4791 lets nothing "
                   "through.",
        .candidates = "a firewall or an access list on the way drops UDP 4791: allow "
                      "udp dport 4791 there\n"
                      "firewall-roce\n"
                      "firewall-wrong-protocol",
        .mistaken = "\"allow TCP 4791\" opens nothing that RoCE uses; the rule is: udp dport 4791 "
                    "accept"},
    ErrorText{
        .name = "advice-dcbtool-willing",
        .by = "guides to PFC",
        .patterns = "dcbtool sc*w:\n"
                    "dcbtool*pfc*w:",
        .sample = "dcbtool sc eth1 pfc e:1 a:1 w:3",
        .meaning =
            "In dcbtool, w: is whether the port is willing to take the switch's setting, 0 or "
            "1, and no priority; it speaks CEE to lldpad, which has to run.",
        .candidates = "pfc-off\n"
                      "pfc-elsewhere\n"
                      "dcbx-firmware\n"
                      "managed-beside",
        .mistaken = "\"w:3\" does not turn on PFC for priority 3; IEEE DCB does: dcb pfc set dev "
                    "PORT prio-pfc all:off 3:on, in a profile \"pfc\": {\"priorities\": [3]}"},
    ErrorText{
        .name = "advice-rdma-link-add",
        .by = "guides to RDMA devices",
        .patterns = "rdma link add*rdma_link\n"
                    "rdma link add*type roce\n"
                    "rdma link add*type mlx5",
        .sample = "rdma link add roce0 rdma_link netdev eth1",
        .meaning =
            "rdma link add makes soft devices alone, of type rxe or siw; the RDMA device of a "
            "NIC comes with its driver.",
        .candidates = "rdma-device-missing\n"
                      "rdma-disabled\n"
                      "rdma-netns-exclusive\n"
                      "the driver's RDMA module is not loaded: mlx5_ib, bnxt_re, irdma",
        .mistaken =
            "\"rdma link add … rdma_link\" names no type there is; a NIC needs no link, and "
            "soft RoCE takes: rdma link add rxe0 type rxe netdev PORT"},
    ErrorText{.name = "advice-mlnx-qos-pfc-prio",
              .by = "guides to PFC",
              .patterns = "mlnx_qos*--pfc on\n"
                          "mlnx_qos*--pfc-prio\n"
                          "mlnx_qos*--pfc_prio",
              .sample = "mlnx_qos -i eth2 --pfc on --pfc-prio 3",
              .meaning =
                  "mlnx_qos has no such options: --pfc takes one 0 or 1 for each of the eight "
                  "priorities.",
              .candidates = "pfc-off\n"
                            "pfc-elsewhere\n"
                            "dscp-untrusted",
              .mistaken =
                  "priority 3 alone is mlnx_qos -i PORT --pfc 0,0,0,1,0,0,0,0, or dcb pfc set dev "
                  "PORT prio-pfc all:off 3:on"},
    ErrorText{.name = "advice-mlnx-qos-map",
              .by = "guides to DSCP",
              .patterns = "mlnx_qos*--dscp2prio*:\n"
                          "mlnx_qos*--dscp2prio=*:",
              .sample = "mlnx_qos -i eth2 --dscp2prio 26:3",
              .meaning =
                  "mlnx_qos takes another spelling: --dscp2prio set,DSCP,PRIORITY, or del with "
                  "both.",
              .candidates = "dscp-elsewhere\n"
                            "dscp-untrusted",
              .mistaken = "DSCP 26 to priority 3 is mlnx_qos -i PORT --dscp2prio set,26,3, or dcb "
                          "app add dev PORT "
                          "dscp-prio 26:3, in a profile \"dscp\": {\"map\": {\"26\": 3}}"},
    ErrorText{.name = "advice-tcp-ecn",
              .by = "guides to ECN",
              .patterns = "tcp_ecn",
              .sample = "sysctl -w net.ipv4.tcp_ecn=1",
              .meaning =
                  "net.ipv4.tcp_ecn is of TCP connections of this host; RoCE's marking and its "
                  "notifications (CNP) are the NIC's.",
              .candidates = "ecn-notify-off\n"
                            "ecn-react-off\n"
                            "ecn-no-marks",
              .mistaken = "\"turn on ECN with tcp_ecn\" changes no RoCE packet; the low bits of "
                          "the traffic class "
                          "do (ToS 106 is DSCP 26 with ECT(0)), and ECN of the NIC and the switch"},
    ErrorText{
        .name = "advice-arp-ignore",
        .by = "guides to several NICs",
        .patterns = "arp_ignore",
        .sample = "echo 2 > /proc/sys/net/ipv4/conf/all/arp_ignore",
        .meaning = "arp_ignore and arp_announce matter where several ports are in one subnet; "
                   "rails in subnets of their own need neither.",
        .candidates = "arp-flux\n"
                      "arp-announce\n"
                      "asked-on-link",
        .mistaken =
            "arp_ignore 2 also refuses askers outside the address's own subnet; 1 is what several "
            "ports in one subnet need, with arp_announce 2 and a route table for each port",
        .common = true},
    ErrorText{.name = "advice-ethtool-i",
              .by = "guides to PFC",
              .patterns = "ethtool -i",
              .sample = "ethtool -i eth1",
              .meaning =
                  "ethtool -i prints the driver, its version and the firmware, and nothing of PFC.",
              .candidates = "pfc-off\n"
                            "pfc-with-rx-pause\n"
                            "pfc-with-tx-pause",
              .mistaken =
                  "\"verify PFC with ethtool -i\" verifies nothing; dcb pfc show dev PORT and "
                  "rocectl verify read it back",
              .common = true},
    ErrorText{.name = "galera-use-rdma",
              .by = "Galera",
              .patterns = "gmcast.use_rdma\n"
                          "gmcast use_rdma",
              .sample = "[ERROR] WSREP: Unrecognized parameter 'gmcast.use_rdma'",
              .meaning =
                  "Galera has no transport over verbs, and no such option: its replication is TCP, "
                  "also on a NIC that can do RoCE.",
              .candidates = "nothing of RoCE is at fault: a process with sockets and without "
                            "queue pairs (rdma resource show qp) uses TCP",
              .mistaken =
                  "\"gmcast.use_rdma=1\" does not make a database use RDMA; no setting of the host "
                  "changes that"},
    ErrorText{
        .name = "advice-pfc-on-all",
        .by = "guides to PFC",
        .patterns = "prio-pfc all:on\n"
                    "--pfc 1,1,1,1,1,1,1,1",
        .sample = "mlnx_qos -i ens1f0 --pfc 1,1,1,1,1,1,1,1",
        .meaning =
            "PFC on every priority lets one pause stop TCP and the notifications of congestion "
            "too, and splits the buffer eight ways.",
        .candidates = "pfc-on-all\n"
                      "pfc-many\n"
                      "cnp-priority-lossless",
        .mistaken = "\"enable all eight if unsure\" makes the storm that PFC is feared for; RoCE's "
                    "priority alone is lossless"},
};

}  // namespace

const std::span<const ErrorText> advice = kAdvice;

}  // namespace core::error_text

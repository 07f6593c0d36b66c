// SPDX-License-Identifier: Apache-2.0
#include "cli/example_profile.hpp"

namespace cli {

const std::string_view kExampleProfile = R"({
  "format": 1,
  "name": "example",
  "host": {
    "modules": ["rdma_ucm", "ib_umad"],
    "rdma": { "netns_mode": "shared" },
    "hugepages": { "default": 2048, "1G/node0": 16 },
    "sysctl": { "net.core.rmem_max": 16777216, "vm.zone_reclaim_mode": 0 },
    "cpu": { "governor": "performance" },
    "irqbalance": false,
    "tuned": "network-latency",
    "memlock": { "service:slurmd": "unlimited" },
    "nccl": { "NCCL_IB_TC": 106, "NCCL_IB_SL": 3 },
    "ucx": { "UCX_IB_TRAFFIC_CLASS": 106, "UCX_IB_SL": 3 }
  },
  "ports": [
    {
      "match": { "name": "ens1f0" },
      "up": true,
      "mtu": 9000,
      "ip": {
        "arp_ignore": 1,
        "arp_announce": 2,
        "rp_filter": 2,
        "accept_local": false,
        "addr_gen_mode": "eui64"
      },
      "link": { "autoneg": true, "speed": 100000, "duplex": "full", "lanes": 4, "fec": "rs" },
      "vf": {
        "count": 2,
        "mac": { "0": "02:00:00:00:01:00" },
        "node_guid": { "0": "02:00:00:00:01:00:00:00" },
        "vlan": { "0": 100 },
        "qos": { "0": 3 },
        "vlan_protocol": { "0": "802.1Q" },
        "min_tx_rate": { "0": 1000 },
        "max_tx_rate": { "0": 25000 },
        "spoofchk": { "0": true },
        "trust": { "1": true },
        "state": { "0": "auto" }
      },
      "private_flags": { "fw-lldp-agent": false },
      "ring": { "rx": 8192, "tx": 8192 },
      "channels": { "combined": 8, "rx": 0, "tx": 0 },
      "coalesce": {
        "adaptive_rx": false,
        "adaptive_tx": false,
        "cqe_mode_rx": true,
        "cqe_mode_tx": false,
        "rx_usecs": 16,
        "rx_frames": 32,
        "tx_usecs": 16,
        "tx_frames": 32
      },
      "features": { "rx-gro": true },
      "dcbx": { "mode": "host" },
      "pause": { "rx": false, "tx": false, "autoneg": false },
      "ets": {
        "traffic_class": [0, 1, 2, 3, 4, 5, 6, 7],
        "algorithm": ["ets", "ets", "ets", "ets", "ets", "ets", "strict", "ets"],
        "bandwidth": [50, 0, 0, 50, 0, 0, 0, 0]
      },
      "maxrate": [0, 0, 0, 0, 0, 0, 10000000, 0],
      "pfc": { "priorities": [3], "delay": 7, "cable_length": 30, "storm_prevention": "auto" },
      "optional": ["pfc.delay", "pfc.cable_length"],
      "buffer": {
        "of_priority": [0, 0, 0, 1, 0, 0, 0, 0],
        "size": [65536, 196608, 0, 0, 0, 0, 0, 0]
      },
      "dscp": { "trust": "dscp", "map": { "26": 3, "48": 6 }, "rewrite": { "3": 26 } },
      "app": { "udp": { "4791": 3 } },
      "ecn": {
        "directory": true,
        "notify": { "3": true },
        "react": { "3": true },
        "cnp_dscp": 48,
        "cnp_priority": 6,
        "min_time_between_cnps": 4
      },
      "dcqcn": {
        "clamp_tgt_rate": 0,
        "clamp_tgt_rate_after_time_inc": 1,
        "rpg_time_reset": 300,
        "rpg_byte_reset": 32767,
        "rpg_threshold": 1,
        "rpg_max_rate": 0,
        "rpg_ai_rate": 5,
        "rpg_hai_rate": 50,
        "rpg_gd": 11,
        "rpg_min_dec_fac": 50,
        "rpg_min_rate": 1,
        "rate_to_set_on_first_cnp": 0,
        "dce_tcp_g": 1019,
        "dce_tcp_rtt": 1,
        "rate_reduce_monitor_period": 4,
        "initial_alpha_value": 1023,
        "g": 8,
        "init_cr": 200,
        "init_tr": 800,
        "rtt": 40,
        "inact_th": 10000
      },
      "rdma": {
        "enable_roce": true,
        "link": { "type": "rxe", "name": "rxe_ens1f0" },
        "name": "rxe_ens1f0",
        "adaptive_moderation": true,
        "cm_directory": true,
        "default_mode": "RoCE v2",
        "default_tos": 106,
        "traffic_class": 106
      },
      "pcie": { "read_request": 4096, "relaxed_ordering": true },
      "irq": { "affinity": "local" },
      "addresses": ["192.168.100.1/24", "2001:db8::1/64"],
      "routes": [{ "to": "10.0.0.0/8", "via": "192.168.100.254", "table": 101 }],
      "rules": [{ "from": "192.168.100.1", "table": 101, "priority": 1000 }],
      "neighbours": [{ "ip": "192.168.100.254", "mac": "0c:42:a1:00:00:01" }],
      "bond": {
        "mode": "802.3ad",
        "members": ["ens2f0np0", "ens2f1np1"],
        "xmit_hash_policy": "layer3+4",
        "lacp_rate": "fast",
        "miimon": 100
      },
      "vlans": {
        "100": {
          "mtu": 9000,
          "addresses": ["192.168.101.1/24"],
          "egress_priority": { "3": 3 },
          "ingress_priority": { "3": 3 }
        }
      }
    }
  ]
})";

}  // namespace cli

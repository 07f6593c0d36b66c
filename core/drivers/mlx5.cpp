// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::mlx5 {
namespace {

constexpr std::array kCosts = {Cost{Object::private_flags, Disruption::queues},
                               Cost{Object::pfc, Disruption::link, "pfc.priorities"},
                               Cost{Object::link, Disruption::queues, "mtu"},
                               Cost{Object::app, Disruption::queues}};

/// A byte of 100 Mb/s, and above that a byte of 1 Gb/s (en_dcbnl.c mlx5e_dcbnl_ieee_setmaxrate).
/// Since Linux 7.0 it is two bytes where the device has qetcr_qshr_max_bw_val_msb, which no netlink
/// tells.
constexpr std::array kRates = {RateStep{25'500'000, 100'000}, RateStep{255'000'000, 1'000'000}};

/// The vendor's own driver (MLNX_OFED and DOCA, mlx5 en_ecn.c and en_sysfs.c); only of a PF
/// writable.
constexpr std::array kEcnFiles = {
    ValueFile{"ecn.notify", "roce_np/enable/*"},
    ValueFile{"ecn.react", "roce_rp/enable/*"},
    ValueFile{"ecn.cnp_dscp", "roce_np/cnp_dscp"},
    ValueFile{"ecn.cnp_priority", "roce_np/cnp_802p_prio"},
    ValueFile{"ecn.min_time_between_cnps", "roce_np/min_time_between_cnps"},
    ValueFile{"dcqcn.clamp_tgt_rate", "roce_rp/clamp_tgt_rate"},
    ValueFile{"dcqcn.clamp_tgt_rate_after_time_inc", "roce_rp/clamp_tgt_rate_after_time_inc"},
    ValueFile{"dcqcn.rpg_time_reset", "roce_rp/rpg_time_reset"},
    ValueFile{"dcqcn.rpg_byte_reset", "roce_rp/rpg_byte_reset"},
    ValueFile{"dcqcn.rpg_threshold", "roce_rp/rpg_threshold"},
    ValueFile{"dcqcn.rpg_max_rate", "roce_rp/rpg_max_rate"},
    ValueFile{"dcqcn.rpg_ai_rate", "roce_rp/rpg_ai_rate"},
    ValueFile{"dcqcn.rpg_hai_rate", "roce_rp/rpg_hai_rate"},
    ValueFile{"dcqcn.rpg_gd", "roce_rp/rpg_gd"},
    ValueFile{"dcqcn.rpg_min_dec_fac", "roce_rp/rpg_min_dec_fac"},
    ValueFile{"dcqcn.rpg_min_rate", "roce_rp/rpg_min_rate"},
    ValueFile{"dcqcn.rate_to_set_on_first_cnp", "roce_rp/rate_to_set_on_first_cnp"},
    ValueFile{"dcqcn.dce_tcp_g", "roce_rp/dce_tcp_g"},
    ValueFile{"dcqcn.dce_tcp_rtt", "roce_rp/dce_tcp_rtt"},
    ValueFile{"dcqcn.rate_reduce_monitor_period", "roce_rp/rate_reduce_monitor_period"},
    ValueFile{"dcqcn.initial_alpha_value", "roce_rp/initial_alpha_value"},
};

/// drivers/infiniband/hw/mlx5/cong.c. Writing np_cnp_prio makes the priority a fixed one
/// (np_cnp_prio_mode 0); with 1 a CNP gets the priority of the packet it answers. Of notify and
/// react drivers/fwctl/mlx5/main.c lets QUERY_CONG_STATUS pass (7.3).
constexpr std::string_view kMask =
    "the kernel's driver leaves it to the firmware, which has it on for the priorities in "
    "ROCE_CC_PRIO_MASK_P1 of its stored configuration (mlxconfig): all of them, where nobody "
    "changed that. What is in force the firmware alone tells, by fwctl (Linux 6.15 and later, "
    "where it is built), which rocectl doctor --firmware asks";
constexpr std::array kCcParams = {
    ValueFile{.key = "ecn.notify", .name = {}, .firmware = kMask},
    ValueFile{.key = "ecn.react", .name = {}, .firmware = kMask},
    ValueFile{"ecn.cnp_dscp", "np_cnp_dscp"},
    ValueFile{.key = "ecn.cnp_priority", .name = "np_cnp_prio", .off = "np_cnp_prio_mode"},
    ValueFile{"ecn.min_time_between_cnps", "np_min_time_between_cnps"},
    ValueFile{"dcqcn.clamp_tgt_rate", "rp_clamp_tgt_rate"},
    ValueFile{"dcqcn.clamp_tgt_rate_after_time_inc", "rp_clamp_tgt_rate_ati"},
    ValueFile{"dcqcn.rpg_time_reset", "rp_time_reset"},
    ValueFile{"dcqcn.rpg_byte_reset", "rp_byte_reset"},
    ValueFile{"dcqcn.rpg_threshold", "rp_threshold"},
    ValueFile{"dcqcn.rpg_max_rate", "rp_max_rate"},
    ValueFile{"dcqcn.rpg_ai_rate", "rp_ai_rate"},
    ValueFile{"dcqcn.rpg_hai_rate", "rp_hai_rate"},
    ValueFile{"dcqcn.rpg_gd", "rp_gd"},
    ValueFile{"dcqcn.rpg_min_dec_fac", "rp_min_dec_fac"},
    ValueFile{"dcqcn.rpg_min_rate", "rp_min_rate"},
    ValueFile{"dcqcn.rate_to_set_on_first_cnp", "rp_rate_to_set_on_first_cnp"},
    ValueFile{"dcqcn.dce_tcp_g", "rp_dce_tcp_g"},
    ValueFile{"dcqcn.dce_tcp_rtt", "rp_dce_tcp_rtt"},
    ValueFile{"dcqcn.rate_reduce_monitor_period", "rp_rate_reduce_monitor_period"},
    ValueFile{"dcqcn.initial_alpha_value", "rp_initial_alpha_value"},
};

/// The vendor's mlx5_ib: "Global tclass=106", and after it rules by address, which are left alone;
/// kstrtoint, in which what is negative is none (traffic_class_show and tclass_parse_tclass).
constexpr std::array kTrafficClassFiles = {ValueFile{.key = "rdma.traffic_class",
                                                     .name = "traffic_class",
                                                     .prefix = "Global tclass=",
                                                     .none = "-1"}};
constexpr std::array kTrafficClass = {
    FileBackEnd{.name = "sysfs",
                .folder = "/sys/class/infiniband/{rdma}/tc/{rdma_port}",
                .root = "/sys/class/infiniband",
                .files = kTrafficClassFiles}};

constexpr std::array kEcn = {
    FileBackEnd{.name = "sysfs",
                .folder = "/sys/class/net/{port}/ecn",
                .root = "/sys/class/net",
                .files = kEcnFiles},
    FileBackEnd{.name = "debugfs",
                .folder = "/sys/kernel/debug/mlx5/{pci}/cc_params",
                .root = "/sys/kernel/debug",
                .files = kCcParams},
};

/// drivers/infiniband/hw/mlx5/counters.c (queue counters have 32 bits, mlx5_ib_query_q_counters),
/// en_stats.c.
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "out_of_sequence", 32},
    Counter{Meter::sequence_naks, Object::rdma_counters, "packet_seq_err", 32},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "local_ack_timeout_err", 32},
    Counter{Meter::retries_exhausted, Object::rdma_counters, "req_transport_retries_exceeded", 32},
    Counter{Meter::rnr_received, Object::rdma_counters, "rnr_nak_retry_err", 32},
    Counter{Meter::no_receive, Object::rdma_counters, "out_of_buffer", 32},
    Counter{Meter::remote_access, Object::rdma_counters, "req_remote_access_errors", 32},
    Counter{Meter::roce_packets, Object::statistics, "rx_vport_rdma_unicast_packets"},
    Counter{Meter::roce_rx_bytes, Object::statistics, "rx_vport_rdma_unicast_bytes"},
    Counter{Meter::roce_tx_bytes, Object::statistics, "tx_vport_rdma_unicast_bytes"},
    Counter{Meter::icrc_errors, Object::rdma_counters, "rx_icrc_encapsulated"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "np_ecn_marked_roce_packets"},
    Counter{Meter::cnp_ignored, Object::rdma_counters, "rp_cnp_ignored"},
    Counter{Meter::crc_errors, Object::statistics, "rx_crc_errors_phy"},
    Counter{Meter::storm_events, Object::statistics, "tx_pause_storm_error_events"},
    // en/pcie_cong_event.c mlx5e_pcie_cong_event_work, 7.2 and 7.3: once each time it begins
    Counter{Meter::bus_congested, Object::statistics, "pci_bw_inbound_high", 32},
    Counter{Meter::bus_congested, Object::statistics, "pci_bw_outbound_high", 32},
    Counter{Meter::rx_discards, Object::statistics, "rx_prio#_discards"},
    Counter{Meter::rx_discards, Object::statistics, "rx_prio#_buf_discard"},
    Counter{Meter::rx_pause, Object::statistics, "rx_prio#_pause"},
    Counter{Meter::tx_pause, Object::statistics, "tx_prio#_pause"},
    Counter{Meter::rx_pause_us, Object::statistics, "rx_prio#_pause_duration"},
    Counter{Meter::tx_pause_us, Object::statistics, "tx_prio#_pause_duration"},
    Counter{Meter::rx_bytes, Object::statistics, "rx_prio#_bytes"},
    Counter{Meter::tx_bytes, Object::statistics, "tx_prio#_bytes"},
    Counter{Meter::rx_packets, Object::statistics, "rx_prio#_packets"},
    Counter{Meter::tx_packets, Object::statistics, "tx_prio#_packets"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "np_cnp_sent"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "rp_cnp_handled"},
};

constexpr auto kLog = std::to_array<kernel_log::Kind>({
    // events.c
    {"overheating", {"High Temperature", ""}},
    {"overheating", {"High temperature", ""}},
    {"slot-power", {"Detected insufficient power on the PCIe slot", ""}},
    // health.c, and the vendor's
    {"device-fatal", {"health compromised", ""}},
    {"device-fatal", {"mlx5_core", "Fatal error"}},
    // cmd.c mlx5_cmd_out_err
    {"memory-keys", {"CREATE_MKEY", "limits exceeded"}},
});

}  // namespace

/// en_dcbnl.c mlx5e_dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::maxrate, Object::pfc, Object::buffer,
                             Object::app};

constinit const Driver row = {
    .name = "mlx5_core",
    .doc =
        "Trust follows dscp.map: the first entry makes the port trust DSCP, removing the last "
        "makes it trust PCP; an entry replaces the one of its code point, and a removed code "
        "point gets priority 0; what nobody lists stays as the hardware has it, so that roce "
        "states all 64 code points.",
    .devices = "NVIDIA (Mellanox) ConnectX-4 and later, BlueField",
    .folder = "drivers/net/ethernet/mellanox/mlx5/core",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .dcb_operations = kDcb,
    .costs = kCosts,
    .counters = kCounters,
    .costs_source =
        "en_ethtool.c, en_dcbnl.c mlx5e_dcbnl_ieee_setpfc (the link is toggled where "
        "priorities change), en_main.c",
    .counters_source = "drivers/infiniband/hw/mlx5/counters.c, en_stats.c",
    .log = kLog,
    .dcbx = {.host = Dcbx::host | Dcbx::cee | Dcbx::ieee,
             .firmware = 0,
             .source = "en_dcbnl.c mlx5e_dcbnl_setdcbx"},
    .ets = {.takes_cb_shaper = false,
            .no_share_unless_ets = true,
            .source = "en_dcbnl.c mlx5e_dbcnl_validate_ets"},
    .pfc = {.delay_is_metres = true,
            .delay_min = 1,
            .delay_max = 999,
            .source = "en_dcbnl.c mlx5e_dcbnl_ieee_setpfc"},
    .app = {.trust = Driver::App::Trust::by_map,
            .existing = Driver::App::Existing::replaced,
            .takes_others = false,
            // mlx5e_dcbnl_ieee_setapp writes its own code point alone, and mlx5e_dcbnl_init_app
            // lists all 64 where the trust outlived the driver
            .unlisted = Driver::App::Unlisted::held,
            .source = "en_dcbnl.c mlx5e_dcbnl_ieee_setapp, mlx5e_dcbnl_ieee_delapp, "
                      "mlx5e_dcbnl_init_app"},
    .maxrate = {.steps = kRates,
                .higher_since = {7, 0},
                .source = "en_dcbnl.c mlx5e_dcbnl_ieee_setmaxrate"},
    .buffer = {.checked = true, .follows = true, .source = "en/port_buffer.c"},
    .storm_prevention = {.min = 80,
                         .max = 8000,
                         .automatic = 100,
                         .source = "en_ethtool.c MLX5E_PFC_PREVEN_TOUT_MIN_MSEC and its like"},
    .pause = {.autoneg_errno = EINVAL, .source = "en_ethtool.c mlx5e_ethtool_set_pauseparam"},
    // 1 + ilog2(PAGE_SIZE / 512), with pages of 4 KiB
    .ring = {.rx_min = 16,
             .tx_min = 64,
             .power_of_two = true,
             .source = "en.h MLX5E_PARAMS_MINIMUM_LOG_RQ_SIZE"},
    .coalesce = {.usecs_max = 4095,
                 .frames_max = 65535,
                 .source = "en_ethtool.c MLX5_MAX_CQ_PERIOD, MLX5_MAX_CQ_COUNT"},
    .link_modes = {.lanes_forced_since = {6, 15},
                   .forced_speed_offered = true,
                   .source = "en_ethtool.c cap_link_lanes_supported, mlx5_port_info2linkmodes"},
    // all ports of the NIC, of which there are up to MLX5_MAX_PORTS (include/linux/mlx5/driver.h)
    .bond_members = {.one_device = "mlx5_bond_0",
                     .most = 8,
                     .source = "lag/lag.c mlx5_handle_changeupper_event, mlx5_do_bond; "
                               "drivers/infiniband/hw/mlx5/main.c"},
    .cm_defaults = {.tos_carries_ecn = false,
                    .source = "drivers/infiniband/hw/mlx5/qp.c mlx5_set_path"},
    // mlx5_query_port_roce: iboe_get_mtu
    .rdma_port = {.source = "drivers/infiniband/hw/mlx5/main.c mlx5_query_port_roce"},
    .rdma_software = {.module = "mlx5_ib",
                      .provider = "mlx5",
                      .device_name = "mlx5_%d",
                      .takes_peer_memory = true,
                      .source = "drivers/infiniband/hw/mlx5/main.c; NVIDIA's nvidia-peermem.c"},
    .traffic_class = {.back_ends = kTrafficClass,
                      .source = "the vendor's mlx5_ib (DOCA, MLNX_OFED)"},
    .ecn = {.back_ends = kEcn,
            .source = "the vendor's en_ecn.c and en_sysfs.c; drivers/infiniband/hw/mlx5/cong.c"}};

}  // namespace core::mlx5

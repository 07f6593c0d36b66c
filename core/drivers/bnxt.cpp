// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::bnxt {
namespace {

bool negotiates_pause(const Port& port) {
    return port.pause && port.pause->autoneg;
}

/// bnxt_close_nic drops the carrier first (bnxt_tx_disable), and is called for ETS
/// (bnxt_setup_mq_tc), for PFC where a class goes to another queue (bnxt_queue_remap), for rings,
/// channels and MTU. bnxt_set_pauseparam resets the PHY where pause is or was negotiated
/// (bnxt_hwrm_set_link_common).
constexpr std::array kCosts = {Cost{Object::devlink, Disruption::reboot},
                               Cost{Object::ets, Disruption::link},
                               Cost{Object::pfc, Disruption::link, "pfc.priorities"},
                               Cost{Object::ring, Disruption::link},
                               Cost{Object::channels, Disruption::link},
                               Cost{Object::link, Disruption::link, "mtu"},
                               Cost{Object::pause, Disruption::link, "pause.autoneg"},
                               Cost{.object = Object::pause,
                                    .disruption = Disruption::link,
                                    .holds = negotiates_pause,
                                    .where = "pause is negotiated"}};

/// The vendor's own bnxt_re (configfs.c): every number is parsed with "%x", by newer ones with
/// kstrtouint of base 0, for which 0x is written; nothing of these reaches the device before
/// `apply`, and of older ones only `apply` tells what the device holds.
constexpr std::array kConfigfsFiles = {
    ValueFile{"ecn.notify", "ecn_enable"},
    ValueFile{"ecn.react", "ecn_enable"},
    ValueFile{"ecn.marking", "ecn_marking"},  // 1 is ECT(1), as the driver's own preset
    ValueFile{.key = "ecn.cnp_dscp", .name = "cnp_dscp", .again = true, .may_hide = true},
    // cnp_prio_store answers EINVAL where is_qport_service_type_supported, which debugfs.c tells
    ValueFile{.key = "ecn.cnp_priority",
              .name = "cnp_prio",
              .again = true,
              .may_hide = true,
              .unless_file = "/sys/kernel/debug/bnxt_re/{rdma}/info",
              .unless_line = "fw_service_prof_type_sup : 1"},
    ValueFile{"dcqcn.g", "g"},
    ValueFile{"dcqcn.init_cr", "init_cr"},
    ValueFile{"dcqcn.init_tr", "init_tr"},
    ValueFile{"dcqcn.inact_th", "inact_th"},
};

/// drivers/infiniband/hw/bnxt_re/debugfs.c, since Linux 6.15. Mode 0400, though it takes writes
/// of root; what the firmware refuses is not told, only read back.
constexpr std::array kCcConfig = {
    ValueFile{"ecn.notify", "enable_cc"},
    ValueFile{"ecn.react", "enable_cc"},
    ValueFile{"ecn.marking", "tos_ecn"},
    ValueFile{"ecn.cnp_dscp", "alt_vlan_dscp"},
    ValueFile{"ecn.cnp_priority", "alt_vlan_pcp"},
    ValueFile{"dcqcn.g", "run_avg_weight_g"},
    ValueFile{"dcqcn.init_cr", "init_cr"},
    ValueFile{"dcqcn.init_tr", "init_tr"},
    ValueFile{"dcqcn.rtt", "rtt"},
    ValueFile{"dcqcn.inact_th", "inactivity_cp"},
};

constexpr std::array kEcn = {
    FileBackEnd{.name = "configfs",
                .folder = "/sys/kernel/config/bnxt_re/{rdma}/ports/{rdma_port}/cc",
                .root = "/sys/kernel/config/bnxt_re",
                .made = true,
                .hexadecimal = true,
                .commit = "apply",
                // bnxt_re_program_cnp_dcb_values: bnxt_re_clear_dscp, then bnxt_re_init_d2p_map of
                // what was stored since the last commit
                .roce_dscp = "roce_dscp",
                .roce_priority = "roce_prio",
                .files = kConfigfsFiles},
    FileBackEnd{.name = "debugfs",
                .folder = "/sys/kernel/debug/bnxt_re/{pci}/cc_config",
                .root = "/sys/kernel/debug",
                .files = kCcConfig},
};

/// drivers/infiniband/hw/bnxt_re/hw_counters.c bnxt_re_stat_descs, bnxt_ethtool.c. The first name
/// is that of Linux 6.12 to 6.17, the second that since 6.18 and of the vendor's driver.
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "oos_drop_count"},
    Counter{Meter::out_of_sequence, Object::rdma_counters, "out_of_sequence"},
    Counter{Meter::sequence_naks, Object::rdma_counters, "seq_err_naks_rcvd"},
    Counter{Meter::sequence_naks, Object::rdma_counters, "packet_seq_err"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "to_retransmits"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "local_ack_timeout_err"},
    Counter{Meter::retries_exhausted, Object::rdma_counters, "max_retry_exceeded"},
    Counter{Meter::rnr_received, Object::rdma_counters, "rnr_naks_rcvd"},
    Counter{Meter::rnr_received, Object::rdma_counters, "rnr_nak_retry_err"},
    Counter{Meter::no_receive, Object::rdma_counters, "rx_out_of_buffer"},
    Counter{Meter::no_receive, Object::rdma_counters, "out_of_buffer"},
    Counter{Meter::remote_access, Object::rdma_counters, "remote_access_err"},
    Counter{Meter::remote_access, Object::rdma_counters, "req_remote_access_errors"},
    Counter{Meter::roce_packets, Object::rdma_counters, "rx_roce_good_pkts"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "rx_roce_good_bytes"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "tx_roce_only_bytes"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "rx_ecn_marked_pkts"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "np_ecn_marked_roce_packets"},
    Counter{Meter::crc_errors, Object::statistics, "rx_fcs_err_frames"},
    Counter{Meter::rx_discards, Object::rdma_counters, "rx_roce_discards"},
    Counter{Meter::rx_pause, Object::statistics, "rx_pfc_ena_frames_pri#"},
    Counter{Meter::tx_pause, Object::statistics, "tx_pfc_ena_frames_pri#"},
    Counter{Meter::rx_pause_us, Object::statistics, "pfc_pri#_rx_duration_us"},
    Counter{Meter::tx_pause_us, Object::statistics, "pfc_pri#_tx_duration_us"},
    Counter{Meter::rx_bytes, Object::statistics, "rx_bytes_pri#"},
    Counter{Meter::tx_bytes, Object::statistics, "tx_bytes_pri#"},
    Counter{Meter::rx_packets, Object::statistics, "rx_packets_pri#"},
    Counter{Meter::tx_packets, Object::statistics, "tx_packets_pri#"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "tx_cnp_pkts"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "np_cnp_pkts"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "rx_cnp_pkts"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "rp_cnp_handled"},
};

/// bnxt.c bnxt_async_event_process.
constexpr auto kLog = std::to_array<kernel_log::Kind>({
    {"device-fatal", {"bnxt_en", "irmware fatal"}},
    {"pause-storm", {"Pause Storm detected", ""}},
});

}  // namespace

/// bnxt_dcb.c dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::pfc, Object::app};

constinit const Driver row = {
    .name = "bnxt_en",
    .doc =
        "ETS, PFC and APP can be set only while DCBX is the host's, which the firmware's LLDP "
        "agent prevents; RoCE needs app.udp 4791 beside its DSCP, and an entry is removed before "
        "its code point gets another priority.",
    .devices = "Broadcom NetXtreme-C and NetXtreme-E, Stratus, Thor, Thor 2",
    .folder = "drivers/net/ethernet/broadcom/bnxt",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .dcb_operations = kDcb,
    .costs = kCosts,
    .counters = kCounters,
    .costs_source =
        "bnxt.c bnxt_close_nic, bnxt_setup_mq_tc, bnxt_hwrm_set_link_common; "
        "bnxt_dcb.c bnxt_queue_remap; bnxt_ethtool.c bnxt_set_pauseparam",
    .counters_source =
        "drivers/infiniband/hw/bnxt_re/hw_counters.c bnxt_re_stat_descs; "
        "bnxt_ethtool.c",
    .log = kLog,
    .dcbx = {.writes_need_host = true,
             .agent_remedy = "disable the firmware's LLDP and DCBX agent (NVM options 155, 255, "
                             "269 and 270) with the vendor's tool, then reset the NIC",
             .source = "bnxt_dcb.c bnxt_dcbnl_setdcbx"},
    .ets =
        {.classes = Driver::Ets::Classes::compact,
         .classes_sure = 3,
         .takes_vendor = false,
         .takes_cb_shaper = false,
         .shares_checked = false,
         .shares_below_checked = true,
         .zero_until_written = true,
         // getets and getpfc keep what they asked the firmware for; PRI2COS and COS2BW in
         // drivers/fwctl/bnxt/main.c, which has no PFCENABLE
         .zero_shown_by =
             "while DCBX is not the host's the driver asks the NIC, and it keeps the answer: "
             "dcb dcbx set dev PORT ieee, dcb ets show dev PORT, dcb pfc show dev PORT, dcb dcbx "
             "set dev PORT host ieee; fwctl (Linux 7.1) shows classes and shares too, and the "
             "vendor's niccli PFC as well",
         .source = "bnxt_dcb.c bnxt_ets_validate, bnxt_dcbnl_ieee_getets; "
                   "drivers/fwctl/bnxt/main.c (7.3.4)"},
    .pfc = {.source = "bnxt_dcb.c bnxt_dcbnl_ieee_getpfc, bnxt_hwrm_queue_pfc_cfg"},
    .app = {.trust = Driver::App::Trust::by_map,
            .tags_by_class = true,  // bnxt/bnxt.c bnxt_setup_mq_tc
            // drivers/infiniband/hw/bnxt_re/main.c bnxt_re_setup_qos, by bnxt_re_update_gid, gone
            // in 6.18
            .dgram_tags_before = {6, 18},
            // drivers/infiniband/hw/bnxt_re/main.c bnxt_re_get_priority_mask, gone in 6.18; bnxt_en
            // goes on telling the firmware (bnxt_dcb.c bnxt_hwrm_set_dcbx_app, 7.3)
            .needs_dgram = true,
            .unlisted = Driver::App::Unlisted::by_eights,
            .source = "bnxt_dcb.c bnxt_dcbnl_ieee_setapp, bnxt_hwrm_set_dcbx_app; bnxt.c "
                      "bnxt_setup_mq_tc; drivers/infiniband/hw/bnxt_re/main.c "
                      "bnxt_re_setup_qos (gone in 6.18)"},
    // up to max_pfcwd_tmo_ms
    .storm_prevention = {.limited_since = {6, 18}, .source = "bnxt_ethtool.c bnxt_set_tunable"},
    .pause = {.source = "bnxt_ethtool.c bnxt_set_pauseparam"},
    // MAX_SKB_FRAGS + 2, and in 7.3 bnxt_gso.h
    .ring = {.tx_min = 19,
             .tx_min_segmenting = 420,
             .source = "bnxt_ethtool.c bnxt_set_ringparam; bnxt_gso.h (7.3)"},
    .channels = {.combined_alone = true, .source = "bnxt_ethtool.c bnxt_set_channels"},
    .coalesce = {.usecs_max = 65535, .source = "bnxt.h struct bnxt_coal"},
    .statistics = {.refresh_ms = 1000, .source = "bnxt.h BNXT_DEF_STATS_COAL_TICKS"},
    .owners = {.udev_rules = "bnxt", .source = "the vendor's package"},
    .fec = {.auto_negotiates = true, .source = "bnxt_ethtool.c bnxt_set_fecparam"},
    // traffic_class >> 2 since a patch of November 2024; the vendor's bnxt_re always did
    .cm_defaults = {.shifts_since = {6, 13},
                    .tos_carries_ecn = false,
                    .source = "drivers/infiniband/hw/bnxt_re/ib_verbs.c bnxt_re_modify_qp"},
    .rdma_port = {.source = "drivers/infiniband/hw/bnxt_re/ib_verbs.c bnxt_re_query_port"},
    .rdma_software = {.module = "bnxt_re",
                      .provider = "bnxt_re",
                      .device_name = "bnxt_re%d",
                      .source = "drivers/infiniband/hw/bnxt_re/main.c"},
    .ecn = {.back_ends = kEcn,
            .offered_by = "Linux 6.15 and later, or the vendor's bnxt_re; in 6.13 and 6.14 its "
                          "packets can be marked by default, and there is nothing to set",
            .source = "the vendor's configfs.c and debugfs.c; "
                      "drivers/infiniband/hw/bnxt_re/debugfs.c; "
                      "drivers/infiniband/hw/bnxt_re/main.c bnxt_re_setup_cc (tos_ecn 1 since "
                      "6.13, none in 6.12)"}};

}  // namespace core::bnxt

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::hns3 {
namespace {

constexpr std::array kCosts = {
    Cost{Object::ring, Disruption::link}, Cost{Object::channels, Disruption::link},
    Cost{Object::ets, Disruption::link}, Cost{Object::pfc, Disruption::link},
    Cost{Object::link, Disruption::link, "mtu"}};

/// hns3pf/hclge_main.c g_mac_stats_string; drivers/infiniband/hw/hns/hns_roce_main.c
/// hns_roce_port_stats_descs, of a device newer than HIP08 (6.12.117 and 7.3.4).
constexpr std::array kCounters = {
    Counter{Meter::roce_packets, Object::rdma_counters, "rx_pkt"},
    Counter{Meter::crc_errors, Object::statistics, "mac_rx_fcs_err_pkt_num"},
    Counter{Meter::rx_pause, Object::statistics, "mac_rx_pfc_pri#_pkt_num"},
    Counter{Meter::tx_pause, Object::statistics, "mac_tx_pfc_pri#_pkt_num"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "tx_cnp_pkt"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "rx_cnp_pkt"},
};

constexpr std::uint32_t kU8 = 255;
constexpr std::uint32_t kU16 = 65535;
constexpr std::uint32_t kU32 = 0xffffffff;

/// drivers/infiniband/hw/hns/hns_roce_hw_v2.h HNS_ROCE_*_MAX and _MIN, the same in Linux 7.2 and
/// 7.3; DIP's are those of DCQCN.
constexpr auto kDcqcn = std::to_array<ElementRange>({{"ai", kU16},
                                                     {"f", kU8},
                                                     {"tkp", 10},
                                                     {"tmp", 15},
                                                     {"alp", kU16},
                                                     {"max_speed", kU32},
                                                     {"g", 15},
                                                     {"al", kU8},
                                                     {"cnp_time", kU8},
                                                     {"ashift", 15}});
constexpr auto kLdcp = std::to_array<ElementRange>(
    {{"cwd0", kU32}, {"alpha", kU8}, {"gamma", 7}, {"beta", 7}, {"eta", 7}});
constexpr auto kHc3 = std::to_array<ElementRange>({{"initial_window", kU32},
                                                   {"bandwidth", kU32, 1000},
                                                   {"qlen_shift", 31},
                                                   {"port_usage_shift", 100},
                                                   {"over_period", kU8},
                                                   {"max_stage", kU8},
                                                   {"gamma_shift", 15}});

/// drivers/infiniband/hw/hns/hns_roce_qp.c set_congest_type.
constexpr std::string_view kByQueuePair =
    "hns3 has no switch for it: each queue pair has the algorithm of congestion control that its "
    "maker asked for, or the firmware's own choice";

/// drivers/infiniband/hw/hns/hns_roce_debugfs.c create_cc_param_debugfs, since Linux 7.2: of a
/// physical function of a device newer than HIP08, and of the algorithms in caps.cong_cap.
constexpr std::array kCcParams = {
    ValueFile{.key = "ecn.notify", .name = {}, .firmware = kByQueuePair},
    ValueFile{.key = "ecn.dcqcn", .name = "dcqcn_cc_param/*", .ranges = kDcqcn},
    ValueFile{.key = "ecn.ldcp", .name = "ldcp_cc_param/*", .ranges = kLdcp},
    ValueFile{.key = "ecn.hc3", .name = "hc3_cc_param/*", .ranges = kHc3},
    ValueFile{.key = "ecn.dip", .name = "dip_cc_param/*", .ranges = kDcqcn},
};

constexpr std::array kEcn = {FileBackEnd{.name = "debugfs",
                                         .folder = "/sys/kernel/debug/hns_roce/{pci}",
                                         .root = "/sys/kernel/debug",
                                         .files = kCcParams}};

/// hns3_dcbnl.c hns3_dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::pfc, Object::app};

}  // namespace

constinit const Driver row = {
    .name = "hns3",
    .doc =
        "Trust follows dscp.map, and an entry replaces the one of its code point; PFC works per "
        "traffic class, so RoCE needs a class of its own, and no class that shares bandwidth may "
        "have 0 percent.",
    .devices = "HiSilicon Kunpeng",
    .folder = "drivers/net/ethernet/hisilicon/hns3",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .dcb_operations = kDcb,
    .costs = kCosts,
    .counters = kCounters,
    .costs_source = "hns3_ethtool.c, hns3_enet.c, hns3pf/hclge_dcb.c",
    .counters_source =
        "hns3pf/hclge_main.c g_mac_stats_string; "
        "drivers/infiniband/hw/hns/hns_roce_main.c hns_roce_port_stats_descs",
    .counters_known = false,
    .dcbx = {.firmware = std::nullopt, .source = "hns3pf/hclge_dcb.c hclge_setdcbx"},
    .ets = {.classes = Driver::Ets::Classes::compact,
            .takes_vendor = false,
            .takes_cb_shaper = false,
            .zero_share_refused = true,
            .empty_share_refused = true,
            .no_share_unless_ets = true,
            .source = "hns3pf/hclge_dcb.c hclge_ets_validate"},
    .pfc = {.delay_min = 1,
            .delay_max = 0,  // none is stored
            .source = "hns3pf/hclge_dcb.c hclge_ieee_setpfc"},
    .app = {.trust = Driver::App::Trust::by_map,
            .existing = Driver::App::Existing::replaced,
            .tags_by_class = true,  // hns3/hns3_enet.c hns3_nic_set_real_num_queue
            .takes_others = false,
            // unlisted is 0
            .source = "hns3pf/hclge_dcb.c hclge_ieee_setapp; hns3pf/hclge_tm.c "
                      "hclge_dscp_to_tc_map"},
    .storm_prevention = {.max = 2000,
                         .takes_automatic = false,
                         .source = "hns3_ethtool.c hns3_set_tunable, hns3pf/hclge_main.c "
                                   "hclge_set_pfc_prevention_tout (7.3; not in 6.12)"},
    .pause = {.gives_way = true,
              .autoneg_errno = EOPNOTSUPP,
              .source = "hns3_ethtool.c hns3_set_pauseparam, hns3pf/hclge_main.c"},
    .ring = {.rx_min = 72,
             .tx_min = 72,
             .multiple = 8,
             .source = "hns3_ethtool.c hns3_set_ringparam"},
    .coalesce = {.usecs_max = 8160, .source = "hns3pf/hclge_main.c HCLGE_DEF_MAX_INT_GL"},
    .link_modes = {.negotiates_all = true, .source = "hns3_ethtool.c"},
    .bond_members = {.one_device = "hns_bond_0",
                     .most = 4,
                     .of_one_bus = true,
                     .source = "drivers/infiniband/hw/hns/hns_roce_bond.c (6.19)"},
    .fec = {.auto_unread = true, .source = "hns3_ethtool.c hns3_get_fecparam"},
    // traffic_class >> DSCP_SHIFT
    .cm_defaults = {.tos_carries_ecn = false,
                    .source = "drivers/infiniband/hw/hns/hns_roce_device.h get_tclass"},
    .rdma_port = {.source = "drivers/infiniband/hw/hns/hns_roce_main.c hns_roce_query_port"},
    .rdma_software = {.module = "hns_roce_hw_v2",
                      .provider = "hns",
                      .device_name = "hns_%d",
                      .source = "drivers/infiniband/hw/hns/hns_roce_main.c"},
    .ecn = {.back_ends = kEcn,
            .offered_by = "Linux 7.2 and later, and the physical function of a device newer than "
                          "HIP08",
            .source = "drivers/infiniband/hw/hns/hns_roce_debugfs.c create_cc_param_debugfs "
                      "(7.2)"}};

}  // namespace core::hns3

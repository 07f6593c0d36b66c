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

}  // namespace

/// Below drivers/net/ethernet/hisilicon/hns3/, where no other folder is named.
constinit const Driver row = {
    .name = "hns3",
    .doc =
        "Trust follows dscp.map, and an entry replaces the one of its code point; PFC works per "
        "traffic class, so RoCE needs a class of its own, and no class that shares bandwidth may "
        "have 0 percent.",
    .costs = kCosts,
    .counters_known = false,
    // hns3pf/hclge_dcb.c
    .dcbx = {.firmware = std::nullopt},
    .ets = {.classes = Driver::Ets::Classes::compact,
            .takes_vendor = false,
            .takes_cb_shaper = false,
            .zero_share_refused = true,
            .empty_share_refused = true,
            .no_share_unless_ets = true},
    .pfc = {.delay_min = 1, .delay_max = 0},  // none is stored
    .app = {.trust = Driver::App::Trust::by_map,
            .existing = Driver::App::Existing::replaced,
            .tags_by_class = true,   // hns3/hns3_enet.c hns3_nic_set_real_num_queue
            .takes_others = false},  // hns3pf/hclge_tm.c hclge_dscp_to_tc_map: unlisted is 0
    // hns3_ethtool.c hns3_set_tunable, hclge_main.c hclge_set_pfc_prevention_tout (7.3; not
    // in 6.12)
    .storm_prevention = {.max = 2000, .takes_automatic = false},
    // hns3_ethtool.c; HNS3_INT_GL_MAX
    .pause = {.gives_way = true, .autoneg_errno = EOPNOTSUPP},
    .ring = {.rx_min = 72, .tx_min = 72, .multiple = 8},
    .coalesce = {.usecs_max = 8160},
    .link_modes = {.negotiates_all = true},
    // drivers/infiniband/hw/hns/hns_roce_bond.c, since Linux 6.19
    .bond_members = {.one_device = "hns_bond_0", .most = 4, .of_one_bus = true},
    .fec = {.auto_unread = true},
    // drivers/infiniband/hw/hns/hns_roce_device.h get_tclass: traffic_class >> DSCP_SHIFT
    .cm_defaults = {.tos_carries_ecn = false},
    .rdma_software = {.module = "hns_roce_hw_v2", .provider = "hns"}};

}  // namespace core::hns3

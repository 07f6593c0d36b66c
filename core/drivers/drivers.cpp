// SPDX-License-Identifier: Apache-2.0
#include "core/model/driver.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/drivers/congestion_files.hpp"

namespace core {
namespace {

constexpr std::array kMlx5Costs = {Cost{Object::private_flags, Disruption::queues},
                                   Cost{Object::pfc, Disruption::link, "pfc.priorities"},
                                   Cost{Object::link, Disruption::queues, "mtu"},
                                   Cost{Object::app, Disruption::queues}};
/// A byte of 100 Mb/s, and above that a byte of 1 Gb/s (mlx5e_dcbnl_ieee_setmaxrate).
constexpr std::array kMlx5Rates = {RateStep{25'500'000, 100'000}, RateStep{255'000'000, 1'000'000}};
constexpr std::array kBnxtCosts = {Cost{Object::devlink, Disruption::reboot},
                                   Cost{Object::ets, Disruption::queues},
                                   Cost{Object::link, Disruption::link, "mtu"}};
constexpr std::array kIceCosts = {
    Cost{Object::private_flags, Disruption::link}, Cost{Object::ring, Disruption::link},
    Cost{Object::channels, Disruption::link},      Cost{Object::ets, Disruption::link},
    Cost{Object::pfc, Disruption::link},           Cost{Object::app, Disruption::link},
    Cost{Object::link, Disruption::link, "mtu"}};
constexpr std::array kHns3Costs = {
    Cost{Object::ring, Disruption::link}, Cost{Object::channels, Disruption::link},
    Cost{Object::ets, Disruption::link}, Cost{Object::pfc, Disruption::link},
    Cost{Object::link, Disruption::link, "mtu"}};

const std::array kDrivers = {
    // drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c; rings: en_ethtool.c, which rounds up
    Driver{.name = "mlx5_core",
           .doc = "Trust follows dscp.map: the first entry makes the port trust DSCP, removing the "
                  "last makes it trust PCP; an entry replaces the one of its code point, and a "
                  "removed code point gets priority 0.",
           .trust = Driver::Trust::by_map,
           .existing = Driver::Existing::replaced,
           .other_app = false,
           .unlisted_dscp_by_eights = true,
           .takes_cb_shaper = false,
           .no_share_unless_ets = true,
           .pause_autoneg_errno = EINVAL,
           .sized_buffers = true,
           .buffers_follow = true,
           .delay_is_metres = true,
           .delay_max = 999,
           .delay_min = 1,
           .host_dcbx = Dcbx::host | Dcbx::cee | Dcbx::ieee,
           .firmware_dcbx = 0,
           .ring_rx_min = 2,
           .ring_tx_min = 64,
           .ring_power_of_two = true,
           .coalesce_usecs_max = 4095,  // MLX5_MAX_CQ_PERIOD, MLX5_MAX_CQ_COUNT
           .coalesce_frames_max = 65535,
           .lanes_negotiated = true,
           .forced_speed_offered = true,
           .tos_carries_ecn = false,  // drivers/infiniband/hw/mlx5/qp.c mlx5_set_path: DSCP alone
           .storm_min = 80,
           .storm_max = 8000,
           .storm_auto = 100,
           .rate_steps = kMlx5Rates,
           .costs = kMlx5Costs,
           .traffic_class = kMlx5TrafficClass,
           .congestion = kMlx5Congestion},
    // drivers/net/ethernet/broadcom/bnxt/bnxt_dcb.c, bnxt_ethtool.c
    Driver{.name = "bnxt_en",
           .doc = "ETS, PFC and APP can be set only while DCBX is the host's, which the firmware's "
                  "LLDP agent prevents; RoCE needs app.udp 4791 beside its DSCP, and an entry is "
                  "removed before its code point gets another priority.",
           .trust = Driver::Trust::by_map,
           .needs_dgram_app = true,
           .unlisted_dscp_by_eights = true,
           .takes_vendor = false,
           .takes_cb_shaper = false,
           .writes_need_host_dcbx = true,
           .classes_max = 3,
           .agent_remedy = "disable the firmware's LLDP and DCBX agent (NVM options 155, 255, 269 "
                           "and 270) with the vendor's tool, then reset the NIC",
           .ring_tx_min = 19,  // MAX_SKB_FRAGS + 2
           .channels_combined_alone = true,
           .coalesce_usecs_max = 65535,  // struct bnxt_coal
           .fec_auto_negotiates = true,
           .classes = Driver::Classes::compact,
           .tos_carries_ecn = false,  // bnxt_re/ib_verbs.c bnxt_re_modify_qp: traffic_class >> 2
           .costs = kBnxtCosts,
           .congestion = kBnxtCongestion},
    // drivers/net/ethernet/intel/ice/ice_dcb_nl.c, ice_ethtool.c; irdma does not subtract headers
    // from the MTU
    Driver{
        .name = "ice",
        .doc = "The first DSCP entry puts priority n into traffic class n and gives class 0 the "
               "whole bandwidth, removing the last one resets all QoS; a code point is removed "
               "before it gets another priority; ETS, PFC and APP writes close and open the port.",
        .trust = Driver::Trust::by_map,
        .existing = Driver::Existing::refused,
        .other_app = false,
        .first_dscp_sets_ets = true,
        .last_dscp_resets = true,
        .unlisted_dscp_by_eights = true,
        .fixed_classes_with_dscp = true,
        .classes_contiguous = true,
        .pause_gives_way = true,
        .pause_autoneg_errno = EOPNOTSUPP,
        .writes_need_host_dcbx = true,
        .dcb_needs_no_bond = true,
        .reopens = true,
        .dcb_applies_all = true,
        .delay_max = 0,  // with delay_min 1: none is stored
        .delay_min = 1,
        .firmware_dcbx = std::nullopt,
        .agent_remedy = "stop the NIC's LLDP agent: state \"private_flags\": {\"fw-lldp-agent\": "
                        "false}, or ethtool --set-priv-flags PORT fw-lldp-agent off",
        .ring_rx_min = 64,
        .ring_tx_min = 64,
        .ring_multiple = 32,
        .channels_one_sided = true,
        .channels_need_no_rdma = true,
        .coalesce_usecs_max = 8160,  // ICE_ITR_MAX
        .lanes_negotiated = true,
        .agent_flag = "fw-lldp-agent",
        .rdma_mtu_overhead = 0,
        .costs = kIceCosts},
    // drivers/net/ethernet/hisilicon/hns3/hns3pf/hclge_dcb.c; rings: hns3_ethtool.c
    Driver{.name = "hns3",
           .doc = "Trust follows dscp.map, and an entry replaces the one of its code point; PFC "
                  "works per traffic class, so RoCE needs a class of its own, and no class that "
                  "shares bandwidth may have 0 percent.",
           .trust = Driver::Trust::by_map,
           .existing = Driver::Existing::replaced,
           .other_app = false,
           .unlisted_dscp_by_eights = true,
           .zero_share_refused = true,
           .empty_share_refused = true,
           .takes_vendor = false,
           .takes_cb_shaper = false,
           .no_share_unless_ets = true,
           .pause_gives_way = true,
           .pause_autoneg_errno = EOPNOTSUPP,
           .delay_max = 0,  // with delay_min 1: none is stored
           .delay_min = 1,
           .firmware_dcbx = std::nullopt,
           .ring_rx_min = 72,
           .ring_tx_min = 72,
           .ring_multiple = 8,
           .coalesce_usecs_max = 8160,  // HNS3_INT_GL_MAX
           .negotiates_all = true,
           .fec_auto_unread = true,
           .classes = Driver::Classes::compact,
           .tos_carries_ecn = false,  // hns_roce_device.h get_tclass: traffic_class >> DSCP_SHIFT
           .costs = kHns3Costs},
    // net/dcb/dcbnl.c: what the kernel does by itself
    Driver{.name = "generic",
           .doc = "A driver that rocectl has no row for: what the kernel's DCB layer does by "
                  "itself is assumed, and every write is read back.",
           .shares_checked = false,
           .rewrites = true},
};

}  // namespace

std::string_view word(Disruption disruption) {
    constexpr std::array<std::string_view, 6> kWords = {"none",   "queues", "link",
                                                        "reload", "reset",  "reboot"};
    return kWords.at(static_cast<std::size_t>(disruption));
}

std::span<const Driver> drivers() {
    return kDrivers;
}

const Driver& driver_named(std::string_view name) {
    const auto found = std::ranges::find(kDrivers, name, &Driver::name);
    return found == kDrivers.end() ? kDrivers.back() : *found;
}

const Driver& driver_of(const Port& port) {
    return port.device ? driver_named(port.device->driver) : kDrivers.back();
}

std::uint32_t rdma_mtu(const Driver& driver, std::string_view rdma_type, std::uint32_t mtu) {
    std::uint32_t overhead = driver.rdma_mtu_overhead;
    if (rdma_type == "rxe") overhead = 80;  // RXE_MAX_HDR_LENGTH, drivers/infiniband/sw/rxe
    if (rdma_type == "siw") overhead = 0;
    for (const std::uint32_t payload : {4096U, 2048U, 1024U, 512U, 256U})
        if (mtu >= payload + overhead) return payload;
    return 0;
}

}  // namespace core

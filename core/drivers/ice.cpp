// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::ice {
namespace {

/// ice_set_fc sends the PHY its configuration anew with ICE_AQ_PHY_ENA_AUTO_LINK_UPDT, upon which
/// the link restarts.
constexpr std::array kCosts = {
    Cost{Object::pause, Disruption::link}, Cost{Object::private_flags, Disruption::link},
    Cost{Object::ring, Disruption::link}, Cost{Object::channels, Disruption::link},
    Cost{Object::ets, Disruption::link}, Cost{Object::pfc, Disruption::link},
    Cost{Object::app, Disruption::link}, Cost{Object::link, Disruption::link, "mtu"},
    // Each change resets the virtual function (ice_sriov.c, ice_reset_vf).
    Cost{Object::vf, Disruption::link}};

/// drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_names, ice_ethtool.c.
constexpr std::array kCounters = {
    Counter{Meter::ecn_marked, Object::rdma_counters, "RxECNMrkd"},
    Counter{Meter::cnp_ignored, Object::rdma_counters, "cnpIgnored", 32},
    Counter{Meter::crc_errors, Object::statistics, "rx_crc_errors.nic"},
    Counter{Meter::rx_discards, Object::rdma_counters, "ip4InDiscards", 32},
    Counter{Meter::rx_pause, Object::statistics, "rx_priority_#_xoff.nic"},
    Counter{Meter::tx_pause, Object::statistics, "tx_priority_#_xoff.nic"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "cnpSent"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "cnpHandled"},
};

}  // namespace

/// Below drivers/net/ethernet/intel/ice/, where no other folder is named.
constinit const Driver row = {
    .name = "ice",
    .doc =
        "The first DSCP entry puts priority n into traffic class n and gives class 0 the whole "
        "bandwidth, removing the last one resets all QoS; a code point is removed before it gets "
        "another priority; ETS, PFC and APP writes close and open the port. A priority needs the "
        "class of its number, and a NIC of more than four functions has only 0 to 3. E810 alone "
        "takes DSCP entries: E82x and E830 answer that they are not supported.",
    .costs = kCosts,
    .counters = kCounters,
    // ice_dcb_nl.c
    .reopens = true,
    .dcb_applies_all = true,
    .dcbx = {.firmware = std::nullopt,
             .writes_need_host = true,
             .needs_no_bond = true,
             .agent_remedy = "stop the NIC's LLDP agent: state \"private_flags\": "
                             "{\"fw-lldp-agent\": false}, or ethtool --set-priv-flags PORT "
                             "fw-lldp-agent off"},
    .ets = {.classes_contiguous = true, .fixed_with_dscp = true},
    .pfc = {.delay_min = 1, .delay_max = 0},  // none is stored
    .app = {.trust = Driver::App::Trust::by_map,
            .existing = Driver::App::Existing::refused,
            .below_classes = true,  // ice_dcbnl_setapp: maxtc, 4 on a NIC of more than 4 functions
            .tags_by_class = true,  // ice/ice_lib.c ice_vsi_cfg_netdev_tc
            .takes_others = false,
            .first_dscp_sets_ets = true,
            .last_dscp_resets = true,
            .unlisted = Driver::App::Unlisted::by_eights},
    // ice_ethtool.c; ICE_ITR_MAX
    .pause = {.gives_way = true, .autoneg_errno = EOPNOTSUPP},
    .ring = {.rx_min = 64, .tx_min = 64, .multiple = 32},
    .channels = {.one_sided = true, .need_no_rdma = true},
    .coalesce = {.usecs_max = 8160},
    .link_modes = {.lanes_negotiated = true},
    .statistics = {.refresh_ms = 1000},  // ice_main.c ice_watchdog_subtask
    .vf = {.spoofchk = true},  // ice_sriov.c ice_create_vf_entries, ice_initialize_vf_entry
    .private_flags = {.agent = "fw-lldp-agent"},
    // drivers/infiniband/hw/irdma does not subtract headers from the MTU
    .rdma_port = {.mtu_overhead = 0},
    .rdma_software = {.module = "irdma", .provider = "irdma"}};

}  // namespace core::ice

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::i40e {
namespace {

/// i40e_down takes the carrier away: i40e_set_pauseparam does so itself, i40e_set_ringparam and
/// i40e_change_mtu by it, i40e_set_channels and i40e_set_priv_flags by a reset of the function,
/// i40e_set_features by one where ntuple changes, i40e_hw_dcb_config by closing every queue.
constexpr std::array kCosts = {
    Cost{Object::pause, Disruption::link},    Cost{Object::private_flags, Disruption::link},
    Cost{Object::ring, Disruption::link},     Cost{Object::channels, Disruption::link},
    Cost{Object::ets, Disruption::link},      Cost{Object::pfc, Disruption::link},
    Cost{Object::app, Disruption::link},      Cost{Object::link, Disruption::link, "mtu"},
    Cost{Object::features, Disruption::link},
};

/// i40e_ethtool.c i40e_gstrings_stats, i40e_gstrings_pfc_stats.
constexpr std::array kCounters = {
    Counter{Meter::crc_errors, Object::statistics, "port.rx_crc_errors"},
    Counter{Meter::pause_frames, Object::statistics, "port.link_xoff_rx"},
    Counter{Meter::rx_pause, Object::statistics, "port.rx_priority_#_xoff_rx"},
    Counter{Meter::tx_pause, Object::statistics, "port.tx_priority_#_xoff_tx"},
};

/// i40e_dcb_nl.c dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::pfc, Object::app};

}  // namespace

constinit const Driver row = {
    .name = "i40e",
    .doc =
        "Intel X722: RDMA is iWARP, and not RoCE v2; X710 and XL710 have none. ETS, PFC and APP "
        "can be set while the NIC's own LLDP agent is stopped, and close and open the port.",
    .devices = "Intel X722, X710, XL710",
    .folder = "drivers/net/ethernet/intel/i40e",
    .read_in = "Linux 6.12.117; RDMA in 7.3.4",
    .dcb_operations = kDcb,
    .costs = kCosts,
    .counters = kCounters,
    .costs_source =
        "i40e_main.c i40e_down, i40e_vsi_reinit_locked, i40e_reconfig_rss_queues, "
        "i40e_set_features, i40e_hw_dcb_config; i40e_ethtool.c i40e_set_pauseparam",
    .counters_source = "i40e_ethtool.c i40e_gstrings_stats, i40e_gstrings_pfc_stats",
    .of_many_devices = true,
    .reopens = true,
    .dcbx = {.firmware = std::nullopt,
             .writes_need_host = true,
             .agent_remedy = "stop the NIC's LLDP agent: ethtool --set-priv-flags PORT "
                             "disable-fw-lldp on",
             .source = "i40e_dcb_nl.c i40e_dcbnl_setdcbx"},
    // a gap is "Non-contiguous TC - Disabling DCB"; another TSA than ets and strict is refused
    .ets = {.classes_contiguous = true,
            .takes_vendor = false,
            .takes_cb_shaper = false,
            .shares_checked = false,
            .source = "i40e_main.c i40e_dcb_get_num_tc, i40e_hw_dcb_config"},
    .pfc = {.delay_min = 1,
            .delay_max = 0,  // none is stored
            .source = "i40e_dcb_nl.c i40e_dcbnl_ieee_setpfc"},
    // any selector is listed by the kernel, and told the firmware; no file of i40e names DSCP
    .app = {.trust = Driver::App::Trust::by_map,
            .tags_by_class = true,
            .no_dscp = "X710, XL710 and X722 have no table of code points: they go by the "
                       "priority in the VLAN tag",
            .source = "i40e_dcb_nl.c i40e_dcbnl_ieee_setapp; i40e_main.c "
                      "i40e_vsi_config_netdev_tc"},
    .pause = {.gives_way = true,
              .autoneg_errno = EOPNOTSUPP,
              .source = "i40e_ethtool.c i40e_get_pauseparam, i40e_set_pauseparam"},
    .ring = {.rx_min = 64,
             .tx_min = 64,
             .multiple = 32,
             .source = "i40e_ethtool.c i40e_set_ringparam; i40e.h I40E_MIN_NUM_DESCRIPTORS"},
    .channels = {.combined_alone = true, .source = "i40e_ethtool.c i40e_set_channels"},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "RDMA of i40e is iWARP (X722, irdma), and not RoCE v2",
                  .source = "drivers/infiniband/hw/irdma/i40iw_hw.c"},
    .rdma_software = {.module = "irdma",
                      .provider = "irdma",
                      .device_name = "irdma%d",
                      .source = "drivers/infiniband/hw/irdma/i40iw_if.c"}};

}  // namespace core::i40e

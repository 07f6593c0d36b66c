// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::ice {
namespace {

bool trusts_one(const Port& port) {
    return port.vf && std::ranges::any_of(port.vf->functions, [](const auto& one) {
               return one.second.trust.value_or(false);
           });
}

/// ice_set_fc sends the PHY its configuration anew with ICE_AQ_PHY_ENA_AUTO_LINK_UPDT, upon which
/// the link restarts.
constexpr std::array kCosts = {
    Cost{Object::pause, Disruption::link}, Cost{Object::private_flags, Disruption::link},
    Cost{Object::ring, Disruption::link}, Cost{Object::channels, Disruption::link},
    Cost{Object::ets, Disruption::link}, Cost{Object::pfc, Disruption::link},
    Cost{Object::app, Disruption::link}, Cost{Object::link, Disruption::link, "mtu"},
    // ice_sriov.c ice_set_vf_port_vlan resets the virtual function (ice_reset_vf, 6.12 and 7.3)
    Cost{Object::vf, Disruption::link, "vf.vlan"}, Cost{Object::vf, Disruption::link, "vf.qos"},
    Cost{Object::vf, Disruption::link, "vf.vlan_protocol"},
    // ice_set_vf_trust: at each change in 6.12 and 7.2; in 7.3 where trust is taken from one that
    // is promiscuous or has LLDP, which nothing tells
    Cost{.object = Object::vf, .disruption = Disruption::link, .key = "vf.trust", .before = {7, 3}},
    Cost{.object = Object::vf,
         .disruption = Disruption::link,
         .key = "vf.trust",
         .holds = trusts_one,
         .where = "a virtual function is trusted"}};

/// drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_names (6.12.117), irdma_hw_stat_descs (7.3.4),
/// ice_ethtool.c. What the device counts in 24 to 56 bits the driver adds up in 64
/// (irdma/ctrl.c irdma_update_stats).
constexpr std::array kCounters = {
    Counter{Meter::roce_packets, Object::rdma_counters, "RxUDP"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "ip4InOctets"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "ip6InOctets"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "ip4OutOctets"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "ip6OutOctets"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "RxECNMrkd"},
    Counter{Meter::cnp_ignored, Object::rdma_counters, "cnpIgnored"},
    Counter{Meter::crc_errors, Object::statistics, "rx_crc_errors.nic"},
    Counter{Meter::rx_discards, Object::rdma_counters, "ip4InDiscards"},
    Counter{Meter::rx_discards, Object::rdma_counters, "ip6InDiscards"},
    Counter{Meter::rx_pause, Object::statistics, "rx_priority_#_xoff.nic"},
    Counter{Meter::tx_pause, Object::statistics, "tx_priority_#_xoff.nic"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "cnpSent"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "cnpHandled"},
};

/// Intel's own irdma (configfs.c irdma_roce_vsi_attrs, 1.11 to 1.14): one switch for all
/// priorities, of a device that somebody made a directory for. The kernel's irdma has none, and
/// leaves DCQCN off (drivers/infiniband/hw/irdma/verbs.c, dcqcn_en, 7.3).
constexpr std::array kConfigfsFiles = {ValueFile{"ecn.react", "roce_dcqcn_enable"}};
/// The same driver's main.c, all 0444.
constexpr std::array<std::string_view, 12> kParameters = {"dcqcn_enable",
                                                          "dcqcn_cc_cfg_valid",
                                                          "dcqcn_min_dec_factor",
                                                          "dcqcn_min_rate_MBps",
                                                          "dcqcn_F",
                                                          "dcqcn_T",
                                                          "dcqcn_B",
                                                          "dcqcn_rai_factor",
                                                          "dcqcn_hai_factor",
                                                          "dcqcn_rreduce_mperiod",
                                                          "roce_ena",
                                                          "roce_port_cfg"};
constexpr std::array kEcn = {FileBackEnd{.name = "configfs",
                                         .folder = "/sys/kernel/config/irdma/{rdma}",
                                         .root = "/sys/kernel/config/irdma",
                                         .made = true,
                                         .files = kConfigfsFiles}};

/// ice_dcb_nl.c ice_dcbnl_setapp with a maxtc of 4, in 6.12 and 7.3.
constexpr std::array<std::uint8_t, 32> kOfFour = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                                  3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/// ice_devids.h, ICE_DEV_ID_E810*: those for which ice_lib.c ice_init_feature_support sets
/// ICE_F_DSCP (6.12 and 7.3).
constexpr std::array<std::string_view, 6> kE810 = {"8086:1591", "8086:1592", "8086:1593",
                                                   "8086:1599", "8086:159a", "8086:159b"};

/// ice_dcb_nl.c dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::pfc, Object::app};

constexpr Driver kRow = {
    .name = "ice",
    .doc =
        "The first DSCP entry puts priority n into traffic class n and gives class 0 the whole "
        "bandwidth, removing the last one resets all QoS; a code point is removed before it gets "
        "another priority; ETS, PFC and APP writes close and open the port. A priority needs the "
        "class of its number, and a NIC of more than four functions has only 0 to 3. E810 alone "
        "takes DSCP entries: E82x, E830 and E835 answer that they are not supported.",
    .devices = "Intel E810",
    .folder = "drivers/net/ethernet/intel/ice",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .dcb_operations = kDcb,
    .costs = kCosts,
    .counters = kCounters,
    .costs_source =
        "ice_ethtool.c, ice_dcb_lib.c ice_pf_dcb_cfg, ice_common.c ice_set_fc, "
        "ice_sriov.c ice_set_vf_trust",
    .counters_source =
        "drivers/infiniband/hw/irdma/verbs.c irdma_hw_stat_names (6.12), irdma_hw_stat_descs "
        "(7.3); "
        "ice_ethtool.c",
    .reopens = true,
    .dcb_applies_all = true,
    .dcbx = {.firmware = std::nullopt,
             .writes_need_host = true,
             .needs_no_bond = true,
             .agent_remedy = "stop the NIC's LLDP agent: state \"private_flags\": "
                             "{\"fw-lldp-agent\": false}, or ethtool --set-priv-flags PORT "
                             "fw-lldp-agent off",
             .source = "ice_dcb_nl.c ice_dcbnl_setdcbx; ice_lag.c"},
    .ets = {.classes_contiguous = true,
            .fixed_with_dscp = true,
            .source = "ice_dcb_nl.c ice_dcbnl_setets; ice_dcb_lib.c"},
    .pfc = {.delay_min = 1,
            .delay_max = 0,  // none is stored
            .source = "ice_dcb_nl.c ice_dcbnl_setpfc"},
    .app = {.trust = Driver::App::Trust::by_map,
            .existing = Driver::App::Existing::refused,
            .below_classes = true,  // ice_dcbnl_setapp: maxtc, 4 on a NIC of more than 4 functions
            .tags_by_class = true,  // ice/ice_lib.c ice_vsi_cfg_netdev_tc
            .takes_others = false,
            .first_dscp_sets_ets = true,
            .last_dscp_resets = true,
            // ice_dcbnl_setapp gives class i the code points i * 8 and up, and ice_dcbnl_delapp the
            // one that it removes the class DSCP % ICE_BYTES_PER_DSCP_VAL (6.12.117 and 7.3.4)
            .unlisted = Driver::App::Unlisted::by_eights_unless_removed,
            .unlisted_of_four = kOfFour,
            .source = "ice_dcb_nl.c ice_dcbnl_setapp, ice_dcbnl_delapp; ice_lib.c "
                      "ice_init_feature_support"},
    .pause = {.gives_way = true,
              .autoneg_errno = EOPNOTSUPP,
              .source = "ice_ethtool.c ice_set_pauseparam"},
    .ring = {.rx_min = 64,
             .tx_min = 64,
             .multiple = 32,
             .source = "ice_ethtool.c ice_set_ringparam"},
    .channels = {.one_sided = true,
                 .need_no_rdma = true,
                 .source = "ice_ethtool.c ice_set_channels"},
    .coalesce = {.usecs_max = 8160, .source = "ice_txrx.h ICE_ITR_MAX"},
    .link_modes = {.lanes_negotiated = true, .source = "ice_ethtool.c"},
    .statistics = {.refresh_ms = 1000, .source = "ice_main.c ice_watchdog_subtask"},
    .vf = {.spoofchk = true,
           .source = "ice_sriov.c ice_create_vf_entries, ice_initialize_vf_entry"},
    .private_flags = {.agent = "fw-lldp-agent", .source = "ice_ethtool.c ice_set_priv_flags"},
    .cm_defaults = {.source = "drivers/infiniband/hw/irdma/verbs.c irdma_modify_qp_roce"},
    // does not subtract headers from the MTU; RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP alone
    .rdma_port = {.mtu_overhead = 0,
                  .roce_v1 = false,
                  .source = "drivers/infiniband/hw/irdma/verbs.c irdma_query_port, "
                            "irdma_roce_port_immutable"},
    .rdma_software = {.module = "irdma",
                      .provider = "irdma",
                      .parameters = kParameters,
                      .device_name = "irdma%d",
                      .source = "drivers/infiniband/hw/irdma/verbs.c"},
    .ecn = {.back_ends = kEcn,
            .offered_by =
                "Intel's own irdma, which is not in the kernel: the kernel's leaves DCQCN "
                "off",
            .source = "drivers/infiniband/hw/irdma/verbs.c"}};

/// drivers/infiniband/hw/irdma/verbs.c: where the port goes by tags, the user priority is
/// rt_tos2priority(ToS), or what the egress map of the VLAN makes of it.
constexpr Driver by_tag() {
    Driver out = kRow;
    out.name = "ice-e82x";
    out.doc =
        "E82x, E830 and E835, whose driver is ice too: as ice, but the NIC has no table of code "
        "points "
        "and goes by the priority in the VLAN tag. RDMA takes that from the ToS by the kernel's "
        "own table (ToS 106 is priority 2) or from egress_priority of the VLAN.";
    out.devices = "Intel E82x, E830 and E835";
    out.of_driver = "ice";
    out.but_pci_ids = kE810;
    out.app.no_dscp =
        "E82x, E830 and E835 have no table of code points, only E810 does; state roce.trust pcp, "
        "and "
        "egress_priority of the VLAN that RoCE is in";
    out.app.first_dscp_sets_ets = false;
    out.app.last_dscp_resets = false;
    out.ets.fixed_with_dscp = false;
    return out;
}

}  // namespace

constinit const Driver row = kRow;

}  // namespace core::ice

namespace core::ice_e82x {

constinit const Driver row = ice::by_tag();

}  // namespace core::ice_e82x

// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::qede {
namespace {

/// drivers/net/ethernet/qlogic/qede/: qede_ethtool.c qede_change_mtu, qede_set_ringparam and
/// qede_set_channels call qede_reload, which closes and opens the port (6.12 and 7.3).
constexpr std::array kCosts = {Cost{Object::ring, Disruption::link},
                               Cost{Object::channels, Disruption::link},
                               Cost{Object::link, Disruption::link, "mtu"}};

/// qede/qede_dcbnl.c qede_dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::pfc, Object::app};

}  // namespace

constinit const Driver row = {
    .name = "qede",
    .doc =
        "Marvell FastLinQ: ETS, PFC and APP can be set only while its DCBX is static or IEEE, "
        "never "
        "the host's; it has no table of code points, and tells RoCE by app.udp 4791 or the VLAN "
        "tag. An APP entry cannot be removed.",
    .devices = "Marvell (QLogic) FastLinQ 41000 and 45000",
    .folder = "drivers/net/ethernet/qlogic",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .dcb_operations = kDcb,
    .costs = kCosts,
    .costs_source = "qede/qede_main.c qede_reload",
    .counters_known = false,
    // qed_dcbnl_getdcbx never has the HOST bit; every set needs operational.ieee
    .dcbx = {.host = Dcbx::ieee | Dcbx::fixed,
             .firmware = std::nullopt,
             .source = "qed/qed_dcbx.c qed_dcbnl_getdcbx, qed_dcbnl_setdcbx"},
    // four classes, or eight: a port says which (qed_dcbx_get_ets_data, max_ets_tc)
    .ets = {.classes = Driver::Ets::Classes::compact,
            .classes_sure = 4,
            // the driver hands on what it is given; the firmware's answer is not known
            .shares_checked = false,
            .source = "qed/qed_dcbx.c qed_dcbnl_ieee_setets, qed_dcbx_set_ets_data"},
    .pfc = {.delay_min = 1,
            .delay_max = 0,  // none is stored
            .source = "qed/qed_dcbx.c qed_dcbnl_ieee_setpfc, qed_dcbnl_get_ieee_pfc"},
    // qed_get_sf_ieee_value refuses the DSCP selector, after the kernel has listed the entry
    .app = {.trust = Driver::App::Trust::by_map,
            .no_dscp =
                "FastLinQ (qede) has no table of code points: it goes by the priority in the "
                "VLAN tag; state roce.trust pcp, and egress_priority of the VLAN that RoCE "
                "is in",
            .source = "qed/qed_dcbx.c qed_get_sf_ieee_value; qede/qede_dcbnl.c "
                      "qede_dcbnl_ieee_setapp"},
    .pause = {.source = "qede/qede_ethtool.c qede_set_pauseparam"},
    .ring = {.rx_min = 128,
             .tx_min = 128,
             .source = "qede/qede_ethtool.c qede_set_ringparam; qede/qede.h NUM_RX_BDS_MIN"},
    .cm_defaults = {.source = "drivers/infiniband/hw/qedr/verbs.c qedr_modify_qp"},
    .rdma_port = {.mtu_overhead = 96,
                  .source = "drivers/infiniband/hw/qedr/verbs.c qedr_query_port"},
    .rdma_software = {.module = "qedr",
                      .provider = "qedr",
                      .device_name = "qedr%d",
                      .source = "drivers/infiniband/hw/qedr/main.c"},
    .ecn = {.elsewhere = "the kernel's qedr has no parameters of it",
            .source = "drivers/infiniband/hw/qedr/main.c"}};

}  // namespace core::qede

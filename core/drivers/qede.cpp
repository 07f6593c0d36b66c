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

}  // namespace

/// drivers/net/ethernet/qlogic/qed/qed_dcbx.c, qede/qede_dcbnl.c, drivers/infiniband/hw/qedr,
/// Linux 6.12 and 7.3.
constinit const Driver row = {
    .name = "qede",
    .doc =
        "Marvell FastLinQ: ETS, PFC and APP can be set only while its DCBX is static or IEEE, "
        "never "
        "the host's; it has no table of code points, and tells RoCE by app.udp 4791 or the VLAN "
        "tag. An APP entry cannot be removed.",
    .costs = kCosts,
    .counters_known = false,
    // qed_dcbnl_getdcbx never has the HOST bit; every set needs operational.ieee
    .dcbx = {.host = Dcbx::ieee | Dcbx::fixed, .firmware = std::nullopt},
    // four classes, or eight: a port says which (qed_dcbx_get_ets_data, max_ets_tc)
    .ets = {.classes = Driver::Ets::Classes::compact,
            .classes_sure = 4,
            .takes_vendor = false,
            .takes_cb_shaper = false},
    // qed_get_sf_ieee_value refuses the DSCP selector, after the kernel has listed the entry
    .app = {.trust = Driver::App::Trust::by_map,
            .no_dscp =
                "FastLinQ (qede) has no table of code points: it goes by the priority in the "
                "VLAN tag; state roce.trust pcp, and egress_priority of the VLAN that RoCE "
                "is in"},
    // drivers/infiniband/hw/qedr/verbs.c qedr_query_port: iboe_get_mtu
    .rdma_port = {.mtu_overhead = 96},
    .rdma_software = {.module = "qedr", .provider = "qedr"}};

}  // namespace core::qede

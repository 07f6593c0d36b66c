// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::ionic {
namespace {

constexpr std::array kCosts = {Cost{Object::ring, Disruption::queues},
                               Cost{Object::channels, Disruption::queues}};

}  // namespace

/// Below drivers/net/ethernet/pensando/ionic/, where no other folder is named; RDMA since
/// Linux 6.18 (drivers/infiniband/hw/ionic).
constinit const Driver row = {
    .name = "ionic",
    .doc =
        "The kernel's driver has no DCB: what follows from roce for ETS, PFC and DSCP is only "
        "listed; set it with the vendor's nicctl. RDMA needs Linux 6.18 or the vendor's driver.",
    .costs = kCosts,
    .no_dcb = "the driver ionic has no DCB; the vendor's nicctl sets PFC and DSCP of the NIC",
    .ets = {.shares_checked = false},
    // ionic_ethtool.c ionic_set_pauseparam, ionic_set_ringparam (a power of two, or it is refused),
    // ionic_set_channels, ionic_set_fecparam
    .pause = {.autoneg_errno = EOPNOTSUPP},
    // drivers/infiniband/hw/ionic/ionic_ibdev.c ionic_query_port: iboe_get_mtu
    .rdma_port = {.mtu_overhead = 96},
    .rdma_software = {.module = "ionic_rdma", .provider = "ionic"}};

}  // namespace core::ionic

// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/drivers/families.hpp"

namespace core::cxgb4 {
namespace {

/// cxgb4_ethtool.c set_pauseparam and set_fecparam give the port's link its configuration anew
/// (t4_link_l1cfg). The MTU is one command (cxgb4_main.c cxgb_change_mtu), and rings cannot be
/// changed once the port was up (set_sge_param: EBUSY).
constexpr std::array kCosts = {Cost{Object::pause, Disruption::link},
                               Cost{Object::fec, Disruption::link}};

}  // namespace

constinit const Driver row = {
    .name = "cxgb4",
    .doc =
        "Chelsio T4 to T6: RDMA is iWARP, and not RoCE v2. ETS and PFC are what the firmware "
        "agrees with the switch.",
    .devices = "Chelsio T4, T5 and T6",
    .folder = "drivers/net/ethernet/chelsio/cxgb4",
    .read_in = "Linux 6.12.117; RDMA in 7.3.4",
    .costs = kCosts,
    .costs_source = "cxgb4_ethtool.c set_pauseparam, set_fecparam; t4_hw.c t4_link_l1cfg",
    // names that end in spaces, of which none was seen on a host
    .counters_known = false,
    .of_many_devices = true,
    // cxgb4_dcb_ops has no ieee_setets and no ieee_setpfc; cxgb4_setdcbx takes what is there alone
    .no_dcb =
        "the driver cxgb4 sets no ETS and no PFC of IEEE 802.1Qaz: its firmware takes both "
        "from the switch by DCBX",
    .ets = {.shares_checked = false},
    .app = {.no_dscp = "T4 to T6 have no table of code points",
            .source = "cxgb4_dcb.c cxgb4_ieee_setapp"},
    .pause = {.source = "cxgb4_ethtool.c set_pauseparam"},
    .ring = {.rx_min = 16,
             .tx_min = 32,
             .source = "cxgb4_ethtool.c set_sge_param; cxgb4.h MIN_FL_ENTRIES, MIN_TXQ_ENTRIES"},
    .rdma_port = {.mtu_overhead = std::nullopt,
                  .no_roce = "RDMA of cxgb4 is iWARP (iw_cxgb4), and not RoCE v2",
                  .source = "drivers/infiniband/hw/cxgb4/provider.c"},
    .rdma_software = {.module = "iw_cxgb4",
                      .provider = "cxgb4",
                      .device_name = "cxgb4_%d",
                      .source = "drivers/infiniband/hw/cxgb4/provider.c"}};

}  // namespace core::cxgb4

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::mlx4 {
namespace {

/// drivers/net/ethernet/mellanox/mlx4/: en_netdev.c mlx4_en_change_mtu, en_ethtool.c
/// mlx4_en_set_ringparam and mlx4_en_set_channels stop and start the port (7.3).
constexpr std::array kCosts = {Cost{Object::ring, Disruption::link},
                               Cost{Object::channels, Disruption::link},
                               Cost{Object::link, Disruption::link, "mtu"}};

/// en_ethtool.c main_strings; the times of pause are of no unit that it names.
constexpr std::array kCounters = {
    Counter{Meter::rx_pause, Object::statistics, "rx_pause_prio_#"},
    Counter{Meter::tx_pause, Object::statistics, "tx_pause_prio_#"},
    Counter{Meter::rx_bytes, Object::statistics, "rx_prio_#_bytes"},
    Counter{Meter::tx_bytes, Object::statistics, "tx_prio_#_bytes"},
    Counter{Meter::rx_packets, Object::statistics, "rx_prio_#_packets"},
    Counter{Meter::tx_packets, Object::statistics, "tx_prio_#_packets"},
};

/// en_dcb_nl.c MLX4_RATELIMIT_UNITS_IN_KB, in 16 bits.
constexpr std::array kRates = {RateStep{6'553'500'000, 100'000}};

/// The PCI driver, which the RDMA device has.
constexpr std::array<std::string_view, 1> kAlso = {"mlx4_core"};

/// en_dcb_nl.c mlx4_en_dcbnl_ops.
constexpr std::array kDcb = {Object::ets, Object::maxrate, Object::pfc};

}  // namespace

constinit const Driver row = {
    .name = "mlx4_en",
    .doc =
        "ConnectX-3: RoCE v2 is on ConnectX-3 Pro alone; the driver has no APP operation, so that "
        "a "
        "code point is listed and without effect, and the NIC goes by the VLAN tag. Every change "
        "of "
        "dcbx.mode clears ETS and PFC; PFC turns pause off, and pause PFC.",
    .devices = "NVIDIA (Mellanox) ConnectX-3 and ConnectX-3 Pro",
    .folder = "drivers/net/ethernet/mellanox/mlx4",
    .read_in = "Linux 6.12.117 and 7.3.4",
    .dcb_operations = kDcb,
    .also = kAlso,
    .costs = kCosts,
    .counters = kCounters,
    .costs_source = "en_netdev.c mlx4_en_change_mtu, en_ethtool.c",
    .counters_source = "en_ethtool.c main_strings",
    .counters_known = false,
    .dcbx = {.firmware = std::nullopt, .source = "en_dcb_nl.c mlx4_en_dcbnl_setdcbx"},
    .ets = {.takes_cb_shaper = false, .source = "en_dcb_nl.c mlx4_en_ets_validate"},
    .pfc = {.delay_min = 1,
            .delay_max = 0,  // none is stored
            .source = "en_dcb_nl.c mlx4_en_dcbnl_ieee_setpfc, mlx4_en_dcbnl_ieee_getpfc"},
    .app = {.trust = Driver::App::Trust::by_map,
            .no_dscp =
                "ConnectX-3 (mlx4_en) has no table of code points: it goes by the priority "
                "in the VLAN tag; state roce.trust pcp, and egress_priority of the VLAN that "
                "RoCE is in",
            .source = "en_dcb_nl.c mlx4_en_dcbnl_ops (no ieee_setapp)"},
    .maxrate = {.steps = kRates,
                .rounds_up = true,
                .source = "en_dcb_nl.c mlx4_en_dcbnl_ieee_setmaxrate"},
    .pause = {.autoneg_errno = EINVAL, .source = "en_ethtool.c mlx4_en_set_pauseparam"},
    .ring = {.rx_min = 256,
             .tx_min = 64,
             .power_of_two = true,
             .source = "en_ethtool.c mlx4_en_set_ringparam; mlx4_en.h MLX4_EN_MIN_RX_SIZE"},
    .cm_defaults = {.source = "drivers/infiniband/hw/mlx4/qp.c _mlx4_set_path"},
    .rdma_port = {.mtu_overhead = 96,
                  .source = "drivers/infiniband/hw/mlx4/main.c eth_link_query_port"},
    .rdma_software = {.module = "mlx4_ib",
                      .provider = "mlx4",
                      .device_name = "mlx4_%d",
                      .source = "drivers/infiniband/hw/mlx4/main.c"},
    .ecn = {.elsewhere = "the NIC has QCN (mlx4_en_dcbnl_ieee_setqcn), which rocectl does not set",
            .source = "en_dcb_nl.c"}};

}  // namespace core::mlx4

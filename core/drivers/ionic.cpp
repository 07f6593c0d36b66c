// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/drivers/families.hpp"

namespace core::ionic {
namespace {

/// ionic_lif.c ionic_change_mtu, and ionic_ethtool.c ionic_set_ringparam and ionic_set_channels by
/// ionic_reconfigure_queues, stop the queues (ionic_stop_queues_reconfig, 7.3).
constexpr std::array kCosts = {Cost{Object::ring, Disruption::queues},
                               Cost{Object::channels, Disruption::queues},
                               Cost{Object::link, Disruption::queues, "mtu"}};

/// ionic_stats.c ionic_port_stats_desc; frames_rx_pri_# are PFC frames, which frames_rx_pripause is
/// the sum of (port.cpp port_mac_stats_errata_correct of the vendor's firmware sources).
/// drivers/infiniband/hw/ionic/ionic_hw_stats.c has the names from the firmware: these are those of
/// the vendor's metrics exporter.
constexpr std::array kCounters = {
    Counter{Meter::out_of_sequence, Object::rdma_counters, "resp_rx_outouf_seq"},
    Counter{Meter::ack_timeouts, Object::rdma_counters, "tx_rdma_ack_timeout"},
    Counter{Meter::retries_exhausted, Object::rdma_counters, "req_tx_retry_excd_err"},
    Counter{Meter::no_receive, Object::rdma_counters, "resp_rx_outof_buf"},
    Counter{Meter::roce_rx_bytes, Object::rdma_counters, "rx_rdma_ucast_bytes"},
    Counter{Meter::roce_tx_bytes, Object::rdma_counters, "tx_rdma_ucast_bytes"},
    Counter{Meter::ecn_marked, Object::rdma_counters, "rx_rdma_ecn_pkts"},
    Counter{Meter::crc_errors, Object::statistics, "frames_rx_bad_fcs"},
    Counter{Meter::rx_pause, Object::statistics, "frames_rx_pri_#"},
    Counter{Meter::tx_pause, Object::statistics, "frames_tx_pri_#"},
    Counter{Meter::rx_pause_us, Object::statistics, "rx_pripause_#_1us_count"},
    Counter{Meter::tx_pause_us, Object::statistics, "tx_pripause_#_1us_count"},
    Counter{Meter::cnp_sent, Object::rdma_counters, "tx_rdma_cnp_pkts"},
    Counter{Meter::cnp_handled, Object::rdma_counters, "rx_rdma_cnp_pkts"},
};

}  // namespace

constinit const Driver row = {
    .name = "ionic",
    .doc =
        "The kernel's driver has no DCB: what follows from roce for ETS, PFC and DSCP is only "
        "listed; set it with the vendor's nicctl. Its flags of pause are those of PFC too, and a "
        "write of them would turn PFC off: none is made. RDMA needs Linux 6.18, "
        "built with it, or the vendor's driver.",
    .devices = "AMD (Pensando) DSC, Pollara",
    .folder = "drivers/net/ethernet/pensando/ionic",
    .read_in = "Linux 6.12.117 (without RDMA) and 7.3.4",
    .costs = kCosts,
    .counters = kCounters,
    .costs_source = "ionic_lif.c ionic_change_mtu, ionic_ethtool.c ionic_set_ringparam",
    .counters_source =
        "ionic_stats.c ionic_port_stats_desc; the names of RDMA come from the "
        "firmware (drivers/infiniband/hw/ionic/ionic_hw_stats.c)",
    .counters_known = false,
    .no_dcb = "the driver ionic has no DCB; the vendor's nicctl sets PFC and DSCP of the NIC",
    // AMD UG1813; by its defaults DSCP 24 has priority 3 and CNPs have DSCP 46 and priority 6
    .no_dcb_remedy =
        "nicctl update port --pause-type pfc --rx-pause enable --tx-pause enable; nicctl update "
        "qos --classification-type dscp, nicctl update qos dscp-to-priority --dscp DSCP "
        "--priority PRIORITY, nicctl update qos pfc --priority PRIORITY --no-drop enable; nicctl "
        "show port and nicctl show qos tell what the NIC has",
    .ets = {.shares_checked = false},
    // always IONIC_PORT_PAUSE_TYPE_LINK
    .pause = {.type_set_by = "nicctl update port --pause-type, which nicctl show port shows",
              .autoneg_errno = EOPNOTSUPP,
              .source = "ionic_ethtool.c ionic_get_pauseparam, ionic_set_pauseparam; ionic_if.h"},
    .ring = {.power_of_two = true,
             .rounds = false,
             .source = "ionic_ethtool.c ionic_set_ringparam"},
    // connected queue pairs are always sent with ECT(0), address handles never (ionic_set_ecn,
    // ionic_clear_ecn)
    .cm_defaults = {.tos_carries_ecn = false,
                    .source = "drivers/infiniband/hw/ionic/ionic_controlpath.c ionic_build_hdr"},
    // iboe_get_mtu; RDMA_CORE_PORT_IBA_ROCE_UDP_ENCAP alone
    .rdma_port = {.mtu_overhead = 96,
                  .roce_v1 = false,
                  .source = "drivers/infiniband/hw/ionic/ionic_ibdev.c ionic_query_port, "
                            "ionic_get_port_immutable"},
    .rdma_software = {.module = "ionic_rdma",
                      .provider = "ionic",
                      .offered_by = "Linux 6.18 and later, where it is built with it (Debian's is "
                                    "not), or of the vendor",
                      .device_name = "ionic_%d",
                      .source = "drivers/infiniband/hw/ionic (6.18)"},
    .ecn = {.elsewhere = "the vendor's nicctl sets it, and nothing else shows it",
            .source = "AMD UG1813"}};

}  // namespace core::ionic

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/state.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// Asks for what IEEE 802.3 and RMON define, which drivers tell under one name each.
Message standard_statistics_message(Machine& machine, const std::string& port);
/// What ETHTOOL_MSG_STATS_GET answers, with the names of ethtool --groups: of a group and of what
/// the standard calls it, `eth-phy-SymbolErrorDuringCarrier`. Histograms are left out.
core::Statistics decode_standard_statistics(Bytes payload);

/// Link-level pause frames in an answer to ETHTOOL_MSG_PAUSE_GET, with the names of ethtool
/// --include-statistics --show-pause.
core::Statistics decode_pause_statistics(Bytes payload);
/// Blocks that error correction fixed and could not fix, of all lanes (ETHTOOL_A_FEC_STATS, each
/// a list of which the first is the total: net/ethtool/fec.c fec_put_stats).
core::Statistics decode_fec_statistics(Bytes payload);

}  // namespace netlink

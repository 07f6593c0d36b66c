// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/doctor/causes.hpp"

namespace core {

/// One thing that a packet passes on its way, and its value on a port: trust, dscp.
struct ChainLink {
    std::string_view name{};             ///< trust
    std::string found{};                 ///< dscp; empty: not known
    const FindingRow* broken = nullptr;  ///< what is wrong with it; null: nothing was found
    bool follows = false;                ///< what is wrong follows from a cause elsewhere
    bool operator==(const ChainLink&) const = default;
};

/// The links in the order in which a packet passes them.
struct Chain {
    std::string_view name{};           ///< class, mtu or reach
    std::vector<std::string> ports{};  ///< that all have a chain with these values
    std::vector<ChainLink> links{};
};

/// The first link that is broken by a cause, else by what follows from one; null where none is.
const ChainLink* first_broken(const Chain& chain);

/// The ids of the findings that break a link.
std::vector<std::string_view> chain_breaks();

/// Three chains for each port of the fabric: class (from the application's ToS to PFC, that of the
/// other end where it is known and, where the port was read twice, whether the priority carried
/// anything), mtu, and reach, the way to others. Ports whose links have the same values share a
/// chain.
std::vector<Chain> chains(const Inquiry& inquiry, const Examination& examination,
                          const std::vector<Suspect>& causes);

}  // namespace core

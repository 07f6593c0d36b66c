// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/doctor/causes.hpp"

namespace core {

/// What a packet passes on its way, as it is on a port.
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
    std::vector<std::string> ports{};  ///< on which it is the same
    std::vector<ChainLink> links{};
};

/// The first link that is broken by a cause, else by what follows from one; null where none is.
const ChainLink* first_broken(const Chain& chain);

/// Of each port of the fabric the class chain (from the application's ToS to PFC, that of the other
/// end where it is known and, where the port was read twice, whether the priority carried
/// anything), the MTU chain and the way to others; ports on which a chain is the same share it.
std::vector<Chain> chains(const Inquiry& inquiry, const Examination& examination,
                          const std::vector<Suspect>& causes);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/state.hpp"

namespace core::probe {

/// What a port has counted of packets that were lost or damaged, by the names below; what its
/// driver does not count is not there.
using PacketLosses = std::map<std::string, std::uint64_t, std::less<>>;
PacketLosses packet_losses(const Port& port);

/// The names that losses may have.
std::vector<std::string_view> packet_loss_names();

/// One of them that grew while a probe ran.
struct PacketLoss {
    bool here = true;  ///< counted by this host, else by the peer
    std::string name{};
    std::uint64_t number = 0;
};
std::vector<PacketLoss> grown(const PacketLosses& before, const PacketLosses& after, bool here);

/// What it means, as a sentence: on the way from where to where packets are lost.
std::string packet_loss_text(const PacketLoss& loss);

}  // namespace core::probe

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
using Losses = std::map<std::string, std::uint64_t, std::less<>>;
Losses losses(const Port& port);

/// The names that losses may have.
std::vector<std::string_view> loss_names();

/// One of them that grew while a probe ran.
struct Loss {
    bool here = true;  ///< counted by this host, else by the peer
    std::string name{};
    std::uint64_t number = 0;
};
std::vector<Loss> grown(const Losses& before, const Losses& after, bool here);

/// What it means, as a sentence: on the way from where to where packets are lost.
std::string loss_text(const Loss& loss);

}  // namespace core::probe

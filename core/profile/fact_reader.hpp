// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/profile/entry.hpp"

namespace core {

/// Reads what an entry says facts should be, and adds it; what is wrong is added to `problems`.
void read_facts(const Node& node, const std::string& pointer, Entry& entry, Problems& problems);

/// `mtu, pfc.priorities`: what could stand in a place.
std::string listed(const std::vector<std::string>& names);

}  // namespace core

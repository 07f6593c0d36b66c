// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace core {

/// Kernel modules that are loaded or built in.
using Modules = std::set<std::string, std::less<>>;

struct State;

}  // namespace core

namespace core::modules {

/// The modules that `after` has and `before` has not; none where one of them does not tell.
Modules loaded(const State& before, const State& after);

}  // namespace core::modules

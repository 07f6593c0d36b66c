// SPDX-License-Identifier: Apache-2.0
#include "core/model/state.hpp"

#include <algorithm>

namespace core {

const Port* find_port(const State& state, std::string_view name) {
    const auto found = std::ranges::find(state.ports, name, &Port::name);
    return found == state.ports.end() ? nullptr : &*found;
}

Port* find_port(State& state, std::string_view name) {
    const auto found = std::ranges::find(state.ports, name, &Port::name);
    return found == state.ports.end() ? nullptr : &*found;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/model/state.hpp"

namespace core {

/// What a text of a state is.
enum class TextOf : std::uint8_t {
    address,    ///< typed: an address of a kind, a name of the kernel's
    port,       ///< the name of a port
    device,     ///< the name of an RDMA device
    one_value,  ///< a fact that is one free text: a version, a state
    free,       ///< lines, values of variables, paths, names that stand for something
};
using OnText = std::function<std::string(std::string_view, TextOf)>;

/// Hands each text of the state to `seen`, whatever field or message it stands in; words of a
/// closed list are left out. A long list is not copied.
void for_each_text(const State& state, const std::function<void(std::string_view, TextOf)>& seen);

/// The state with what `other` makes of each text in it, whatever field or message it stands in;
/// words of a closed list stay.
State with_texts(const State& state, const OnText& other);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/json/tree.hpp"
#include "core/profile/profile.hpp"

namespace core {

/// What the names stand for on one port, or on the host before a port is matched.
struct Bindings {
    const Variables& variables;
    std::string hostname;
    std::string port;                    ///< empty before a port is matched
    std::optional<std::uint64_t> index;  ///< position among the entry's ports

    [[nodiscard]] std::optional<std::string> find(const std::string& name) const;
};

/// The value with every `${…}` replaced. A name that stands for nothing, or a sum of what is not
/// integers, is a problem.
Node substitute(const Node& node, const Bindings& bindings, const std::string& pointer,
                Problems& problems);

/// The value with those `${…}` replaced of which all names are given; the others stay.
Node substitute_given(const Node& node, const std::map<std::string, std::string>& given,
                      const std::string& pointer, Problems& problems);

}  // namespace core

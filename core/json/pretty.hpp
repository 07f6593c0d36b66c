// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// A document for people: a plain list, and what is short, stands on one line.
std::string pretty(const nlohmann::ordered_json& value);

}  // namespace core

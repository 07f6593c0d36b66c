// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace core {

/// The place of a dotted key: `pfc.priorities` is the member `priorities` of `pfc`.
nlohmann::ordered_json& nested(nlohmann::ordered_json& object, std::string_view key);

}  // namespace core

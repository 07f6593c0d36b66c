// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace core {

/// The JSON Schema (draft 2020-12) of profiles, generated from the field table.
nlohmann::ordered_json profile_schema();

}  // namespace core

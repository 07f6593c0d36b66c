// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/json/json.hpp"

namespace core {

/// A list of what `to_json` writes.
template <typename Item>
Json list_json(const std::vector<Item>& items) {
    Json out = Json::array();
    for (const Item& item : items)
        out.push_back(to_json(item));
    return out;
}

}  // namespace core

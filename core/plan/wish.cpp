// SPDX-License-Identifier: Apache-2.0
#include "core/plan/wish.hpp"

namespace core {

std::string text(const Origin& origin) {
    std::string place = origin.file;
    if (origin.line > 0) place += ":" + std::to_string(origin.line);
    if (!origin.other.empty()) return origin.other + (place.empty() ? "" : " (" + place + ")");
    if (!origin.derived_from.empty())
        return "derived from " + origin.derived_from + " (" + place + ")";
    return place;
}

}  // namespace core

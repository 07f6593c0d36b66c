// SPDX-License-Identifier: Apache-2.0
#include "core/model/wish.hpp"

namespace core {

Finding finding_about(const Wish& wish, FindingId id) {
    Finding out{.id = id,
                .port = wish.port,
                .key = std::string(wish.field->key),
                .element = wish.element,
                .origin = wish.origin};
    if (wish.optional && out.level == Finding::Level::failure) out.level = Finding::Level::note;
    return out;
}

std::string text(const Origin& origin) {
    std::string place = origin.file;
    if (origin.line > 0) place += ":" + std::to_string(origin.line);
    if (!origin.other.empty()) return origin.other + (place.empty() ? "" : " (" + place + ")");
    if (!origin.derived_from.empty())
        return "derived from " + origin.derived_from + " (" + place + ")";
    return place;
}

}  // namespace core

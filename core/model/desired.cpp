// SPDX-License-Identifier: Apache-2.0
#include "core/model/desired.hpp"

namespace core {

Finding finding_about(const Desired& desired, FindingId id) {
    Finding out{.id = id,
                .port = desired.port,
                .key = std::string(desired.field->key),
                .element = desired.element,
                .origin = desired.origin};
    if (desired.optional && out.level == Finding::Level::failure) out.level = Finding::Level::note;
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

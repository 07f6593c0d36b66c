// SPDX-License-Identifier: Apache-2.0
#include "core/model/parts.hpp"

#include "core/model/driver.hpp"

namespace core {

Parts changed_parts(const Port& before, const Port& after) {
    Parts out;
    const auto note = [&](Object object, bool same) {
        if (!same) out.set(static_cast<std::size_t>(object));
    };
    const auto compare = [&](Object object, const auto& was, const auto& is) {
        if (was.has_value() != is.has_value()) out.set();
        note(object, was == is);
    };
#define CORE_PART(object, Part) compare(Object::object, before.object, after.object);
#define CORE_LISTED(object, Element, Beyond)              \
    compare(Object::object, before.object, after.object); \
    note(Object::object, before.object##_beyond == after.object##_beyond);
#define CORE_SHARED(object, other) compare(Object::object, before.other, after.other);
    CORE_OBJECTS(CORE_PART, CORE_LISTED, CORE_SHARED)
#undef CORE_PART
#undef CORE_LISTED
#undef CORE_SHARED
    const bool unsupported = before.refused != after.refused || before.unknown != after.unknown ||
                             before.absent != after.absent;
    if (unsupported || &driver_of(before) != &driver_of(after)) out.set();
    return out;
}

}  // namespace core

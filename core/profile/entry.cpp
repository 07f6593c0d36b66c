// SPDX-License-Identifier: Apache-2.0
#include "core/profile/entry.hpp"

#include <algorithm>
#include <iterator>

#include "core/profile/derived.hpp"
#include "core/profile/origin.hpp"

namespace core {
namespace {

/// Of a plain setting the line of its key, of a collection's element its own.
Origin origin_of(const Statement& statement, const Stated& stated) {
    return origin_at(stated.element.empty() ? statement.place : stated.place, stated.pointer);
}

}  // namespace

Wished wished(const Entry& entry, const std::optional<Intent>& intent, const Driver& driver) {
    Wished out{.wishes = {}, .exact = entry.exact};
    for (const Statement& statement : entry.statements)
        for (const Stated& stated : statement.elements)
            out.wishes.push_back({.port = {},
                                  .field = statement.field,
                                  .element = stated.element,
                                  .value = stated.value,
                                  .origin = origin_of(statement, stated),
                                  .optional = entry.optional.contains(statement.field),
                                  .external = entry.external.contains(statement.field)});
    if (!intent) return out;
    Wished derived = derive(*intent, driver);
    std::erase_if(derived.wishes, [&](const Wish& wish) {
        return std::ranges::any_of(out.wishes,
                                   [&](const Wish& stated) { return same_element(stated, wish); });
    });
    for (Wish& wish : derived.wishes) {
        wish.optional = wish.optional || entry.optional.contains(wish.field);
        wish.external = entry.external.contains(wish.field);
    }
    std::ranges::move(derived.wishes, std::back_inserter(out.wishes));
    std::ranges::move(derived.exact, std::back_inserter(out.exact));
    return out;
}

}  // namespace core

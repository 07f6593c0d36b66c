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

/// The priorities that are stated to have PFC.
Numbers stated_lossless(const std::vector<Wish>& wishes) {
    for (const Wish& wish : wishes)
        if (wish.field->key == "pfc.priorities" && wish.value)
            return std::get<Numbers>(*wish.value);
    return {};
}

}  // namespace

Wished stated_wishes(const Entry& entry) {
    Wished out{.wishes = {}, .exact = entry.exact};
    for (const Statement& statement : entry.statements)
        for (const Stated& stated : statement.elements)
            out.wishes.push_back({.port = {},
                                  .field = statement.field,
                                  .element = stated.element,
                                  .value = stated.value,
                                  .origin = origin_of(statement, stated),
                                  .optional = entry.optional.contains(statement.field),
                                  .external = entry.external.contains(statement.field),
                                  .required = entry.required.contains(statement.field)});
    for (const Statement& fact : entry.facts) {
        const Stated* before = nullptr;
        for (const Stated& stated : fact.elements) {
            if (before != nullptr && before->element == stated.element) {
                out.wishes.back().accepted.push_back(*stated.value);
                continue;
            }
            before = &stated;
            out.wishes.push_back({.port = {},
                                  .field = fact.field,
                                  .element = stated.element,
                                  .value = stated.value,
                                  .origin = origin_of(fact, stated),
                                  .required = entry.required.contains(fact.field)});
        }
    }
    return out;
}

void add_derived(const Intent& intent, const Driver& driver, const std::set<const Field*>& optional,
                 const std::set<const Field*>& external, Wished& out) {
    Wished derived = derive(intent, driver, stated_lossless(out.wishes));
    std::erase_if(derived.wishes, [&](const Wish& wish) {
        return std::ranges::any_of(out.wishes,
                                   [&](const Wish& stated) { return same_element(stated, wish); });
    });
    for (Wish& wish : derived.wishes) {
        wish.optional = wish.optional || optional.contains(wish.field);
        wish.external = external.contains(wish.field);
    }
    if (out.wishes.empty())
        out.wishes = std::move(derived.wishes);
    else
        out.wishes.insert(out.wishes.end(), std::move_iterator(derived.wishes.begin()),
                          std::move_iterator(derived.wishes.end()));
    std::ranges::move(derived.exact, std::back_inserter(out.exact));
}

Wished wished(const Entry& entry, const std::optional<Intent>& intent, const Driver& driver) {
    Wished out = stated_wishes(entry);
    if (intent) add_derived(*intent, driver, entry.optional, entry.external, out);
    return out;
}

}  // namespace core

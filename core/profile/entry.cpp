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
Numbers stated_lossless(const std::vector<Desired>& desired_values) {
    for (const Desired& desired : desired_values)
        if (desired.field->key == "pfc.priorities" && desired.value)
            return std::get<Numbers>(*desired.value);
    return {};
}

}  // namespace

DesiredValues stated_desired(const Entry& entry) {
    DesiredValues out{.desired_values = {}, .exact = entry.exact};
    for (const Statement& statement : entry.statements)
        for (const Stated& stated : statement.elements)
            out.desired_values.push_back({.port = {},
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
                out.desired_values.back().accepted.push_back(*stated.value);
                continue;
            }
            before = &stated;
            out.desired_values.push_back({.port = {},
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
                 const std::set<const Field*>& external, DesiredValues& out) {
    DesiredValues derived = derive(intent, driver, stated_lossless(out.desired_values));
    std::erase_if(derived.desired_values, [&](const Desired& desired) {
        return std::ranges::any_of(out.desired_values, [&](const Desired& stated) {
            return same_element(stated, desired);
        });
    });
    for (Desired& desired : derived.desired_values) {
        desired.optional = desired.optional || optional.contains(desired.field);
        desired.external = external.contains(desired.field);
    }
    if (out.desired_values.empty())
        out.desired_values = std::move(derived.desired_values);
    else
        out.desired_values.insert(out.desired_values.end(),
                                  std::move_iterator(derived.desired_values.begin()),
                                  std::move_iterator(derived.desired_values.end()));
    std::ranges::move(derived.exact, std::back_inserter(out.exact));
}

DesiredValues desired_by(const Entry& entry, const std::optional<Intent>& intent,
                         const Driver& driver) {
    DesiredValues out = stated_desired(entry);
    if (intent) add_derived(*intent, driver, entry.optional, entry.external, out);
    return out;
}

}  // namespace core

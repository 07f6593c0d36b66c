// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/model/finding_names.hpp"
#include "core/plan/apply.hpp"

namespace core {
namespace {

/// A field's whole value as text: `{26: 3, 48: 6}` for a collection.
std::string whole_text(const Port& port, const Field& field) {
    const Elements elements = field.get(port).value_or(Elements{});
    if (!is_collection(field.shape))
        return elements.empty() ? "nothing" : text(elements.begin()->second);
    std::string out;
    for (const auto& [element, value] : elements) {
        if (made_by_kernel(port, field, element)) continue;
        if (!out.empty()) out += ", ";
        if (is_keyed(field.shape)) out += element + ": ";
        out += text(value);
    }
    return "{" + out + "}";
}

/// Whether elements were only added, for objects whose elements come with modules: a module stays
/// loaded while others need it, and nobody wrote what it brought.
bool only_came(const Field& field, const Port& old, const Port& now) {
    if (row_of(field.object).lifecycle.with_module == nullptr) return false;
    const Elements is = field.get(now).value_or(Elements{});
    const Elements was = field.get(old).value_or(Elements{});
    return std::ranges::all_of(was, [&](const auto& element) {
        const auto found = is.find(element.first);
        return found != is.end() && found->second == element.second;
    });
}

}  // namespace

std::vector<Finding> compare(const State& before, const State& after) {
    std::vector<Finding> out;
    for (const Port& old : before.ports) {
        const Port* now = find_port(after, old.name);
        if (now == nullptr) {
            out.push_back({.id = findings::gone, .port = old.name, .text = "the port is gone"});
            continue;
        }
        for (const std::string& key : differences(old, *now)) {
            const Field& field = *find_field(key);
            if (only_came(field, old, *now)) continue;
            const bool readable = !old.unknown.contains(field.object) &&
                                  !old.refused.contains(field.object) && field.get(old).has_value();
            if (!readable || !field.get(*now)) {
                if (!readable) continue;
                out.push_back({.id = findings::unreadable,
                               .port = old.name,
                               .key = key,
                               .text = "can no longer be read"});
                continue;
            }
            out.push_back(
                {.id = findings::changed,
                 .port = old.name,
                 .key = key,
                 .text = "was " + whole_text(old, field) + ", is " + whole_text(*now, field)});
        }
    }
    return out;
}

}  // namespace core

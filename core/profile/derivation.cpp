// SPDX-License-Identifier: Apache-2.0
#include "core/profile/derivation.hpp"

#include <algorithm>

#include "core/profile/derived.hpp"

namespace core {
namespace {

/// `{"cnp": {"dscp": 48}}` as a tree, and what it asks for; nothing where it contradicts itself.
std::optional<Intent> intent_with(std::string_view key, const std::string& value) {
    std::string text = value;
    while (!key.empty()) {
        const std::size_t dot = key.rfind('.');
        const std::size_t start = dot == std::string_view::npos ? 0 : dot + 1;
        text.insert(0, "\":").insert(0, key.substr(start)).insert(0, "{\"").append("}");
        key = key.substr(0, dot == std::string_view::npos ? 0 : dot);
    }
    Problems problems;
    return read_intent(parse_tree(text, "", problems), "", problems);
}

std::vector<std::string> values_of(const IntentKey& key) {
    if (key.shape.kind == Shape::Kind::flag) return {"false", "true"};
    std::vector<std::string> out;
    const bool list = key.shape.kind == Shape::Kind::set;
    for (const std::string_view word : key.shape.words) {
        const std::string quoted = '"' + std::string(word) + '"';
        out.push_back(list ? '[' + quoted + ']' : quoted);
    }
    if (!out.empty()) return out;
    for (std::uint64_t value = key.shape.min; value <= key.shape.max; ++value)
        out.push_back(std::to_string(value));
    return out;
}

/// Whether the desired value is among them with the same value.
bool unchanged(const Desired& desired, const std::vector<Desired>& others) {
    return std::ranges::any_of(others, [&](const Desired& other) {
        return same_element(desired, other) && desired.value == other.value;
    });
}

void add_key(const IntentKey& key, const Driver& driver, std::vector<Derivation>& out) {
    const std::string name = "roce." + std::string(key.name);
    for (const std::string& value : values_of(key)) {
        const std::optional<Intent> other = intent_with(key.name, value);
        if (!other) continue;
        const std::vector<Desired> desired_values = derive(*other, driver).desired_values;
        for (Derivation& derivation : out)
            if (!unchanged(derivation.desired, desired_values) &&
                std::ranges::find(derivation.from, name) == derivation.from.end())
                derivation.from.push_back(name);
    }
}

std::vector<Desired> preset(const Driver& driver) {
    return derive(*intent_with("", "{}"), driver).desired_values;
}

}  // namespace

std::vector<Derivation> derivations(const Driver& driver) {
    std::vector<Derivation> out;
    for (Desired& desired : preset(driver))
        out.push_back({.desired = std::move(desired), .from = {}});
    for (const IntentKey& key : intent_keys())
        add_key(key, driver, out);
    for (Derivation& derivation : out)
        if (derivation.from.empty()) derivation.from = {derivation.desired.origin.derived_from};
    return out;
}

std::vector<Elsewhere> derived_elsewhere(const Driver& driver) {
    const std::vector<Desired> here = preset(driver);
    std::vector<Elsewhere> out;
    for (const Driver* const other : drivers())
        for (const Desired& desired : preset(*other)) {
            const auto is_same = [&](const auto& known) {
                return known.field == desired.field && known.element == desired.element;
            };
            if (std::ranges::any_of(here, is_same)) continue;
            auto known = std::ranges::find_if(out, is_same);
            if (known == out.end())
                known = out.insert(out.end(), {.field = desired.field, .element = desired.element});
            known->drivers.emplace_back(other->name);
        }
    return out;
}

}  // namespace core

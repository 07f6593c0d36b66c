// SPDX-License-Identifier: Apache-2.0
#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/plan/planner.hpp"

// What a step removes from other objects than its own.

namespace core {
namespace {

/// Start of Origin::other for desired values that put back what a step removes.
constexpr std::string_view kKept = "kept: ";

}  // namespace

/// A port that joins a bond no longer needs what would have been put back on it.
void Planner::forget_kept(const std::vector<Port>& ports) {
    for (std::size_t i = 0; i < desired_values_.size(); ++i)
        for (const Port& port : ports)
            if (desired_values_[i].port == port.name &&
                desired_values_[i].origin.other.starts_with(kKept))
                abandoned_[i] = true;
}

/// Adds desired values for list elements that the step removed as a side effect, unless somebody
/// desires them or their absence: addresses and routes of a port that its driver closes and opens.
void Planner::keep_what_was_lost(const Reading& was, const Reading& now, const Parts& changed,
                                 const Step& step) {
    for (const Field& field : fields()) {
        const bool list = field.shape.kind == Shape::Kind::items;
        if (field.use != Field::Use::setting || !list || field.object == step.object ||
            !is_in(changed, field))
            continue;
        const std::optional<Elements>& left = now.elements(field);
        if (!left) continue;  // a deleted port keeps nothing
        const std::optional<Elements>& old = was.elements(field);
        if (!old) continue;
        for (const auto& [element, value] : *old) {
            if (left->contains(element) || made_by_kernel(was, field, element) ||
                all_desired(step.port, field, element))
                continue;
            const auto goes_with = row_of(field.object).lifecycle.goes_with;
            const auto why = goes_with == nullptr
                                 ? std::nullopt
                                 : goes_with(step.object, was.port(), now.port(), value);
            if (why) {
                plan_.findings.push_back({.id = findings::goes_with_address,
                                          .port = step.port,
                                          .key = std::string(field.key),
                                          .element = element,
                                          .text = text(value) + ' ' + *why});
                continue;
            }
            add_desired(
                {.port = step.port,
                 .field = &field,
                 .element = element,
                 .value = value,
                 .origin = {.other = std::string(kKept) + "the change of " +
                                     std::string(row_of(step.object).name) + " takes it away"},
                 .optional = true});
        }
    }
}

/// Whether the step removes something that rocectl cannot put back. Adds a finding for each.
bool Planner::report_irreplaceable(const Reading& before, const Reading& after,
                                   const Parts& changed) {
    bool any = false;
    for (const Field& field : fields()) {
        if (!field.irreplaceable || !is_in(changed, field)) continue;
        const std::optional<Elements>& was = before.elements(field);
        if (!was) continue;
        for (const auto& [element, value] : *was) {
            if (after.element(field, element) != nullptr) continue;
            any = true;
            plan_.findings.push_back({.id = findings::irreplaceable,
                                      .port = before.port().name,
                                      .key = std::string(field.key),
                                      .element = element,
                                      .text = element + " goes, and rocectl cannot put it back"});
        }
    }
    return any;
}

}  // namespace core

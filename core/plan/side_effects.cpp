// SPDX-License-Identifier: Apache-2.0
#include "core/model/finding_names.hpp"
#include "core/model/reading.hpp"
#include "core/plan/planner.hpp"

// What a step takes away beside its own object.

namespace core {
namespace {

/// What the origin of a desired value for what a step would take away starts with.
constexpr std::string_view kKept = "kept: ";

}  // namespace

/// A port that joins a bond has no more use for what would have been put back on it.
void Planner::forget_kept(const std::vector<Port>& ports) {
    for (std::size_t i = 0; i < desired_values_.size(); ++i)
        for (const Port& port : ports)
            if (desired_values_[i].port == port.name &&
                desired_values_[i].origin.other.starts_with(kKept))
                abandoned_[i] = true;
}

/// What a step takes away beside its own object, and nobody stated to be absent, is put back:
/// addresses and routes of a port that the driver closes and opens.
void Planner::keep_what_was_lost(const Reading& was, const Reading& now, const Parts& changed,
                                 const Step& step) {
    for (const Field& field : fields()) {
        const bool list = field.shape.kind == Shape::Kind::items;
        if (field.use != Field::Use::setting || !list || field.object == step.object ||
            !is_in(changed, field))
            continue;
        const std::optional<Elements>& left = now.elements(field);
        if (!left) continue;  // a port that goes keeps nothing
        const std::optional<Elements>& old = was.elements(field);
        if (!old) continue;
        for (const auto& [element, value] : *old) {
            if (left->contains(element) || made_by_kernel(was, field, element) ||
                all_desired(step.port, field, element))
                continue;
            const auto goes_with = row_of(field.object).goes_with;
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

/// Whether a step takes away what nobody can put back; each such thing is named.
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

// SPDX-License-Identifier: Apache-2.0
#include "core/plan/desired_index.hpp"

#include <algorithm>
#include <utility>

#include "core/plan/judge.hpp"

namespace core {

DesiredIndex::DesiredIndex(const std::vector<Desired>& desired_values) {
    for (const Desired& desired : desired_values)
        add(desired);
}

void DesiredIndex::add(const Desired& desired) {
    if (last_ == nullptr || last_->first != desired.port)
        last_ = &*ports_.try_emplace(desired.port).first;
    last_->second.places.push_back(count_++);
    last_->second.desired_values.push_back(&desired);
}

const std::vector<std::size_t>& DesiredIndex::of(const std::string& port) const {
    static const std::vector<std::size_t> none;
    const auto found = ports_.find(port);
    return found == ports_.end() ? none : found->second.places;
}

bool DesiredIndex::contains(const std::string& port, const Field& field,
                            std::string_view element) const {
    constexpr std::size_t few = 128;
    const auto found = ports_.find(port);
    if (found == ports_.end()) return false;
    OfPort& all = found->second;
    if (all.desired_values.size() <= few)
        return std::ranges::any_of(all.desired_values, [&](const Desired* desired) {
            return desired->field == &field && desired->element == element;
        });
    for (; all.noted < all.desired_values.size(); ++all.noted)
        all.elements[all.desired_values[all.noted]->field].insert(
            all.desired_values[all.noted]->element);
    const auto elements = all.elements.find(&field);
    return elements != all.elements.end() && elements->second.contains(element);
}

DesiredList::DesiredList(const std::vector<Desired>& given) {
    all_.reserve(given.size());
    for (const Desired& desired : given)
        if (desired.value && desired.field->shape.kind == Shape::Kind::items)
            add(with_element(desired));
        else
            all_.push_back(&desired);
}

void DesiredList::add(Desired desired) {
    all_.push_back(&own_.emplace_back(std::move(desired)));
}

}  // namespace core

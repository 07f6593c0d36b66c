// SPDX-License-Identifier: Apache-2.0
#include "core/plan/desired_list.hpp"

#include <utility>

#include "core/plan/judge.hpp"

namespace core {

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

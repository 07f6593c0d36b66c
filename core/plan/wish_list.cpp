// SPDX-License-Identifier: Apache-2.0
#include "core/plan/wish_list.hpp"

#include <utility>

#include "core/plan/judge.hpp"

namespace core {

WishList::WishList(const std::vector<Wish>& given) {
    all_.reserve(given.size());
    for (const Wish& wish : given)
        if (wish.value && wish.field->shape.kind == Shape::Kind::items)
            add(with_element(wish));
        else
            all_.push_back(&wish);
}

void WishList::add(Wish wish) {
    all_.push_back(&own_.emplace_back(std::move(wish)));
}

}  // namespace core

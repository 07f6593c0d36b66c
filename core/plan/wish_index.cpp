// SPDX-License-Identifier: Apache-2.0
#include "core/plan/wish_index.hpp"

#include <algorithm>

namespace core {

WishIndex::WishIndex(const std::vector<Wish>& wishes) {
    for (const Wish& wish : wishes)
        add(wish);
}

void WishIndex::add(const Wish& wish) {
    if (last_ == nullptr || last_->first != wish.port)
        last_ = &*ports_.try_emplace(wish.port).first;
    last_->second.places.push_back(count_++);
    last_->second.wishes.push_back(&wish);
}

const std::vector<std::size_t>& WishIndex::of(const std::string& port) const {
    static const std::vector<std::size_t> none;
    const auto found = ports_.find(port);
    return found == ports_.end() ? none : found->second.places;
}

bool WishIndex::contains(const std::string& port, const Field& field,
                         std::string_view element) const {
    constexpr std::size_t few = 128;
    const auto found = ports_.find(port);
    if (found == ports_.end()) return false;
    OfPort& all = found->second;
    if (all.wishes.size() <= few)
        return std::ranges::any_of(all.wishes, [&](const Wish* wish) {
            return wish->field == &field && wish->element == element;
        });
    for (; all.noted < all.wishes.size(); ++all.noted)
        all.elements[all.wishes[all.noted]->field].insert(all.wishes[all.noted]->element);
    const auto elements = all.elements.find(&field);
    return elements != all.elements.end() && elements->second.contains(element);
}

}  // namespace core

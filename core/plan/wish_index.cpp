// SPDX-License-Identifier: Apache-2.0
#include "core/plan/wish_index.hpp"

namespace core {

WishIndex::WishIndex(const std::vector<Wish>& wishes) {
    for (const Wish& wish : wishes)
        add(wish);
}

void WishIndex::add(const Wish& wish) {
    OfPort& port = ports_[wish.port];
    port.places.push_back(count_++);
    port.elements[wish.field].insert(wish.element);
}

const std::vector<std::size_t>& WishIndex::of(const std::string& port) const {
    static const std::vector<std::size_t> none;
    const auto found = ports_.find(port);
    return found == ports_.end() ? none : found->second.places;
}

bool WishIndex::contains(const std::string& port, const Field& field,
                         const std::string& element) const {
    const auto found = ports_.find(port);
    if (found == ports_.end()) return false;
    const auto elements = found->second.elements.find(&field);
    return elements != found->second.elements.end() && elements->second.contains(element);
}

}  // namespace core

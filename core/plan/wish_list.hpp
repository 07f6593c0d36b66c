// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "core/model/wish.hpp"

namespace core {

/// The wishes of a plan, each with its element: those that were given, which outlive the list and
/// are not copied, and those that planning adds. They stay where they are.
class WishList {
public:
    explicit WishList(const std::vector<Wish>& given);

    void add(Wish wish);
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    const Wish& operator[](std::size_t i) const { return *all_[i]; }

private:
    std::vector<const Wish*> all_{};
    std::deque<Wish> own_{};
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/wish.hpp"

namespace core {

/// Which of a list of wishes are about a port, and about an element of it, so that a search does
/// not pass over every wish. The wishes outlive it, and stay where they are.
class WishIndex {
public:
    WishIndex() = default;
    explicit WishIndex(const std::vector<Wish>& wishes);
    WishIndex(const WishIndex&) = delete;
    WishIndex& operator=(const WishIndex&) = delete;

    /// Notes the next wish of the list.
    void add(const Wish& wish);
    /// The places in the list of the wishes for the port, in order. The same list for good.
    const std::vector<std::size_t>& of(const std::string& port) const;
    [[nodiscard]] bool contains(const std::string& port, const Field& field,
                                std::string_view element) const;

private:
    struct OfPort {
        std::vector<std::size_t> places{};
        std::vector<const Wish*> wishes{};
        /// Of how many of these wishes `elements` knows; it is made once there are many of them and
        /// somebody asks.
        std::size_t noted = 0;
        std::map<const Field*, std::set<std::string_view>> elements{};
    };
    std::size_t count_ = 0;
    mutable std::unordered_map<std::string, OfPort> ports_{};
    std::pair<const std::string, OfPort>* last_ = nullptr;  ///< wishes of a port stand together
};

}  // namespace core

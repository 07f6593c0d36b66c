// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/model/wish.hpp"

namespace core {

/// Which of a list of wishes are about a port, and about an element of it, so that nobody who looks
/// for one looks at all.
class WishIndex {
public:
    WishIndex() = default;
    explicit WishIndex(const std::vector<Wish>& wishes);

    /// Notes the next wish of the list.
    void add(const Wish& wish);
    /// The places in the list of the wishes for the port, in order. The same list for good.
    const std::vector<std::size_t>& of(const std::string& port) const;
    [[nodiscard]] bool contains(const std::string& port, const Field& field,
                                const std::string& element) const;

private:
    struct OfPort {
        std::vector<std::size_t> places{};
        std::map<const Field*, std::set<std::string, std::less<>>> elements{};
    };
    std::size_t count_ = 0;
    std::unordered_map<std::string, OfPort> ports_{};
};

}  // namespace core

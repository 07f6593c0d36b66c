// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model/wish.hpp"

namespace core {

/// A value that an entry wishes, in words, and where it does.
struct Said {
    std::string value{};
    Origin origin{};
};

/// What the wish says at the port; one that came from the entry of another port says so.
Said said_in(const Wish& wish, const std::string& port);

/// Two entries wish two values of one element of the port.
Finding conflict(const std::string& port, const std::string& key, const Said& one,
                 const Said& other);

/// What `told` makes of each wish, and the first one, for an element that `is_of_one` says one port
/// alone may have, where two ports are wished to have it. `told(wish, first)` gives a Finding.
template <typename IsOfOne, typename ToldOf>
std::vector<Finding> wished_of_two(const std::vector<Wish>& wishes, const IsOfOne& is_of_one,
                                   const ToldOf& told) {
    std::vector<Finding> out;
    std::map<std::string, const Wish*> first;
    for (const Wish& wish : wishes) {
        if (!wish.value || !is_of_one(wish)) continue;
        const auto [known, fresh] = first.try_emplace(wish.element, &wish);
        if (!fresh && known->second->port != wish.port) out.push_back(told(wish, *known->second));
    }
    return out;
}

}  // namespace core

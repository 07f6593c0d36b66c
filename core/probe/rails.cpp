// SPDX-License-Identifier: Apache-2.0
#include "core/probe/rails.hpp"

#include <algorithm>

namespace core::probe {
namespace {

bool has(const std::vector<std::size_t>& places, std::size_t place) {
    return std::ranges::find(places, place) != places.end();
}

}  // namespace

std::vector<RailPair> pair_rails(const std::vector<Prefix>& here,
                                 const std::vector<Prefix>& there) {
    std::vector<RailPair> out;
    std::vector<std::size_t> taken_here;
    std::vector<std::size_t> taken_there;
    const auto join = [&](std::size_t own, std::size_t other) {
        out.push_back({.here = own, .there = other});
        taken_here.push_back(own);
        taken_there.push_back(other);
    };
    for (std::size_t own = 0; own < here.size(); ++own)
        for (std::size_t other = 0; other < there.size() && !has(taken_here, own); ++other)
            if (!has(taken_there, other) && network(here[own]) == network(there[other]))
                join(own, other);
    for (std::size_t place = 0; here.size() == there.size() && place < here.size(); ++place)
        if (!has(taken_here, place) && !has(taken_there, place) &&
            here[place].ip.v6 == there[place].ip.v6)
            join(place, place);
    std::ranges::sort(out, {}, &RailPair::here);
    return out;
}

std::vector<std::size_t> without_counterpart(const std::vector<RailPair>& pairs, std::size_t rails,
                                             std::size_t RailPair::*side) {
    std::vector<std::size_t> out;
    for (std::size_t place = 0; place < rails; ++place)
        if (std::ranges::find(pairs, place, side) == pairs.end()) out.push_back(place);
    return out;
}

}  // namespace core::probe

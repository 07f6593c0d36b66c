// SPDX-License-Identifier: Apache-2.0
#include "core/probe/schedule.hpp"

#include <algorithm>

namespace core::probe {

std::vector<std::vector<HostPair>> rounds_of(std::size_t hosts) {
    std::vector<std::vector<HostPair>> out;
    if (hosts < 2) return out;
    // Of an odd number one more takes part, and whoever meets it rests.
    const std::size_t places = hosts + hosts % 2;
    const std::size_t ring = places - 1;
    for (std::size_t round = 0; round < ring; ++round) {
        std::vector<HostPair> pairs;
        for (std::size_t i = 0; i < places / 2; ++i) {
            const std::size_t one = i == 0 ? 0 : 1 + (round + i - 1) % ring;
            const std::size_t other = 1 + (round + ring - 1 - i) % ring;
            if (one < hosts && other < hosts)
                pairs.push_back({.one = static_cast<std::uint32_t>(one),
                                 .other = static_cast<std::uint32_t>(other)});
        }
        out.push_back(std::move(pairs));
    }
    return out;
}

Agenda::Agenda(std::size_t hosts, std::size_t at_once)
    : busy_(hosts), dropped_(hosts), at_once_(std::max<std::size_t>(at_once, 1)) {
    for (const std::vector<HostPair>& round : rounds_of(hosts))
        pairs_.insert(pairs_.end(), round.begin(), round.end());
    gone_.resize(pairs_.size());
}

void Agenda::take(std::size_t place) {
    gone_[place] = true;
    ++taken_;
}

void Agenda::pass_taken() {
    for (; first_ < pairs_.size(); ++first_) {
        const HostPair& pair = pairs_[first_];
        if (!gone_[first_] && !dropped_[pair.one] && !dropped_[pair.other]) return;
        if (!gone_[first_]) take(first_);
    }
}

std::optional<HostPair> Agenda::next() {
    pass_taken();
    if (under_way_ >= at_once_) return std::nullopt;
    // Two rounds ahead: what is behind them has its hosts in these.
    const std::size_t end = std::min(pairs_.size(), first_ + busy_.size());
    for (std::size_t place = first_; place < end; ++place) {
        const HostPair& pair = pairs_[place];
        if (gone_[place] || busy_[pair.one] || busy_[pair.other]) continue;
        take(place);
        if (dropped_[pair.one] || dropped_[pair.other]) continue;
        busy_[pair.one] = true;
        busy_[pair.other] = true;
        ++under_way_;
        return pair;
    }
    return std::nullopt;
}

void Agenda::end(HostPair pair) {
    busy_[pair.one] = false;
    busy_[pair.other] = false;
    --under_way_;
}

bool Agenda::is_over() {
    pass_taken();
    return under_way_ == 0 && first_ == pairs_.size();
}

MeshCost cost_of(std::size_t hosts, std::size_t at_once, std::size_t rails,
                 double seconds_a_measurement) {
    MeshCost out;
    if (hosts < 2) return out;
    const std::uint64_t together = hosts / 2;
    out.pairs = static_cast<std::uint64_t>(hosts) * (hosts - 1) / 2;
    out.rounds = hosts - 1 + hosts % 2;
    out.at_once = std::min<std::uint64_t>(std::max<std::size_t>(at_once, 1), together);
    out.steps = out.rounds * ((together + out.at_once - 1) / out.at_once);
    out.measurements = out.pairs * 2 * rails;
    out.seconds =
        static_cast<double>(out.steps) * 2 * static_cast<double>(rails) * seconds_a_measurement;
    return out;
}

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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/ip.hpp"

namespace core::probe {

/// Two hosts by their places in the list.
struct HostPair {
    std::uint32_t one = 0;
    std::uint32_t other = 0;
    bool operator==(const HostPair&) const = default;
};

/// All pairs of so many hosts in rounds, none of which has a host twice: the first host stays, the
/// others go round a circle (the circle method of round-robin tournaments). Of an even number one
/// round less than there are hosts; of an odd one as many, and one host rests in each.
std::vector<std::vector<HostPair>> rounds_of(std::size_t hosts);

/// Which pair is next while others are under way: in the order of the rounds, at most so many at
/// once, no host in two. A pair that takes long holds up those of its two hosts alone.
class Agenda {
public:
    Agenda(std::size_t hosts, std::size_t at_once);

    /// A pair that can begin, and is under way from now on; nothing where none can.
    std::optional<HostPair> next();
    /// The pair is under way no more.
    void end(HostPair pair);
    /// The host is in no pair that is still to come.
    void drop(std::uint32_t host) { dropped_[host] = true; }
    /// No pair is under way, and none is to come.
    [[nodiscard]] bool is_over();
    [[nodiscard]] std::size_t under_way() const { return under_way_; }
    /// Pairs that are over, under way or left out.
    [[nodiscard]] std::size_t taken() const { return taken_; }
    [[nodiscard]] std::size_t pairs() const { return pairs_.size(); }

private:
    void pass_taken();
    void take(std::size_t place);

    std::vector<HostPair> pairs_{};
    std::vector<bool> gone_{};  ///< of each pair: begun, or left out
    std::vector<bool> busy_;    ///< of each host
    std::vector<bool> dropped_;
    std::size_t at_once_;
    std::size_t first_ = 0;  ///< the first pair that is not gone
    std::size_t under_way_ = 0;
    std::size_t taken_ = 0;
};

/// How much a mesh measures and how long it takes, as computed before it is begun.
struct MeshCost {
    std::uint64_t pairs = 0;
    std::uint64_t rounds = 0;
    std::uint64_t steps = 0;         ///< rounds, in parts of at most so many pairs at once
    std::uint64_t measurements = 0;  ///< pairs, both directions, rails
    std::uint64_t at_once = 0;       ///< pairs under way together at most
    double seconds = 0;
};
MeshCost cost_of(std::size_t hosts, std::size_t at_once, std::size_t rails,
                 double seconds_a_measurement);

/// Which rail of this host is to send to which of the peer, by their places in the lists.
struct RailPair {
    std::size_t here = 0;
    std::size_t there = 0;
    bool operator==(const RailPair&) const = default;
};

/// Pairs the rails of two hosts, given as addresses with prefix lengths. Rails in one network are a
/// pair. If both hosts have the same number, the remaining rails pair by position, as in fabrics
/// with a network for each rail and host; with a rail missing, positions cannot be trusted. Rails
/// without a counterpart are in no pair.
std::vector<RailPair> pair_rails(const std::vector<Prefix>& here, const std::vector<Prefix>& there);

/// The indices, out of `rails` rails, that are in no pair on that side.
std::vector<std::size_t> without_counterpart(const std::vector<RailPair>& pairs, std::size_t rails,
                                             std::size_t RailPair::*side);

}  // namespace core::probe

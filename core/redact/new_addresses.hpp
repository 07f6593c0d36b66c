// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "core/model/ip.hpp"

namespace core {

/// Numbers that look like chance, the same for the same seed: SplitMix64 (Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t out = state_;
        out = (out ^ (out >> 30U)) * 0xbf58476d1ce4e5b9U;
        out = (out ^ (out >> 27U)) * 0x94d049bb133111ebU;
        return out ^ (out >> 31U);
    }

private:
    std::uint64_t state_;
};

/// Networks, found by what is in them or around them: each question looks at one place for each
/// length that there is.
class PrefixIndex {
public:
    void add(const Prefix& prefix);
    [[nodiscard]] bool contains(const Prefix& prefix) const { return all_.contains(prefix); }
    /// The narrowest that has the address and is wider than that.
    [[nodiscard]] std::optional<Prefix> narrowest(const Ip& ip, unsigned below) const;
    /// Whether one of those that are longer than `above` has addresses in common with it.
    [[nodiscard]] bool overlaps(const Prefix& prefix, unsigned above) const;

private:
    std::set<Prefix> all_{};
    std::array<std::set<unsigned>, 2> lengths_{};  ///< of IPv4, of IPv6
};

/// Replacements for a host's addresses. Networks map to networks, so that addresses share one after
/// redaction exactly where they did before; a network's first and last address stay so. Private,
/// link-local and multicast addresses keep their kind; those equal on every host (loopback,
/// broadcast, all nodes) are unchanged.
class NewAddresses {
public:
    /// Adds an address with its network, or a network without host bits.
    void meet(const Prefix& prefix);
    void meet_network(const Prefix& whole);
    void meet(const Ip& ip) { met_.insert(ip); }
    /// Makes `other` stand for the address `ip`, so that choose_addresses leaves it as it is: for
    /// an address that follows from something else, as from a hardware address (EUI-64).
    void set(const Ip& ip, const Ip& other);

    /// Choose a replacement for every network that was met, then for every address still without
    /// one.
    void choose_networks(Random& random);
    void choose_addresses(Random& random);
    /// The replacement of an address; an address that was not met is returned unchanged.
    [[nodiscard]] Ip of(const Ip& ip) const;
    /// The replacement of a network, of the same length; host bits that are 0 stay 0.
    [[nodiscard]] Prefix of(const Prefix& prefix) const;
    /// The addresses that were met.
    [[nodiscard]] const std::set<Ip>& met() const { return met_; }
    /// Whether the address was met and tells of the host.
    [[nodiscard]] bool knows(const Ip& ip) const;
    /// How many replacements were tried: what choosing costs.
    [[nodiscard]] std::uint64_t tries() const { return tries_; }

private:
    [[nodiscard]] std::optional<Prefix> narrowest(const Ip& ip, unsigned below) const;
    [[nodiscard]] Prefix other_of(const std::optional<Prefix>& network, bool v6) const;
    [[nodiscard]] bool is_free(const Prefix& candidate, const Prefix& within) const;
    Prefix choose_within(Random& random, const Prefix& old, const Prefix& old_within,
                         const Prefix& within);
    Prefix next_free(Prefix from, const Prefix& old, const Prefix& within);

    std::set<Ip> met_{};
    std::map<Prefix, Prefix> networks_{};
    PrefixIndex met_networks_{};  ///< the keys of `networks_`
    std::map<Ip, Ip> ips_{};
    PrefixIndex taken_{};  ///< new networks, and the new addresses as networks of themselves
    std::uint64_t tries_ = 0;
};

/// Whether the address is the same on every host, and says nothing of one.
bool is_common(const Ip& ip);

}  // namespace core

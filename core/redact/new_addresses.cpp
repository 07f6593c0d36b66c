// SPDX-License-Identifier: Apache-2.0
#include "core/redact/new_addresses.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace core {
namespace {

constexpr unsigned kByte = 8;

unsigned bits_of(const Ip& ip) {
    return ip.v6 ? 128 : 32;
}

bool bit(const Ip& ip, unsigned at) {
    return ((unsigned{ip.bytes.at(at / kByte)} >> (kByte - 1 - at % kByte)) & 1U) != 0;
}

void set_bit(Ip& ip, unsigned at, bool on) {
    const auto mask = static_cast<std::uint8_t>(1U << (kByte - 1 - at % kByte));
    std::uint8_t& byte = ip.bytes.at(at / kByte);
    byte = static_cast<std::uint8_t>(on ? byte | mask : byte & ~mask);
}

/// Networks that stay what they are, and in which another address is found: the private ones (RFC
/// 1918, RFC 4193), link-local ones, multicast, and all that is routed by IPv6.
const std::vector<Prefix>& kinds() {
    static const std::vector<Prefix> all = [] {
        std::vector<Prefix> out;
        for (const char* text :
             {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
              "224.0.0.0/4", "fe80::/64", "fc00::/8", "fd00::/8", "ff00::/8", "ff05::/16",
              "ff08::/16", "ff0e::/16", "2000::/3"})
            out.push_back(parse_prefix(text).value());
        return out;
    }();
    return all;
}

/// In these everything stays what it is.
const std::vector<Prefix>& commons() {
    static const std::vector<Prefix> all = [] {
        std::vector<Prefix> out;
        for (const char* text : {"0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/24", "240.0.0.0/4", "::/96",
                                 "ff01::/16", "ff02::/16"})
            out.push_back(parse_prefix(text).value());
        return out;
    }();
    return all;
}

bool is_kind(const Prefix& prefix) {
    return std::ranges::find(kinds(), prefix) != kinds().end() ||
           std::ranges::find(commons(), prefix) != commons().end();
}

Prefix everything(bool v6) {
    return {.ip = {.v6 = v6}, .length = 0};
}

bool overlap(const Prefix& left, const Prefix& right) {
    if (left.ip.v6 != right.ip.v6) return false;
    return left.length <= right.length ? contains(left, right.ip) : contains(right, left.ip);
}

/// Whether the bits from there on are all the same, and which.
bool all_are(const Ip& ip, unsigned from, unsigned to, bool on) {
    for (unsigned i = from; i < to; ++i)
        if (bit(ip, i) != on) return false;
    return true;
}

}  // namespace

bool is_common(const Ip& ip) {
    return std::ranges::any_of(
        commons(), [&](const Prefix& one) { return one.ip.v6 == ip.v6 && contains(one, ip); });
}

void NewAddresses::meet(const Prefix& prefix) {
    met_.insert(prefix.ip);
    meet_network(network(prefix));
}

void NewAddresses::meet_network(const Prefix& whole) {
    // A network that is wider than a kind is kept: what is in it stays of its kind.
    const bool wide = std::ranges::any_of(kinds(), [&](const Prefix& kind) {
        return whole.length < kind.length && overlap(whole, kind);
    });
    if (whole.length > 0 && !wide && !is_common(whole.ip) && whole.length < bits_of(whole.ip))
        networks_.emplace(whole, whole);
}

/// The narrowest network that was met, or kind, that has the address and is wider than that.
const Prefix* NewAddresses::narrowest(const Ip& ip, unsigned below) const {
    const Prefix* found = nullptr;
    const auto visit = [&](const Prefix& one) {
        if (one.ip.v6 == ip.v6 && one.length < below && contains(one, ip) &&
            (found == nullptr || one.length > found->length))
            found = &one;
    };
    for (const auto& [old, other] : networks_)
        visit(old);
    for (const Prefix& kind : kinds())
        visit(kind);
    return found;
}

/// Whether a candidate overlaps no replacement in use, no special range, and no network of the
/// host.
bool NewAddresses::is_free(const Prefix& candidate, const Prefix& within) const {
    const auto stands_in_the_way = [&](const Prefix& one) {
        return overlap(one, candidate) && !(overlap(one, within) && one.length <= within.length);
    };
    for (const std::vector<Prefix>* list : {&kinds(), &commons()})
        if (std::ranges::any_of(*list, stands_in_the_way)) return false;
    return std::ranges::none_of(taken_, stands_in_the_way);
}

Prefix NewAddresses::choose_within(Random& random, const Prefix& old, const Prefix& old_within,
                                   const Prefix& within) const {
    const bool zeros = all_are(old.ip, old_within.length, old.length, false);
    const bool ones = all_are(old.ip, old_within.length, old.length, true);
    Prefix found{.ip = within.ip, .length = old.length};
    // Prefer a replacement that the host does not have.
    constexpr int most = 4000;
    for (int tries = 0; tries < most; ++tries) {
        for (unsigned i = old_within.length; i < old.length; ++i)
            set_bit(found.ip, i, zeros ? false : ones ? true : (random() & 1U) != 0);
        if (zeros || ones) return found;
        if (all_are(found.ip, within.length, found.length, false) ||
            all_are(found.ip, within.length, found.length, true))
            continue;
        if (!is_free(found, within)) continue;
        if (tries < most / 2 && (met_.contains(found.ip) || networks_.contains(found))) continue;
        return found;
    }
    return found;
}

void NewAddresses::set(const Ip& ip, const Ip& other) {
    ips_[ip] = other;
    taken_.insert({.ip = other, .length = static_cast<std::uint8_t>(bits_of(other))});
}

/// What the network that was met, or is of a kind, is now; all addresses where there is none.
Prefix NewAddresses::other_of(const Prefix* network, bool v6) const {
    if (network == nullptr) return everything(v6);
    const auto found = networks_.find(*network);
    return found == networks_.end() ? *network : found->second;
}

void NewAddresses::choose_networks(Random& random) {
    std::vector<Prefix> order;
    for (const auto& [old, other] : networks_)
        order.push_back(old);
    std::ranges::stable_sort(order, {}, &Prefix::length);
    for (const Prefix& old : order) {
        if (is_kind(old)) continue;
        const Prefix* within = narrowest(old.ip, old.length);
        const Prefix other =
            choose_within(random, old, within == nullptr ? everything(old.ip.v6) : *within,
                          other_of(within, old.ip.v6));
        networks_[old] = other;
        taken_.insert(other);
    }
}

void NewAddresses::choose_addresses(Random& random) {
    for (const Ip& ip : met_) {
        if (is_common(ip) || ips_.contains(ip)) continue;
        const unsigned bits = bits_of(ip);
        const Prefix* within = narrowest(ip, bits);
        const Prefix itself{.ip = ip, .length = static_cast<std::uint8_t>(bits)};
        const Prefix other =
            choose_within(random, itself, within == nullptr ? everything(ip.v6) : *within,
                          other_of(within, ip.v6));
        ips_[ip] = other.ip;
        taken_.insert(other);
    }
}

Ip NewAddresses::of(const Ip& ip) const {
    const auto found = ips_.find(ip);
    return found == ips_.end() ? ip : found->second;
}

Prefix NewAddresses::of(const Prefix& prefix) const {
    const auto found = networks_.find(prefix);
    if (found != networks_.end()) return found->second;
    if (prefix.length == 0 || is_kind(prefix)) return prefix;
    const Prefix whole = network(prefix);
    if (whole == prefix && prefix.length < bits_of(prefix.ip)) return prefix;
    return {.ip = of(prefix.ip), .length = prefix.length};
}

}  // namespace core

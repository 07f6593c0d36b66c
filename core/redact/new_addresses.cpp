// SPDX-License-Identifier: Apache-2.0
#include "core/redact/new_addresses.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
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

PrefixIndex index_of(std::span<const std::string_view> texts) {
    PrefixIndex out;
    for (const std::string_view text : texts)
        out.add(parse_prefix(text).value());
    return out;
}

/// Networks that stay what they are, and in which another address is found: the private ones (RFC
/// 1918, RFC 4193), link-local ones, multicast, and all that is routed by IPv6.
constexpr std::array<std::string_view, 14> kKinds = {
    "10.0.0.0/8",  "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "224.0.0.0/4", "fe80::/64",     "fc00::/8",       "fd00::/8",       "ff00::/8",
    "ff05::/16",   "ff08::/16",     "ff0e::/16",      "2000::/3"};

/// In these everything stays what it is.
constexpr std::array<std::string_view, 7> kCommons = {
    "0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/24", "240.0.0.0/4", "::/96", "ff01::/16", "ff02::/16"};

const PrefixIndex& kinds() {
    static const PrefixIndex all = index_of(kKinds);
    return all;
}

const PrefixIndex& commons() {
    static const PrefixIndex all = index_of(kCommons);
    return all;
}

bool is_kind(const Prefix& prefix) {
    return kinds().contains(prefix) || commons().contains(prefix);
}

Prefix everything(bool v6) {
    return {.ip = {.v6 = v6}, .length = 0};
}

/// Whether the bits from there on are all the same, and which.
bool all_are(const Ip& ip, unsigned from, unsigned to, bool on) {
    for (unsigned i = from; i < to; ++i)
        if (bit(ip, i) != on) return false;
    return true;
}

}  // namespace

void PrefixIndex::add(const Prefix& prefix) {
    all_.insert(prefix);
    lengths_.at(prefix.ip.v6 ? 1 : 0).insert(prefix.length);
}

std::optional<Prefix> PrefixIndex::narrowest(const Ip& ip, unsigned below) const {
    const std::set<unsigned>& lengths = lengths_.at(ip.v6 ? 1 : 0);
    for (auto length = lengths.lower_bound(below); length != lengths.begin();) {
        const Prefix one = network({.ip = ip, .length = static_cast<std::uint8_t>(*--length)});
        if (all_.contains(one)) return one;
    }
    return std::nullopt;
}

bool PrefixIndex::overlaps(const Prefix& prefix, unsigned above) const {
    const std::set<unsigned>& lengths = lengths_.at(prefix.ip.v6 ? 1 : 0);
    for (auto length = lengths.upper_bound(above);
         length != lengths.end() && *length <= prefix.length; ++length)
        if (all_.contains(network({.ip = prefix.ip, .length = static_cast<std::uint8_t>(*length)})))
            return true;
    // Of those in it the first stands next, as they are sorted by address.
    const Prefix whole = network(prefix);
    const auto next = all_.upper_bound(whole);
    return next != all_.end() && next->ip.v6 == whole.ip.v6 && next->length > above &&
           core::contains(whole, next->ip);
}

bool is_common(const Ip& ip) {
    return commons().narrowest(ip, bits_of(ip) + 1).has_value();
}

bool NewAddresses::knows(const Ip& ip) const {
    return met_.contains(ip) && !is_common(ip);
}

void NewAddresses::meet(const Prefix& prefix) {
    met_.insert(prefix.ip);
    meet_network(network(prefix));
}

void NewAddresses::meet_network(const Prefix& whole) {
    // A network that is wider than a kind is kept: what is in it stays of its kind.
    const bool wide = kinds().overlaps(whole, whole.length);
    if (whole.length == 0 || wide || is_common(whole.ip) || whole.length >= bits_of(whole.ip))
        return;
    if (networks_.emplace(whole, whole).second) met_networks_.add(whole);
}

/// The narrowest network that was met, or kind, that has the address and is wider than that.
std::optional<Prefix> NewAddresses::narrowest(const Ip& ip, unsigned below) const {
    const auto met = met_networks_.narrowest(ip, below);
    const auto kind = kinds().narrowest(ip, below);
    return met && (!kind || met->length >= kind->length) ? met : kind;
}

/// Whether a candidate overlaps no replacement in use, no special range, and no network of the
/// host. What is wider than `within` holds it whole.
bool NewAddresses::is_free(const Prefix& candidate, const Prefix& within) const {
    return !kinds().overlaps(candidate, within.length) &&
           !commons().overlaps(candidate, within.length) &&
           !taken_.overlaps(candidate, within.length);
}

Prefix NewAddresses::choose_within(Random& random, const Prefix& old, const Prefix& old_within,
                                   const Prefix& within) {
    // A network's first and last address and network stay so; of a kind every host has them.
    const bool is_one = old.length == bits_of(old.ip);
    const bool stays = is_one || !is_kind(old_within) || old.length - old_within.length == 1;
    const bool zeros = stays && all_are(old.ip, old_within.length, old.length, false);
    const bool ones = stays && all_are(old.ip, old_within.length, old.length, true);
    Prefix found{.ip = within.ip, .length = old.length};
    constexpr int most = 64;
    for (int tries = 0; tries < most; ++tries) {
        ++tries_;
        for (unsigned i = old_within.length; i < old.length; ++i)
            set_bit(found.ip, i, zeros ? false : ones ? true : (random() & 1U) != 0);
        if (zeros || ones) return found;
        if (all_are(found.ip, within.length, found.length, false) ||
            all_are(found.ip, within.length, found.length, true))
            continue;
        if (found == old || !is_free(found, within)) continue;
        // Prefer a replacement that the host does not have.
        if (tries < most / 2 && (met_.contains(found.ip) || met_networks_.contains(found)))
            continue;
        return found;
    }
    return next_free(found, old, within);
}

/// Where hardly anything is free: what follows, the first behind the last.
Prefix NewAddresses::next_free(Prefix from, const Prefix& old, const Prefix& within) {
    constexpr unsigned widest = 16;
    const unsigned width = std::min<unsigned>(old.length - within.length, widest);
    for (unsigned tries = 0; tries < 1U << width; ++tries) {
        ++tries_;
        for (unsigned i = old.length; i > old.length - width; --i) {
            const bool carries = bit(from.ip, i - 1);
            set_bit(from.ip, i - 1, !carries);
            if (!carries) break;
        }
        if (!all_are(from.ip, within.length, from.length, false) &&
            !all_are(from.ip, within.length, from.length, true) && is_free(from, within))
            return from;
    }
    return from;
}

void NewAddresses::set(const Ip& ip, const Ip& other) {
    ips_[ip] = other;
    taken_.add({.ip = other, .length = static_cast<std::uint8_t>(bits_of(other))});
}

/// What the network that was met, or is of a kind, is now; all addresses where there is none.
Prefix NewAddresses::other_of(const std::optional<Prefix>& network, bool v6) const {
    if (!network) return everything(v6);
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
        const std::optional<Prefix> within = narrowest(old.ip, old.length);
        const Prefix other = choose_within(random, old, within.value_or(everything(old.ip.v6)),
                                           other_of(within, old.ip.v6));
        networks_[old] = other;
        taken_.add(other);
    }
}

void NewAddresses::choose_addresses(Random& random) {
    for (const Ip& ip : met_) {
        if (is_common(ip) || ips_.contains(ip)) continue;
        const unsigned bits = bits_of(ip);
        const std::optional<Prefix> within = narrowest(ip, bits);
        const Prefix itself{.ip = ip, .length = static_cast<std::uint8_t>(bits)};
        const Prefix other = choose_within(random, itself, within.value_or(everything(ip.v6)),
                                           other_of(within, ip.v6));
        ips_[ip] = other.ip;
        taken_.add(other);
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

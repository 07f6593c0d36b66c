// SPDX-License-Identifier: Apache-2.0
#include "core/redact/redaction.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/model/driver.hpp"
#include "core/model/field.hpp"
#include "core/model/letters.hpp"

namespace core {

namespace {

constexpr std::uint64_t kTail = 0xFFFFFF;
constexpr unsigned kTailBits = 24;
/// What is turned where an interface identifier is made of a MAC address (RFC 4291 A).
constexpr std::uint64_t kUniversal = std::uint64_t{2} << 56U;
constexpr std::uint64_t kBetween = 0xFFFE000000;

/// The interface identifier of a MAC address (RFC 4291 A).
std::uint64_t eui64(std::uint64_t mac) {
    return ((mac >> kTailBits << 40U) | kBetween | (mac & kTail)) ^ kUniversal;
}

/// The low half of an IPv6 address.
std::uint64_t low_half(const Ip& ip) {
    std::uint64_t out = 0;
    for (std::size_t i = 8; i < ip.bytes.size(); ++i)
        out = out << 8U | ip.bytes.at(i);
    return out;
}

void set_low_half(Ip& ip, std::uint64_t low) {
    for (std::size_t i = ip.bytes.size(); i > 8; --i, low >>= 8U)
        ip.bytes.at(i - 1) = static_cast<std::uint8_t>(low & 0xFFU);
}

/// So many digits in small letters.
std::string hex(std::uint64_t value, std::size_t digits) {
    std::string out;
    for (std::size_t i = digits; i > 0; --i)
        out += "0123456789abcdef"[(value >> (4 * (i - 1))) & 0xfU];
    return out;
}

std::string hex(const Ip& ip) {
    std::string out;
    for (std::size_t i = 0; i < (ip.v6 ? ip.bytes.size() : 4U); ++i)
        out += hex(ip.bytes.at(i), 2);
    return out;
}

std::string digits_of(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
            out += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

/// A MAC address that says nothing: all zeros, all ones, made of a multicast address (RFC 1112,
/// RFC 2464), or of the bridges' group (IEEE 802.1Q table 8-1).
bool is_nobodys_mac(std::uint64_t mac) {
    constexpr std::uint64_t ones = 0xFFFFFFFFFFFF;
    const std::uint64_t vendor = mac >> kTailBits;
    return mac == 0 || mac == ones || vendor == 0x01005E || mac >> 32U == 0x3333 ||
           vendor == 0x0180C2;
}

bool is_nobodys_guid(std::uint64_t guid) {
    return guid == 0 || guid == ~std::uint64_t{0};
}

/// The address as the old one was written: in full as a GID is, or short; in capitals.
std::string as_written(std::string_view old, const Ip& ip) {
    constexpr std::size_t full = 39;
    const auto is_capital = [](char c) { return c >= 'A' && c <= 'F'; };
    std::string out = text(ip);
    if (ip.v6 && old.size() == full && old.find("::") == std::string_view::npos) {
        out = hex(ip);
        for (std::size_t at = out.size() - 4; at > 0; at -= 4)
            out.insert(at, 1, ':');
    }
    if (std::ranges::any_of(old, is_capital))
        for (char& c : out)
            if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::string folded(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](char c) { return core::folded(c); });
    return out;
}

/// Whether the name, folded, is a word of the tables or part of one: then it may be any word.
bool stands_in_tables(const std::string& name) {
    const auto has = [&](std::string_view word) {
        return folded(word).find(name) != std::string::npos;
    };
    const auto any = [&](std::span<const std::string_view> words) {
        return std::ranges::any_of(words, has);
    };
    for (const Field& field : fields()) {
        if (has(field.key) || any(field.shape.words)) return true;
        for (const RecordPart& part : field.shape.parts)
            if (has(part.name) || any(part.shape.words)) return true;
    }
    return std::ranges::any_of(drivers(), [&](const Driver* driver) { return has(driver->name); });
}

/// Without the number at its end.
std::string_view stem_of(std::string_view name) {
    while (!name.empty() && is_digit(name.back()))
        name.remove_suffix(1);
    return name;
}

/// As many digits for each, so that they sort as they are numbered.
std::string numbered(std::string_view stem, std::size_t number, std::size_t of) {
    std::string digits = std::to_string(number);
    digits.insert(0, std::to_string(of > 0 ? of - 1 : 0).size() - digits.size(), '0');
    return std::string(stem) + digits;
}

/// The first of the stems that begins none of the names.
std::string_view unused(std::span<const std::string_view> stems,
                        const std::set<std::string, std::less<>>& names) {
    for (const std::string_view stem : stems)
        if (std::ranges::none_of(names,
                                 [&](const std::string& name) { return name.starts_with(stem); }))
            return stem;
    return stems.back();
}

}  // namespace

Redaction::Redaction(const State& state, std::uint64_t seed) : state_(state) {
    meet_names();
    name_ports();
    name_devices();
    for (const auto& [name, other] : names_)
        known_.names.add(name);
    meet_host();
    for_each_text(state, [this](std::string_view text, TextOf of) { meet(text, of); });
    choose(seed);
}

/// Of ports and RDMA devices; others that are named there may not be on this host.
void Redaction::meet_names() {
    for_each_text(state_, [this](std::string_view text, TextOf of) {
        if (of == TextOf::port && !text.empty() && text != kHost) ports_.emplace(text);
        if (of == TextOf::device && !text.empty()) devices_.emplace(text);
    });
    ports_.erase("lo");
}

/// The host's name, without its domain, and the domain. What may be any word is replaced only where
/// it is one.
void Redaction::meet_host() {
    const std::string name = folded(state_.host.name);
    if (name.empty()) return;
    const std::size_t dot = state_.host.name.find('.');
    const auto add = [this](const std::string& one) {
        constexpr std::size_t least = 4;
        const bool any_word = one.size() < least || stands_in_tables(one) ||
                              digits_of(one).size() == one.size() ||
                              std::ranges::all_of(one, is_digit);
        (any_word ? known_.host_words : known_.hosts).add(one);
    };
    add(name);
    if (dot == std::string::npos) return;
    add(name.substr(0, dot));
    const std::string domain = name.substr(dot + 1);
    if (state_.host.name.find('.', dot + 1) == std::string::npos) return;
    domain_ = domain;
    add(domain);
}

void Redaction::name_ports() {
    constexpr std::array<std::string_view, 4> kStems = {"port", "rail", "netdev", "interface"};
    const std::string_view stem = unused(kStems, ports_);
    std::size_t number = 0;
    for (const std::string& name : ports_)
        names_.emplace(name, numbered(stem, number++, ports_.size()));
}

/// What libraries are told to use is a device, or how the names of several begin.
void Redaction::name_devices() {
    constexpr std::array<std::string_view, 4> kStems = {"rdma", "roce", "hca", "device"};
    const std::string_view first = unused(kStems, devices_);
    std::set<std::string_view> stems;
    for (const std::string& name : devices_)
        stems.insert(stem_of(name));
    for (const std::string& name : devices_) {
        const auto at = std::distance(stems.begin(), stems.find(stem_of(name)));
        std::string other = numbered(first, static_cast<std::size_t>(at), stems.size()) + '_';
        other += name.substr(stem_of(name).size());
        names_.emplace(name, std::move(other));
    }
}

void Redaction::meet(std::string_view text, TextOf of) {
    if (of == TextOf::port || of == TextOf::device) return;
    if (of == TextOf::address) {
        if (const auto ip = parse_ip(text)) return meet(*ip);
        if (const auto prefix = parse_prefix(text)) return known_.addresses.meet(*prefix);
    }
    const Searched as = of == TextOf::one_value ? Searched::version : Searched::line;
    static_cast<void>(with_tokens(text, known_, as, steps_, [this](const Token& token) {
        meet(token);
        return std::string();
    }));
}

void Redaction::meet(const Ip& ip) {
    known_.addresses.meet(mapped_in(ip).value_or(ip));
}

void Redaction::meet(const Token& token) {
    switch (token.kind) {
        case Token::Kind::ip: return meet(parse_ip(token.text).value());
        case Token::Kind::prefix: return known_.addresses.meet(parse_prefix(token.text).value());
        case Token::Kind::octets: {
            std::string dotted(token.text);
            std::ranges::replace_if(
                dotted, [](char c) { return !is_digit(c); }, '.');
            if (const auto ip = parse_ip(dotted)) meet(*ip);
            return;
        }
        case Token::Kind::number: {
            const std::string digits = digits_of(token.text);
            const std::uint64_t low = hex_value(std::string_view(digits).substr(
                digits.size() - std::min(digits.size(), kGuidDigits)));
            (digits.size() == kMacDigits ? known_.macs : known_.guids).try_emplace(low);
            return;
        }
        case Token::Kind::serial: serials_.try_emplace(folded(token.text)); return;
        case Token::Kind::file: files_.try_emplace(std::string(token.text)); return;
        case Token::Kind::groups:
        case Token::Kind::hex_ip:
        case Token::Kind::tail:
        case Token::Kind::name:
        case Token::Kind::host: return;
    }
}

void Redaction::choose(std::uint64_t seed) {
    Random random(seed);
    choose_macs(random);
    choose_guids(random);
    choose_serials(random);
    std::size_t number = 0;
    for (auto& [old, other] : files_)
        other = numbered("file", number++, files_.size());
    constexpr std::uint8_t half = 64;
    const std::set<Ip> met = known_.addresses.met();
    for (const Ip& ip : met)
        if (const auto* mac = ip.v6 ? mac_in(known_, low_half(ip)) : nullptr;
            mac != nullptr && eui64(mac->first) == low_half(ip))
            known_.addresses.meet_network(network({.ip = ip, .length = half}));
    known_.addresses.choose_networks(random);
    follow_macs();
    known_.addresses.choose_addresses(random);
}

/// Others of the same kind: group and local bits stay. No octets that another address ends with.
/// Those that differ in the last octet alone stay as far apart as they are, since the ports of one
/// NIC are told by that.
void Redaction::choose_macs(Random& random) {
    constexpr std::uint64_t kept = std::uint64_t{3} << 40U;
    constexpr std::uint64_t all = 0xFFFFFFFFFFFF;
    constexpr unsigned octet = 8;
    constexpr std::uint64_t last = 0xFF;
    std::map<std::uint64_t, std::vector<std::pair<const std::uint64_t, std::uint64_t>*>> blocks;
    for (auto& one : known_.macs) {
        const std::uint64_t mac = one.first;
        if (is_nobodys_mac(mac)) {
            one.second = mac;
            continue;
        }
        blocks[mac >> octet].push_back(&one);
        if ((mac & kTail) != 0 && (mac & kTail) != kTail) known_.tails.try_emplace(mac & kTail);
    }
    // A whole block has every tail of its upper two octets. Up to this number of tails at least
    // half of those octets are free, so that another block is found in a few steps; beyond it there
    // may be none.
    const bool strict = known_.tails.size() < (kTail >> 9U);
    std::set<std::uint64_t> taken;
    for (const auto& [head, macs] : blocks) {
        const std::uint64_t first = macs.front()->first & last;
        const std::uint64_t length = macs.back()->first - macs.front()->first;
        const auto is_met = [&](const auto* one) {
            return known_.macs.contains(one->second) || is_nobodys_mac(one->second) ||
                   (strict && known_.tails.contains(one->second & kTail));
        };
        std::uint64_t other = 0;
        do {
            other = (random() & all & ~kept & ~last) | ((head << octet) & kept);
            const std::uint64_t start = random() % (last - length + 1);
            for (auto* one : macs)
                one->second = other + start + (one->first & last) - first;
        } while (std::ranges::any_of(macs, is_met) || !taken.insert(other).second);
        for (const auto* one : macs)
            if (const auto tail = known_.tails.find(one->first & kTail); tail != known_.tails.end())
                tail->second = one->second & kTail;
    }
}

/// What is made of a MAC address is made of the other one.
void Redaction::choose_guids(Random& random) {
    std::set<std::uint64_t> taken;
    for (auto& [guid, other] : known_.guids) {
        if (is_nobodys_guid(guid)) {
            other = guid;
            continue;
        }
        if (const auto* mac = mac_in(known_, guid)) {
            const std::uint64_t between = guid & (std::uint64_t{0xFFFF} << kTailBits);
            const std::uint64_t turned = (guid >> 40U ^ mac->first >> kTailBits) << 40U;
            other = ((mac->second >> kTailBits << 40U) | between | (mac->second & kTail)) ^ turned;
            continue;
        }
        do
            other = random();
        while (known_.guids.contains(other) || known_.tails.contains(other & kTail) ||
               !taken.insert(other).second);
    }
}

void Redaction::choose_serials(Random& random) {
    std::set<std::string> taken;
    for (auto& [old, other] : serials_) {
        do
            other = "serial-" + hex(random(), 8);
        while (serials_.contains(other) || !taken.insert(other).second);
        known_.serials.add(old);
    }
}

/// An address that is made of a hardware address is made of the other one.
void Redaction::follow_macs() {
    constexpr std::uint8_t half = 64;
    const std::set<Ip> met = known_.addresses.met();
    for (const Ip& ip : met) {
        const auto* mac = ip.v6 ? mac_in(known_, low_half(ip)) : nullptr;
        if (mac == nullptr || eui64(mac->first) != low_half(ip)) continue;
        Ip follows = known_.addresses.of(network({.ip = ip, .length = half})).ip;
        set_low_half(follows, eui64(mac->second));
        known_.addresses.set(ip, follows);
    }
}

Ip Redaction::other(const Ip& ip) const {
    const auto inner = mapped_in(ip);
    return inner ? mapped(known_.addresses.of(*inner)) : known_.addresses.of(ip);
}

/// The digits of the other one of a MAC address, a GUID, or a GID behind the bits of IPoIB.
std::string Redaction::other_number(std::string_view old) const {
    std::string digits = digits_of(old);
    if (digits.size() == kMacDigits) {
        const auto found = known_.macs.find(hex_value(digits));
        return found == known_.macs.end() ? digits : hex(found->second, kMacDigits);
    }
    const std::string head = digits.substr(0, digits.size() - kGuidDigits);
    const std::uint64_t guid = hex_value(std::string_view(digits).substr(head.size()));
    if (const auto found = known_.guids.find(guid); found != known_.guids.end())
        return head + hex(found->second, kGuidDigits);
    const auto* mac = mac_in(known_, guid);
    if (mac == nullptr) return digits;
    return head + hex(mac->second >> kTailBits, 6) + hex(guid >> kTailBits & 0xFFFFU, 4) +
           hex(mac->second & kTail, 6);
}

std::string Redaction::other(const Token& token) const {
    const auto known = [&](const Names& names, const std::string& key) {
        const auto found = names.find(key);
        return found == names.end() ? std::string(token.text) : found->second;
    };
    std::string old(token.text);
    switch (token.kind) {
        case Token::Kind::ip: return as_written(old, other(parse_ip(old).value()));
        case Token::Kind::prefix: return core::text(known_.addresses.of(parse_prefix(old).value()));
        case Token::Kind::octets: {
            std::string dotted = old;
            const char between = *std::ranges::find_if(old, [](char c) { return !is_digit(c); });
            std::ranges::replace(dotted, between, '.');
            std::string out = core::text(other(parse_ip(dotted).value_or(Ip{})));
            std::ranges::replace(out, '.', between);
            return out;
        }
        case Token::Kind::groups: {
            std::string colons = old;
            std::ranges::replace(colons, '-', ':');
            std::string out = core::text(other(parse_ip(colons).value()));
            std::ranges::replace(out, ':', '-');
            return out;
        }
        case Token::Kind::hex_ip: {
            const std::string digits = digits_of(old);
            Ip ip{.v6 = digits.size() > 8};
            for (std::size_t i = 0; i < digits.size(); i += 2)
                ip.bytes.at(i / 2) =
                    static_cast<std::uint8_t>(hex_value(std::string_view(digits).substr(i, 2)));
            return respelled(old, hex(other(ip)));
        }
        case Token::Kind::number: return respelled(old, other_number(old));
        case Token::Kind::tail:
            return respelled(old, hex(known_.tails.at(hex_value(old)), kMacDigits / 2));
        case Token::Kind::serial: return known(serials_, folded(old));
        case Token::Kind::file: return known(files_, old);
        case Token::Kind::name: return known(names_, old);
        case Token::Kind::host: return folded(old) == domain_ ? "domain" : "host";
    }
    return old;
}

std::string Redaction::line(std::string_view text, Searched as) const {
    return with_tokens(text, known_, as, steps_,
                       [this](const Token& token) { return other(token); });
}

std::string Redaction::text(std::string_view text) const {
    return line(text, Searched::line);
}

/// A text that is one value of a kind.
std::string Redaction::typed(std::string_view text) const {
    if (const auto ip = parse_ip(text)) return as_written(text, other(*ip));
    if (const auto prefix = parse_prefix(text)) return core::text(known_.addresses.of(*prefix));
    return this->text(text);
}

/// `mlx5`, `^=mlx5_0:1,mlx5_1`: what a library is told to use. How several names begin is how the
/// others do.
std::string Redaction::value(std::string_view text) const {
    const std::size_t begin = std::min(text.find_first_not_of("^="), text.size());
    const std::string_view word = text.substr(begin);
    constexpr std::size_t least = 3;
    if (word.size() < least || word.find_first_of(", :/") != std::string_view::npos)
        return this->text(text);
    std::string shared;
    bool any = false;
    for (auto device = devices_.upper_bound(word);
         device != devices_.end() && device->starts_with(word); ++device) {
        const std::string& other = names_.find(*device)->second;
        const auto differs = std::ranges::mismatch(shared, other).in1;
        shared = any ? std::string(shared.begin(), differs) : std::string(stem_of(other));
        any = true;
    }
    return any && !names_.contains(word) ? std::string(text.substr(0, begin)) + shared
                                         : this->text(text);
}

State Redaction::state() const {
    return with_texts(state_, [this](std::string_view text, TextOf of) {
        switch (of) {
            case TextOf::address: return typed(text);
            case TextOf::port:
            case TextOf::device: break;
            case TextOf::one_value: return line(text, Searched::version);
            case TextOf::free: return value(text);
        }
        const auto found = names_.find(text);
        return found == names_.end() ? this->text(text) : found->second;
    });
}

}  // namespace core

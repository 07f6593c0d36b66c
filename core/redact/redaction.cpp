// SPDX-License-Identifier: Apache-2.0
#include "core/redact/redaction.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/model/letters.hpp"
#include "core/model/object.hpp"
#include "core/redact/texts.hpp"

namespace core {

namespace {

/// The bytes of a hardware address that is spelled as six groups of two digits.
std::array<std::uint8_t, 6> bytes_of_mac(std::string_view mac) {
    std::array<std::uint8_t, 6> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out.at(i) =
            static_cast<std::uint8_t>(std::stoul(std::string(mac.substr(3 * i, 2)), nullptr, 16));
    return out;
}

/// The low half of an address that is made of a hardware address (RFC 4291 A).
void put_eui64(Ip& ip, const std::array<std::uint8_t, 6>& mac) {
    constexpr std::uint8_t universal = 2;
    ip.bytes[8] = static_cast<std::uint8_t>(mac[0] ^ universal);
    ip.bytes[9] = mac[1];
    ip.bytes[10] = mac[2];
    ip.bytes[11] = 0xff;
    ip.bytes[12] = 0xfe;
    ip.bytes[13] = mac[3];
    ip.bytes[14] = mac[4];
    ip.bytes[15] = mac[5];
}

/// So many digits in small letters.
std::string hex(std::uint64_t value, std::size_t digits) {
    std::string out;
    for (std::size_t i = digits; i > 0; --i)
        out += "0123456789abcdef"[(value >> (4 * (i - 1))) & 0xfU];
    return out;
}

/// Another hardware address of the same kind: group and local bits stay.
std::string other_mac(std::string_view mac, Random& random) {
    constexpr std::uint64_t kept = 3;
    std::array<std::uint8_t, 6> bytes = bytes_of_mac(mac);
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::uint64_t byte = random() & 0xffU;
        if (i == 0) byte = (byte & ~kept) | (bytes[0] & kept);
        out += (i == 0 ? "" : ":") + hex(byte, 2);
    }
    return out;
}

/// A number that says nothing: all zeros, all ones, or made of a multicast address.
bool is_nobodys(std::string_view number) {
    return std::ranges::all_of(number, [](char c) { return c == '0' || c == ':'; }) ||
           number.starts_with("01:00:5e:") || number.starts_with("33:33:") ||
           std::ranges::all_of(number, [](char c) { return c == 'f' || c == ':'; });
}

/// The address as the old one was written: in full as a GID is, or short.
std::string as_written(std::string_view old, const Ip& ip) {
    constexpr std::size_t full = 39;
    if (!ip.v6 || old.size() != full || old.find("::") != std::string_view::npos) return text(ip);
    std::string out;
    for (std::size_t i = 0; i < ip.bytes.size(); i += 2)
        out += (i == 0 ? "" : ":") + hex(ip.bytes.at(i), 2) + hex(ip.bytes.at(i + 1), 2);
    return out;
}

std::string in_small_letters(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
        else if (c == '-')
            c = ':';
    return out;
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
    one_value_ = names_;
    const std::string& host = state.host.name;
    if (!host.empty()) {
        names_.try_emplace(host, "host");
        names_.try_emplace(host.substr(0, host.find('.')), "host");
    }
    const auto visit = [this](std::string_view text, TextOf of) {
        if (of != TextOf::one_value)
            static_cast<void>(with_tokens(text, names_, [this](const Token& token) {
                meet(token);
                return std::string(token.text);
            }));
        return std::string(text);
    };
    static_cast<void>(with_texts(state, visit));
    choose(seed);
}

/// Of ports and RDMA devices; others that are named there may not be on this host.
void Redaction::meet_names() {
    static_cast<void>(with_texts(state_, [this](std::string_view text, TextOf of) {
        if (of == TextOf::port && !text.empty() && text != kHost) ports_.emplace(text);
        if (of == TextOf::device && !text.empty()) devices_.emplace(text);
        return std::string(text);
    }));
    ports_.erase("lo");
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

void Redaction::meet(const Token& token) {
    switch (token.kind) {
        case Token::Kind::ip: {
            const Ip ip = parse_ip(token.text).value();
            addresses_.meet(mapped_in(ip).value_or(ip));
            break;
        }
        case Token::Kind::prefix: addresses_.meet(parse_prefix(token.text).value()); break;
        case Token::Kind::mac:
        case Token::Kind::guid:
        case Token::Kind::serial: numbers_.try_emplace(in_small_letters(token.text)); break;
        case Token::Kind::file: files_.try_emplace(std::string(token.text)); break;
        case Token::Kind::name: break;
    }
}

void Redaction::choose(std::uint64_t seed) {
    Random random(seed);
    constexpr std::size_t mac = 17;
    constexpr std::size_t guid = 19;
    std::set<std::string> taken;
    for (auto& [old, other] : numbers_) {
        const bool grouped = old.find(':') != std::string::npos;
        if (grouped && is_nobodys(old)) {
            other = old;
            continue;
        }
        do {
            if (grouped && old.size() == mac)
                other = other_mac(old, random);
            else if (grouped && old.size() == guid)
                other = hex(random(), 4) + ':' + hex(random(), 4) + ':' + hex(random(), 4) + ':' +
                        hex(random(), 4);
            else
                other = "serial-" + hex(random(), 8);
        } while (numbers_.contains(other) || !taken.insert(other).second);
    }
    std::size_t number = 0;
    for (auto& [old, other] : files_)
        other = numbered("file", number++, files_.size());
    follow_macs();
    addresses_.choose_networks(random);
    follow_macs();
    addresses_.choose_addresses(random);
}

/// An address that is made of a hardware address is made of the other one. The first time the
/// networks are met in which there are such.
void Redaction::follow_macs() {
    constexpr std::uint8_t half = 64;
    const std::set<Ip> met = addresses_.met();
    for (const auto& [old, other] : numbers_) {
        constexpr std::size_t size = 17;
        if (old.size() != size || other.size() != size) continue;
        for (const Ip& ip : met) {
            Ip made = ip;
            if (ip.v6) put_eui64(made, bytes_of_mac(old));
            if (!ip.v6 || made != ip) continue;
            const Prefix subnet = network({.ip = ip, .length = half});
            addresses_.meet_network(subnet);
            Ip follows = addresses_.of(subnet).ip;
            put_eui64(follows, bytes_of_mac(other));
            addresses_.set(ip, follows);
        }
    }
}

std::string Redaction::other(const Token& token) const {
    const auto known = [&](const Names& names, const std::string& key) {
        const auto found = names.find(key);
        return found == names.end() ? std::string(token.text) : found->second;
    };
    switch (token.kind) {
        case Token::Kind::ip: {
            const Ip ip = parse_ip(token.text).value();
            const auto inner = mapped_in(ip);
            return as_written(token.text,
                              inner ? mapped(addresses_.of(*inner)) : addresses_.of(ip));
        }
        case Token::Kind::prefix:
            return core::text(addresses_.of(parse_prefix(token.text).value()));
        case Token::Kind::mac: {
            std::string out = known(numbers_, in_small_letters(token.text));
            if (token.text.find('-') != std::string_view::npos) std::ranges::replace(out, ':', '-');
            return out;
        }
        case Token::Kind::guid:
        case Token::Kind::serial: return known(numbers_, in_small_letters(token.text));
        case Token::Kind::file: return known(files_, std::string(token.text));
        case Token::Kind::name: return known(names_, std::string(token.text));
    }
    return std::string(token.text);
}

std::string Redaction::text(std::string_view text) const {
    return with_tokens(text, names_, [this](const Token& token) { return other(token); });
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
    for (const std::string& device : devices_) {
        if (!device.starts_with(word) || device == word) continue;
        const std::string& other = names_.find(device)->second;
        const auto differs = std::ranges::mismatch(shared, other).in1;
        shared = any ? std::string(shared.begin(), differs) : std::string(stem_of(other));
        any = true;
    }
    return any && !names_.contains(word) ? std::string(text.substr(0, begin)) + shared
                                         : this->text(text);
}

State Redaction::state() const {
    return with_texts(state_, [this](std::string_view text, TextOf of) {
        if (of == TextOf::free) return value(text);
        if (of != TextOf::one_value) return this->text(text);
        return with_tokens(text, one_value_, [this](const Token& token) {
            return token.kind == Token::Kind::name ? other(token) : std::string(token.text);
        });
    });
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/model/shape.hpp"

#include <algorithm>
#include <charconv>

#include "core/model/cpus.hpp"
#include "core/model/ip.hpp"
#include "core/model/letters.hpp"
#include "core/model/quote.hpp"
#include "core/model/selectors.hpp"

namespace core {
namespace {

std::string range(std::uint64_t min, std::uint64_t max) {
    return std::to_string(min) + ".." + std::to_string(max);
}

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

bool within(std::uint64_t number, const Shape& shape) {
    return number >= shape.min && number <= shape.max;
}

bool is_word(const Shape& shape, std::string_view word) {
    if (std::ranges::find(shape.words, word) != shape.words.end()) return true;
    const std::optional<std::uint64_t> number = shape.max > 0 ? number_in(word) : std::nullopt;
    return number && within(*number, shape);
}

bool is_mac(std::string_view text) {
    if (text.size() != 17) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool hex = is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'f');
        if (i % 3 == 2 ? text[i] != ':' : !hex) return false;
    }
    return true;
}

/// What ip(8) calls the network of all addresses: of a destination, and in a rule.
bool is_everything(Shape::Text kind, std::string_view text) {
    return (kind == Shape::Text::prefix && text == "default") ||
           (kind == Shape::Text::network && text == "all");
}

/// As the kernel's dev_valid_name and RDMA's device names: no path can be made of it.
bool is_name(std::string_view text) {
    if (text.empty() || text.size() > 63 || text == "." || text == "..") return false;
    return std::ranges::none_of(text, [](char c) {
        return c == '/' || c == ':' || c == '%' || static_cast<unsigned char>(c) <= ' ' ||
               c == 0x7f;
    });
}

/// Why the text is not of the kind; nothing where it is.
std::optional<std::string> illegal_text(const Shape& shape, const std::string& value) {
    const auto unless = [&](bool good) {
        return good ? std::nullopt
                    : std::optional("found " + in_quotes(value) + ", expected " + admits(shape));
    };
    switch (shape.text) {
        case Shape::Text::any:
        case Shape::Text::pci:
        case Shape::Text::line: return std::nullopt;
        case Shape::Text::name: return unless(is_name(value));
        case Shape::Text::mac: return unless(is_mac(value));
        case Shape::Text::ip: return unless(parse_ip(value).has_value());
        case Shape::Text::cpus:
            return unless(value == "local" || value == "spread" || parse_cpus(value));
        case Shape::Text::selectors: return unless(trust_order(value).has_value());
        case Shape::Text::address: return unless(parse_prefix(value).has_value());
        case Shape::Text::prefix:
        case Shape::Text::network: break;
    }
    if (is_everything(shape.text, value)) return std::nullopt;
    const bool bare = shape.text == Shape::Text::network;
    const std::optional<Prefix> prefix = bare ? parse_network(value) : parse_prefix(value);
    if (!prefix) return unless(false);
    if (network(*prefix) == *prefix) return std::nullopt;
    return "found " + in_quotes(value) + ", which has host bits set; the network is " +
           text(network(*prefix));
}

std::optional<std::string> illegal_scalar(const Shape& shape, const Scalar& scalar) {
    if (const auto* number = std::get_if<std::uint64_t>(&scalar)) return illegal(shape, *number);
    return illegal(shape, std::get<std::string>(scalar));
}

std::optional<std::string> illegal_record(const Shape& shape, const Record& record) {
    for (const auto& [name, scalar] : record) {
        const auto part = std::ranges::find(shape.parts, name, &RecordPart::name);
        if (part == shape.parts.end()) return "found unknown part " + in_quotes(name);
        if (const auto reason = illegal_scalar(part->shape, scalar)) return name + ": " + *reason;
    }
    for (const RecordPart& part : shape.parts)
        if (part.required && !record.contains(part.name))
            return "'" + std::string(part.name) + "' is missing";
    return std::nullopt;
}

/// Says what is wrong with a value by what it holds; `illegal` dispatches on the shape first.
struct Judge {
    const Shape& shape;

    [[nodiscard]] std::string wrong(const Value& value) const {
        const std::string all = text(value);
        const std::string start = cut(all, kQuotedLength);
        return "found " + start + (start.size() < all.size() ? "…" : "") + ", expected " +
               admits(shape);
    }
    std::optional<std::string> operator()(bool flag) const {
        if (shape.kind == Shape::Kind::flag) return std::nullopt;
        return wrong(flag);
    }
    std::optional<std::string> operator()(std::uint64_t number) const {
        const bool numeric = shape.kind == Shape::Kind::number ||
                             shape.kind == Shape::Kind::counter || shape.kind == Shape::Kind::map;
        if (numeric && within(number, shape)) return std::nullopt;
        return wrong(number);
    }
    std::optional<std::string> operator()(const std::string& value) const {
        if (shape.kind == Shape::Kind::word && is_word(shape, value)) return std::nullopt;
        const bool textual = shape.kind == Shape::Kind::text ||
                             (shape.kind == Shape::Kind::items && shape.parts.empty());
        if (textual) return illegal_text(shape, value);
        return "found " + in_quotes(value) + ", expected " + admits(shape);
    }
    std::optional<std::string> operator()(const Numbers& numbers) const {
        const bool several = shape.kind == Shape::Kind::map && numbers.size() > 1;
        if (shape.kind != Shape::Kind::set && shape.kind != Shape::Kind::list && !several)
            return wrong(numbers);
        for (const std::uint64_t number : numbers)
            if (!within(number, shape))
                return "found " + std::to_string(number) + ", expected " +
                       range(shape.min, shape.max);
        if (shape.kind == Shape::Kind::list && numbers.size() != Shape::list_length)
            return "found " + std::to_string(numbers.size()) + " numbers, expected 8";
        const bool ordered =
            std::ranges::adjacent_find(numbers, std::ranges::greater_equal{}) == numbers.end();
        if (shape.kind == Shape::Kind::set && !ordered) return "found the same number twice";
        return std::nullopt;
    }
    std::optional<std::string> operator()(const Words& words) const {
        const bool some = shape.kind == Shape::Kind::set && !shape.words.empty();
        if (shape.kind != Shape::Kind::words && !some) return wrong(words);
        for (const std::string& word : words)
            if (!is_word(shape, word))
                return "found " + in_quotes(word) + ", expected " + admits(shape);
        if (!some && words.size() != Shape::list_length)
            return "found " + std::to_string(words.size()) + " words, expected 8";
        return std::nullopt;
    }
    std::optional<std::string> operator()(const Record& record) const {
        const bool holds_record = shape.kind == Shape::Kind::record ||
                                  (shape.kind == Shape::Kind::items && !shape.parts.empty());
        return holds_record ? illegal_record(shape, record) : wrong(record);
    }
};

std::string admits_text(Shape::Text text) {
    switch (text) {
        case Shape::Text::any: return "text";
        case Shape::Text::line: return "a number or a text";
        case Shape::Text::name: return "a device name";
        case Shape::Text::mac: return "a MAC address such as 00:11:22:33:44:55";
        case Shape::Text::pci: return "a PCI address such as 0000:3b:00.0";
        case Shape::Text::ip: return "an IPv4 or IPv6 address";
        case Shape::Text::address: return "ADDRESS/LENGTH";
        case Shape::Text::prefix: return "NETWORK/LENGTH or default";
        case Shape::Text::network: return "ADDRESS, NETWORK/LENGTH or all";
        case Shape::Text::cpus: return "local, spread, or a list of CPUs such as 0-7,16-23";
        case Shape::Text::selectors:
            return "none, or one or more of ethtype, stream-port, dgram-port, port, dscp and pcp, "
                   "such as 'dscp pcp'";
    }
    return "text";
}

std::string admits_words(const Shape& shape) {
    std::string out = shape.words.size() > 1 ? "one of " : "";
    for (const std::string_view word : shape.words) {
        if (word != shape.words.front()) out += ", ";
        out += word;
    }
    if (shape.max > 0) out += (out.empty() ? "" : " or ") + range(shape.min, shape.max);
    return out;
}

}  // namespace

bool is_collection(const Shape& shape) {
    return is_keyed(shape) || shape.kind == Shape::Kind::items;
}

bool is_keyed(const Shape& shape) {
    return shape.kind == Shape::Kind::map || shape.kind == Shape::Kind::named;
}

bool can_be_exact(const Shape& shape) {
    return is_collection(shape) && (shape.kind != Shape::Kind::named || shape.come_and_go);
}

std::string_view item_part(const Shape& shape) {
    return shape.text == Shape::Text::name ? "name" : "address";
}

std::optional<std::string> illegal(const Shape& shape, const Value& value) {
    if (shape.kind == Shape::Kind::named) return illegal(*shape.of, value);
    return std::visit(Judge{shape}, value);
}

std::string admits(const Shape& shape) {
    switch (shape.kind) {
        case Shape::Kind::flag: return "true or false";
        case Shape::Kind::number:
        case Shape::Kind::counter: return range(shape.min, shape.max);
        case Shape::Kind::word: return admits_words(shape);
        case Shape::Kind::set:
            return "a list of " +
                   (shape.words.empty() ? range(shape.min, shape.max) : admits_words(shape));
        case Shape::Kind::list: return "a list of 8 numbers, " + range(shape.min, shape.max);
        case Shape::Kind::words: return "a list of 8 words, each " + admits_words(shape);
        case Shape::Kind::text: return admits_text(shape.text);
        case Shape::Kind::map:
            return "an object of " + range(shape.key_min, shape.key_max) + " to " +
                   range(shape.min, shape.max);
        case Shape::Kind::named:
            return (shape.bare.empty() ? "" : admits(*shape.of) + " or ") + "an object of " +
                   (shape.closed
                        ? std::string(shape.words.front()) + ".." + std::string(shape.words.back())
                        : std::string("names")) +
                   " to " + admits(*shape.of);
        case Shape::Kind::record:
        case Shape::Kind::items: break;
    }
    if (shape.parts.empty()) return "a list of " + admits_text(shape.text);
    std::string out = shape.kind == Shape::Kind::record ? "an object of" : "a list of objects of";
    for (const RecordPart& part : shape.parts)
        out += std::string(&part == shape.parts.data() ? " " : ", ") + std::string(part.name);
    return out;
}

std::string as_read(Shape::Text text, std::string_view typed) {
    std::string out(typed);
    if (text != Shape::Text::mac) return out;
    for (char& c : out) {
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c | 0x20);
        if (c == '-') c = ':';
    }
    return out;
}

bool has_one_spelling(const Shape& shape) {
    return shape.kind == Shape::Kind::named ? has_one_spelling(*shape.of)
                                            : shape.canonical == nullptr;
}

Value canonical(const Shape& shape, const Value& value) {
    if (shape.kind == Shape::Kind::named) return canonical(*shape.of, value);
    return shape.canonical == nullptr ? value : shape.canonical(value);
}

std::string identity(const Shape& shape, const Value& item) {
    return identity_of_spelled(shape, canonical(shape, item));
}

std::string identity_of_spelled(const Shape& shape, const Value& spelled) {
    if (const auto* address = std::get_if<std::string>(&spelled)) {
        const std::optional<Prefix> prefix = parse_prefix(*address);
        return prefix ? text(prefix->ip) : *address;
    }
    const auto& record = std::get<Record>(spelled);
    std::string out;
    for (const RecordPart& part : shape.parts) {
        if (!part.identity) continue;
        const auto found = record.find(part.name);
        const bool named = !part.required && part.absent_means.empty();
        if (named && found == record.end()) continue;
        if (!out.empty()) out += ' ';
        if (named) out += std::string(part.name) + ' ';
        out +=
            found == record.end()
                ? std::string(part.absent_means)
                : std::visit([](const auto& value) { return text(Value(value)); }, found->second);
    }
    return out;
}

}  // namespace core

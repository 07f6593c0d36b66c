// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netlink/attr.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace netlink {

using Bytes = std::span<const std::byte>;

/// Attributes, and what follows a header, start at multiples of four bytes.
constexpr std::size_t aligned(std::size_t length) {
    return (length + 3) & ~std::size_t{3};
}

/// The fixed header in front of a message's attributes; nothing where the bytes are too few.
template <typename Header>
std::optional<Header> header_of(Bytes bytes) {
    if (bytes.size() < sizeof(Header)) return std::nullopt;
    Header header{};
    std::memcpy(&header, bytes.data(), sizeof(header));
    return header;
}

/// A sequence of netlink attributes. What is cut short is not there; nothing is read past the end.
class Attributes {
public:
    Attributes() = default;
    explicit Attributes(Bytes bytes) : bytes_(bytes) {}

    /// The attributes that follow a header, which is padded to four bytes.
    template <typename Header>
    static Attributes after(Bytes message) {
        constexpr std::size_t start = aligned(sizeof(Header));
        return message.size() < start ? Attributes() : Attributes(message.subspan(start));
    }

    /// Calls `found(type, payload)` for each; the flag bits of the type are cleared.
    template <typename Found>
    void for_each(const Found& found) const {
        each_until([&found](int type, Bytes payload) {
            found(type, payload);
            return false;
        });
    }

    [[nodiscard]] std::optional<Bytes> find(int type) const;
    [[nodiscard]] Attributes nested(int type) const;
    /// Text up to its NUL; empty where it is not there.
    [[nodiscard]] std::string text(int type) const;

    /// A number or a struct; nothing where it is not there or too short.
    template <typename Number>
    [[nodiscard]] std::optional<Number> value(int type) const {
        const auto payload = find(type);
        return payload ? header_of<Number>(*payload) : std::nullopt;
    }

private:
    /// Calls `found(type, payload)` for each until it says that it has what it looks for.
    template <typename Found>
    void each_until(const Found& found) const {
        Bytes left = bytes_;
        nlattr header{};  // read here: a call of header_of was a tenth of reading many routes
        while (left.size() >= sizeof(header)) {
            std::memcpy(&header, left.data(), sizeof(header));
            if (header.nla_len < sizeof(header) || header.nla_len > left.size()) return;
            if (found(header.nla_type & NLA_TYPE_MASK,
                      left.subspan(sizeof(header), header.nla_len - sizeof(header))))
                return;
            const std::size_t step = aligned(header.nla_len);
            left = left.subspan(step < left.size() ? step : left.size());
        }
    }

    Bytes bytes_;
};

/// Adds to a list of words: `metric, scope`.
void add_word(std::string& words, std::string_view word);

}  // namespace netlink

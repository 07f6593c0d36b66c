// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netlink/attr.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace netlink {

using Bytes = std::span<const std::byte>;

/// Rounds up to a multiple of four bytes, where attributes and the data after a header start.
constexpr std::size_t aligned(std::size_t length) {
    return (length + 3) & ~std::size_t{3};
}

/// Copies the fixed header from the start of a message; nothing where the bytes are too few.
template <typename Header>
std::optional<Header> header_of(Bytes bytes) {
    if (bytes.size() < sizeof(Header)) return std::nullopt;
    Header header{};
    std::memcpy(&header, bytes.data(), sizeof(header));
    return header;
}

/// A sequence of netlink attributes. A truncated attribute is left out; nothing is read past the
/// end.
class Attributes {
public:
    Attributes() = default;
    explicit Attributes(Bytes bytes) : bytes_(bytes) {}

    /// The attributes after a header, which is padded to four bytes.
    template <typename Header>
    static Attributes after(Bytes message) {
        constexpr std::size_t start = aligned(sizeof(Header));
        return message.size() < start ? Attributes() : Attributes(message.subspan(start));
    }

    /// Calls `found(type, payload)` for each attribute, with the flag bits of the type cleared.
    template <typename Found>
    void for_each(const Found& found) const {
        each_until([&found](int type, Bytes payload) {
            found(type, payload);
            return false;
        });
    }

    [[nodiscard]] std::optional<Bytes> find(int type) const;
    [[nodiscard]] Attributes nested(int type) const;
    /// The text up to its NUL; empty where the attribute is absent.
    [[nodiscard]] std::string text(int type) const;

    /// A number or struct; nothing where it is absent or too short.
    template <typename Number>
    [[nodiscard]] std::optional<Number> value(int type) const {
        const auto payload = find(type);
        return payload ? header_of<Number>(*payload) : std::nullopt;
    }

private:
    /// Calls `found(type, payload)` for each attribute until it returns true.
    template <typename Found>
    void each_until(const Found& found) const {
        Bytes left = bytes_;
        nlattr header{};  // not by header_of: that call took a tenth of the time of reading many
                          // routes
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

/// The attributes of a message that is asked for many of them, found in one walk and not in one for
/// each. As Attributes otherwise; of a type that comes twice the first one counts in both.
class IndexedAttributes {
public:
    explicit IndexedAttributes(const Attributes& attributes) : all_(attributes) {
        attributes.for_each([this](int type, Bytes payload) {
            const auto at = static_cast<std::size_t>(type);
            if (at < kTypes && places_[at].data() == nullptr) places_[at] = payload;
        });
    }

    [[nodiscard]] std::optional<Bytes> find(int type) const {
        const auto at = static_cast<std::size_t>(type);
        if (at >= kTypes) return all_.find(type);
        return places_[at].data() == nullptr ? std::nullopt : std::optional(places_[at]);
    }
    [[nodiscard]] Attributes nested(int type) const {
        return Attributes(find(type).value_or(Bytes()));
    }
    template <typename Number>
    [[nodiscard]] std::optional<Number> value(int type) const {
        const auto payload = find(type);
        return payload ? header_of<Number>(*payload) : std::nullopt;
    }

private:
    static constexpr std::size_t kTypes = 32;  ///< those beyond are walked to

    Attributes all_;
    std::array<Bytes, kTypes> places_{};
};

/// Appends a word to a list: `metric, scope`.
void add_word(std::string& words, std::string_view word);

}  // namespace netlink

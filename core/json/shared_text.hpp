// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace core {

/// A text held once for all that have it, as the name of a file for all places in it. Copies count
/// without locks: no command starts a thread.
class SharedText {
public:
    SharedText() = default;
    SharedText(std::string text)  // NOLINT(google-explicit-constructor): as a text would
        : held_(text.empty() ? nullptr : new Held{std::move(text)}) {}
    SharedText(const char* text)  // NOLINT(google-explicit-constructor)
        : SharedText(std::string(text)) {}
    SharedText(const SharedText& other) : held_(other.held_) {
        if (held_ != nullptr) ++held_->users;
    }
    SharedText(SharedText&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
    SharedText& operator=(SharedText other) noexcept {
        std::swap(held_, other.held_);
        return *this;
    }
    ~SharedText() {
        if (held_ != nullptr && --held_->users == 0) delete held_;
    }

    [[nodiscard]] const std::string& text() const {
        static const std::string none;
        return held_ == nullptr ? none : held_->text;
    }
    operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor)
    operator std::string_view() const { return text(); }    // NOLINT(google-explicit-constructor)
    [[nodiscard]] std::size_t size() const { return text().size(); }
    template <typename T>
    requires std::convertible_to<const T&, std::string_view>
    bool operator==(const T& other) const { return text() == std::string_view(other); }
    template <typename T>
    requires std::constructible_from<std::string, T>
    friend std::string operator+(T&& text, const SharedText& more) {
        return std::string(std::forward<T>(text)) + more.text();
    }
    bool operator==(const SharedText& other) const {
        return held_ == other.held_ || text() == other.text();
    }
    std::strong_ordering operator<=>(const SharedText& other) const {
        return text() <=> other.text();
    }

private:
    struct Held {
        std::string text;
        std::uint32_t users = 1;
    };
    Held* held_ = nullptr;
};

/// Finds the texts that come again and again, as the names of a document's members do, and holds
/// each of them once. One that another took the place of is held once more.
class SharedTexts {
public:
    SharedText of(std::string_view text) {
        if (text.empty()) return {};
        SharedText& held = held_.at(place_of(text));
        if (held.text() == text) return held;
        held = SharedText(std::string(text));
        taken_ += sizeof(std::string) + sizeof(std::max_align_t) + text.size();
        return held;
    }
    /// The bytes that texts took which were not held yet, since it was asked last.
    std::size_t taken() { return std::exchange(taken_, 0); }

private:
    /// By its length, and its first byte, the middle one and the last, in which names differ.
    static std::size_t place_of(std::string_view text) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
        std::size_t sum = text.size();
        for (const std::size_t at : {std::size_t{0}, text.size() / 2, text.size() - 1})
            sum = sum * 31 + byte(at);
        return sum % kTexts;
    }

    static constexpr std::size_t kTexts = 1021;
    std::array<SharedText, kTexts> held_{};
    std::size_t taken_ = 0;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
/// each of them once; of more than thousands of them some are held once more.
class SharedTexts {
public:
    SharedText of(std::string_view text) {
        if (text.empty()) return {};
        // Where all places of a text are taken, there is room for more, or one of them gives way.
        while (true) {
            SharedText& held = held_[place_of(text)];
            if (held.text() == text) return held;
            if (held.text().empty() || held_.size() >= kMost) return hold(held, text);
            grow();
        }
    }
    /// The bytes that texts took which were not held yet, since it was asked last.
    std::size_t taken() { return std::exchange(taken_, 0); }

private:
    static constexpr std::size_t kFewest = 256;
    static constexpr std::size_t kMost = 16384;
    static constexpr std::size_t kTries = 8;

    SharedText& hold(SharedText& held, std::string_view text) {
        held = SharedText(std::string(text));
        taken_ += sizeof(std::string) + sizeof(std::max_align_t) + text.size();
        return held;
    }
    /// Where the text is, or a free place for it; the first of its places where all hold others.
    [[nodiscard]] std::size_t place_of(std::string_view text) const {
        const std::size_t first = std::hash<std::string_view>()(text) & (held_.size() - 1);
        for (std::size_t i = 0; i < kTries; ++i) {
            const std::size_t at = (first + i) & (held_.size() - 1);
            if (held_[at].text().empty() || held_[at].text() == text) return at;
        }
        return first;
    }
    void grow() {
        std::vector<SharedText> old(held_.size() * 2);
        std::swap(old, held_);
        for (SharedText& text : old) {
            if (text.text().empty()) continue;
            SharedText& place = held_[place_of(text)];
            place = std::move(text);
        }
    }

    std::vector<SharedText> held_ = std::vector<SharedText>(kFewest);
    std::size_t taken_ = 0;
};

}  // namespace core

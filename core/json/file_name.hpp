// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace core {

/// The name of a file, held once for all places in it. Copies count without locks: no command
/// starts a thread.
class FileName {
public:
    FileName() = default;
    FileName(std::string name)  // NOLINT(google-explicit-constructor): as a text would
        : name_(name.empty() ? nullptr : new Name{std::move(name)}) {}
    FileName(const char* name)  // NOLINT(google-explicit-constructor)
        : FileName(std::string(name)) {}
    FileName(const FileName& other) : name_(other.name_) {
        if (name_ != nullptr) ++name_->users;
    }
    FileName(FileName&& other) noexcept : name_(std::exchange(other.name_, nullptr)) {}
    FileName& operator=(FileName other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    ~FileName() {
        if (name_ != nullptr && --name_->users == 0) delete name_;
    }

    [[nodiscard]] const std::string& text() const {
        static const std::string none;
        return name_ == nullptr ? none : name_->text;
    }
    operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor)
    bool operator==(const FileName& other) const {
        return name_ == other.name_ || text() == other.text();
    }
    std::strong_ordering operator<=>(const FileName& other) const {
        return text() <=> other.text();
    }

private:
    struct Name {
        std::string text;
        std::uint32_t users = 1;
    };
    Name* name_ = nullptr;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/desired.hpp"

namespace core {

/// Finds the desired values of a port, or of one element of it, without a walk over the whole list.
/// The desired values must outlive the index and keep their addresses.
class DesiredIndex {
public:
    DesiredIndex() = default;
    explicit DesiredIndex(const std::vector<Desired>& desired_values);
    DesiredIndex(const DesiredIndex&) = delete;
    DesiredIndex& operator=(const DesiredIndex&) = delete;

    /// Adds the next desired value of the list.
    void add(const Desired& desired);
    /// Positions in the list of the port's desired values, in order. The reference stays valid.
    const std::vector<std::size_t>& of(const std::string& port) const;
    [[nodiscard]] bool contains(const std::string& port, const Field& field,
                                std::string_view element) const;

private:
    struct OfPort {
        std::vector<std::size_t> places{};
        std::vector<const Desired*> desired_values{};
        /// How many of these desired values `elements` holds: it is filled on demand, once a port
        /// has many.
        std::size_t noted = 0;
        std::map<const Field*, std::set<std::string_view>> elements{};
    };
    std::size_t count_ = 0;
    mutable std::unordered_map<std::string, OfPort> ports_{};
    /// The port added last: a port's desired values stand together.
    std::pair<const std::string, OfPort>* last_ = nullptr;
};

/// The desired values of a plan, each with its element: the given ones, which must outlive the list
/// and are not copied, and those that planning adds. None of them moves in memory.
class DesiredList {
public:
    explicit DesiredList(const std::vector<Desired>& given);

    void add(Desired desired);
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    const Desired& operator[](std::size_t i) const { return *all_[i]; }

private:
    std::vector<const Desired*> all_{};
    std::deque<Desired> own_{};
};

}  // namespace core

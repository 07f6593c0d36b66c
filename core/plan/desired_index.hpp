// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/desired.hpp"

namespace core {

/// Which of a list of desired values are about a port, and about an element of it, so that a search
/// does not pass over every desired value. The desired values outlive it, and stay where they are.
class DesiredIndex {
public:
    DesiredIndex() = default;
    explicit DesiredIndex(const std::vector<Desired>& desired_values);
    DesiredIndex(const DesiredIndex&) = delete;
    DesiredIndex& operator=(const DesiredIndex&) = delete;

    /// Notes the next desired value of the list.
    void add(const Desired& desired);
    /// The places in the list of the desired values for the port, in order. The same list for good.
    const std::vector<std::size_t>& of(const std::string& port) const;
    [[nodiscard]] bool contains(const std::string& port, const Field& field,
                                std::string_view element) const;

private:
    struct OfPort {
        std::vector<std::size_t> places{};
        std::vector<const Desired*> desired_values{};
        /// Of how many of these desired values `elements` knows; it is made once there are many of
        /// them and somebody asks.
        std::size_t noted = 0;
        std::map<const Field*, std::set<std::string_view>> elements{};
    };
    std::size_t count_ = 0;
    mutable std::unordered_map<std::string, OfPort> ports_{};
    std::pair<const std::string, OfPort>* last_ =
        nullptr;  ///< desired values of a port stand together
};

}  // namespace core

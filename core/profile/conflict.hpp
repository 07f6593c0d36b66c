// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/model/desired.hpp"
#include "core/profile/entry.hpp"

namespace core {

/// A value that an entry states, in words, and where it does.
struct Said {
    std::string value{};
    Origin origin{};
};

/// What the desired value says at the port; one that came from the entry of another port says so.
Said said_in(const Desired& desired, const std::string& port);

/// Two entries state two values of one element of the port.
Finding conflict(const std::string& port, const std::string& key, const Said& one,
                 const Said& other);

/// Findings for elements desired on two ports where `is_of_one` allows only one. `reported(desired
/// value, first)` makes the Finding of a desired value and the first one for the same element.
template <typename IsOfOne, typename ReportedOf>
std::vector<Finding> desired_of_two(const std::vector<Desired>& desired_values,
                                    const IsOfOne& is_of_one, const ReportedOf& reported) {
    std::vector<Finding> out;
    std::map<std::string, const Desired*> first;
    for (const Desired& desired : desired_values) {
        if (!desired.value || !is_of_one(desired)) continue;
        const auto [known, fresh] = first.try_emplace(desired.element, &desired);
        if (!fresh && known->second->port != desired.port)
            out.push_back(reported(desired, *known->second));
    }
    return out;
}

/// Adds a problem for each address that the entry, or a VLAN of it, states for more than one port.
void check_addresses(const Entry& entry, Problems& problems);

/// The addresses that are desired on two ports. Link-local ones are each port's own.
std::vector<Finding> desired_twice(const std::vector<Desired>& desired_values);

}  // namespace core

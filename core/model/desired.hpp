// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/field.hpp"
#include "core/model/finding.hpp"
#include "core/model/origin.hpp"

namespace core {

/// One element of one setting of one port, as it should be.
struct Desired {
    std::string port{};
    const Field* field = nullptr;
    std::string element{};         ///< "" for a plain setting
    std::optional<Value> value{};  ///< nothing: it should not be there
    Origin origin{};
    bool optional = false;          ///< where the device cannot hold it, a note and not a failure
    bool external = false;          ///< another program sets it: verified, and never written
    bool required = false;          ///< nothing is written while it is otherwise, though rocectl
                                    ///< does not set it
    std::vector<Value> accepted{};  ///< of a fact, what does besides the value
};

/// What is found about a desired value, all but the words; a note where it is optional.
Finding finding_about(const Desired& desired, FindingId id);

/// Whether it says how a fact should be, which nothing writes.
[[nodiscard]] inline bool is_of_fact(const Desired& desired) {
    return desired.field->use == Field::Use::fact;
}

/// Whether both are about the same element of the same setting.
[[nodiscard]] inline bool same_element(const Desired& left, const Desired& right) {
    return left.field == right.field && left.element == right.element;
}

/// A collection in which what is not desired should not be there.
struct Exact {
    std::string port{};
    const Field* field = nullptr;
    std::optional<Value>
        only{};  ///< only elements with this value (DSCPs of the lossless priority)
    Origin origin{};
};

/// Elements as they should be, and collections in which nothing else should be.
struct DesiredValues {
    std::vector<Desired> desired_values{};
    std::vector<Exact> exact{};
};

/// A profile resolved for a host: what plan, apply and verify work on.
struct DesiredState {
    std::vector<std::string> ports{};  ///< matched, in the order in which steps go
    std::vector<Desired> desired_values{};
    std::vector<Exact> exact{};
    std::vector<Finding> findings{};  ///< no port matched, entries in conflict, notes
};

}  // namespace core

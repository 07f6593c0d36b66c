// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/field.hpp"
#include "core/model/finding.hpp"
#include "core/model/ip.hpp"
#include "core/model/origin.hpp"

namespace core {

/// The desired value of one element of one setting or fact of one port.
struct Desired {
    std::string port{};
    const Field* field = nullptr;
    std::string element{};         ///< "" for a plain setting
    std::optional<Value> value{};  ///< nothing: the element should be absent
    Origin origin{};
    bool optional = false;  ///< if the device cannot hold it, that is a note and not a failure
    bool external = false;  ///< another program sets it: it is verified and never written
    /// While it is not met, nothing at all is written, even if rocectl cannot set it.
    bool required = false;
    std::vector<Value> accepted{};  ///< of a fact: other values that also count as met
};

/// A finding about the desired value with everything but the words; a note where the value is
/// optional.
Finding finding_about(const Desired& desired, FindingId id);

/// Whether it is about a fact, which nothing writes.
[[nodiscard]] inline bool is_of_fact(const Desired& desired) {
    return desired.field->use == Field::Use::fact;
}

/// Whether both are about the same element of the same setting.
[[nodiscard]] inline bool same_element(const Desired& left, const Desired& right) {
    return left.field == right.field && left.element == right.element;
}

/// A collection that should hold only what is desired.
struct Exact {
    std::string port{};
    const Field* field = nullptr;
    /// Only for elements with this value, such as the DSCPs of the lossless priority.
    std::optional<Value> only{};
    Origin origin{};
};

/// Desired elements, and collections that should hold nothing else.
struct DesiredValues {
    std::vector<Desired> desired_values{};
    std::vector<Exact> exact{};
};

/// A fabric that the profile names, as far as it is about this host.
struct NamedFabric {
    std::string name{};
    std::vector<std::string> ports{};  ///< those of its entries
    /// The networks that each of its ports is to reach; empty: what the routes of its ports say.
    std::vector<Prefix> to{};
};

/// Ports that an entry or a fabric expects and that are not there.
struct MissingPorts {
    std::string text{};                ///< `7 ports match …, expected 8`
    std::vector<std::string> names{};  ///< as far as match and variables tell
    std::vector<std::string> pci{};    ///< their PCI addresses, as far as known
    /// The profile allows it: what is there is applied, each port with the index that it has when
    /// all are there.
    bool allowed = false;
};

/// A profile resolved for one host: the input of plan, apply and verify.
struct DesiredState {
    /// The matched ports, in the order in which they are written.
    std::vector<std::string> ports{};
    std::vector<Desired> desired_values{};
    std::vector<Exact> exact{};
    /// From resolving: no port matched, entries in conflict, notes.
    std::vector<Finding> findings{};
    std::vector<NamedFabric> fabrics{};
    std::vector<MissingPorts> missing{};
};

}  // namespace core

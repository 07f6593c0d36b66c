// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/json/tree.hpp"
#include "core/model/finding.hpp"

namespace core {

/// What an entry that matches a port has as its own `roce`.
struct OwnRoce {
    Node roce;
    std::string pointer;  ///< of the key in its file
};

/// The `roce` of one port: the profile's (or null), overridden key by key by the entries that match
/// the port. Nothing where there is none, or an entry opts out.
std::optional<Node> joint_roce(const Node* whole, const std::vector<OwnRoce>& own);

/// A finding for each key of `roce` on which two entries that match the port differ.
std::vector<Finding> roce_conflicts(const std::string& port, const std::vector<OwnRoce>& own);

}  // namespace core

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

/// The `roce` of one port: that of the whole profile (or null), and over it key by key what the
/// entries that match the port have. Nothing where nobody has any, or where one of them opts out.
std::optional<Node> joint_roce(const Node* whole, const std::vector<OwnRoce>& own);

/// A finding for each key of `roce` for which two entries that match the port have two values.
std::vector<Finding> roce_conflicts(const std::string& port, const std::vector<OwnRoce>& own);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/field.hpp"
#include "core/model/object.hpp"

namespace core {

/// A setting that a manager sets again.
struct ManagedSetting {
    /// Of the setting that a profile states for the same; empty: none does, or which one it comes
    /// to is not documented.
    std::string_view key{};
    std::string element{};
    Value value{};
    std::string words{};  ///< the setting in the manager's own words, and of which release
    bool is_tos = false;  ///< the value is the ToS of packets of RoCE
};

/// Another program that manages ports: which objects it writes, how to stop it, what it sets again,
/// and how that is known.
struct Manager {
    std::string_view name{};  ///< as `owners` names it
    unsigned writes = 0;      ///< its bit in Others (ObjectRow::chosen_by.others)
    std::string_view stop{};  ///< PORT stands for the port
    /// The kernel's RDMA module of the family whose ports it sets; empty: of any.
    std::string_view rdma_module{};
    std::string_view when{};    ///< when it sets them again
    std::string_view source{};  ///< the release and document that say so
    /// What it sets again, as far as what was seen of it on the host tells; null: that depends on
    /// its own configuration.
    std::vector<ManagedSetting> (*sets)(std::string_view seen) = nullptr;
    /// On what it depends whether it sets anything at the port, where what was seen of it does not
    /// tell; empty: what was seen of it proves that it does.
    std::string_view only_where{};
};

std::span<const Manager> managers();
/// Null for a name that is none.
const Manager* find_manager(std::string_view name);

}  // namespace core

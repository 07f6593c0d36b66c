// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/profile/collection.hpp"
#include "core/profile/entry.hpp"
#include "core/profile/joint_roce.hpp"
#include "core/profile/substitution.hpp"

namespace core {

/// The settings of `roce` in entries that match ports, and the intent derived from these and the
/// profile's own `roce`.
class AskedRoce {
public:
    explicit AskedRoce(const Profile& profile) : whole_(profile.tree.find("roce")) {}

    /// Notes what the entry, with what `${…}` stands for in its settings, has for the port of
    /// `here`.
    void ask(const Entry& entry, const Node& settings, const std::string& pointer,
             const Bindings& here);
    /// Adds what follows to the desired values of the port, once all that is stated for it is
    /// known; `here` is what stands for the host.
    void derive(PortDesired& all, Bindings here, Problems& problems,
                std::vector<Finding>& findings) const;

private:
    struct OfPort {
        std::optional<std::uint64_t> index{};  ///< in the entry that counts its ports
        std::vector<OwnRoce> own{};
        std::set<const Field*> optional{};
        std::set<const Field*> external{};
        std::string pointer{};  ///< of the first entry
    };
    const Node* whole_;  ///< null where the profile has none for all
    std::map<std::string, OfPort> ports_{};
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/profile/entry.hpp"
#include "core/profile/fabric.hpp"
#include "core/profile/profile.hpp"

namespace core {

/// A value that still holds `${…}`, as the file has it.
struct OpenValue {
    std::string key;
    std::string text;
    Origin origin;
};

/// The desired values of an entry, stated and derived, and the driver families for which they are
/// these.
struct OfflinePort {
    std::vector<const Driver*> drivers;
    std::vector<Desired> desired_values;
    std::vector<Exact> exact;
};

/// A VLAN child that an entry states.
struct OfflineChild {
    std::uint16_t id = 0;
    std::string name;  ///< empty: PORT.ID
    bool wanted = true;
    std::vector<Desired> desired_values;
};

/// A bond that `host` states.
struct OfflineBond {
    std::string name;
    bool wanted = true;
    std::vector<Desired> desired_values;
};

/// What is known of an entry without a host.
struct OfflineEntry {
    Match match;
    std::string pointer;
    std::optional<std::uint64_t> expect;
    std::vector<OpenValue> open;
    std::vector<OfflinePort> offline_ports;  ///< for the driver rows that it can match
    std::vector<OfflineChild> children;
};

/// A profile resolved without a host: `extends` merged, given variables substituted.
struct OfflineProfile {
    std::string name;
    std::optional<Intent> intent;  ///< of the whole profile
    std::optional<Fabric> fabric;
    std::vector<Desired> host;  ///< desired values of the host itself
    std::vector<OfflineBond> bonds;
    std::vector<OpenValue> open;  ///< of `roce`, `switch` and `host`
};

/// The part of a profile outside its entries: host, bonds, roce, switch. Throws Error
/// (invalid_input) where a given value is illegal, in an entry too.
OfflineProfile offline_profile(const Profile& profile,
                               const std::map<std::string, std::string>& given);
/// Calls `visit` with each entry in turn; all at once would take a hundred times the memory of the
/// file.
void each_entry(const Profile& profile, const std::map<std::string, std::string>& given,
                const std::function<void(const OfflineEntry&)>& visit);

}  // namespace core

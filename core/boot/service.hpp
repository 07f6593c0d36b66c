// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/model/driver.hpp"
#include "core/objects/host/parts.hpp"

namespace core::boot {

/// The profile that is asked about.
struct Asked {
    /// All names that mean it: as it was called, its path, its bare name.
    std::set<std::string, std::less<>> names{};
    bool own_variables = false;  ///< it was resolved with --set or --vars, which no unit gives
};

/// A unit of rocectl's that is started at boot.
struct Service {
    std::string unit{};
    std::string place{};                    ///< `/etc/systemd/system/rocectl.service:9`
    std::string unsure{};                   ///< why it may not apply the profile; empty: it does
    Disruption allowed = Disruption::link;  ///< by its --allow
};

/// The units of rocectl that are started at boot and apply something. An instance of a template
/// unit is started where its port is among `ports`.
std::vector<Service> services(const BootFiles& files, const Asked& asked,
                              const std::set<std::string, std::less<>>& ports);

}  // namespace core::boot

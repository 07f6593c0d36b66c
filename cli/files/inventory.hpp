// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/model/state.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// The ports that a profile matched when all that it expects were last present, one file for each
/// profile in /var/lib/rocectl/inventory. apply writes it; --port counts ports by it.
class InventoryFile {
public:
    /// `profile` is the path of the profile's file.
    InventoryFile(const netlink::Root& root, const std::string& profile);

    /// Nothing where none was kept. Throws Error where it cannot be read or trusted.
    [[nodiscard]] std::optional<core::State> read() const;
    /// Replaces the file atomically, if its contents differ. Throws Error (failed).
    void keep(const core::State& inventory) const;

private:
    netlink::HostPath path_;
};

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/model/state.hpp"

namespace cli {

/// The ports of this host as a profile last found all that it expects, in a file of
/// /var/lib/rocectl/inventory for each profile, which apply keeps and --port counts by.
class InventoryFile {
public:
    /// `profile` is the file that was read.
    InventoryFile(const std::filesystem::path& root, const std::string& profile);

    /// Nothing where none was kept. Throws Error where it cannot be read or believed.
    [[nodiscard]] std::optional<core::State> read() const;
    /// Replaces the file as a whole, where it is to hold anything else. Throws Error (failed).
    void keep(const core::State& inventory) const;

private:
    std::filesystem::path path_;
};

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/model/state.hpp"

namespace cli {

/// The ports that a profile matched when all that it expects were there last, in a file of
/// /var/lib/rocectl/inventory for each profile: apply keeps it, and --port counts by it.
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

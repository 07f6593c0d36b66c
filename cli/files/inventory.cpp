// SPDX-License-Identifier: Apache-2.0
#include "cli/files/inventory.hpp"

#include <nlohmann/json.hpp>

#include "cli/files/durable.hpp"
#include "cli/files/own.hpp"
#include "cli/files/provenance.hpp"
#include "core/error.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

/// A relative name and the absolute one of one file are one profile.
std::string named_by(const std::string& profile) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::canonical(profile, error);
    return sha256(error ? profile : whole.string()).substr(0, 16) + ".json";
}

}  // namespace

InventoryFile::InventoryFile(const std::filesystem::path& root, const std::string& profile)
    : path_(root / "var/lib/rocectl/inventory" / named_by(profile)) {}

std::optional<core::State> InventoryFile::read() const {
    std::error_code error;
    if (!check_own_folder(path_.parent_path()) || !std::filesystem::exists(path_, error))
        return std::nullopt;
    return core::parse_state(read_own(path_), path_.string(), core::Values::observed);
}

void InventoryFile::keep(const core::State& inventory) const {
    const std::string text = core::written(core::to_json(inventory), 2) + '\n';
    std::error_code error;
    make_own_folder(path_.parent_path());
    if (std::filesystem::exists(path_, error) && read_own(path_) == text) return;
    const std::filesystem::path fresh = path_.string() + ".new";
    std::filesystem::remove(fresh, error);
    create_durably(fresh, text, 0);
    rename_durably(fresh, path_);
}

}  // namespace cli

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
    const auto whole = netlink::resolved(profile);
    return sha256(whole ? whole->string() : profile).substr(0, 16) + ".json";
}

}  // namespace

InventoryFile::InventoryFile(const netlink::Root& root, const std::string& profile)
    : path_(root / "var/lib/rocectl/inventory" / named_by(profile)) {}

std::optional<core::State> InventoryFile::read() const {
    if (!check_own_folder(path_.parent_path()) || !exists(path_)) return std::nullopt;
    return core::parse_state(read_own(path_), path_.string(), core::Values::observed);
}

void InventoryFile::keep(const core::State& inventory) const {
    const std::string text = core::written(core::to_json(inventory), 2) + '\n';
    make_own_folder(path_.parent_path());
    if (exists(path_) && read_own(path_) == text) return;
    const netlink::HostPath fresh = path_ + ".new";
    remove_file(fresh);
    create_durably(fresh, text, 0);
    rename_durably(fresh, path_);
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/files/library.hpp"

#include <set>

#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using netlink::HostPath;

/// The names of the files in there that are profiles; vars.json and accepted.json lie among them
/// and are none.
std::set<std::string> profiles_in(const HostPath& folder) {
    std::set<std::string> out;
    for (const std::string& name : names_in(folder))
        if (fs::path(name).extension() == ".json" && name != "vars.json" && name != "accepted.json")
            out.insert(name);
    return out;
}

}  // namespace

bool is_file_name(const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(".json");
}

Library::Library(const netlink::Root& root, bool only_trusted)
    : only_trusted_(only_trusted),
      folders_{root / "etc/rocectl", root / "usr/share/rocectl/profiles"} {
    const fs::path binary = netlink::link_text("/proc/self/exe");
    if (binary.empty()) return;
    const HostPath beside = binary.parent_path().parent_path() / "share/rocectl/profiles";
    if (!(beside == folders_.back())) folders_.insert(folders_.begin() + 1, beside);
}

HostPath Library::find(const std::string& name) const {
    for (const HostPath& folder : folders_)
        if (HostPath path = folder / (name + ".json"); exists(path)) return path;
    std::string known;
    for (const std::string& other : names())
        known += (known.empty() ? "" : ", ") + other;
    throw core::Error(core::Status::invalid_input,
                      "no profile '" + name + "'; " +
                          (known.empty() ? "there are none by name" : "there are: " + known) +
                          "; a file is named by a path or by .json at its end");
}

core::Source Library::read(const std::string& shown, const HostPath& path, bool extended) {
    Opened opened = open_named(path, only_trusted_);
    const std::pair<std::uint64_t, std::uint64_t> identity{opened.device, opened.inode};
    if (const auto known = shown_.find(identity); extended && known != shown_.end())
        return {.name = known->second, .text = std::move(opened.text)};
    const auto [place, fresh] = opened_.try_emplace(shown, path);
    // Two files of one name (./site.json extends site): the second is shown by its whole path.
    const std::string name = fresh || place->second == path ? shown : path.string();
    opened_.try_emplace(name, path);
    shown_[identity] = name;
    return {.name = name, .text = std::move(opened.text)};
}

core::Source Library::open(const std::string& name, const std::string& from) {
    if (name == kStandardInput && from.empty()) {
        // What it extends by a path is found from the folder that the command was called in.
        opened_.try_emplace(input_name(name), fs::absolute(name));
        return {.name = input_name(name), .text = read_input(name)};
    }
    if (!is_file_name(name)) {
        const HostPath path = find(name);
        return read(path.filename(), path, !from.empty());
    }
    const auto base = opened_.find(from);
    const HostPath folder =
        base == opened_.end() ? HostPath(fs::path(from).parent_path()) : base->second.parent_path();
    if (from.empty() || fs::path(name).is_absolute())
        return read(name, HostPath(folder.root(), fs::absolute(name)), !from.empty());
    const HostPath path(folder.root(), (folder / name).inside().lexically_normal());
    const fs::path shown = (fs::path(from).parent_path() / name).lexically_normal();
    return read(shown.string(), path, true);
}

std::vector<std::string> Library::own() const {
    std::vector<std::string> out;
    for (const std::string& name : profiles_in(folders_.front()))
        out.push_back((folders_.front() / name).string());
    return out;
}

std::vector<std::string> Library::names() const {
    std::set<std::string> names;
    for (const HostPath& folder : folders_)
        for (const std::string& name : profiles_in(folder))
            names.insert(fs::path(name).stem().string());
    return {names.begin(), names.end()};
}

}  // namespace cli

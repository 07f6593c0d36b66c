// SPDX-License-Identifier: Apache-2.0
#include "cli/files/library.hpp"

#include <set>
#include <system_error>

#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

/// vars.json and accepted.json lie among the profiles of /etc/rocectl and are none.
bool is_profile(const fs::path& path) {
    return path.extension() == ".json" && path.filename() != "vars.json" &&
           path.filename() != "accepted.json";
}

}  // namespace

bool is_file_name(const std::string& name) {
    return name.find('/') != std::string::npos || name.ends_with(".json");
}

Library::Library(const fs::path& root, bool only_trusted)
    : only_trusted_(only_trusted),
      folders_{root / "etc/rocectl", root / "usr/share/rocectl/profiles"} {
    std::error_code error;
    const fs::path binary = fs::read_symlink("/proc/self/exe", error);
    if (error) return;
    const fs::path beside = binary.parent_path().parent_path() / "share/rocectl/profiles";
    if (beside != folders_.back()) folders_.insert(folders_.begin() + 1, beside);
}

fs::path Library::find(const std::string& name) const {
    for (const fs::path& folder : folders_) {
        std::error_code error;
        if (fs::path path = folder / (name + ".json"); fs::exists(path, error)) return path;
    }
    std::string known;
    for (const std::string& other : names())
        known += (known.empty() ? "" : ", ") + other;
    throw core::Error(core::Status::invalid_input,
                      "no profile '" + name + "'; " +
                          (known.empty() ? "there are none by name" : "there are: " + known) +
                          "; a file is named by a path or by .json at its end");
}

core::Source Library::read(const std::string& shown, const fs::path& path, bool extended) {
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
        const fs::path path = find(name);
        return read(path.filename().string(), path, !from.empty());
    }
    if (from.empty() || fs::path(name).is_absolute())
        return read(name, fs::absolute(name), !from.empty());
    const auto base = opened_.find(from);
    const fs::path folder =
        base == opened_.end() ? fs::path(from).parent_path() : base->second.parent_path();
    const fs::path path = (folder / name).lexically_normal();
    const fs::path shown = (fs::path(from).parent_path() / name).lexically_normal();
    return read(shown.string(), path, true);
}

std::vector<std::string> Library::own() const {
    std::set<std::string> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folders_.front(), error))
        if (is_profile(entry.path())) files.insert(entry.path().string());
    return {files.begin(), files.end()};
}

std::vector<std::string> Library::names() const {
    std::set<std::string> names;
    for (const fs::path& folder : folders_) {
        std::error_code error;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
            if (is_profile(entry.path())) names.insert(entry.path().stem().string());
    }
    return {names.begin(), names.end()};
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/outcome.hpp"
#include "core/model/glob.hpp"

namespace core::boot {
namespace {

/// As glob(3) sees paths: no pattern goes over a slash.
bool is_of_pattern(const std::string& pattern, const std::string& name) {
    return is_glob(pattern) && std::ranges::count(pattern, '/') == std::ranges::count(name, '/') &&
           glob_matches(pattern, name);
}

}  // namespace

/// src/sysctl/sysctl.c, sysctl_normalize: the first separator says which of the two it is.
std::string sysctl_name(std::string_view name) {
    std::string out(name);
    const std::size_t first = out.find_first_of("./");
    if (first == std::string::npos || out[first] == '/') return out;
    for (char& c : out)
        if (c == '.' || c == '/') c = c == '.' ? '/' : '.';
    return out;
}

/// sysctl.d(5): `name = value`, a minus before it, which takes the name out of all patterns where
/// no value follows. `sysctl --system` reads /etc/sysctl.conf too; what runs at boot does not.
void add_sysctl(const BootFiles& files, BootConfiguration& out) {
    for (const File& file : in_force(source("sysctl.d"), files))
        for (const TextLine& line : file.lines) {
            const std::size_t equals = line.text.find('=');
            std::string_view name = trimmed(std::string_view(line.text).substr(0, equals));
            const bool minus = name.starts_with('-');
            if (minus) name.remove_prefix(1);
            if (equals == std::string::npos && !minus) continue;
            BootSetting setting{.program = BootProgram::sysctl,
                                .key = sysctl_name(trimmed(name)),
                                .file = file.path,
                                .line = line.number};
            if (equals == std::string::npos)
                setting.key.insert(0, 1, '-');
            else
                setting.value =
                    std::string(trimmed(std::string_view(line.text).substr(equals + 1)));
            out.settings.push_back(std::move(setting));
        }
}

/// src/sysctl/sysctl.c, apply_glob_option: a name that is stated, or taken out, is of no pattern.
const BootSetting* last_sysctl(const std::vector<BootSetting>& settings, const std::string& name) {
    const BootSetting* named = nullptr;
    const BootSetting* of_pattern = nullptr;
    bool taken_out = false;
    for (const BootSetting& one : settings) {
        if (one.program != BootProgram::sysctl) continue;
        if (one.key == name) named = &one;
        if (one.key == '-' + name) taken_out = true;
        if (is_of_pattern(one.key, name)) of_pattern = &one;
    }
    if (named != nullptr) return named;
    return taken_out ? nullptr : of_pattern;
}

void add_modules(const BootFiles& files, BootConfiguration& out) {
    for (const File& file : in_force(source("modules-load.d"), files))
        for (const TextLine& line : file.lines) {
            std::string name = line.text;
            std::ranges::replace(name, '-', '_');
            out.settings.push_back(
                {BootProgram::modules_load, name, name, file.path, line.number, {}});
        }
    // modprobe.d(5): options MODULE NAME=VALUE...
    for (const File& file : in_force(source("modprobe.d"), files))
        for (const TextLine& line : file.lines) {
            const std::vector<std::string> words = words_in(line.value);
            if (const std::string module = module_kept_out(line.text); !module.empty())
                out.blacklisted.push_back({.program = BootProgram::modprobe,
                                           .key = module,
                                           .value = line.key == "install" ? words[1] : "",
                                           .file = file.path,
                                           .line = line.number});
            if (line.key != "options") continue;
            for (std::size_t i = 1; i < words.size(); ++i) {
                const std::size_t equals = std::min(words[i].find('='), words[i].size());
                std::string key = words[0];
                std::ranges::replace(key, '-', '_');
                key.append(".").append(words[i], 0, equals);
                out.settings.push_back({BootProgram::modprobe,
                                        std::move(key),
                                        words[i].substr(std::min(equals + 1, words[i].size())),
                                        file.path,
                                        line.number,
                                        {}});
            }
        }
}

namespace {

constexpr std::string_view kServiceEnding = ".service";

/// systemd.exec(5): the soft limit, and behind a colon the hard one; what counts is the soft one.
std::string locked_bytes(const std::string& text) {
    const std::string soft = text.substr(0, text.find(':'));
    return soft == "infinity" ? "unlimited" : bytes_in(soft);
}

void add_limit_lines(const std::string& holder, const File& file, BootConfiguration& out) {
    const BootSetting setting{.program = BootProgram::services, .key = holder, .file = file.path};
    if (!file.refused.empty()) {
        out.settings.push_back(setting);
        out.settings.back().unsure = file.path + ": " + file.refused;
    }
    for (const TextLine& line : file.lines) {
        if (line.key != "Service.LimitMEMLOCK" || line.value.empty()) continue;
        BootSetting& one = out.settings.emplace_back(setting);
        one.value = locked_bytes(line.value);
        one.line = line.number;
    }
}

}  // namespace

/// systemd.unit(5): drop-ins apply after the unit's file; some are for all units of a type. Without
/// any setting, systemd's built-in default applies (systemd-system.conf(5), DefaultLimitMEMLOCK=).
void add_limits(const BootFiles& files, BootConfiguration& out) {
    const Source& from = source("limits");
    const std::vector<File> of_all = drop_ins(from, "service", files);
    for (const File& file : in_force(from, files)) {
        const std::string_view unit = base_name(file.path);
        std::string holder("service:");
        holder += unit.substr(0, unit.size() - kServiceEnding.size());
        add_limit_lines(holder, file, out);
        for (const File& added : drop_ins(from, unit, files))
            add_limit_lines(holder, added, out);
        const std::size_t own = out.settings.size();
        for (const File& added : of_all)
            add_limit_lines(holder, added, out);
        for (std::size_t i = own; i < out.settings.size(); ++i)
            out.settings[i].unsure = place(out.settings[i]) + " says it of all services";
    }
}

}  // namespace core::boot

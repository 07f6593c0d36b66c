// SPDX-License-Identifier: Apache-2.0
#include "core/boot/service.hpp"

#include <algorithm>
#include <array>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/lines.hpp"

namespace core::boot {
namespace {

struct Command {
    std::string place{};
    std::vector<std::string> words{};
};

/// systemd.service(5): an empty ExecStart= takes back those before it.
void add_commands(const File& file, std::vector<Command>& out) {
    for (const TextLine& line : file.lines) {
        if (line.key != "Service.ExecStart") continue;
        if (line.value.empty()) {
            out.clear();
            continue;
        }
        Command command{.place = file.path + ':' + std::to_string(line.number),
                        .words = words_in(line.value)};
        if (std::ranges::find(command.words, "apply") != command.words.end())
            out.push_back(std::move(command));
    }
}

/// The port of an instance: systemd writes `-` as `\\x2d` (systemd-escape(1)).
std::string instance_of(std::string_view unit) {
    const std::size_t at = unit.find('@');
    if (at == std::string_view::npos) return {};
    std::string out(unit.substr(at + 1, unit.rfind('.') - at - 1));
    constexpr std::string_view kHyphen = "\\x2d";
    for (std::size_t i = out.find(kHyphen); i != std::string::npos; i = out.find(kHyphen))
        out.replace(i, kHyphen.size(), "-");
    return out;
}

/// `rocectl@ens1.service` is read from `rocectl@.service`.
std::string file_of(const std::string& unit) {
    const std::size_t at = unit.find('@');
    return at == std::string::npos ? unit : unit.substr(0, at + 1) + ".service";
}

/// What a plain call of apply may have: all else may keep it from leaving the profile applied.
constexpr std::array<std::string_view, 7> kFlags = {
    "--yes", "--settings-only", "--trust-files", "-q", "--quiet", "-v", "--verbose"};
constexpr std::array<std::string_view, 4> kValued = {"--lock-timeout", "--wait", "--time-limit",
                                                     "--allow"};

template <typename Names>
bool is_among(const Names& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// Why the command is not known to leave the profile applied; empty where it is.
std::string read_command(const std::vector<std::string>& words, const Asked& asked, Service& out) {
    if (words.size() < 2 || base_name(words[0]) != "rocectl" || words[1] != "apply")
        return "it is no plain call of rocectl apply";
    std::vector<std::string> operands;
    bool yes = false;
    for (std::size_t i = 2; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        const std::string name = words[i].substr(0, equals);
        if (!name.starts_with('-')) {
            operands.push_back(words[i]);
        } else if (is_among(kValued, name)) {
            const bool apart = equals == std::string::npos;
            if (apart && i + 1 == words.size()) return name + " has no value";
            const std::string value = apart ? words[++i] : words[i].substr(equals + 1);
            if (name == "--allow") out.allowed = disruption_named(value).value_or(out.allowed);
        } else if (!is_among(kFlags, words[i])) {
            return "it is called with " + name;
        }
        yes = yes || name == "--yes";
    }
    if (!yes) return "it is called without --yes, and applies nothing";
    if (operands.size() != 1) return "it is called with other than one profile";
    if (!asked.names.contains(operands.front())) return "it applies another profile";
    if (asked.own_variables) return "it is called without the --set or --vars of this command";
    return {};
}

/// What may keep the unit from starting its command as root; the profile is there.
std::string condition_in(const File& file, const Asked& asked) {
    for (const TextLine& line : file.lines) {
        if (line.key == "Service.ExecStart" || line.key == "Install.WantedBy" || line.key.empty() ||
            line.value.empty())
            continue;
        const bool met =
            (line.key == "Unit.ConditionPathExists" || line.key == "Unit.AssertPathExists") &&
            asked.names.contains(line.value);
        if (!met) return file.path + ':' + std::to_string(line.number) + " says " + line.text;
    }
    return {};
}

/// Nothing where the unit applies nothing.
std::optional<Service> service_of(const std::string& unit, const BootFiles& files,
                                  const Asked& asked) {
    const Source& units = source("units");
    const std::string name = file_of(unit);
    std::vector<Command> commands;
    std::string condition;
    const auto visit = [&](const File& file) {
        add_commands(file, commands);
        if (condition.empty()) condition = condition_in(file, asked);
    };
    for (const File& file : in_force(units, files)) {
        if (base_name(file.path) != name) continue;
        if (!file.refused.empty())
            return Service{.unit = unit, .place = file.path, .unsure = file.refused};
        visit(file);
    }
    std::ranges::for_each(drop_ins(units, name, files), visit);
    if (commands.empty()) return std::nullopt;
    Command& command = commands.back();
    Service out{.unit = unit, .place = command.place};
    if (commands.size() > 1) out.unsure = "it applies more than one profile";
    if (out.unsure.empty()) out.unsure = read_command(command.words, asked, out);
    if (out.unsure.empty()) out.unsure = condition;
    return out;
}

}  // namespace

std::vector<Service> services(const BootFiles& files, const Asked& asked,
                              const std::set<std::string, std::less<>>& ports) {
    std::set<std::string, std::less<>> wanted;
    for (const BootLine& line : files) {
        const std::string_view name = base_name(line.file);
        if (!name.starts_with("rocectl") || wanted.contains(name) || !is_enabled(name, files))
            continue;
        // What is bound to a device that does not come is not started.
        const std::string port = instance_of(name);
        if (port.empty() || ports.contains(port)) wanted.emplace(name);
    }
    std::vector<Service> out;
    for (const std::string& unit : wanted)
        if (auto service = service_of(unit, files, asked)) out.push_back(std::move(*service));
    return out;
}

}  // namespace core::boot

// SPDX-License-Identifier: Apache-2.0
#include "core/boot/service.hpp"

#include <algorithm>

#include "core/boot/lines.hpp"
#include "core/boot/said.hpp"

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

std::string instance_of(const std::string& unit) {
    const std::size_t at = unit.find('@');
    if (at == std::string::npos) return {};
    return unit.substr(at + 1, unit.rfind('.') - at - 1);
}

/// `rocectl@ens1.service` is read from `rocectl@.service`.
std::string file_of(const std::string& unit) {
    const std::size_t at = unit.find('@');
    return at == std::string::npos ? unit : unit.substr(0, at + 1) + ".service";
}

bool has(const std::vector<std::string>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

std::string why_unsure(const std::vector<std::string>& words, const Asked& asked) {
    for (const char* option : {"--set", "--vars", "--root", "--plan", "--state"})
        for (const std::string& word : words)
            if (word == option || word.starts_with(std::string(option) + '='))
                return "it is called with " + std::string(option);
    if (!has(words, "--yes")) return "it is called without --yes, and applies nothing";
    if (std::ranges::none_of(words, [&](const auto& word) { return asked.names.contains(word); }))
        return "it applies another profile";
    if (asked.own_variables) return "it is called without the --set or --vars of this command";
    return {};
}

/// Nothing where the unit applies nothing.
std::optional<Service> service_of(const std::string& unit, const BootFiles& files,
                                  const Asked& asked) {
    const Source& units = source("units");
    const std::string name = file_of(unit);
    std::vector<Command> commands;
    for (const File& file : in_force(units, files)) {
        if (base_name(file.path) != name) continue;
        if (!file.refused.empty())
            return Service{.unit = unit, .place = file.path, .unsure = file.refused};
        add_commands(file, commands);
    }
    for (const File& file : drop_ins(units, name, files))
        add_commands(file, commands);
    if (commands.empty()) return std::nullopt;
    Command& command = commands.back();
    Service out{.unit = unit, .place = command.place};
    if (commands.size() > 1) out.unsure = "it applies more than one profile";
    const auto port = std::ranges::find(command.words, "--port");
    if (port != command.words.end() && port + 1 != command.words.end()) {
        const std::string& named = *(port + 1);
        out.port = named == "%i" || named == "%I" ? instance_of(unit) : named;
    }
    if (out.unsure.empty()) out.unsure = why_unsure(command.words, asked);
    return out;
}

}  // namespace

std::vector<Service> services(const BootFiles& files, const Asked& asked) {
    std::set<std::string, std::less<>> wanted;
    for (const BootLine& line : files) {
        const std::string_view name = base_name(line.file);
        if (name.starts_with("rocectl") && !wanted.contains(name) && is_enabled(name, files))
            wanted.emplace(name);
    }
    std::vector<Service> out;
    for (const std::string& unit : wanted)
        if (auto service = service_of(unit, files, asked)) out.push_back(std::move(*service));
    return out;
}

}  // namespace core::boot

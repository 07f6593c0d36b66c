// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/boot/boot_configuration.hpp"

namespace core::boot {
namespace {

constexpr std::string_view kServiceEnding = ".service";

/// systemd.exec(5): the soft limit, and behind a colon the hard one; what counts is the soft one.
std::string locked_bytes(const std::string& text) {
    const std::string soft = text.substr(0, text.find(':'));
    return soft == "infinity" ? "unlimited" : bytes_in(soft);
}

void add_limit_lines(const std::string& holder, const File& file, BootConfiguration& out) {
    const BootSetting settings{.program = BootProgram::services, .key = holder, .file = file.path};
    if (!file.refused.empty()) {
        out.settings.push_back(settings);
        out.settings.back().unsure = file.path + ": " + file.refused;
    }
    for (const TextLine& line : file.lines) {
        if (line.key != "Service.LimitMEMLOCK" || line.value.empty()) continue;
        BootSetting& one = out.settings.emplace_back(settings);
        one.value = locked_bytes(line.value);
        one.line = line.number;
    }
}

}  // namespace

/// systemd.unit(5): drop-ins count after the file of the unit, and there may be some for all units
/// of the kind. Where none says it, systemd's own default counts, which no file has to state
/// (systemd-system.conf(5), DefaultLimitMEMLOCK=).
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

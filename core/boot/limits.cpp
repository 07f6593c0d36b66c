// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/boot/said.hpp"

namespace core::boot {
namespace {

constexpr std::string_view kServiceEnding = ".service";

/// systemd.exec(5): the soft limit, and behind a colon the hard one; what counts is the soft one.
std::string locked_bytes(const std::string& text) {
    const std::string soft = text.substr(0, text.find(':'));
    return soft == "infinity" ? "unlimited" : bytes_in(soft);
}

void add_limit_lines(const std::string& holder, const File& file, Sayings& out) {
    const Said said{.program = BootProgram::services, .key = holder, .file = file.path};
    if (!file.refused.empty()) {
        out.said.push_back(said);
        out.said.back().unsure = file.path + ": " + file.refused;
    }
    for (const TextLine& line : file.lines) {
        if (line.key != "Service.LimitMEMLOCK" || line.value.empty()) continue;
        Said& one = out.said.emplace_back(said);
        one.value = locked_bytes(line.value);
        one.line = line.number;
    }
}

}  // namespace

/// systemd.unit(5): drop-ins count after the file of the unit, and there may be some for all units
/// of the kind. Where none says it, systemd's own default counts, which no file has to state
/// (systemd-system.conf(5), DefaultLimitMEMLOCK=).
void add_limits(const BootFiles& files, Sayings& out) {
    const Source& from = source("limits");
    const std::vector<File> of_all = drop_ins(from, "service", files);
    for (const File& file : in_force(from, files)) {
        const std::string_view unit = base_name(file.path);
        std::string holder("service:");
        holder += unit.substr(0, unit.size() - kServiceEnding.size());
        add_limit_lines(holder, file, out);
        for (const File& added : drop_ins(from, unit, files))
            add_limit_lines(holder, added, out);
        const std::size_t own = out.said.size();
        for (const File& added : of_all)
            add_limit_lines(holder, added, out);
        for (std::size_t i = own; i < out.said.size(); ++i)
            out.said[i].unsure = place(out.said[i]) + " says it of all services";
    }
}

}  // namespace core::boot

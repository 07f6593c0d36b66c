// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_lines.hpp"

#include <algorithm>

#include "cli/views/printable.hpp"

namespace cli {

std::string line_of(std::string_view head, std::string_view text) {
    constexpr std::size_t wide = 14;
    std::string out = "   " + std::string(head);
    out.resize(std::max(out.size() + 1, wide), ' ');
    return out + on_one_line(std::string(text)) + '\n';
}

std::string more_lines(std::size_t all, std::size_t shown, const Style& style) {
    if (all <= shown || !style.group_ports) return "";
    return line_of("", "… and " + std::to_string(all - shown) + " more: -v lists them");
}

std::vector<Reason> reasons_of(const core::Suspect& cause, const Grouping& of) {
    std::vector<Reason> out;
    std::vector<std::string> shared;
    for (const core::Check* check : cause.checks)
        for (const core::Fault& fault : check->faults) {
            const std::string text = shared_text(fault.text, check->port, of);
            const auto known = std::ranges::find(shared, text);
            if (known == shared.end()) {
                shared.push_back(text);
                out.push_back({.text = fault.text, .ports = {check->port}});
                continue;
            }
            Reason& reason = out[static_cast<std::size_t>(known - shared.begin())];
            reason.text = text;
            reason.ports.push_back(check->port);
        }
    return out;
}

}  // namespace cli

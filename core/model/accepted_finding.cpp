// SPDX-License-Identifier: Apache-2.0
#include "core/model/accepted_finding.hpp"

#include <algorithm>

#include "core/model/glob.hpp"
#include "core/model/state.hpp"

namespace core {

bool is_about(const AcceptedFinding& accepted, std::string_view port,
              std::span<const NamedFabric> fabrics) {
    if (!accepted.fabric.empty())
        return std::ranges::any_of(fabrics, [&](const NamedFabric& fabric) {
            return fabric.name == accepted.fabric &&
                   std::ranges::find(fabric.ports, port) != fabric.ports.end();
        });
    return accepted.ports.empty() ||
           std::ranges::any_of(accepted.ports, [&](const std::string& pattern) {
               return port == kHost ? pattern == "host" : glob_matches(pattern, port);
           });
}

bool is_over(const AcceptedFinding& accepted, std::string_view today) {
    return !accepted.until.empty() && accepted.until < today;
}

std::string where(const AcceptedFinding& accepted) {
    if (!accepted.fabric.empty()) return "on fabric " + accepted.fabric;
    std::string out;
    for (const std::string& port : accepted.ports)
        out += (out.empty() ? "on " : ", ") + port;
    return out.empty() ? "everywhere" : out;
}

std::string text(const AcceptedFinding& accepted) {
    return accepted.reason + " (" + text(accepted.origin) + ')' +
           (accepted.until.empty() ? "" : ", until " + accepted.until);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/model/finding_names.hpp"
#include "core/profile/addressing.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/conflict_resolution.hpp"
#include "core/profile/profile.hpp"

namespace core {
namespace {

/// Whether what all ports state contradicts what these do: nobody sees that of one port alone.
bool opposes(const DesiredState& these, const Finding& finding) {
    return finding.level == Finding::Level::failure && !finding.port.empty() &&
           std::ranges::find(these.ports, finding.port) != these.ports.end() &&
           std::ranges::find(these.findings, finding) == these.findings.end();
}

}  // namespace

DesiredState resolve(const Profile& profile, const Variables& variables, const State& inventory,
                     const std::string& only) {
    Collection collection = gather(profile, variables, inventory, only);
    DesiredState out{.findings = std::move(collection.findings)};
    std::size_t most = 0;
    for (const PortDesired& all : collection.ports)
        most += all.desired_values.size();
    out.desired_values.reserve(most);
    for (PortDesired& all : collection.ports) {
        DesiredState settled = conflict_resolution(std::move(all));
        std::ranges::move(settled.ports, std::back_inserter(out.ports));
        std::ranges::move(settled.desired_values, std::back_inserter(out.desired_values));
        std::ranges::move(settled.exact, std::back_inserter(out.exact));
        std::ranges::move(settled.findings, std::back_inserter(out.findings));
    }
    std::ranges::move(desired_twice(out.desired_values), std::back_inserter(out.findings));
    std::ranges::move(member_of_two(out.desired_values), std::back_inserter(out.findings));
    if (!only.empty()) {
        const DesiredState all = resolve(profile, variables, inventory);
        std::ranges::copy_if(all.findings, std::back_inserter(out.findings),
                             [&](const Finding& finding) { return opposes(out, finding); });
    }
    const bool fine = std::ranges::all_of(
        out.findings, [](const Finding& finding) { return finding.level == Finding::Level::note; });
    if (fine && out.desired_values.empty() && out.exact.empty() && only.empty())
        out.findings.push_back({.id = findings::no_wish,
                                .text = "the profile states nothing of the ports it matches",
                                .remedy = "state a setting, or roce"});
    return out;
}

bool is_complete(const DesiredState& desired_values) {
    return std::ranges::none_of(desired_values.findings, [](const Finding& finding) {
        return finding.id == findings::no_match || finding.id == findings::expect;
    });
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/model/finding_names.hpp"
#include "core/profile/addressing.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/settlement.hpp"

namespace core {
namespace {

/// Whether what all ports wish contradicts what these do: nobody sees that of one port alone.
bool opposes(const Wishes& these, const Finding& finding) {
    return finding.level == Finding::Level::failure && !finding.port.empty() &&
           std::ranges::find(these.ports, finding.port) != these.ports.end() &&
           std::ranges::find(these.findings, finding) == these.findings.end();
}

}  // namespace

Wishes resolve(const Profile& profile, const Variables& variables, const State& inventory,
               const std::string& only) {
    Gathering gathering = gather(profile, variables, inventory, only);
    Wishes out{.findings = std::move(gathering.findings)};
    std::size_t most = 0;
    for (const PortWishes& all : gathering.ports)
        most += all.wishes.size();
    out.wishes.reserve(most);
    for (PortWishes& all : gathering.ports) {
        Wishes settled = settlement(std::move(all));
        std::ranges::move(settled.ports, std::back_inserter(out.ports));
        std::ranges::move(settled.wishes, std::back_inserter(out.wishes));
        std::ranges::move(settled.exact, std::back_inserter(out.exact));
        std::ranges::move(settled.findings, std::back_inserter(out.findings));
    }
    std::ranges::move(wished_twice(out.wishes), std::back_inserter(out.findings));
    std::ranges::move(member_of_two(out.wishes), std::back_inserter(out.findings));
    if (!only.empty()) {
        const Wishes all = resolve(profile, variables, inventory);
        std::ranges::copy_if(all.findings, std::back_inserter(out.findings),
                             [&](const Finding& finding) { return opposes(out, finding); });
    }
    const bool fine = std::ranges::all_of(
        out.findings, [](const Finding& finding) { return finding.level == Finding::Level::note; });
    if (fine && out.wishes.empty() && out.exact.empty() && only.empty())
        out.findings.push_back({.id = findings::no_wish,
                                .text = "the profile wishes nothing of the ports it matches",
                                .remedy = "state a setting, or roce"});
    return out;
}

bool is_complete(const Wishes& wishes) {
    return std::ranges::none_of(wishes.findings, [](const Finding& finding) {
        return finding.id == findings::no_match || finding.id == findings::expect;
    });
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "cli/views/doctor_fix.hpp"

#include <algorithm>
#include <set>

namespace cli {
namespace {

std::string disturbed(core::Disruption disruption) {
    switch (disruption) {
        case core::Disruption::none: return {};
        case core::Disruption::queues:
            return "the queues are made anew: traffic stops for a moment";
        case core::Disruption::link: return "the link goes down for a moment";
        case core::Disruption::reload:
            return "the driver is loaded anew: the port is gone for that time";
        case core::Disruption::reset:
            return "the device is reset: its ports are gone for that time";
        case core::Disruption::reboot: return "it takes a reboot";
    }
    return {};
}

std::string applied(const DoctorView& view, const core::Fault& fault) {
    if (view.profile.empty()) return "";
    return "; " + view.apply +
           (fault.row == &core::findings::drift ? " sets it" : " sets what it states");
}

}  // namespace

Remedy remedy_of(const DoctorView& view, const core::Suspect& cause) {
    Remedy out;
    std::set<std::vector<std::string>> known;
    core::Disruption cost = core::Disruption::none;
    for (const core::Check* check : cause.checks)
        for (const core::Fault& fault : check->faults) {
            auto commands = core::fixing_commands(view.state, fault);
            if (commands.empty()) continue;
            cost = std::max(cost, core::fixing_cost(view.state, fault));
            if (known.insert(commands).second) out.commands.push_back(std::move(commands));
            if (!fault.other) continue;
            out.when = fault.when;
            out.other_when = fault.other->when;
            for (std::string& line : core::fixing_commands(view.state, fault.other->fix))
                out.other.push_back(std::move(line));
        }
    const core::Fault& first = cause.checks.front()->faults.front();
    if (out.commands.empty()) out.words = first.remedy;
    out.disturbs = disturbed(cost);
    for (const core::Check* check : cause.checks)
        for (const core::Fault& fault : check->faults)
            if (out.profile.empty()) out.profile = core::fixing_key(fault);
    if (!out.profile.empty()) out.profile += applied(view, first);
    return out;
}

std::string lasting(const DoctorView& view) {
    const auto typed = [&](const core::Suspect& cause) {
        return !remedy_of(view, cause).commands.empty();
    };
    if (std::ranges::none_of(view.diagnosis.causes, typed)) return {};
    return "what is typed lasts until the next boot, or until the device is plugged in anew; " +
           (view.profile.empty() ? std::string("rocectl apply PROFILE") : view.apply) +
           " is what sets it each time";
}

}  // namespace cli

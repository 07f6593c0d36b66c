// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <set>

#include "core/objects/dcb/number_map.hpp"
#include "core/objects/rows.hpp"

// What a driver does with a change of the APP table, and which it does not take.

namespace core::app {
namespace {

using AppEdit = Edit<AppEntry>;
using Kind = AppEdit::Kind;

/// The class of a priority's number, where the driver needs it and the port has none.
bool lacks_class(const Driver& driver, const Port& port, const AppEntry& entry) {
    return driver.app.below_classes && port.ets && is_of<AppEntry::dscp>(entry) &&
           entry.priority >= ets::classes_of(port);
}

/// One edit, as the driver does it: Linux 6.12, the files named in core/drivers.
Refused play_edit(const Driver& driver, Port& port, const AppEdit& edit) {
    const Refusal invalid{.code = EINVAL, .text = "Invalid argument"};
    if (dcbx::owned_by_agent(driver, port)) return invalid;
    if (!is_of<AppEntry::dscp>(edit.entry) && !driver.app.takes_others) return invalid;
    std::set<AppEntry>& entries = port.app->entries;
    if (edit.kind == Kind::remove) {
        if (entries.erase(edit.entry) == 0)
            return Refusal{.code = ENOENT, .text = "No such file or directory"};
        if (driver.app.last_dscp_resets && is_of<AppEntry::dscp>(edit.entry) &&
            std::ranges::none_of(entries, is_of<AppEntry::dscp>)) {
            if (port.ets) {
                port.ets->traffic_class = {};
                port.ets->algorithm = {Ets::shared};
                port.ets->bandwidth = {100};
            }
            if (port.pfc) port.pfc->priorities = 0;
        }
        return std::nullopt;
    }
    if (lacks_class(driver, port, edit.entry)) return invalid;
    const bool first_dscp =
        is_of<AppEntry::dscp>(edit.entry) && std::ranges::none_of(entries, is_of<AppEntry::dscp>);
    const bool there = std::ranges::any_of(
        entries, [&](const AppEntry& other) { return same_key(other, edit.entry); });
    if (there && driver.app.existing == Driver::App::Existing::refused) return invalid;
    if (driver.app.existing == Driver::App::Existing::kept_beside && entries.contains(edit.entry))
        return Refusal{.code = EEXIST, .text = "File exists"};
    if (driver.app.existing == Driver::App::Existing::replaced)
        std::erase_if(entries, [&](const AppEntry& other) { return same_key(other, edit.entry); });
    entries.insert(edit.entry);
    if (first_dscp && driver.app.first_dscp_sets_ets && port.ets) {
        for (std::uint8_t i = 0; i < ets::classes_of(port); ++i)
            port.ets->traffic_class.at(i) = i;
        port.ets->algorithm.fill(Ets::shared);
        port.ets->bandwidth = {100};
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = dcbx::owned_by_agent(driver, now)) return reason;
    for (const AppEntry& entry : minus(then.app->entries, now.app->entries))
        if (!is_of<AppEntry::dscp>(entry) && !driver.app.takes_others)
            return std::string(driver.name) + " takes no APP entries with this selector";
    for (const AppEntry& entry : minus(then.app->entries, now.app->entries))
        if (lacks_class(driver, now, entry))
            return "the port has " + std::to_string(ets::classes_of(now)) +
                   " traffic classes, and " + std::string(driver.name) +
                   " takes no DSCP entry of priority " + std::to_string(entry.priority) +
                   "; state a priority below " + std::to_string(ets::classes_of(now));
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.app) return std::nullopt;  // no op: answered with yes, and nothing is stored
    for (const AppEdit& edit : edits(driver, *now.app, *then.app)) {
        if (Refused no = play_edit(driver, now, edit)) return no;
        if (driver.reopens) link::reopen(now);
    }
    if (now.app->trust && then.app->trust) now.app->trust = then.app->trust;
    return std::nullopt;
}

}  // namespace core::app

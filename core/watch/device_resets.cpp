// SPDX-License-Identifier: Apache-2.0
#include "core/watch/device_resets.hpp"

#include <algorithm>
#include <utility>

#include "core/model/field.hpp"

namespace core {
namespace {

using What = Notification::What;

std::string reloaded(const std::string& action) {
    constexpr std::string_view remote = reloads::kRemote;
    if (action.starts_with(remote))
        return "devlink reloaded its device for another function or host of the card (" +
               action.substr(remote.size()) + ')';
    return "devlink reloaded its device (" + action + ')';
}

/// An activation of firmware counts as a new start of the driver too
/// (drivers/net/ethernet/mellanox/mlx5/core/devlink.c, mlx5_devlink_reload_up()).
bool tells_more(std::string_view action, std::string_view than) {
    const auto rank = [](std::string_view one) {
        return std::pair(one.starts_with(reloads::kRemote), !one.ends_with("fw_activate"));
    };
    return rank(action) < rank(than);
}

/// The action that is counted once more; devlink counts no further than 32 bits.
std::string reloaded_since(const Reloads& before, const Reloads& now) {
    std::string found;
    for (const auto& [action, count] : now) {
        const auto was = before.find(action);
        const bool grew = count > (was == before.end() ? 0 : was->second);
        if (grew && (found.empty() || tells_more(action, found))) found = action;
    }
    return found.empty() ? found : reloaded(found);
}

/// Those of firmware reset the whole device; those of queues leave the port there.
std::string recovered_since(const Reporters& before, const Reporters& now) {
    for (const Reporter& one : now) {
        const auto was = std::ranges::find(before, one.name, &Reporter::name);
        if (was != before.end() && one.name.starts_with("fw") && one.recovered > was->recovered)
            return "the driver's reporter " + one.name + " recovered its device after an error";
    }
    return {};
}

bool began_anew(const Port& before, const Port& now) {
    return std::ranges::any_of(*now.reloads, [&](const auto& one) {
        const auto was = before.reloads->find(one.first);
        return was != before.reloads->end() && one.second < was->second;
    });
}

}  // namespace

std::string reason_of_reset(const Port& before, const Port& now) {
    if (!before.reloads || !now.reloads) return {};
    if (began_anew(before, now)) return "its driver was loaded anew";
    std::string reason = reloaded_since(*before.reloads, *now.reloads);
    if (reason.empty() && before.reporters && now.reporters)
        reason = recovered_since(*before.reporters, *now.reporters);
    return reason;
}

Scope DeviceResets::scope(std::vector<std::string> ports) {
    return {.ports = std::move(ports), .objects = {object_of("reloads"), object_of("health")}};
}

bool DeviceResets::is_unexplained(const Notification& one) const {
    const auto known = known_.find(one.port);
    return one.what == What::came && one.reason.empty() && known != known_.end() &&
           known->second.reloads.has_value();
}

bool DeviceResets::any_unexplained(const std::vector<Notification>& notifications) const {
    return std::ranges::any_of(notifications,
                               [this](const Notification& one) { return is_unexplained(one); });
}

void DeviceResets::forget_uncounted(const std::vector<Notification>& notifications) {
    for (const Notification& one : notifications)
        if (is_unexplained(one) && uncounted_.contains(one.port)) known_.erase(one.port);
}

void DeviceResets::counted(State now, std::vector<Notification>& notifications) {
    uncounted_.clear();
    for (Port& port : now.ports) {
        const auto before = known_.find(port.name);
        for (Notification& one : notifications)
            if (before != known_.end() && one.what == What::came && one.port == port.name &&
                one.reason.empty())
                one.reason = reason_of_reset(before->second, port);
        // A driver that comes or goes has its port before its devlink device, and after it: what it
        // counted before stays known.
        if (before != known_.end() && before->second.reloads && !port.reloads) {
            uncounted_.insert(port.name);
            continue;
        }
        std::string name = port.name;
        known_.insert_or_assign(std::move(name), std::move(port));
    }
}

}  // namespace core

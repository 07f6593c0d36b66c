// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/notification_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/model/field.hpp"

namespace core {
namespace {

using What = Notification::What;

/// Rules, and routes that have gone, are announced without a port. Which rule it was is not told
/// apart.
bool may_be_of(const Notification& one, const Deviation& deviation) {
    if (one.what != What::written || !one.object || one.object != deviation.object) return false;
    if (!one.port.empty() && one.port != deviation.port) return false;
    if (!deviation.change) return true;
    const std::string& element = deviation.change->element;
    const bool begins = one.element.empty() || one.element.ends_with(' ');
    return begins ? element.starts_with(one.element) : element == one.element;
}

/// The process's write in words: the object, where no element is known.
std::string written(const Notification& one) {
    return one.element.empty() ? "wrote " + std::string(row_of(*one.object).name) + " meanwhile"
                               : "wrote it";
}

std::string writer_of(const Notification& one) {
    const std::string number = "process " + std::to_string(one.process);
    return (one.program.empty() ? number + ", which has ended, "
                                : one.program + " (" + number + ") ") +
           written(one);
}

void add_once(std::vector<std::string>& out, std::string line) {
    if (std::ranges::find(out, line) == out.end()) out.push_back(std::move(line));
}

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

using What = Notification::What;

bool is_way_of_port(const Notification& one) {
    return one.what == What::gone || one.what == What::came;
}

}  // namespace

std::vector<std::string> reasons_for(const Deviation& deviation,
                                     const std::vector<Notification>& notifications) {
    std::vector<std::string> out;
    bool gone = false;
    bool came = false;
    std::string reason;
    for (const Notification& one : notifications) {
        if (may_be_of(one, deviation)) add_once(out, writer_of(one));
        if (one.port.empty() || one.port != deviation.port) continue;
        gone = gone || one.what == What::gone;
        came = came || one.what == What::came;
        if (!one.reason.empty()) reason = one.reason;
    }
    std::string way;
    if (!reason.empty())
        way = "the port went and came back: " + reason;
    else if (came && gone)
        way =
            "the port went and came back, as by a reload of its driver, a reset, or a move to "
            "another namespace";
    else if (came)
        way = "the port came";
    else if (gone)
        way = "the port went";
    if (way.empty()) return out;
    std::vector<std::string> all{std::move(way)};
    all.insert(all.end(), out.begin(), out.end());
    return all;
}

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

bool NotificationLog::add(std::vector<Notification> news, const std::set<std::string>& ports) {
    if (std::exchange(reported_, false)) before_ = std::exchange(notifications_, {});
    std::ranges::copy_if(news, std::back_inserter(gone_),
                         [](const Notification& one) { return one.what == What::gone; });
    bool moved = false;
    for (Notification& one : news) {
        const bool way = is_way_of_port(one) && ports.contains(one.port);
        moved = moved || way;
        if (way && one.what == What::came) returned_.insert(one.port);
        notifications_.push_back(std::move(one));
    }
    return moved;
}

bool NotificationLog::add_of_own_writes(std::vector<Notification> news,
                                        const std::set<std::string>& ports) {
    std::erase_if(news, [](const Notification& one) {
        return !is_way_of_port(one) && (one.program.empty() || one.program == "rocectl");
    });
    before_.clear();
    notifications_.clear();
    reported_ = false;
    std::set<std::string> returned = std::exchange(returned_, {});
    const bool moved = add(std::move(news), ports);
    returned_ = std::move(returned);
    return moved;
}

void NotificationLog::was_reported(const std::vector<std::string>& ports) {
    reported_ = true;
    std::erase_if(gone_, [&](const Notification& one) {
        return std::ranges::find(ports, one.port) != ports.end();
    });
}

std::vector<std::string> NotificationLog::reasons(const Deviation& deviation) const {
    std::vector<Notification> all = gone_;
    all.insert(all.end(), before_.begin(), before_.end());
    all.insert(all.end(), notifications_.begin(), notifications_.end());
    return reasons_for(deviation, all);
}

}  // namespace core

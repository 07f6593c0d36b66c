// SPDX-License-Identifier: Apache-2.0
#include "core/watch/loss.hpp"

#include <algorithm>
#include <utility>

namespace core {
namespace {

using What = Announcement::What;

std::string reloaded(const std::string& action) {
    constexpr std::string_view remote = reloads::kRemote;
    if (action.starts_with(remote))
        return "another host of its card had devlink reload the device (" +
               action.substr(remote.size()) + ')';
    return "devlink reloaded its device (" + action + ')';
}

/// The first of the actions that is counted once more; devlink counts no further than 32 bits.
std::string reloaded_since(const Reloads& before, const Reloads& now) {
    for (const auto& [action, count] : now) {
        const auto was = before.find(action);
        if (count > (was == before.end() ? 0 : was->second)) return reloaded(action);
    }
    return {};
}

std::string recovered_since(const Reporters& before, const Reporters& now) {
    for (const Reporter& one : now) {
        const auto was = std::ranges::find(before, one.name, &Reporter::name);
        if (was != before.end() && one.recovered > was->recovered)
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

std::string reason_of_loss(const Port& before, const Port& now) {
    if (!before.reloads || !now.reloads) return {};
    if (began_anew(before, now)) return "its driver was loaded anew";
    std::string reason = reloaded_since(*before.reloads, *now.reloads);
    if (reason.empty() && before.reporters && now.reporters)
        reason = recovered_since(*before.reporters, *now.reporters);
    return reason;
}

Scope Losses::scope(std::vector<std::string> ports) {
    return {.ports = std::move(ports), .objects = {Object::reloads, Object::reporters}};
}

std::vector<std::string> Losses::came(const std::vector<Announcement>& heard,
                                      const std::vector<std::string>& watched) {
    std::vector<std::string> out;
    for (const Announcement& one : heard)
        if (one.what == What::came && one.reason.empty() &&
            std::ranges::find(watched, one.port) != watched.end())
            out.push_back(one.port);
    return out;
}

void Losses::began(State state) {
    for (Port& port : state.ports)
        known_.insert_or_assign(port.name, std::move(port));
}

void Losses::explain(State now, std::vector<Announcement>& heard) {
    for (const Port& port : now.ports) {
        const auto before = known_.find(port.name);
        if (before == known_.end()) continue;
        const std::string reason = reason_of_loss(before->second, port);
        for (Announcement& one : heard)
            if (one.what == What::came && one.port == port.name && one.reason.empty())
                one.reason = reason;
    }
    began(std::move(now));
}

}  // namespace core

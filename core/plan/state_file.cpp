// SPDX-License-Identifier: Apache-2.0
#include "core/plan/state_file.hpp"

#include <algorithm>

#include "core/model/glob.hpp"

namespace core {
namespace {

/// The port as a reader sees it: only the objects asked for, and not what needs a directory
/// that is not there.
Port seen(const Port& whole, const Objects& objects) {
    Port port{.name = whole.name};
    const auto wanted = [&](Object object) {
        return objects.contains(object) && !whole.refused.contains(object);
    };
    if (wanted(Object::device)) port.device = whole.device;
    if (wanted(Object::link)) port.link = whole.link;
    if (wanted(Object::speed)) port.speed = whole.speed;
    if (wanted(Object::pause)) port.pause = whole.pause;
    if (wanted(Object::dcbx)) port.dcbx = whole.dcbx;
    if (wanted(Object::ets)) port.ets = whole.ets;
    if (wanted(Object::pfc)) port.pfc = whole.pfc;
    if (wanted(Object::app)) port.app = whole.app;
    if (wanted(Object::rdma_link)) port.rdma = whole.rdma;
    if (wanted(Object::rdma_port)) port.rdma_port = whole.rdma_port;
    if (wanted(Object::cm_directory)) port.cm_directory = whole.cm_directory;
    if (wanted(Object::addresses)) port.addresses = whole.addresses;
    if (wanted(Object::routes)) port.routes = whole.routes;
    const bool hidden = whole.cm_directory && !*whole.cm_directory;
    if (wanted(Object::cm_defaults) && !hidden) port.cm = whole.cm;
    for (const auto& [object, refusal] : whole.refused)
        if (objects.contains(object)) port.refused.emplace(object, refusal);
    for (const Object object : whole.unknown)
        if (objects.contains(object)) port.unknown.insert(object);
    if (hidden && objects.contains(Object::cm_defaults)) port.unknown.insert(Object::cm_defaults);
    return port;
}

}  // namespace

State StateFile::read(const Scope& scope) {
    State state{.host = state_.host};
    for (const Port& port : state_.ports) {
        const bool asked =
            !scope.ports || std::ranges::any_of(*scope.ports, [&](const std::string& pattern) {
                return glob_matches(pattern, port.name);
            });
        if (asked) state.ports.push_back(seen(port, scope.objects));
    }
    return state;
}

std::optional<Refusal> StateFile::write(const Step& step) {
    ++writes_;
    if (const auto refusal = refusals_.find(step.object); refusal != refusals_.end()) {
        auto& [countdown, answer] = refusal->second;
        if (countdown == 0) return answer;
        --countdown;
        if (countdown == 0) {
            const Refusal no = answer;
            refusals_.erase(refusal);
            return no;
        }
    }
    if (lies_.contains(step.object)) return std::nullopt;
    return play(state_, step);
}

bool StateFile::wait(const Scope& /*scope*/, std::chrono::milliseconds /*time*/) {
    return false;
}

void StateFile::refuse(Object object, const Refusal& refusal, unsigned nth) {
    refusals_[object] = {nth, refusal};
}

void StateFile::lie(Object object) {
    lies_.insert(object);
}

}  // namespace core

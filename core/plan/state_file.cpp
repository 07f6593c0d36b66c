// SPDX-License-Identifier: Apache-2.0
#include "core/plan/state_file.hpp"

#include <algorithm>
#include <utility>

#include "core/model/glob.hpp"

namespace core {
namespace {

/// The port as a reader sees it: the objects asked for, but none that needs a directory that does
/// not exist.
Port seen(const Port& whole, const Objects& objects) {
    Port port(whole.name);
    for (const Object object : objects) {
        const bool hidden = opened(whole, object) == false;
        if (hidden) port.unknown.insert(object);
        if (!whole.refused.contains(object) && !hidden) copy_part(object, whole, port);
    }
    for (const auto& [object, refusal] : whole.refused)
        if (objects.contains(object)) port.refused.emplace(object, refusal);
    // Uncertainty of what was read is computed again from what the reader sees, by mark_unread.
    for (const Object object : whole.unknown)
        if (objects.contains(object) &&
            (row_of(object).read.uncertainty == nullptr || !answers(whole, object)))
            port.unknown.insert(object);
    for (const auto& [object, names] : whole.absent)
        if (objects.contains(object)) port.absent.emplace(object, names);
    mark_unread(port);
    return port;
}

/// A set of port names and patterns in which looking up a name does not walk all names.
class Named {
public:
    explicit Named(const std::vector<std::string>& all) {
        for (const std::string& one : all) {
            names_.insert(one);  // a name may look like a pattern, as [x] does
            if (is_glob(one)) globs_.push_back(one);
        }
    }
    [[nodiscard]] bool contains(const std::string& name) const {
        return names_.contains(name) || std::ranges::any_of(globs_, [&](const std::string& glob) {
                   return glob_matches(glob, name);
               });
    }

private:
    std::set<std::string> names_{};
    std::vector<std::string> globs_{};
};

/// A port that a plan may create, with what the kernel gives new ports.
Port yet_to_be(const std::string& name, const State& state, const Objects& objects) {
    Port out = not_there(name);
    for (const Object object : objects)
        if (const auto preset = row_of(object).lifecycle.preset)
            for (const Port& other : state.ports)
                preset(other, out);
    return out;
}

/// Adds a port that is about to be created.
void expect_port(State& state, const std::string& name) {
    const Port* there = find_port(state, name);
    if (there != nullptr && !is_not_there(*there)) return;
    Objects all;
    for (const ObjectRow* row : objects())
        all.insert(row->object);
    Port made = yet_to_be(name, state, all);
    std::erase_if(state.ports, [&](const Port& port) { return port.name == name; });
    state.ports.push_back(std::move(made));
}

}  // namespace

std::vector<const Port*> StateFile::meant(const Scope& scope) const {
    std::vector<const Port*> out;
    if (!scope.ports || !scope.everywhere.empty() || std::ranges::any_of(*scope.ports, is_glob)) {
        for (const Port& port : state_.ports)
            out.push_back(&port);
        return out;
    }
    for (const std::string& name : *scope.ports)
        if (const Port* port = find_port(state_, name)) out.push_back(port);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

void StateFile::forget_untold() {
    if (!untold_) return;
    rdma_port::forget_empty_tables(state_);
    rdma_link::forget_unnamed(state_);
    untold_ = false;
}

State StateFile::read(const Scope& scope) {
    forget_untold();
    State state{.host = state_.host, .refused_optional = state_.refused_optional};
    const bool host = asks_for_host(scope);
    const Named named(scope.ports.value_or(std::vector<std::string>{"*"}));
    std::vector<Port> others;
    // A port has some KiB and should not be moved; one more for the host.
    state.ports.reserve(scope.ports ? scope.ports->size() + 1 : state_.ports.size());
    for (const Port* one : meant(scope)) {
        const Port& port = *one;
        if (is_not_there(port)) continue;
        if (port.name == kHost ? host : named.contains(port.name))
            state.ports.push_back(seen(port, scope.objects));
        else if (port.name != kHost && !scope.everywhere.empty())
            others.push_back(seen(port, scope.everywhere));
    }
    if (!scope.ports || !scope.everywhere.empty()) state.others = std::move(others);
    for (const std::string& name : missing_children(scope, state))
        state.ports.push_back(yet_to_be(name, state_, scope.objects));
    if (host && scope.ports && find_port(state, kHost) == nullptr) state.ports.emplace_back(kHost);
    return state;
}

namespace {

/// The port, with the names of those that it is a member of or runs on.
void add_with_lower(const Port* port, std::set<std::string>& names) {
    if (port == nullptr) return;
    names.insert(port->name);
    if (!port->link) return;
    names.insert(port->link->lower);
    names.insert(port->link->master);
}

/// Brings what follows from the written object up to date on these ports.
void follow(State& state, Object written, const std::set<std::string>& names) {
    for (const ObjectRow* row : objects()) {
        const auto& lifecycle = row->lifecycle;
        if (lifecycle.follow == nullptr ||
            std::ranges::find(lifecycle.follows, written) == lifecycle.follows.end())
            continue;
        for (const std::string& name : names)
            if (Port* port = find_port(state, name)) lifecycle.follow(state, *port);
    }
}

bool has_carrier(const Port* port) {
    return port != nullptr && port->link && port->link->carrier;
}

}  // namespace

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
    if (row_of(step.object).lifecycle.unmade != nullptr) expect_port(state_, step.port);
    untold_ = true;
    std::set<std::string> followers;
    add_with_lower(find_port(state_, step.port), followers);
    const bool had_carrier = has_carrier(find_port(state_, step.port));
    const Played played = play(state_, step);
    if (played.refusal) return played.refusal;
    Port& port = *find_port(state_, step.port);
    if (had_carrier != has_carrier(&port)) carriers_changed_ = true;
    for (const Port& before : played.touched) {
        const Port* now = find_port(state_, before.name);
        add_with_lower(&before, followers);
        add_with_lower(now, followers);
        if (has_carrier(&before) != has_carrier(now)) carriers_changed_ = true;
    }
    add_with_lower(&port, followers);
    followers.erase("");  // of most ports, which are on none
    const auto awaits = row_of(step.object).lifecycle.awaits_device;
    const std::string device(awaits == nullptr ? std::string_view() : awaits(state_, port));
    if (!device.empty()) rdma_link::add_device(port, {.device = device, .protocol = "roce"});
    follow(state_, step.object, followers);
    return std::nullopt;
}

std::optional<std::set<std::uint32_t>> StateFile::changed_links() {
    if (std::exchange(carriers_changed_, false)) return std::nullopt;
    return std::set<std::uint32_t>{};
}

bool StateFile::wait(const Scope& /*scope*/, std::chrono::milliseconds time) {
    time_ += time;
    return false;
}

void StateFile::refuse(Object object, const Refusal& refusal, unsigned nth) {
    refusals_[object] = {nth, refusal};
}

void StateFile::lie(Object object) {
    lies_.insert(object);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "netlink/live.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "core/error.hpp"
#include "core/model/glob.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/link/codecs.hpp"

namespace netlink {

namespace {

/// The host's name and kernel release (uname(2)).
core::Host identity() {
    utsname names{};
    uname(&names);
    return {.name = names.nodename,
            .kernel = names.release,
            .time = static_cast<std::uint64_t>(std::time(nullptr))};
}

using core::Object;

/// With what must be read to find them.
core::Objects with_what_it_takes(core::Objects objects) {
    for (const Object object : core::Objects(objects)) {
        const auto found_by = core::row_of(object).read.found_by;
        objects.insert(found_by.begin(), found_by.end());
    }
    return objects;
}

bool all_asked(const core::Objects& objects) {
    return std::ranges::all_of(core::objects(), [&objects](const core::ObjectRow* row) {
        return objects.contains(row->object);
    });
}

/// What was asked for by name and is not there.
void note_absent(const core::Scope& scope, core::Port& itself) {
    for (const core::Field& field : core::fields()) {
        const auto asked = scope.elements.find(field.object);
        if (!core::row_of(field.object).read.by_name || asked == scope.elements.end()) continue;
        const auto found = field.get(itself);
        if (!found) continue;
        for (const std::string& name : asked->second)
            if (!found->contains(name) && !core::is_glob(name))
                itself.absent[field.object].insert(name);
    }
}

/// A port that a plan may make, with what the kernel gives new ones.
core::Port yet_to_be(Machine& machine, const std::string& name, const core::Objects& objects) {
    core::Port port = core::not_there(name);
    try {
        read_ip_of_new(machine, objects, port);
    } catch (const KernelError& error) {
        for (const Object object : objects)
            if (core::row_of(object).lifecycle.preset != nullptr)
                port.refused.emplace(object, refusal(error));
    }
    return port;
}

/// Takes what the codec would read from an inventory. False where that does not tell it of each
/// port.
bool copy_known(const Codec& codec, const core::State* known, core::State& state) {
    const core::Objects told = core::inventory();
    if (known == nullptr ||
        !std::ranges::all_of(codec.fills, [&](Object object) { return told.contains(object); }) ||
        !std::ranges::all_of(state.ports, [&](const core::Port& port) {
            return core::find_port(*known, port.name) != nullptr;
        }))
        return false;
    for (core::Port& port : state.ports) {
        const core::Port& from = *core::find_port(*known, port.name);
        for (const Object object : codec.fills) {
            core::copy_part(object, from, port);
            const auto refused = from.refused.find(object);
            if (refused != from.refused.end()) port.refused.insert(*refused);
        }
    }
    return true;
}

}  // namespace

Live::Live(Root root, std::span<const Codec> codecs, bool devices, bool sealed, KeptFiles kept,
           bool firmware)
    : machine_(std::make_unique<Machine>(std::move(root), std::move(kept))),
      codecs_(codecs),
      devices_(devices),
      sealed_(sealed),
      firmware_(firmware) {}

Live::~Live() = default;

void Live::run_codecs(bool of_host, const core::Scope& scope, core::State& state) {
    const core::Objects& wanted = scope.objects;
    const auto is_wanted = [&wanted](Object object) { return wanted.contains(object); };
    if (state.ports.empty()) return;
    for (const Codec& codec : codecs_) {
        if (codec.read == nullptr || (codec.opens_devices && !devices_)) continue;
        if (codec.needs_rights != 0 && sealed_) continue;
        if (codec.asks_firmware && !firmware_) continue;
        if ((core::row_of(codec.object).lives == core::Lives::host) != of_host) continue;
        if (std::ranges::none_of(codec.fills, is_wanted)) continue;
        if (copy_known(codec, scope.known, state)) continue;
        try {
            codec.read(*machine_, scope, state);
        } catch (const KernelError& error) {
            // What no port of its own refused: the whole exchange did not take place.
            for (core::Port& port : state.ports)
                for (const Object object : codec.fills)
                    if (is_wanted(object)) port.refused[object] = refusal(error);
        }
    }
}

core::State Live::inspect(const core::Scope& asked) {
    core::Scope scope = asked;
    scope.objects = with_what_it_takes(asked.objects);
    core::State state;
    state.host = identity();
    state.ports = read_links(*machine_, scope.ports, scope.known);
    run_codecs(false, scope, state);
    for (core::Port& port : state.ports)
        core::mark_unread(port);
    for (const std::string& name : core::missing_children(scope, state))
        state.ports.push_back(yet_to_be(*machine_, name, scope.objects));
    if (!core::asks_for_host(scope)) return state;
    core::State whole{.host = state.host, .ports = {core::Port(core::kHost)}};
    run_codecs(true, scope, whole);
    note_absent(scope, whole.ports.front());
    state.ports.push_back(std::move(whole.ports.front()));
    return state;
}

/// The ports outside the scope, with the objects that the scope wants of every port.
std::vector<core::Port> Live::others(const core::Scope& scope, const core::State& read) {
    std::vector<core::Port> out;
    if (scope.everywhere.empty()) return out;
    core::State all = inspect({.ports = std::nullopt, .objects = scope.everywhere});
    for (core::Port& port : all.ports) {
        if (core::find_port(read, port.name) != nullptr) continue;
        core::keep_parts(port, scope.everywhere);
        out.push_back(std::move(port));
    }
    return out;
}

core::State Live::read(const core::Scope& scope) {
    try {
        core::State state = inspect(scope);
        // Without what had to be read on the way; where all was asked for there is nothing else.
        if (!all_asked(scope.objects))
            for (core::Port& port : state.ports)
                core::keep_parts(port, scope.objects);
        if (!scope.ports || !scope.everywhere.empty()) state.others = others(scope, state);
        return state;
    } catch (const KernelError& error) {
        throw core::Error(core::Status::failed,
                          std::string("cannot read the network ports: ") + error.what());
    }
}

std::optional<core::Refusal> Live::write(const core::Step& step) {
    const auto codec = std::ranges::find_if(codecs_, [&step](const Codec& one) {
        return one.object == step.object && one.write != nullptr;
    });
    if (codec == codecs_.end())
        return core::Refusal{.code = 0, .text = "nothing here can write it"};
    try {
        core::Scope scope{.ports = std::vector<std::string>{step.port},
                          .objects = core::inventory()};
        scope.objects.insert(step.object);
        const auto consults = core::row_of(step.object).order.consults;
        scope.objects.insert(consults.begin(), consults.end());
        for (const core::Change& change : step.changes)
            core::add_element(scope, step.object, change.element);
        const core::State state = inspect(scope);
        const core::Port* now = core::find_port(state, step.port);
        if (now == nullptr) throw KernelError(ENODEV);
        const auto no = now->refused.find(step.object);
        if (no != now->refused.end()) return no->second;
        codec->write(*machine_, *now, core::target(*now, step));
    } catch (const KernelError& error) {
        return refusal(error);
    }
    return std::nullopt;
}

bool Live::wait(const core::Scope& scope, std::chrono::milliseconds time) {
    // What happened before the first wait was not watched, so it may have changed.
    if (!watch_) {
        watch_ = std::make_unique<Watch>(*machine_, scope);
        return true;
    }
    return watch_->wait(scope, time);
}

bool Live::lost() {
    return watch_ && watch_->lost();
}

std::vector<core::Notification> Live::notifications() {
    return watch_ ? watch_->notifications() : std::vector<core::Notification>{};
}

std::optional<std::set<std::uint32_t>> Live::changed_links() {
    try {
        if (link_watch_) return link_watch_->changed();
        link_watch_ = std::make_unique<LinkWatch>();
    } catch (const KernelError&) {  // without a socket nothing is told
        return std::nullopt;
    }
    return std::nullopt;
}

std::chrono::milliseconds Live::time() {
    return std::chrono::ceil<std::chrono::milliseconds>(
        std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace netlink

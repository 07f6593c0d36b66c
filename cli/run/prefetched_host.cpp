// SPDX-License-Identifier: Apache-2.0
#include "cli/run/prefetched_host.hpp"

#include <linux/capability.h>

#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/log.hpp"
#include "cli/run/child.hpp"
#include "cli/run/codecs.hpp"
#include "cli/seal/seal.hpp"
#include "core/error.hpp"
#include "core/json/json.hpp"
#include "core/objects/rdma/parts.hpp"

namespace cli {
namespace {

core::Objects filled_by_those_that(bool netlink::Codec::*do_so) {
    core::Objects out;
    for (const netlink::Codec& codec : codecs())
        if (codec.*do_so) out.insert(codec.fills.begin(), codec.fills.end());
    return out;
}

/// What is read by a child that gives up its rights with `give_up` first. Without an answer, for
/// which it says that `who` gave none, the objects are silent.
void ask(const netlink::Root& root, std::chrono::milliseconds limit, const core::Scope& scope,
         const std::function<void()>& give_up, const std::string& who, Prefetched& reported,
         bool firmware = false) {
    reported.objects.insert(scope.objects.begin(), scope.objects.end());
    const auto read = [&] {
        give_up();
        return core::written(live_host(root, {.firmware = firmware})->read(scope));
    };
    try {
        const Answer answer = in_child(read, limit);
        if (answer.text) {
            core::add_parts(
                reported.state,
                core::parse_state(*answer.text, "what " + who + " told", core::Values::observed),
                scope.objects);
            return;
        }
        log_warning(who + " has not answered in " + std::to_string(limit.count()) + " ms");
        for (const core::Object object : scope.objects)
            reported.silent[object] = {.code = ETIMEDOUT, .text = "there was no answer in time"};
    } catch (const core::Error& error) {
        log_warning(who + " was not asked: " + error.what());
        for (const core::Object object : scope.objects)
            reported.silent[object] = {.code = 0, .text = who + " was not asked: " + error.what()};
    }
}

/// Whether the port would tell of the object, if it answered: not one that is not there, such as a
/// name that a command was given. `found` is where RDMA devices are.
bool would_tell(core::Object object, const core::Port& port, const core::State& found) {
    const core::Lives lives = core::row_of(object).lives;
    if ((lives == core::Lives::host) != (port.name == core::kHost)) return false;
    if (core::is_not_there(port)) return false;
    if (lives != core::Lives::rdma_device) return true;
    const core::Port* holder = find_port(found, port.name);
    return holder != nullptr && core::rdma_link::has_device(*holder);
}

/// What the port told of the object. Who answered and is not in the answer had nothing to tell.
void copy_reported(core::Object object, const core::State& answer, core::Port& port) {
    const core::Port* reported = find_port(answer, port.name);
    if (reported == nullptr) return;
    core::copy_part(object, *reported, port);
    const auto refused = reported->refused.find(object);
    if (refused != reported->refused.end()) port.refused.insert(*refused);
}

/// Those that are asked together: of the host, or of every port, which may take long.
struct Together {
    Capabilities rights = 0;
    bool of_ports = false;
    auto operator<=>(const Together&) const = default;
};

}  // namespace

void keep_rights_to_ask() {
    Capabilities kept = only(CAP_SETPCAP) | only(CAP_DAC_READ_SEARCH);
    for (const netlink::Codec& codec : codecs())
        kept |= codec.needs_rights;
    keep_capabilities(kept);
}

void ask_devices(const netlink::Root& root, std::chrono::milliseconds limit, Prefetched& reported) {
    ask(root, limit,
        {.ports = std::nullopt, .objects = filled_by_those_that(&netlink::Codec::opens_devices)},
        seal_without_landlock, "an RDMA device", reported);
}

void ask_with_rights(const netlink::Root& root, std::chrono::milliseconds limit,
                     const core::Objects& objects, Prefetched& reported) {
    std::map<Together, core::Objects> asked;
    for (const netlink::Codec& codec : codecs())
        if (codec.needs_rights != 0 && objects.contains(codec.object)) {
            const bool of_ports = core::row_of(codec.object).lives != core::Lives::host;
            asked[{codec.needs_rights, of_ports}].insert(codec.fills.begin(), codec.fills.end());
        }
    for (const auto& [together, of_rights] : asked) {
        const Capabilities kept = together.rights;
        core::Scope scope{.ports = std::nullopt, .objects = of_rights};
        if (!together.of_ports) scope.ports = std::vector{std::string(core::kHost)};
        ask(
            root, limit, scope, [kept] { seal_but_for(kept); }, "the kernel", reported);
    }
}

void ask_firmware(const netlink::Root& root, std::chrono::milliseconds limit,
                  Prefetched& reported) {
    ask(root, limit,
        {.ports = std::nullopt, .objects = filled_by_those_that(&netlink::Codec::asks_firmware)},
        seal_but_for_firmware, "the firmware of a NIC", reported, true);
}

core::State PrefetchedHost::find_devices(const core::Scope& scope) {
    core::Scope by{.ports = scope.ports, .objects = {}};
    for (const auto& [object, why] : reported_.silent) {
        const core::ObjectRow& row = core::row_of(object);
        if (scope.objects.contains(object) && row.lives == core::Lives::rdma_device)
            by.objects.insert(row.read.found_by.begin(), row.read.found_by.end());
    }
    return by.objects.empty() ? core::State() : host_->read(by);
}

core::State PrefetchedHost::read(const core::Scope& scope) {
    core::State state = host_->read(scope);
    const core::State found = find_devices(scope);
    for (const core::Object object : reported_.objects) {
        if (!scope.objects.contains(object)) continue;
        const auto silent = reported_.silent.find(object);
        for (core::Port& port : state.ports)
            if (silent == reported_.silent.end())
                copy_reported(object, reported_.state, port);
            else if (would_tell(object, port, found))
                port.refused[object] = silent->second;
    }
    return state;
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/run/told_host.hpp"

#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/log.hpp"
#include "cli/run/child.hpp"
#include "cli/run/codecs.hpp"
#include "cli/seal/seal.hpp"
#include "core/error.hpp"
#include "core/json/bytes.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

core::Objects of_devices() {
    core::Objects out;
    for (const netlink::Codec& codec : codecs())
        if (codec.opens_devices) out.insert(codec.fills.begin(), codec.fills.end());
    return out;
}

/// What is read by a child that gives up its rights with `give_up` first. `who` has not answered,
/// where there is no answer.
void ask(const std::filesystem::path& root, std::chrono::milliseconds limit,
         const core::Scope& scope, const std::function<void()>& give_up, const std::string& who,
         ToldBefore& told) {
    told.objects.insert(scope.objects.begin(), scope.objects.end());
    const auto read = [&] {
        give_up();
        return core::written(core::to_json(live_host(root)->read(scope)));
    };
    try {
        const Answer answer = in_child(read, limit);
        if (answer.text)
            core::add_parts(
                told.state,
                core::parse_state(*answer.text, "what " + who + " told", core::Values::observed),
                scope.objects);
        else
            log_warning(who + " has not answered in " + std::to_string(limit.count()) + " ms");
    } catch (const core::Error& error) {
        log_warning(who + " was not asked: " + error.what());
    }
}

/// What the port told of the object, and why it did not.
void copy_told(core::Object object, const core::Port* told, core::Port& port) {
    if (told != nullptr) {
        core::copy_part(object, *told, port);
        const auto refused = told->refused.find(object);
        if (refused != told->refused.end()) port.refused.insert(*refused);
    } else if (core::row_of(object).lives == core::Lives::host && port.name == core::kHost) {
        port.refused[object] = {.code = ETIMEDOUT, .text = "there was no answer in time"};
    }
}

}  // namespace

void ask_devices(const std::filesystem::path& root, std::chrono::milliseconds limit,
                 ToldBefore& told) {
    ask(root, limit, {.ports = std::nullopt, .objects = of_devices()}, seal_without_landlock,
        "an RDMA device", told);
}

void ask_with_rights(const std::filesystem::path& root, std::chrono::milliseconds limit,
                     const core::Objects& objects, ToldBefore& told) {
    std::map<Capabilities, core::Objects> asked;
    for (const netlink::Codec& codec : codecs())
        if (codec.takes != 0 && objects.contains(codec.object))
            asked[codec.takes].insert(codec.fills.begin(), codec.fills.end());
    for (const auto& [rights, of_rights] : asked) {
        const Capabilities kept = rights;
        ask(
            root, limit, {.ports = std::vector{std::string(core::kHost)}, .objects = of_rights},
            [kept] { seal_but_for(kept); }, "the kernel", told);
    }
}

core::State ToldHost::read(const core::Scope& scope) {
    core::State state = host_->read(scope);
    for (const core::Object object : told_.objects)
        if (scope.objects.contains(object))
            for (core::Port& port : state.ports)
                copy_told(object, find_port(told_.state, port.name), port);
    return state;
}

}  // namespace cli

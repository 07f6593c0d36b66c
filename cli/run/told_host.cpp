// SPDX-License-Identifier: Apache-2.0
#include "cli/run/told_host.hpp"

#include <nlohmann/json.hpp>

#include "cli/log.hpp"
#include "cli/run/child.hpp"
#include "cli/run/codecs.hpp"
#include "cli/run/live.hpp"
#include "core/error.hpp"
#include "core/json/json.hpp"

namespace cli {
namespace {

core::Objects of_devices() {
    core::Objects out;
    for (const netlink::Codec& codec : codecs())
        if (codec.opens_devices) out.insert(codec.fills.begin(), codec.fills.end());
    return out;
}

}  // namespace

core::State ask_devices(const std::filesystem::path& root, std::chrono::milliseconds limit) {
    const auto ask = [&root] {
        const core::State state =
            live_host(root)->read({.ports = std::nullopt, .objects = of_devices()});
        return core::to_json(state).dump(-1, ' ', false, core::Json::error_handler_t::replace);
    };
    try {
        const Answer answer = in_child(ask, limit);
        if (answer.text) return core::parse_state(*answer.text, "what RDMA devices told");
        log_warning("no RDMA device has answered in " + std::to_string(limit.count()) + " ms");
    } catch (const core::Error& error) {
        log_warning(std::string("RDMA devices were not asked: ") + error.what());
    }
    return {};
}

core::State ToldHost::read(const core::Scope& scope) {
    core::State state = host_->read(scope);
    for (const core::Object object : of_devices())
        for (core::Port& port : state.ports)
            if (const core::Port* told = find_port(told_, port.name);
                told != nullptr && scope.objects.contains(object))
                core::copy_part(object, *told, port);
    return state;
}

}  // namespace cli

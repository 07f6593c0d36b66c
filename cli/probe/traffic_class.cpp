// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/traffic_class.hpp"

#include <utility>

#include "core/checks/effective_intent.hpp"
#include "core/doctor/examination.hpp"
#include "core/model/tos.hpp"

namespace cli {
namespace {

core::EffectiveIntent intent_of_port(const core::EffectiveIntent& usual,
                                     const core::DesiredState* desired_values,
                                     const std::string& port) {
    if (desired_values == nullptr) return usual;
    std::vector<core::Desired> own;
    for (const core::Desired& desired : desired_values->desired_values)
        if (desired.port == port) own.push_back(desired);
    return core::effective_intent(usual, own);
}

}  // namespace

void set_traffic_classes(core::Kernel& kernel, const core::DesiredState* desired_values,
                         const Measuring& measuring, std::vector<Path>& paths) {
    core::Objects objects = core::objects_of({"mtu", "driver", "rdma.device", "rdma.gids"});
    objects.merge(core::intent_objects());
    const core::State state = kernel.read({.ports = std::nullopt, .objects = std::move(objects)});
    const core::EffectiveIntent usual =
        core::inferred_intent(core::fabric_ports(state, desired_values));
    for (Path& path : paths) {
        const core::EffectiveIntent roce = intent_of_port(usual, desired_values, path.rail.port);
        const std::uint8_t dscp = measuring.dscp.value_or(roce.dscp);
        path.traffic_class = static_cast<std::uint8_t>(core::tos_of(dscp, roce.ecn));
        path.cnp_priority = roce.cnp_priority;
        if (roce.by != core::IntentSource::guess && dscp == roce.dscp)
            path.priority = roce.priority;
    }
}

}  // namespace cli

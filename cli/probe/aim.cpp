// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/aim.hpp"

#include <utility>

#include "core/checks/aim.hpp"
#include "core/doctor/examination.hpp"
#include "core/model/tos.hpp"

namespace cli {
namespace {

core::Aim aim_of(const core::Aim& usual, const core::DesiredState* desired_values,
                 const std::string& port) {
    if (desired_values == nullptr) return usual;
    std::vector<core::Desired> own;
    for (const core::Desired& desired : desired_values->desired_values)
        if (desired.port == port) own.push_back(desired);
    return core::stated_aim(usual, own);
}

}  // namespace

void aim_paths(core::Kernel& kernel, const core::DesiredState* desired_values,
               const Measuring& measuring, std::vector<Path>& paths) {
    core::Objects objects = core::objects_of({"mtu", "driver", "rdma.device", "rdma.gids"});
    objects.merge(core::aim_objects());
    const core::State state = kernel.read({.ports = std::nullopt, .objects = std::move(objects)});
    const core::Aim usual = core::usual_aim(core::fabric_ports(state, desired_values));
    for (Path& path : paths) {
        const core::Aim aim = aim_of(usual, desired_values, path.rail.port);
        const std::uint8_t dscp = measuring.dscp.value_or(aim.dscp);
        path.traffic_class = static_cast<std::uint8_t>(core::tos_of(dscp, aim.ecn));
        path.cnp_priority = aim.cnp_priority;
        if (aim.by != core::AimBy::guess && dscp == aim.dscp) path.priority = aim.priority;
    }
}

}  // namespace cli

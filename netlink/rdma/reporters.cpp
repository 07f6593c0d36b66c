// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <linux/devlink.h>
#include <linux/genetlink.h>

#include <algorithm>

namespace netlink {
namespace {

/// DEVLINK_HEALTH_REPORTER_STATE_HEALTHY of include/net/devlink.h.
constexpr std::uint8_t kHealthy = 0;

}  // namespace

std::optional<ReporterAnswer> decode_reporter(Bytes payload) {
    const auto device = decode_devlink_handle(payload);
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    const Attributes reporter = attributes.nested(DEVLINK_ATTR_HEALTH_REPORTER);
    const std::string name = reporter.text(DEVLINK_ATTR_HEALTH_REPORTER_NAME);
    const auto state = reporter.value<std::uint8_t>(DEVLINK_ATTR_HEALTH_REPORTER_STATE);
    if (!device || name.empty() || !state) return std::nullopt;
    const auto number = [&](int type) { return reporter.value<std::uint64_t>(type).value_or(0); };
    return ReporterAnswer{
        .device = *device,
        .port = attributes.value<std::uint32_t>(DEVLINK_ATTR_PORT_INDEX),
        .reporter = {.name = name,
                     .healthy = *state == kHealthy,
                     .errors = number(DEVLINK_ATTR_HEALTH_REPORTER_ERR_COUNT),
                     .recovered = number(DEVLINK_ATTR_HEALTH_REPORTER_RECOVER_COUNT)}};
}

namespace {

void fill_reporters(Machine& machine, const DevlinkPorts& all, core::State& state) {
    Message request = devlink_request(all.family, DEVLINK_CMD_HEALTH_REPORTER_GET);
    const auto answers = machine.generic().dump<ReporterAnswer>(
        request, [](const Reply& reply) { return decode_reporter(reply.payload); });
    for (core::Port& port : state.ports) {
        const auto place = place_of(all, port);
        if (!place) continue;
        core::Reporters& own = port.reporters.emplace();
        for (const ReporterAnswer& answer : answers)
            if (answer.device == place->device && (!answer.port || answer.port == place->number))
                own.push_back(answer.reporter);
    }
}

void fill_reloads(const DevlinkPorts& all, core::State& state) {
    for (core::Port& port : state.ports) {
        const auto place = place_of(all, port);
        if (!place) continue;
        const auto device = std::ranges::find(all.devices, place->device, &DevlinkDevice::handle);
        if (device != all.devices.end()) port.reloads = device->reloads;
    }
}

}  // namespace

void read_reporters(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto all = devlink_ports(machine);
    if (!all) return;
    if (scope.objects.contains(core::Object::reporters)) fill_reporters(machine, *all, state);
    if (scope.objects.contains(core::Object::reloads)) fill_reloads(*all, state);
    if (scope.objects.contains(core::Object::versions)) fill_versions(machine, *all, state);
}

}  // namespace netlink

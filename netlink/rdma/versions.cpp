// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <linux/devlink.h>
#include <linux/genetlink.h>

#include <array>
#include <map>

namespace netlink {
namespace {

struct VersionKind {
    int type;
    std::string_view words;
};
constexpr std::array kVersionKinds = {
    VersionKind{DEVLINK_ATTR_INFO_VERSION_FIXED, core::versions::kFixed},
    VersionKind{DEVLINK_ATTR_INFO_VERSION_RUNNING, core::versions::kRunning},
    VersionKind{DEVLINK_ATTR_INFO_VERSION_STORED, core::versions::kStored}};

core::Versions versions_of(Machine& machine, std::uint16_t family, const DevlinkPlace& place) {
    Message request = devlink_request(family, DEVLINK_CMD_INFO_GET, place.device);
    core::Versions out;
    machine.generic().get(request,
                          [&](const Reply& reply) { out = decode_versions(reply.payload); });
    return out;
}

}  // namespace

core::Versions decode_versions(Bytes payload) {
    core::Versions out;
    Attributes::after<genlmsghdr>(payload).for_each([&](int type, Bytes bytes) {
        for (const VersionKind& kind : kVersionKinds) {
            if (kind.type != type) continue;
            const Attributes version(bytes);
            const std::string name = version.text(DEVLINK_ATTR_INFO_VERSION_NAME);
            std::string value = version.text(DEVLINK_ATTR_INFO_VERSION_VALUE);
            if (!name.empty() && !value.empty())
                out.emplace(std::string(kind.words) + name, std::move(value));
        }
    });
    return out;
}

void fill_versions(Machine& machine, const DevlinkPorts& all, core::State& state) {
    std::map<std::string, core::Versions> known;
    for (core::Port& port : state.ports) {
        const auto place = place_of(all, port);
        if (!place) continue;
        attempt(port, {core::Object::versions}, [&] {
            const std::string name = place->device.bus + '/' + place->device.name;
            if (!known.contains(name))
                known.emplace(name, versions_of(machine, all.family, *place));
            port.versions = known.at(name);
        });
    }
}

}  // namespace netlink

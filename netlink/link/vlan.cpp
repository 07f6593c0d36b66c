// SPDX-License-Identifier: Apache-2.0
#include "netlink/link/codecs.hpp"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <cerrno>

namespace netlink {
namespace {

template <typename Map>
void decode_map(const Attributes& mappings, Map& map) {
    mappings.for_each([&map](int type, Bytes payload) {
        const auto mapping = header_of<ifla_vlan_qos_mapping>(payload);
        if (type != IFLA_VLAN_QOS_MAPPING || !mapping || mapping->to == 0) return;
        map[static_cast<typename Map::key_type>(mapping->from)] =
            static_cast<typename Map::mapped_type>(mapping->to);
    });
}

/// What is mapped no more is mapped to 0: a mapping cannot be removed (net/8021q/vlan_dev.c
/// vlan_dev_set_egress_priority).
template <typename Map>
void put_map(Message& request, int type, const Map& now, const Map& then) {
    if (now == then) return;
    request.nest(type, [&] {
        const auto put = [&](std::uint32_t from, std::uint32_t to) {
            request.put(IFLA_VLAN_QOS_MAPPING, ifla_vlan_qos_mapping{.from = from, .to = to});
        };
        for (const auto& [from, to] : now)
            if (!then.contains(from)) put(from, 0);
        for (const auto& [from, to] : then)
            put(from, to);
    });
}

}  // namespace

core::Vlan decode_vlan(const Attributes& data) {
    core::Vlan vlan{.id = data.value<std::uint16_t>(IFLA_VLAN_ID).value_or(0)};
    decode_map(data.nested(IFLA_VLAN_EGRESS_QOS), vlan.egress);
    decode_map(data.nested(IFLA_VLAN_INGRESS_QOS), vlan.ingress);
    return vlan;
}

void write_vlan(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.vlan || !then.vlan) throw KernelError(ENODEV);
    if (then.vlan->parent.empty()) {
        if (now.link) remove_link(machine, now.link->index);
        return;
    }
    const bool make = now.vlan->parent.empty();
    Message request(RTM_NEWLINK, make ? NLM_F_CREATE | NLM_F_EXCL : 0);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    if (!make) header.ifi_index = static_cast<int>(now.link->index);
    request.put_header(header);
    if (make) {
        request.put_text(IFLA_IFNAME, now.name);
        request.put(IFLA_LINK, index_of(machine, then.vlan->parent));
    }
    request.nest(IFLA_LINKINFO, [&] {
        request.put_text(IFLA_INFO_KIND, "vlan");
        request.nest(IFLA_INFO_DATA, [&] {
            if (make) request.put(IFLA_VLAN_ID, then.vlan->id);
            put_map(request, IFLA_VLAN_EGRESS_QOS, now.vlan->egress, then.vlan->egress);
            put_map(request, IFLA_VLAN_INGRESS_QOS, now.vlan->ingress, then.vlan->ingress);
        });
    });
    machine.route().change(request);
}

}  // namespace netlink

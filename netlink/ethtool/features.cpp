// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/codecs.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <cerrno>

#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

/// Asks for the features of `then` that differ from `now`; gives back those that are not so.
core::Flags ask_for(Machine& machine, const std::string& port, const core::Flags& now,
                    const core::Flags& then) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_FEATURES_SET, ETHTOOL_A_FEATURES_HEADER, port);
    put_bitset(request, ETHTOOL_A_FEATURES_WANTED, now, then);
    core::Flags unmet;
    machine.generic().change(
        request, [&](const Reply& reply) { unmet = decode_unmet_features(reply.payload); });
    return unmet;
}

}  // namespace

std::optional<core::Features> decode_features(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    if (!attributes.find(ETHTOOL_A_FEATURES_HW)) return std::nullopt;
    const Bitset changeable(attributes.nested(ETHTOOL_A_FEATURES_HW));
    const Bitset wanted(attributes.nested(ETHTOOL_A_FEATURES_WANTED));
    const Bitset active(attributes.nested(ETHTOOL_A_FEATURES_ACTIVE));
    const Bitset never(attributes.nested(ETHTOOL_A_FEATURES_NOCHANGE));
    core::Features features;
    for (const auto& [name, can_change] : changeable.bits()) {
        const bool on = active.contain(name);
        features.active.emplace_hint(features.active.end(), name, on);
        if (!can_change || never.contain(name))
            features.fixed.emplace_hint(features.fixed.end(), name);
        else if (wanted.contain(name) != on)
            features.requested.emplace_hint(features.requested.end(), name, !on);
    }
    return features;
}

core::Flags decode_unmet_features(Bytes payload) {
    return decode_bitset(Attributes::after<genlmsghdr>(payload).nested(ETHTOOL_A_FEATURES_WANTED));
}

void read_features(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto fill = [](core::Port& port, Bytes payload) {
        port.features = decode_features(payload);
        return port.features.has_value();
    };
    const auto ask = [&](core::Port& port) {
        Message request = ethtool_message(machine, ETHTOOL_MSG_FEATURES_GET,
                                          ETHTOOL_A_FEATURES_HEADER, port.name);
        machine.generic().get(request, [&](const Reply& reply) { fill(port, reply.payload); });
        if (!port.features) throw KernelError(EBADMSG, "features are not in the answer");
    };
    ask_together(
        machine, scope, state, {ETHTOOL_MSG_FEATURES_GET, ETHTOOL_A_FEATURES_HEADER}, fill,
        [&](core::Port& port) { attempt(port, {core::Object::features}, [&] { ask(port); }); });
}

void write_features(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.features || !then.features) throw KernelError(EOPNOTSUPP);
    const core::Flags unmet =
        ask_for(machine, now.name, now.features->active, then.features->active);
    if (unmet.empty()) return;
    core::Flags before;
    std::string names;
    for (const auto& [name, asked] : unmet) {
        const auto requested = now.features->requested.find(name);
        before.emplace(name,
                       requested == now.features->requested.end() ? !asked : requested->second);
        names += (names.empty() ? "" : ", ") + name + (asked ? " stays off" : " stays on");
    }
    static_cast<void>(ask_for(machine, now.name, unmet, before));
    throw KernelError(EOPNOTSUPP, names);
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::private_flags {

namespace {

constexpr std::array<std::string_view, 2> kPrivateFlags = {"link-down-on-close", "fw-lldp-agent"};

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("private_flags", {.kind = named, .words = kPrivateFlags, .of = &kFlag},
            "Switches of the driver's own, by its names (ethtool --show-priv-flags lists them); "
            "fw-lldp-agent of ice runs the NIC's own LLDP and DCBX agent.",
            get_named<&Port::private_flags>, set_named<&Port::private_flags>),
};

std::string names(const Flags& flags) {
    std::string out;
    for (const auto& [name, on] : flags)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// Whether the agent of the NIC is started or stopped; nothing where it stays as it is.
std::optional<bool> agent_change(const Driver& driver, const Port& now, const Port& then) {
    const auto before = now.private_flags->find(driver.private_flags.agent);
    const auto after = then.private_flags->find(driver.private_flags.agent);
    if (before == now.private_flags->end() || after == then.private_flags->end() ||
        before->second == after->second)
        return std::nullopt;
    return after->second;
}

bool maps_dscp(const Port& port) {
    return port.app && std::ranges::any_of(port.app->entries, [](const AppEntry& entry) {
               return entry.selector == AppEntry::dscp;
           });
}

/// As ice_set_priv_flags does: DCBX changes hands, and QoS starts from the defaults.
void change_hands(Port& port, bool agent) {
    if (port.dcbx) {
        constexpr unsigned owners = Dcbx::host | Dcbx::lld_managed;
        const unsigned owner = agent ? Dcbx::lld_managed : Dcbx::host;
        port.dcbx->bits = static_cast<std::uint8_t>((port.dcbx->bits & ~owners) | owner);
    }
    if (port.ets)
        port.ets = Ets{.algorithm = {Ets::shared},
                       .bandwidth = {100},
                       .capability = port.ets->capability,
                       .willing = true};
    if (port.pfc) port.pfc->priorities = 0;
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    for (const auto& [name, on] : *then.private_flags)
        if (!now.private_flags->contains(name))
            return "the driver has no flag '" + name + "', only " + names(*now.private_flags);
    if (agent_change(driver, now, then) == true && maps_dscp(now))
        return "the NIC's agent does not start while a DSCP is mapped";
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported: " + *reason};
    const std::optional<bool> agent = agent_change(driver, now, then);
    now.private_flags = then.private_flags;
    if (agent) change_hands(now, *agent);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ethtool --set-priv-flags " + shell(now.name);
    for (const auto& [name, on] : *then.private_flags) {
        const auto before = now.private_flags->find(name);
        if (before == now.private_flags->end() || before->second != on)
            line += " " + shell(name) + (on ? " on" : " off");
    }
    return {line};
}

constexpr std::array kConsults = {Object::app};

/// Whoever runs DCBX afterwards starts from the defaults.
Objects disturbs(const Driver& driver) {
    if (driver.private_flags.agent.empty()) return {};
    Objects out = {Object::dcbx, Object::ets, Object::pfc};
    if (driver.pause.gives_way) out.insert(Object::pause);
    return out;
}

}  // namespace

constinit const ObjectRow row = {.object = Object::private_flags,
                                 .name = "private_flags",
                                 .doc = "Switches of the driver's own.",
                                 .topic = Topic::queues,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.consults = kConsults,
                                           .by_driver = kAllByDriver,
                                           .disturbs = disturbs,
                                           .settle_ms = 2000},
                                 .words = {.spell = spell}};

}  // namespace core::private_flags

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::pause {

namespace {

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("pause.rx", {.kind = flag},
            "The port obeys link-level pause frames (IEEE 802.3 31B); off where PFC is used.",
            get_flag<&Port::pause, &Pause::rx>, set_flag<&Port::pause, &Pause::rx>),
    setting("pause.tx", {.kind = flag},
            "The port sends link-level pause frames; off where PFC is used.",
            get_flag<&Port::pause, &Pause::tx>, set_flag<&Port::pause, &Pause::tx>),
    setting("pause.autoneg", {.kind = flag}, "Pause is negotiated with the other end of the link.",
            get_flag<&Port::pause, &Pause::autoneg>, set_flag<&Port::pause, &Pause::autoneg>),
};

/// What the flags mean is not known where PFC has the same ones.
Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (!driver.pause.type_set_by.empty())
        return std::string(driver.name) +
               " shows the flags of PFC as those of pause, and any write of them makes them "
               "link-level pause; set it with " +
               std::string(driver.pause.type_set_by);
    const bool comes_on = (then.pause->rx && !now.pause->rx) || (then.pause->tx && !now.pause->tx);
    if (comes_on && now.pfc && now.pfc->priorities != 0)
        return "PFC is on, and link-level pause would stop every priority";
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!driver.pause.type_set_by.empty())
        if (const Reason reason = refuses(driver, now, then)) return Refusal{.text = *reason};
    if (driver.pause.gives_way && now.pfc && now.pfc->priorities != 0)
        return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported"};
    if (driver.pause.autoneg_errno != 0 && then.pause->autoneg != now.pause->autoneg)
        return Refusal{.code = driver.pause.autoneg_errno,
                       .text = driver.pause.autoneg_errno == EINVAL ? "Invalid argument"
                                                                    : "Operation not supported"};
    now.pause = then.pause;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ethtool --pause " + shell(now.name);
    const auto part = [&](const char* name, bool before, bool after) {
        if (before != after) line += std::string(" ") + name + (after ? " on" : " off");
    };
    part("autoneg", now.pause->autoneg, then.pause->autoneg);
    part("rx", now.pause->rx, then.pause->rx);
    part("tx", now.pause->tx, then.pause->tx);
    return {line};
}

std::optional<Unsupported> unsupported(const Driver& driver, const Port& /*port*/,
                                       std::string_view /*key*/) {
    if (!driver.pause.absent) return std::nullopt;
    return Unsupported{.text = std::string(driver.name) + " has no link-level pause to set"};
}

constexpr std::array kConsults = {Object::pfc};

constexpr std::array kAtBoot = {
    AtBoot{"pause.rx", BootProgram::link_file, "Link.RxFlowControl"},
    AtBoot{"pause.tx", BootProgram::link_file, "Link.TxFlowControl"},
    AtBoot{"pause.autoneg", BootProgram::link_file, "Link.AutoNegotiationFlowControl"},
    AtBoot{"pause.rx", BootProgram::network_manager, "ethtool.pause-rx"},
    AtBoot{"pause.tx", BootProgram::network_manager, "ethtool.pause-tx"},
    AtBoot{"pause.autoneg", BootProgram::network_manager, "ethtool.pause-autoneg"},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::pause,
                                 .name = "pause",
                                 .doc = "Link-level pause.",
                                 .topic = Topic::link,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .of_physical_function = true,
                                 .unsupported = unsupported,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.consults = kConsults, .by_driver = kAllByDriver},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::pause

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::fec {

namespace {

constexpr std::array<std::string_view, 5> kFec = {"auto", "off", "rs", "baser", "llrs"};

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("link.fec", {.kind = word, .words = kFec},
            "Forward error correction, the same at both ends: rs is Reed-Solomon, baser is "
            "Fire code, llrs is Reed-Solomon of low latency.",
            get_text<&Port::fec, &Fec::mode>, set_text<&Port::fec, &Fec::mode>),
    fact("link.fec_active", {.kind = text}, "Forward error correction in use.",
         get_text<&Port::fec, &Fec::active>, set_text<&Port::fec, &Fec::active>),
};

std::string names(const std::set<std::string>& modes) {
    std::string out;
    for (const std::string& mode : modes)
        out += (out.empty() ? "" : ", ") + mode;
    return out;
}

/// The port tells with its link modes which FEC it has, where it has a choice.
Reason not_there(const Port& now, const std::string& mode) {
    if (mode == Fec::automatic || !now.link_modes || now.link_modes->fec.empty() ||
        now.link_modes->fec.contains(mode))
        return std::nullopt;
    return "the port has no " + mode + ", only " + names(now.link_modes->fec) + " and auto";
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    const std::string& mode = then.fec->mode;
    if (mode.empty()) return "FEC is one of off, rs, baser, llrs or auto";
    if (now.fec->mode.empty())
        return "more than one FEC is asked for now, which rocectl cannot put back";
    if (mode != Fec::automatic) return not_there(now, mode);
    if (driver.fec.auto_unread)
        return std::string(driver.name) + " does not tell whether FEC is auto";
    if (driver.fec.auto_negotiates && now.link_modes && !now.link_modes->autoneg)
        return std::string(driver.name) + " has FEC auto only with link.autoneg on";
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    now.fec->mode = then.fec->mode;
    if (now.fec->mode != Fec::automatic) now.fec->active = now.fec->mode;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {"ethtool --set-fec " + shell(now.name) + " encoding " + shell(then.fec->mode)};
}

constexpr std::array kConsults = {Object::link_modes};

constexpr std::array kAtBoot = {
    AtBoot{"link.fec", BootProgram::network_manager, "ethtool.fec-*", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::fec,
    .name = "fec",
    .doc = "Forward error correction on the link.",
    .topic = Topic::link,
    .lives = Lives::hardware,
    .fields = kFields,
    .disruption = Disruption::link,
    .refuses = refuses,
    .play = play,
    .order = {.consults = kConsults, .by_driver = kAllByDriver, .settle_ms = 10000},
    .words = {.spell = spell},
    .boot = {.programs = kAtBoot}};

}  // namespace core::fec

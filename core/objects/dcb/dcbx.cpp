// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::dcbx {

namespace {

Got get_dcbx_mode(const Port& port) {
    if (!port.dcbx) return std::nullopt;
    // A driver that never reports host has a mode without an agent: static.
    const auto own = driver_of(port).dcbx.host;
    const unsigned by_host = (own & Dcbx::host) != 0 ? Dcbx::host : Dcbx::fixed;
    const bool host =
        (port.dcbx->bits & by_host) != 0 && (port.dcbx->bits & Dcbx::lld_managed) == 0;
    return one(std::string(host ? "host" : "firmware"));
}

void set_dcbx_mode(Port& port, const Elements& elements) {
    if (port.dcbx && get_dcbx_mode(port) == elements) return;
    const bool host = plain<std::string>(elements) == "host";
    const Driver& driver = driver_of(port);
    part_of<&Port::dcbx>(port).bits = host ? driver.dcbx.host : driver.dcbx.firmware.value_or(0);
}

constexpr std::array<std::string_view, 2> kOwners = {"host", "firmware"};

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("dcbx.mode", {.kind = word, .words = kOwners},
            "Who owns the port's DCB state: the host, or the NIC's firmware and its DCBX agent.",
            get_dcbx_mode, set_dcbx_mode),
    fact("dcbx.capability", {.kind = number, .max = 255},
         "DCBX mode bits as the driver reports them: host 1, lld-managed 2, cee 4, ieee 8, "
         "static 16.",
         get_number<&Port::dcbx, &Dcbx::bits>, set_number<&Port::dcbx, &Dcbx::bits>),
};

/// drivers/net/ethernet/intel/ice/ice_dcb_nl.c: "DCB changes not allowed when in a bond".
Reason bonded(const Driver& driver, const Port& port) {
    const std::string bond = link::bond_of(port);
    if (!driver.dcbx.needs_no_bond || bond.empty()) return std::nullopt;
    return "the port is a member of " + bond + ", and " + std::string(driver.name) +
           " refuses DCB then; take it out, and put it back afterwards";
}

}  // namespace

Reason owned_by_agent(const Driver& driver, const Port& port) {
    if (Reason reason = bonded(driver, port)) return reason;
    if (!driver.dcbx.writes_need_host || !port.dcbx) return std::nullopt;
    constexpr unsigned wanted = Dcbx::host | Dcbx::ieee;
    if ((port.dcbx->bits & wanted) == wanted && (port.dcbx->bits & Dcbx::lld_managed) == 0)
        return std::nullopt;
    return "DCBX is not the host's, and " + std::string(driver.name) +
           " refuses ETS, PFC and APP then";
}

namespace {

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = bonded(driver, now)) return reason;
    const bool host = (then.dcbx->bits & Dcbx::host) != 0;
    if (!can_be_hosts(driver))
        return "DCBX of " + std::string(driver.name) +
               " is never the host's: what it has is the "
               "firmware's own, static or IEEE, and ETS and PFC are taken in either";
    if ((now.dcbx->bits & Dcbx::lld_managed) != 0 && !driver.dcbx.agent_remedy.empty())
        return "the NIC's own DCBX agent owns the port and does not give it up";
    if (!host && !driver.dcbx.firmware)
        return std::string(driver.name) + " cannot give DCBX back to its firmware by DCB netlink";
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    // dcbnl answers SDCBX with a status byte of 1, no errno.
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = 0, .text = *reason};
    now.dcbx = then.dcbx;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string words;
    const unsigned bits = then.dcbx->bits;
    if ((bits & Dcbx::host) != 0) words += " host";
    if ((bits & Dcbx::lld_managed) != 0) words += " lld-managed";
    if ((bits & Dcbx::cee) != 0) words += " cee";
    if ((bits & Dcbx::ieee) != 0) words += " ieee";
    if ((bits & Dcbx::fixed) != 0) words += " static";
    return {"dcb dcbx set dev " + shell(now.name) + words};
}

/// What to do where the NIC's own agent has the port.
std::string_view remedy(const Driver& driver, const Port& port) {
    const bool agent = port.dcbx && (port.dcbx->bits & Dcbx::lld_managed) != 0;
    return agent ? driver.dcbx.agent_remedy : std::string_view();
}

constexpr std::array kAtBoot = {
    AtBoot{"*", BootProgram::services, "lldpad.service", false},
};

}  // namespace

Objects disturbed_by_qos(const Driver& driver) {
    Objects out;
    if (driver.reopens) out = {Object::link, Object::addresses, Object::routes, Object::neighbours};
    // ice applies all that it was ever told at each write, so one object may move the others.
    if (driver.dcb_applies_all) {
        out.insert({Object::ets, Object::pfc});
        if (driver.pause.gives_way) out.insert(Object::pause);
    }
    return out;
}

constinit const ObjectRow row = {.object = Object::dcbx,
                                 .name = "dcbx",
                                 .doc = "Who owns the port's DCB state.",
                                 .topic = Topic::dcb,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.by_driver = kAllByDriver},
                                 .chosen_by = {.others = Others::dcb_agent | Others::udev_rule},
                                 .words = {.remedy = remedy, .spell = spell, .by_family = true},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::dcbx

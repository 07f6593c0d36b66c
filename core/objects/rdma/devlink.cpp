// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::devlink {

namespace {

constexpr std::array<std::string_view, 3> kEffects = {"runtime", "driverinit", "permanent"};

Got get_effect(const Port& port) {
    if (!port.devlink) return std::nullopt;
    return one(std::string(kEffects.at(static_cast<std::size_t>(port.devlink->mode))));
}

void set_effect(Port& port, const Elements& elements) {
    const auto found = std::ranges::find(kEffects, plain<std::string>(elements));
    if (found == kEffects.end()) return;
    part_of<&Port::devlink>(port).mode = static_cast<EnableRoce::Mode>(found - kEffects.begin());
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("rdma.enable_roce", {.kind = flag},
            "Whether the NIC does RoCE, by its devlink parameter: mlx5_core's driver is started "
            "anew for it, ice takes it at once, and not beside iWARP, bnxt_en with the next reset. "
            "Nobody tells what the driver was started with: where a parameter was changed and no "
            "reload followed, verify takes the parameter for it.",
            get_flag<&Port::devlink, &EnableRoce::on>, set_flag<&Port::devlink, &EnableRoce::on>),
    fact("rdma.enable_roce_mode", {.kind = word, .words = kEffects},
         "When a change of rdma.enable_roce is in force.", get_effect, set_effect),
};

using Mode = EnableRoce::Mode;

/// A driver that starts anew, or takes its RDMA device away, leaves what nobody can foretell; what
/// is stored for the next start of the NIC changes nothing now.
bool ends_stage(const Port& now) {
    return now.devlink && now.devlink->mode != Mode::permanent;
}

std::optional<Unsupported> unsupported(const Driver& /*driver*/, const Port& port,
                                       std::string_view /*key*/) {
    if (port.link && port.link->pci.empty())
        return Unsupported{.text = "only a NIC has devlink parameters", .remedy = {}};
    return Unsupported{.text = "devlink has no parameter enable_roce for the device", .remedy = {}};
}

Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    if (!now.devlink) return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported"};
    now.devlink = then.devlink;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    const std::string device = shell("pci/" + (now.link ? now.link->pci : std::string()));
    const auto mode = now.devlink->mode;
    Commands lines = {"devlink dev param set " + device + " name enable_roce value " +
                      (then.devlink->on ? "true" : "false") + " cmode " +
                      std::string(kEffects.at(static_cast<std::size_t>(mode)))};
    if (mode == Mode::driverinit) lines.push_back("devlink dev reload " + device);
    return lines;
}

Reason remarks(const Driver& /*driver*/, const Host& /*host*/, const Port& now,
               const Port& /*then*/) {
    switch (now.devlink->mode) {
        case Mode::permanent: return "in force once the NIC is reset or the host booted";
        case Mode::driverinit:
            return "VLANs on the port go with the reload, and a bond loses it: make them again";
        case Mode::runtime: break;
    }
    return std::nullopt;
}

/// A driver that starts anew leaves nothing of its port as it was.
Objects disturbs(const Driver& /*driver*/) {
    Objects all;
    for (const ObjectRow* row : objects())
        if (row->play != nullptr && row->lives != Lives::host && row->lifecycle.unmade == nullptr &&
            row->object != Object::devlink)
            all.insert(row->object);
    return all;
}

}  // namespace

constinit const ObjectRow row = {
    .object = Object::devlink,
    .name = "devlink",
    .doc = "Whether the NIC does RoCE, where the kernel starts its driver anew for that.",
    .topic = Topic::rdma,
    .lives = Lives::hardware,
    .fields = kFields,
    .disruption = Disruption::reload,
    .unsupported = unsupported,
    .play = play,
    .order = {.disturbs = disturbs, .settle_ms = 30000, .ends_stage = ends_stage},
    .words = {.remarks = remarks, .spell = spell},
    .boot = {.kept_by_device = true}};

}  // namespace core::devlink

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::cm_defaults {

namespace {

constexpr std::array<std::string_view, 2> kModes = {"RoCE v2", "IB/RoCE v1"};

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("rdma.default_mode", {.kind = word, .words = kModes},
            "RoCE version of connections made by rdma_cm.",
            get_text<&Port::cm_defaults, &CmDefaults::mode>,
            set_text<&Port::cm_defaults, &CmDefaults::mode>),
    setting("rdma.default_tos", {.kind = number, .max = 255},
            "ToS byte of connections made by rdma_cm: DSCP times 4, plus 2 for ECT(0).",
            get_number<&Port::cm_defaults, &CmDefaults::tos>,
            set_number<&Port::cm_defaults, &CmDefaults::tos>),
};

std::string name_of(const std::string& protocol) {
    return protocol == "iw" ? "iWARP" : protocol;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.cm_directory || !*now.cm_directory)
        return Refusal{.code = ENOENT, .text = "No such file or directory"};
    // cma.c cma_set_default_gid_type: what is no RoCE device has one type of GID
    // (roce_gid_mgmt.c roce_gid_type_mask_support).
    const bool new_mode = !now.cm_defaults || now.cm_defaults->mode != then.cm_defaults->mode;
    if (new_mode && then.cm_defaults->mode == "RoCE v2" && !rdma_link::speaks_roce(now))
        return Refusal{.code = EINVAL,
                       .text = "the RDMA device " + now.rdma_link->device + " of " +
                               std::string(driver.name) + " speaks " +
                               name_of(now.rdma_link->protocol) + ", and not RoCE v2"};
    now.cm_defaults = then.cm_defaults;
    now.unknown.erase(Object::cm_defaults);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    const CmDefaults before = now.cm_defaults.value_or(CmDefaults{});
    const std::string files = shell(cm_directory::path_of_port(now)) + "/";
    if (then.cm_defaults->mode != before.mode && !then.cm_defaults->mode.empty())
        lines.push_back("echo " + shell(then.cm_defaults->mode) + " > " + files +
                        "default_roce_mode");
    if (then.cm_defaults->tos != before.tos || !now.cm_defaults)
        lines.push_back("echo " + std::to_string(then.cm_defaults->tos) + " > " + files +
                        "default_roce_tos");
    return lines;
}

Reason remarks(const Driver& driver, const Host& host, const Port& now, const Port& then) {
    if (then.cm_defaults->tos == 0 || !takes_tos_for_dscp(driver, host, now)) return std::nullopt;
    const Release& since = driver.cm_defaults.shifts_since;
    return "the kernel's RDMA driver of " + std::string(driver.name) + " before Linux " +
           core::text(since) + " takes the whole ToS for the DSCP, and this is " + host.kernel +
           ": unless that was fixed in it, packets with ToS " +
           std::to_string(then.cm_defaults->tos) + " do not leave with DSCP " +
           std::to_string(then.cm_defaults->tos >> 2U) +
           "; look at them on the wire, or use the vendor's driver";
}

constexpr std::array kConsults = {Object::rdma_link, Object::ecn_directory};

constexpr std::array kFoundBy = {Object::rdma_link};

}  // namespace

bool takes_tos_for_dscp(const Driver& driver, const Host& host, const Port& port) {
    const bool soft = port.rdma_link && !port.rdma_link->type.empty();
    // Which driver sits on the device is known by its way to congestion control alone: only the
    // vendor's has a configfs.
    return is_before(host, driver.cm_defaults.shifts_since) && !soft && !port.ecn_directory;
}

constinit const ObjectRow row = {
    .object = Object::cm_defaults,
    .name = "cm_defaults",
    .doc = "RoCE version and ToS of rdma_cm connections.",
    .topic = Topic::rdma,
    .lives = Lives::rdma_device,
    .fields = kFields,
    .alike = true,
    .unsupported = rdma_link::no_device,
    .play = play,
    .read = {.intents = true,
             .found_by = kFoundBy,
             .needs = "rdma.cm_directory",
             .unopened = "the ToS and the RoCE version of RDMA connections "
                         "cannot be read before their directory is made"},
    .order = {.consults = kConsults},
    .chosen_by = {.others = Others::udev_rule},
    .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::cm_defaults

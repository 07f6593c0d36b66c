// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/object/rows.hpp"

namespace core {
namespace {

std::string directory(const Port& port) {
    return "/sys/kernel/config/rdma_cm/" + (port.rdma ? port.rdma->device : std::string());
}

void lose_device(Port& port) {
    port.rdma->device.clear();
    port.rdma->type.clear();
    port.rdma_port.reset();
    port.cm_directory.reset();
    port.cm.reset();
    port.unknown.erase(Object::cm_defaults);
}

}  // namespace

namespace rdma_link_object {

Reason moot(const Port& port) {
    if (!port.rdma || port.rdma->device.empty() || !port.rdma->type.empty()) return std::nullopt;
    return "the port has the RDMA device " + port.rdma->device + " already, and needs no soft one";
}

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.rdma->type.empty()) lose_device(now);
    if (then.rdma->type.empty()) return std::nullopt;
    if (!now.rdma->device.empty())
        return Refusal{.code = EEXIST, .text = "the port already has an RDMA device"};
    // rxe_net.c rxe_newlink: "rxe creation allowed on top of a real device only"
    if (now.link && now.link->kind == "vlan")
        return Refusal{.code = EPERM, .text = "Operation not permitted"};
    now.rdma = then.rdma;
    now.cm_directory = false;
    // A new device starts with the newest version it knows and no ToS (cma.c cma_add_one), which
    // nobody can read before the directory is there.
    now.cm = CmDefaults{.mode = "RoCE v2", .tos = 0};
    now.unknown.insert(Object::cm_defaults);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    if (!now.rdma->type.empty() && now.cm_directory.value_or(false))
        lines.push_back("rmdir " + directory(now));
    if (!now.rdma->type.empty()) lines.push_back("rdma link delete " + now.rdma->device);
    if (!then.rdma->type.empty())
        lines.push_back("rdma link add " + then.rdma->device + " type " + then.rdma->type +
                        " netdev " + now.name);
    return lines;
}

}  // namespace rdma_link_object

namespace cm_directory_object {

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.rdma || now.rdma->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    now.cm_directory = then.cm_directory;
    if (*now.cm_directory) {
        if (now.cm) now.unknown.erase(Object::cm_defaults);
    } else {
        now.unknown.insert(Object::cm_defaults);
    }
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {(*then.cm_directory ? "mkdir " : "rmdir ") + directory(now)};
}

}  // namespace cm_directory_object

namespace cm_defaults_object {

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.cm_directory || !*now.cm_directory)
        return Refusal{.code = ENOENT, .text = "No such file or directory"};
    now.cm = then.cm;
    now.unknown.erase(Object::cm_defaults);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    const CmDefaults before = now.cm.value_or(CmDefaults{});
    const std::string files = directory(now) + "/ports/1/";
    if (then.cm->mode != before.mode && !then.cm->mode.empty())
        lines.push_back("echo '" + then.cm->mode + "' > " + files + "default_roce_mode");
    if (then.cm->tos != before.tos || !now.cm)
        lines.push_back("echo " + std::to_string(then.cm->tos) + " > " + files +
                        "default_roce_tos");
    return lines;
}

}  // namespace cm_defaults_object
}  // namespace core

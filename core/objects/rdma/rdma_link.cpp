// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

void lose_device(Port& port) {
    port.rdma->device.clear();
    port.rdma->type.clear();
    port.rdma_port.reset();
    port.rdma_moderation.reset();
    port.cm_directory.reset();
    port.cm.reset();
    port.unknown.erase(Object::cm_defaults);
}

Reason moot(const Port& port) {
    if (!port.rdma || port.rdma->device.empty() || !port.rdma->type.empty()) return std::nullopt;
    return "the port has the RDMA device " + port.rdma->device + " already, and needs no soft one";
}

Played name_taken(const State& state, const Port& /*now*/, const Port& then) {
    for (const Port& other : state.ports)
        if (other.name != then.name && other.rdma && !then.rdma->type.empty() &&
            other.rdma->device == then.rdma->device)
            return Refusal{.code = EEXIST, .text = "File exists"};
    return std::nullopt;
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
    now.rdma_moderation = false;  // only mlx5 turns it on by itself (hw/mlx5/main.c)
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
        lines.push_back("rmdir " + cm_path(now));
    if (!now.rdma->type.empty()) lines.push_back("rdma link delete " + now.rdma->device);
    if (!then.rdma->type.empty())
        lines.push_back("rdma link add " + then.rdma->device + " type " + then.rdma->type +
                        " netdev " + now.name);
    return lines;
}

constexpr std::array kTouches = {Object::rdma_port, Object::rdma_moderation, Object::cm_directory,
                                 Object::cm_defaults};

}  // namespace

constinit const ObjectRow rdma_link_row = {.object = Object::rdma_link,
                                           .name = "rdma_link",
                                           .doc = "A software RDMA device.",
                                           .copy = copy<&Port::rdma>,
                                           .settle_ms = 2000,
                                           .touches = kTouches,
                                           .moot = moot,
                                           .clashes = name_taken,
                                           .play = play,
                                           .spell = spell};

}  // namespace core

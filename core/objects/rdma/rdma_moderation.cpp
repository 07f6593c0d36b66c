// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {
namespace {

/// No device refuses it (ib_device_set_dim in drivers/infiniband/core/device.c); one that cannot
/// moderate goes on as before.
Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.rdma || now.rdma->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    now.rdma_moderation = then.rdma_moderation;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {"rdma dev set " + (now.rdma ? now.rdma->device : std::string()) +
            " adaptive-moderation " + (*then.rdma_moderation ? "on" : "off")};
}

constexpr std::array kConsults = {Object::rdma_link};

}  // namespace

constinit const ObjectRow rdma_moderation_row = {
    .object = Object::rdma_moderation,
    .name = "rdma_moderation",
    .doc = "Adaptive moderation of the RDMA device's completion queues.",
    .copy = copy<&Port::rdma_moderation>,
    .consults = kConsults,
    .lacks = no_rdma_device,
    .play = play,
    .spell = spell};

}  // namespace core

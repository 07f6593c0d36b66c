// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::rdma_moderation {

namespace {

Got get_moderation(const Port& port) {
    if (!port.rdma_moderation) return std::nullopt;
    return one(*port.rdma_moderation);
}

void set_moderation(Port& port, const Elements& elements) {
    port.rdma_moderation = plain<bool>(elements);
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("rdma.adaptive_moderation", {.kind = flag},
            "The kernel chooses how long the device waits before it interrupts for a completion "
            "queue of the kernel's own; those that are there keep what they have.",
            get_moderation, set_moderation),
};

/// No device refuses it (ib_device_set_dim in drivers/infiniband/core/device.c); one that cannot
/// moderate goes on as before.
Played play(const Driver& /*driver*/, State& /*state*/, Port& now, const Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    now.rdma_moderation = then.rdma_moderation;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {"rdma dev set " + shell(now.rdma_link ? now.rdma_link->device : std::string()) +
            " adaptive-moderation " + (*then.rdma_moderation ? "on" : "off")};
}

constexpr std::array kConsults = {Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::rdma_moderation,
    .name = "rdma_moderation",
    .doc = "Adaptive moderation of the RDMA device's completion queues.",
    .topic = Topic::rdma,
    .lives = Lives::rdma_device,
    .fields = kFields,
    .unsupported = rdma_link::no_device,
    .play = play,
    .read = {.found_by = kConsults},
    .order = {.consults = kConsults},
    .words = {.spell = spell}};

}  // namespace core::rdma_moderation

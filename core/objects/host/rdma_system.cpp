// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rows.hpp"

namespace core {
namespace {

/// EBUSY where another network namespace is there (rdma_compatdev_set,
/// drivers/infiniband/core/device.c), which no state tells.
Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.netns_mode = then.netns_mode;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& /*now*/, const Port& then) {
    return {"rdma system set netns " + *then.netns_mode};
}

}  // namespace

constinit const ObjectRow rdma_system_row = {.object = Object::rdma_system,
                                             .name = "rdma_system",
                                             .doc = "What network namespaces see of RDMA devices.",
                                             .of_host = true,
                                             .copy = copy<&Port::netns_mode>,
                                             .play = play,
                                             .spell = spell};

}  // namespace core

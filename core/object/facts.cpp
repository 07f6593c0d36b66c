// SPDX-License-Identifier: Apache-2.0
#include "core/object/rows.hpp"

// Objects that are only observed.

namespace core {

constinit const ObjectRow device_row = {.object = Object::device,
                                        .name = "device",
                                        .doc = "Driver and firmware.",
                                        .copy = copy<&Port::device>};

constinit const ObjectRow speed_row = {
    .object = Object::speed, .name = "speed", .doc = "Link speed.", .copy = copy<&Port::speed>};

constinit const ObjectRow rdma_port_row = {.object = Object::rdma_port,
                                           .name = "rdma_port",
                                           .doc = "State and GIDs.",
                                           .copy = copy<&Port::rdma_port>};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rows.hpp"

// Objects that are only read.

namespace core {

constinit const ObjectRow irqbalance_row = {
    .object = Object::irqbalance,
    .name = "irqbalance",
    .doc = "The daemon that moves interrupts between CPUs.",
    .of_host = true,
    .copy = copy<&Port::irqbalance>,
    .remedy = "systemctl disable --now irqbalance, or enable --now"};

constinit const ObjectRow tuned_row = {.object = Object::tuned,
                                       .name = "tuned",
                                       .doc = "The daemon that sets kernel parameters by profile.",
                                       .of_host = true,
                                       .copy = copy<&Port::tuned>,
                                       .remedy = "tuned-adm profile NAME"};

constinit const ObjectRow memlock_row = {
    .object = Object::memlock,
    .name = "memlock",
    .doc = "How much memory services and users may lock.",
    .of_host = true,
    .copy = copy<&Port::memlock>,
    .remedy =
        "of a service LimitMEMLOCK= in its unit, and restart it; of a user memlock in "
        "/etc/security/limits.d, and log in again"};

constinit const ObjectRow device_row = {.object = Object::device,
                                        .name = "device",
                                        .doc = "Driver and firmware.",
                                        .copy = copy<&Port::device>};

constinit const ObjectRow owners_row = {.object = Object::owners,
                                        .name = "owners",
                                        .doc = "Programs that manage the port too.",
                                        .copy = copy<&Port::owners>};

constinit const ObjectRow queue_pairs_row = {.object = Object::queue_pairs,
                                             .name = "queue_pairs",
                                             .doc = "Queue pairs, by who has them.",
                                             .copy = copy<&Port::queue_pairs>};

constinit const ObjectRow speed_row = {
    .object = Object::speed, .name = "speed", .doc = "Link speed.", .copy = copy<&Port::speed>};

constinit const ObjectRow rdma_port_row = {.object = Object::rdma_port,
                                           .name = "rdma_port",
                                           .doc = "State and GIDs.",
                                           .copy = copy<&Port::rdma_port>};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/checks/groups.hpp"
#include "core/checks/rows.hpp"

namespace core {

const FindingRow findings::no_carrier{
    .id = "no-carrier",
    .why = "The port is up as wished, and has no link: nothing leaves it, whatever is set.",
    .remedy = "the cable, the module and the other end; --wait where it is only slow",
    .manual = "rocectl(8), READINESS"};
const FindingRow findings::other_speed{
    .id = "other-speed",
    .why = "The link has another speed than the one that is wished.",
    .remedy = "the cable, the module and the speed that the other end offers",
    .manual = "rocectl(8), READINESS"};
const FindingRow findings::rdma_not_active{
    .id = "rdma-not-active",
    .why = "The link is there, and the RDMA port on it is not ACTIVE: nothing can connect.",
    .remedy = "what the kernel's log says of the RDMA device; rocectl show tells its state",
    .manual = "rocectl(8), READINESS"};
const FindingRow findings::rdma_mtu{
    .id = "rdma-mtu",
    .why =
        "The RDMA MTU follows from the port's MTU. A smaller one costs speed, a larger one loses "
        "packets.",
    .remedy = "the port down and up again, or its RDMA device made anew",
    .manual = "rocectl(8), READINESS"};
const FindingRow findings::no_gid{
    .id = "no-gid",
    .why =
        "The kernel keeps a GID for each address of a RoCE port. Without one nobody can connect "
        "from that address.",
    .remedy = "the address removed and added again; rocectl show lists the GIDs",
    .manual = "rocectl(8), READINESS"};

namespace {

constexpr std::array kAllReadiness = {&findings::no_carrier, &findings::other_speed,
                                      &findings::rdma_not_active, &findings::rdma_mtu,
                                      &findings::no_gid};

}  // namespace

const FindingGroup finding_group::readiness{
    .name = "readiness", .doc = "Whether ports that are as wished work.", .rows = kAllReadiness};

}  // namespace core

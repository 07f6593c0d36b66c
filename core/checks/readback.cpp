// SPDX-License-Identifier: Apache-2.0
#include "core/checks/groups.hpp"
#include "core/checks/rows.hpp"

namespace core {

const FindingRow findings::no_carrier{
    .id = "no-carrier",
    .why = "A port that had a carrier before has none after its link was lost.",
    .remedy = "--wait for more time; else the cable, the module and the other end",
    .manual = "rocectl(8), OPTIONS"};
const FindingRow findings::rdma_not_active{
    .id = "rdma-not-active",
    .level = FindingLevel::note,
    .why = "The link is back, and the RDMA port on it is not ACTIVE: nothing can connect.",
    .remedy = "--wait for more time; rocectl show tells its state",
    .manual = "rocectl(8), OPTIONS"};
const FindingRow findings::no_gid{.id = "no-gid",
                                  .level = FindingLevel::note,
                                  .why =
                                      "The kernel keeps a GID for each address of a RoCE port. "
                                      "Without one nobody can connect from that address.",
                                  .remedy = "--wait for more time; rocectl show lists the GIDs",
                                  .manual = "rocectl(8), OPTIONS"};
const FindingRow findings::changed{
    .id = "changed",
    .why = "A value is not what it was or was to be, though nobody wished it to change.",
    .remedy = "the program that wrote it; after a way back that failed, rocectl rollback",
    .manual = "rocectl(8), SAFETY"};
const FindingRow findings::not_put_back{
    .id = "not-put-back",
    .level = FindingLevel::note,
    .why = "A reload took something away that nobody wished away, and it could not be put back.",
    .remedy = "the value in the profile, and rocectl apply",
    .manual = "rocectl(8), DISRUPTION"};

namespace {

constexpr std::array kAllReadback = {&findings::no_carrier, &findings::rdma_not_active,
                                     &findings::no_gid, &findings::changed,
                                     &findings::not_put_back};

}  // namespace

const FindingGroup finding_group::readback{
    .name = "readback",
    .doc = "Whether the host is as it should be after a write.",
    .rows = kAllReadback};

}  // namespace core

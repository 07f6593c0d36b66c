// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"

namespace core {

const FindingRow findings::no_match{
    .id = "no-match",
    .why =
        "A profile that matches no port says nothing about this host, "
        "and nothing can be as desired.",
    .remedy = "match that is true of a port; rocectl show lists them",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::no_wish{.id = "no-wish",
                                   .why = "Ports match, and the profile states nothing of them.",
                                   .remedy = "a setting in the entry, or roce",
                                   .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::expect{
    .id = "expect",
    .why =
        "More or fewer ports match than the entry expects: one may have "
        "failed, or the match is wrong.",
    .remedy = "the missing port, or match and expect as the host is",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::conflict{
    .id = "conflict",
    .why = "Two entries state different values of one setting of one port.",
    .remedy = "entries of which one does not match the port, or that state the same",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::rdma_device{
    .id = "rdma-device",
    .why =
        "Settings of the RDMA device go to one device of a port, "
        "and only a person can say which is meant.",
    .remedy = "rdma.device in the entry",
    .manual = "rocectl-profile(5), ENTRIES"};

const FindingRow findings::address_twice{
    .id = "address-twice",
    .why = "An address is one port's: of two that have it, nobody knows which one answers.",
    .remedy = "an address for each port: ${address}, with a value for each port in --vars",
    .manual = "rocectl-profile(5), VARIABLES"};
const FindingRow findings::member_twice{
    .id = "member-twice",
    .why = "A port is a member of one bond, and the second one would take it from the first.",
    .remedy = "the port among the members of one bond",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::untagged{
    .id = "untagged",
    .why =
        "The port takes the priority from the VLAN tag, and only egress_priority of a VLAN puts "
        "one there: without it all traffic has priority 0.",
    .remedy = "vlans with egress_priority in the entry, or roce.trust dscp",
    .manual = "rocectl-profile(5), INTENT"};
const FindingRow findings::no_roce{
    .id = "no-roce",
    .level = FindingLevel::note,
    .why =
        "The port has an RDMA device, and nothing of the profile makes its traffic lossless or "
        "marks it.",
    .remedy = "roce, or roce null in the entry where that is meant",
    .manual = "rocectl-profile(5), INTENT"};

const FindingRow findings::accepted_stale{
    .id = "accepted-stale",
    .level = FindingLevel::note,
    .why =
        "A finding is accepted that is not found any more, or its last day is past: what is found "
        "next in its place would be overlooked, or is a fault again.",
    .remedy = "accepted without the entry, or with a later day in until",
    .manual = "rocectl-profile(5), ACCEPTED"};

namespace {

constexpr std::array kAllProfile = {
    &findings::no_match,      &findings::no_wish,       &findings::expect,   &findings::conflict,
    &findings::address_twice, &findings::member_twice,  &findings::untagged, &findings::no_roce,
    &findings::rdma_device,   &findings::accepted_stale};

}  // namespace

const FindingGroup finding_group::profile{
    .name = "profile",
    .doc = "Whether the profile can be held against this host.",
    .rows = kAllProfile};

}  // namespace core

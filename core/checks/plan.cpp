// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"

namespace core {

const FindingRow findings::gone{.id = "gone",
                                .why = "The port is not there any more.",
                                .remedy = "the port: its driver, its cable, its name",
                                .manual = "rocectl(8), SAFETY"};
const FindingRow findings::owned{
    .id = "owned",
    .level = FindingLevel::note,
    .why = "Another program writes what the plan writes, and may write it back.",
    .remedy = "--take OWNER, after that program was told to leave the port alone",
    .manual = "rocectl(8), OPTIONS"};
const FindingRow findings::held{
    .id = "held",
    .level = FindingLevel::note,
    .why =
        "Queue pairs are in use on a port whose link, or soft RDMA device, the plan costs: their "
        "connections break.",
    .remedy = "a time without traffic, then --allow",
    .manual = "rocectl(8), DISRUPTION"};
const FindingRow findings::stage{.id = "stage",
                                 .level = FindingLevel::note,
                                 .why =
                                     "A step reloads the driver, makes a bond that gets an RDMA "
                                     "device by itself, or loads a kernel module that may bring "
                                     "what is desired and not there. What is then cannot be "
                                     "foretold, so the plan ends there, and apply plans the rest.",

                                 .manual = "rocectl(8), DISRUPTION"};
const FindingRow findings::costs_more{.id = "costs-more",
                                      .why =
                                          "After a reload, or after an optional value was refused, "
                                          "the rest of the plan costs more than was shown and "
                                          "agreed to, so that it was not written.",
                                      .remedy = "--allow for what the rest costs",
                                      .manual = "rocectl(8), DISRUPTION"};
const FindingRow findings::irreplaceable{.id = "irreplaceable",
                                         .level = FindingLevel::note,
                                         .why = "A step takes away what rocectl cannot put back.",

                                         .manual = "rocectl(8), SAFETY"};
const FindingRow findings::goes_with_address{
    .id = "goes-with-address",
    .level = FindingLevel::note,
    .why = "The kernel removes a route when the address goes that it has as source.",
    .remedy = "the route with another source, if it is to stay",
    .manual = "rocectl-profile(5), SETTINGS"};
const FindingRow findings::management_link{
    .id = "management-link",
    .level = FindingLevel::note,
    .why =
        "The default route, or the session that the plan is made in, leads by a port whose link "
        "or address the plan takes: whoever is connected by it is cut off, for a moment or, "
        "where what is set is wrong, for good.",
    .remedy = "apply --confirm, which goes back by itself; or --port for the other ports first",
    .manual = "rocectl(8), DISRUPTION"};
const FindingRow findings::moved{
    .id = "moved",
    .level = FindingLevel::note,
    .why =
        "What the profile states for one port is on another of its ports: it moves. Where two "
        "ports have what is each other's, their addresses are exchanged, or their cables.",
    .remedy =
        "apply, which moves them; where the cables are exchanged, these, or the two values "
        "in the variables",
    .manual = "rocectl-profile(5), SETTINGS"};
const FindingRow findings::moot{
    .id = "moot",
    .level = FindingLevel::note,
    .why = "What is desired is there already in another form, and nothing is written.",
    .manual = "rocectl-profile(5), SETTINGS"};
const FindingRow findings::rule{.id = "rule",
                                .level = FindingLevel::note,
                                .why =
                                    "A step breaks a rule of the driver that no other order keeps; "
                                    "the device takes the write all the same.",
                                .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::remark{.id = "remark",
                                  .level = FindingLevel::note,
                                  .why =
                                      "How the value that is to change came to be, or what comes "
                                      "with the change.",
                                  .manual = "rocectl-profile(5), SETTINGS"};

namespace {

constexpr std::array kAllPlan = {&findings::gone,
                                 &findings::owned,
                                 &findings::held,
                                 &findings::stage,
                                 &findings::costs_more,
                                 &findings::irreplaceable,
                                 &findings::goes_with_address,
                                 &findings::management_link,
                                 &findings::moot,
                                 &findings::moved,
                                 &findings::rule,
                                 &findings::remark};

}  // namespace

const FindingGroup finding_group::plan{
    .name = "plan", .doc = "What there is to know before a plan is applied.", .rows = kAllPlan};

}  // namespace core

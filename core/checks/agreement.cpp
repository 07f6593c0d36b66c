// SPDX-License-Identifier: Apache-2.0
#include "core/checks/groups.hpp"
#include "core/checks/rows.hpp"

namespace core {

const FindingRow findings::switch_dscp{
    .id = "switch-dscp",
    .why =
        "A packet that port and switch put into different priorities is paused on one side and "
        "dropped on the other.",
    .remedy = "dscp.map as on the switch, or switch.dscp_map once the switches do so",
    .manual = "rocectl-profile(5), SWITCH"};
const FindingRow findings::switch_cnp_lossless{
    .id = "switch-cnp-lossless",
    .why =
        "A notification that the switch keeps in a lossless priority waits there behind the "
        "traffic it is to slow down.",
    .remedy = "a code point for roce.cnp.dscp that the switch puts into a priority that may drop",
    .manual = "rocectl-profile(5), SWITCH"};
const FindingRow findings::switch_tos_lossy{
    .id = "switch-tos-lossy",
    .why =
        "Connections made by rdma_cm carry the default ToS; the switch drops what its DSCP does "
        "not lead to a lossless priority.",
    .remedy = "rdma.default_tos whose DSCP the switch puts into a lossless priority",
    .manual = "rocectl-profile(5), SWITCH"};
const FindingRow findings::switch_lossless{
    .id = "switch-lossless",
    .why = "A priority is lossless only where both ends of the link pause it.",
    .remedy = "pfc.priorities as on the switch, or switch.lossless once the switches do so",
    .manual = "rocectl-profile(5), SWITCH"};

namespace {

constexpr std::array kAllAgreement = {&findings::switch_dscp, &findings::switch_cnp_lossless,
                                      &findings::switch_tos_lossy, &findings::switch_lossless};

}  // namespace

const FindingGroup finding_group::agreement{
    .name = "switch",
    .doc = "Whether ports and switches agree, as far as the profile states what the switches do.",
    .rows = kAllAgreement};

}  // namespace core

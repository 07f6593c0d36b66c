// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"

namespace core {

const FindingRow findings::broken{
    .id = "broken",
    .why = "An error ended the command while it wrote, or during its rollback.",
    .remedy = "rocectl rollback, once what the error names is fixed",
    .manual = "rocectl(8), SAFETY"};
const FindingRow findings::not_restored{
    .id = "not-restored",
    .level = FindingLevel::unknown,
    .why = "A write of the rollback failed, and whether the old value is there cannot be read.",
    .remedy = "rocectl rollback, once the device answers",
    .manual = "rocectl(8), SAFETY"};
const FindingRow findings::other_port{
    .id = "other-port",
    .why =
        "Another device has the name of the port that was recorded, "
        "so that nothing is written to it.",
    .remedy = "the port under its PCI address and MAC",
    .manual = "rocectl(8), SAFETY"};
const FindingRow findings::unnoted{
    .id = "unnoted",
    .level = FindingLevel::note,
    .why =
        "The journal could not be written during the rollback, which does not wait for that: "
        "what history tells of it is not whole.",
    .remedy = "room on /var/lib, and that it can be written",
    .manual = "rocectl(8), SAFETY"};

namespace {

constexpr std::array kAllUndo = {&findings::broken, &findings::not_restored, &findings::other_port,
                                 &findings::unnoted};

}  // namespace

const FindingGroup finding_group::undo{
    .name = "undo", .doc = "Whether the rollback restored the previous values.", .rows = kAllUndo};

}  // namespace core

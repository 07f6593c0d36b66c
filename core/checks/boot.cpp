// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"

namespace core {

const FindingRow findings::overwritten_at_boot{
    .id = "overwritten-at-boot",
    .why =
        "A file says another value, and its program sets that at boot: what passes "
        "now fails after a reboot.",
    .remedy = "the value that the profile states in that file, or the line taken out",
    .manual = "rocectl-verify(8), AFTER A REBOOT"};
const FindingRow findings::lost_at_boot{
    .id = "lost-at-boot",
    .why =
        "The value is in the kernel alone, and nothing that is read at boot states it: what "
        "passes now fails after a reboot.",
    .remedy =
        "rocectl.service enabled with the profile, or the value in a file of the program that "
        "sets up the port",
    .manual = "rocectl-verify(8), AFTER A REBOOT"};
const FindingRow findings::unknown_at_boot{
    .id = "unknown-at-boot",
    .level = FindingLevel::unknown,
    .why = "Files do not tell what the value is after a reboot, or could not be read.",
    .remedy = "what the finding names: a file that can be read, or one program that states it",
    .manual = "rocectl-verify(8), AFTER A REBOOT"};
const FindingRow findings::restored_at_boot{
    .id = "restored-at-boot",
    .level = FindingLevel::note,
    .why = "The value is set again when the host starts, by the file that is named.",
    .manual = "rocectl-verify(8), AFTER A REBOOT"};

namespace {

constexpr std::array kAllBoot = {&findings::overwritten_at_boot, &findings::lost_at_boot,
                                 &findings::unknown_at_boot, &findings::restored_at_boot};

}  // namespace

const FindingGroup finding_group::boot{
    .name = "boot", .doc = "Whether it is still so after a reboot.", .rows = kAllBoot};

}  // namespace core

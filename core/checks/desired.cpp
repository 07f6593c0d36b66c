// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"

namespace core {

const FindingRow findings::unsupported{
    .id = "unsupported",
    .why = "The port, its driver or the kernel has no such setting.",
    .remedy = "optional where it can be done without; else another driver, firmware or kernel",
    .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::no_rdma_device{
    .id = "no-rdma-device",
    .why = "The setting is one of an RDMA device, and the port has none.",
    .remedy = "the NIC's RDMA driver, or rdma.link for soft RoCE",
    .manual = "rocectl-profile(5), SETTINGS"};
const FindingRow findings::firmware{
    .id = "firmware",
    .why = "The value belongs to the firmware of the NIC, which the kernel gives no way to set.",
    .remedy = "the vendor's tool, and optional in the profile",
    .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::closed{
    .id = "closed",
    .why =
        "The kernel has the setting in a place that is closed on this host: debugfs is not "
        "mounted, or the kernel is locked down.",
    .remedy = "that place open, or the setting optional",
    .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::unreadable{
    .id = "unreadable",
    .level = FindingLevel::unknown,
    .why = "The kernel failed to tell a value. What cannot be read is never taken for right.",
    .remedy = "what the kernel says it lacks: a permission, a module, a device that answers",
    .manual = "rocectl(8), EXIT STATUS"};
const FindingRow findings::unknown{.id = "unknown",
                                   .level = FindingLevel::unknown,
                                   .why = "The value can be read only after something was written.",
                                   .remedy = "rocectl apply, which writes that first",
                                   .manual = "rocectl-profile(5), SETTINGS"};
const FindingRow findings::unrecorded{
    .id = "unrecorded",
    .level = FindingLevel::unknown,
    .why =
        "The state file was made by a snapshot that did not ask for the value: the kernel has "
        "more parameters and modules than anybody can list.",
    .remedy = "rocectl snapshot PROFILE on that host, which records what the profile names",
    .manual = "rocectl-snapshot(8), DESCRIPTION"};
const FindingRow findings::infeasible{
    .id = "infeasible",
    .why = "The device would refuse the value, or a rule of the device would be broken.",
    .remedy = "a value that it takes; the finding says why it takes not this one",
    .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::contradiction{
    .id = "contradiction",
    .why = "Another desired value, or the device itself, undoes the write.",
    .remedy = "only one of the two desired values",
    .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::not_stored{
    .id = "not-stored",
    .why = "The device answers yes to the write and stores something else.",
    .remedy = "a value that the device stores",
    .manual = "rocectl-profile(5), DRIVERS"};
const FindingRow findings::verified_only{
    .id = "verified-only",
    .why =
        "The value is not as desired, and rocectl reads it and does not set it. It keeps nothing "
        "else from being applied.",
    .remedy = "the command that sets it, which the finding names",
    .manual = "rocectl-profile(5), SETTINGS"};
const FindingRow findings::external{
    .id = "external",
    .why =
        "The value is not as desired, and the profile leaves it to another program. It keeps "
        "nothing else from being applied.",
    .remedy = "that program, or the setting without external",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::required{
    .id = "required",
    .why =
        "The value is not as desired, rocectl does not set it, and the profile requires it: "
        "nothing "
        "is written before it is so.",
    .remedy = "what sets it, or the profile without it under required",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::other_fact{
    .id = "other-fact",
    .why =
        "A fact is not what the profile expects of it. Nothing writes it: plan and apply note it, "
        "and verify counts it.",
    .remedy = "the slot, firmware, BIOS or kernel option that decides it, or another expectation",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::unknown_fact{
    .id = "unknown-fact",
    .level = FindingLevel::unknown,
    .why =
        "A fact that the profile expects something of could not be read. Plan and apply note it, "
        "and to verify it is no pass.",
    .remedy = "what the finding says it lacks, or the profile without the expectation",
    .manual = "rocectl-profile(5), ENTRIES"};
const FindingRow findings::drift{
    .id = "drift",
    .why = "The host is not as the profile says: it was never applied, or something changed since.",
    .remedy = "rocectl apply of the profile; rocectl verify lists every value",
    .manual = "rocectl-doctor(8), DESCRIPTION"};
const FindingRow findings::forgone{
    .id = "forgone",
    .level = FindingLevel::note,
    .why =
        "The device refused a value that is optional. Its object reads as before the write, and "
        "the rest was applied. What the device will refuse again nobody can foretell, so that plan "
        "goes on naming the value, and apply goes on trying it. To verify it is no difference as "
        "long as the host is not started anew: the journal has what was refused, and a snapshot "
        "holds it too.",
    .remedy = "a value that the device takes, or the profile without it",
    .manual = "rocectl(8), SAFETY"};

namespace {

constexpr std::array kAllDesired = {
    &findings::unsupported,  &findings::no_rdma_device, &findings::firmware,
    &findings::closed,       &findings::unreadable,     &findings::unknown,
    &findings::unrecorded,   &findings::infeasible,     &findings::contradiction,
    &findings::not_stored,   &findings::verified_only,  &findings::external,
    &findings::required,     &findings::forgone,        &findings::other_fact,
    &findings::unknown_fact, &findings::drift};

}  // namespace

const FindingGroup finding_group::desired{
    .name = "wish", .doc = "Whether this host can hold what is desired.", .rows = kAllDesired};

}  // namespace core

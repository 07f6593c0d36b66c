// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/model/finding_names.hpp"

namespace core {

const FindingRow findings::changed{
    .id = "changed",
    .why = "A value is not what it was or was to be, though nobody desired it to change.",
    .remedy = "the program that wrote it; after a rollback that failed, rocectl rollback again",
    .manual = "rocectl(8), SAFETY"};
const FindingRow findings::not_put_back{.id = "not-put-back",
                                        .level = FindingLevel::note,
                                        .why =
                                            "A reload took something away that nobody stated to be "
                                            "absent, and it could not be put back.",
                                        .remedy = "the value in the profile, and rocectl apply",
                                        .manual = "rocectl(8), DISRUPTION"};

namespace {

constexpr std::array kAllReadback = {&findings::changed, &findings::not_put_back};

}  // namespace

const FindingGroup finding_group::readback{
    .name = "readback",
    .doc = "Whether the host is as it should be after a write.",
    .rows = kAllReadback};

}  // namespace core

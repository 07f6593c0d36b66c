// SPDX-License-Identifier: Apache-2.0
#include "core/profile/conflict.hpp"

#include "core/model/finding_names.hpp"

namespace core {
namespace {

/// `roce.json:8 states 9000`; with the pointer where the line is that of `other` too.
std::string reported_from(const Said& said, const Said& other) {
    const bool same_line =
        said.origin.file == other.origin.file && said.origin.line == other.origin.line;
    return text(said.origin) + (same_line ? " at " + said.origin.pointer : "") + " states " +
           said.value;
}

}  // namespace

Said said_in(const Desired& desired, const std::string& port) {
    Said out{.value = desired.value ? text(*desired.value) : "none", .origin = desired.origin};
    if (desired.port != port) out.origin.pointer += " for " + desired.port;
    return out;
}

Finding conflict(const std::string& port, const std::string& key, const Said& one,
                 const Said& other) {
    return {.id = findings::conflict,
            .port = port,
            .key = key,
            .text = reported_from(one, other) + ", " + reported_from(other, one),
            .remedy = "let one of them not match this port, or state the same in both"};
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/profile/conflict.hpp"

#include "core/model/finding_names.hpp"

namespace core {
namespace {

/// `roce.json:8 wishes 9000`; with the pointer where the line is that of `other` too.
std::string told_from(const Said& said, const Said& other) {
    const bool same_line =
        said.origin.file == other.origin.file && said.origin.line == other.origin.line;
    return text(said.origin) + (same_line ? " at " + said.origin.pointer : "") + " wishes " +
           said.value;
}

}  // namespace

Said said_in(const Wish& wish, const std::string& port) {
    Said out{.value = wish.value ? text(*wish.value) : "none", .origin = wish.origin};
    if (wish.port != port) out.origin.pointer += " for " + wish.port;
    return out;
}

Finding conflict(const std::string& port, const std::string& key, const Said& one,
                 const Said& other) {
    return {.id = findings::conflict,
            .port = port,
            .key = key,
            .text = told_from(one, other) + ", " + told_from(other, one),
            .remedy = "let one of them not match this port, or state the same in both"};
}

}  // namespace core

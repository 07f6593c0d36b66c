// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/objects/edit.hpp"
#include "core/objects/rows.hpp"

namespace core {

/// The old entry of a priority goes before its new one comes: both may stand side by side, and the
/// kernel hands on either (dcb_getrewr in net/dcb/dcbnl.c).
std::vector<Edit<AppEntry>> rewrite_edits(const Rewrite& now, const Rewrite& then) {
    using Kind = Edit<AppEntry>::Kind;
    std::vector<Edit<AppEntry>> edits;
    for (const AppEntry& entry : now.entries)
        if (!then.entries.contains(entry)) edits.push_back({Kind::remove, entry});
    for (const AppEntry& entry : then.entries)
        if (!now.entries.contains(entry)) edits.push_back({Kind::add, entry});
    return edits;
}

namespace {

std::optional<Lack> lacks(const Driver& driver, const Port& /*port*/, std::string_view /*key*/) {
    if (!driver.rewrites)
        return Lack{.text = std::string(driver.name) +
                            " writes no DSCP into packets; the kernel would only note the wish",
                    .remedy = "have the switch rewrite, or the application set its traffic class"};
    // One that has no DCB at all is refused before that.
    return Lack{.text = "the kernel is older than Linux 6.3", .remedy = {}};
}

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.rewrite = then.rewrite;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const Edit<AppEntry>& edit : rewrite_edits(*now.rewrite, *then.rewrite)) {
        const std::string verb = edit.kind == Edit<AppEntry>::Kind::remove ? "del" : "add";
        lines.push_back("dcb rewr " + verb + " dev " + now.name + " prio-dscp " +
                        std::to_string(edit.entry.priority) + ":" +
                        std::to_string(edit.entry.protocol));
    }
    return lines;
}

/// dcbnl_ieee_set stores the entry where the driver has no dcbnl_setrewr, and answers alike.
Reason remarks(const Driver& /*driver*/, const Port& /*now*/, const Port& /*then*/) {
    return "the kernel stores it for a driver that does nothing with it as well; see what leaves "
           "the port";
}

}  // namespace

constinit const ObjectRow rewrite_row = {.object = Object::rewrite,
                                         .name = "rewrite",
                                         .doc = "What the port writes into the packets it sends.",
                                         .copy = copy<&Port::rewrite>,
                                         .lacks = lacks,
                                         .remarks = remarks,
                                         .play = play,
                                         .spell = spell};

}  // namespace core

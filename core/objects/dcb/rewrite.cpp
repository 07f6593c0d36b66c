// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/dcb/number_map.hpp"
#include "core/objects/rows.hpp"

namespace core::rewrite {

namespace {

/// The kernel keeps the table for drivers that do nothing with it as well.
Got get_rewrite(const Port& port) {
    if (!port.rewrite || !driver_of(port).rewrite.obeyed) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.rewrite->entries)
        if (is_of<AppEntry::dscp>(entry)) add_number(elements, entry.priority, entry.protocol);
    return elements;
}

void set_rewrite(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::rewrite>(port).entries;
    std::erase_if(entries, is_of<AppEntry::dscp>);
    for_each_number(elements, [&](std::uint64_t priority, std::uint64_t dscp) {
        entries.insert({AppEntry::dscp, static_cast<std::uint16_t>(dscp),
                        static_cast<std::uint8_t>(priority)});
    });
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("dscp.rewrite", {.kind = map, .max = 63, .key_max = 7},
            "DSCP that the port writes into the packets that it sends in each priority; since "
            "Linux 6.3, and of switches: no driver of a RoCE NIC does it.",
            get_rewrite, set_rewrite),
};

}  // namespace

/// The old entry of a priority goes before its new one comes: both may stand side by side, and the
/// kernel hands on either (dcb_getrewr in net/dcb/dcbnl.c).
std::vector<Edit<AppEntry>> edits(const Rewrite& now, const Rewrite& then) {
    using Kind = Edit<AppEntry>::Kind;
    std::vector<Edit<AppEntry>> edits;
    for (const AppEntry& entry : now.entries)
        if (!then.entries.contains(entry)) edits.push_back({Kind::remove, entry});
    for (const AppEntry& entry : then.entries)
        if (!now.entries.contains(entry)) edits.push_back({Kind::add, entry});
    return edits;
}

namespace {

std::optional<Unsupported> unsupported(const Driver& driver, const Port& /*port*/,
                                       std::string_view /*key*/) {
    if (!driver.rewrite.obeyed)
        return Unsupported{
            .text = std::string(driver.name) +
                    " writes no DSCP into packets; the kernel would only note the desired value",
            .remedy = "have the switch rewrite, or the application set its traffic class"};
    // One that has no DCB at all is refused before that.
    return Unsupported{.text = "the kernel is older than Linux 6.3", .remedy = {}};
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const Edit<AppEntry>& edit : edits(*now.rewrite, *then.rewrite)) {
        const std::string verb = edit.kind == Edit<AppEntry>::Kind::remove ? "del" : "add";
        lines.push_back("dcb rewr " + verb + " dev " + shell(now.name) + " prio-dscp " +
                        std::to_string(edit.entry.priority) + ":" +
                        std::to_string(edit.entry.protocol));
    }
    return lines;
}

/// dcbnl_ieee_set stores the entry where the driver has no dcbnl_setrewr, and answers alike.
Reason remarks(const Driver& /*driver*/, const Host& /*host*/, const Port& /*now*/,
               const Port& /*then*/) {
    return "the kernel stores it for a driver that does nothing with it as well; see what leaves "
           "the port";
}

}  // namespace

constinit const ObjectRow row = {.object = Object::rewrite,
                                 .name = "rewrite",
                                 .doc = "What the port writes into the packets it sends.",
                                 .topic = Topic::dcb,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .unsupported = unsupported,
                                 .play = take<&Port::rewrite>,
                                 .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::rewrite

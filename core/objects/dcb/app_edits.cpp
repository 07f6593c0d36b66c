// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "core/objects/dcb/app.hpp"
#include "core/objects/dcb/number_map.hpp"
#include "core/objects/rows.hpp"

// How to get from one APP table to another.

namespace core::app {

bool same_key(const AppEntry& left, const AppEntry& right) {
    return left.selector == right.selector && left.protocol == right.protocol;
}

std::vector<AppEntry> minus(const std::set<AppEntry>& left, const std::set<AppEntry>& right) {
    std::vector<AppEntry> out;
    std::ranges::set_difference(left, right, std::back_inserter(out));
    return out;
}

namespace {

using AppEdit = Edit<AppEntry>;
using Kind = AppEdit::Kind;

bool holds_key(const std::vector<AppEntry>& entries, const AppEntry& entry) {
    return std::ranges::any_of(entries,
                               [&](const AppEntry& other) { return same_key(other, entry); });
}

/// A code point that neither table uses, to stand in while the last DSCP entry is exchanged.
AppEntry unused_dscp(const App& now, const App& then) {
    for (std::uint16_t code_point = 63; code_point > 0; --code_point) {
        const AppEntry entry{AppEntry::dscp, code_point, 0};
        const auto uses = [&](const AppEntry& other) { return same_key(other, entry); };
        if (std::ranges::none_of(now.entries, uses) && std::ranges::none_of(then.entries, uses))
            return entry;
    }
    return {AppEntry::dscp, 0, 0};
}

/// Datagram entries before DSCP ones, and within them by priority: RoCE before CNP, which bnxt
/// wants last (its README, "DSCP App TLV for CNP should be programmed at the end").
bool written_before(const AppEntry& left, const AppEntry& right) {
    return std::tuple(is_of<AppEntry::dscp>(left), left.priority, left.protocol) <
           std::tuple(is_of<AppEntry::dscp>(right), right.priority, right.protocol);
}

bool empties_dscp_on_the_way(const App& now, const std::vector<AppEdit>& edits) {
    std::set<AppEntry> entries = now.entries;
    for (const AppEdit& edit : edits) {
        if (edit.kind == Kind::remove) {
            entries.erase(edit.entry);
            if (is_of<AppEntry::dscp>(edit.entry) &&
                std::ranges::none_of(entries, is_of<AppEntry::dscp>))
                return true;
        } else {
            entries.insert(edit.entry);
        }
    }
    return false;
}

}  // namespace

std::vector<AppEdit> edits(const Driver& driver, const App& now, const App& then) {
    std::vector<AppEntry> gone = minus(now.entries, then.entries);
    std::vector<AppEntry> come = minus(then.entries, now.entries);
    std::ranges::sort(come, written_before);
    const bool replaces = driver.app.existing == Driver::App::Existing::replaced;
    std::vector<AppEdit> edits;
    // New code points first, so that the last old one need not be the last of all.
    for (const AppEntry& entry : come)
        if (!holds_key(gone, entry)) edits.push_back({Kind::add, entry});
    for (const AppEntry& entry : come) {
        if (!holds_key(gone, entry)) continue;
        if (!replaces)
            for (const AppEntry& old : gone)
                if (same_key(old, entry)) edits.push_back({Kind::remove, old});
        edits.push_back({replaces ? Kind::replace : Kind::add, entry});
    }
    for (const AppEntry& entry : gone)
        if (!holds_key(come, entry)) edits.push_back({Kind::remove, entry});

    const bool ends_with_dscp = std::ranges::any_of(then.entries, is_of<AppEntry::dscp>);
    if (driver.app.last_dscp_resets && ends_with_dscp && empties_dscp_on_the_way(now, edits)) {
        const AppEntry stand_in = unused_dscp(now, then);
        edits.insert(edits.begin(), {Kind::add, stand_in});
        edits.push_back({Kind::remove, stand_in});
    }
    return edits;
}

}  // namespace core::app

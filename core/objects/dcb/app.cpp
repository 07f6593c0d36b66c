// SPDX-License-Identifier: Apache-2.0
#include "core/objects/dcb/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "core/model/access.hpp"
#include "core/model/edit.hpp"
#include "core/model/selectors.hpp"
#include "core/model/shell.hpp"
#include "core/objects/dcb/number_map.hpp"
#include "core/objects/rows.hpp"

namespace core::app {

namespace {

/// Whether both are for the same packets, whatever priority they give them.
bool same_key(const AppEntry& left, const AppEntry& right) {
    return left.selector == right.selector && left.protocol == right.protocol;
}

/// The entries of the one table that the other has not.
std::vector<AppEntry> minus(const std::set<AppEntry>& left, const std::set<AppEntry>& right) {
    std::vector<AppEntry> out;
    std::ranges::set_difference(left, right, std::back_inserter(out));
    return out;
}

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

namespace {

/// The class of a priority's number, where the driver needs it and the port has none.
bool lacks_class(const Driver& driver, const Port& port, const AppEntry& entry) {
    return driver.app.below_classes && port.ets && is_of<AppEntry::dscp>(entry) &&
           entry.priority >= ets::classes_of(port);
}

/// One edit, as the driver does it: Linux 6.12, the files named in core/drivers.
Refused play_edit(const Driver& driver, Port& port, const AppEdit& edit) {
    const Refusal invalid{.code = EINVAL, .text = "Invalid argument"};
    if (dcbx::owned_by_agent(driver, port)) return invalid;
    if (!is_of<AppEntry::dscp>(edit.entry) && !driver.app.takes_others) return invalid;
    if (is_of<AppEntry::dscp>(edit.entry) && edit.kind != Kind::remove &&
        !driver.app.no_dscp.empty())
        return invalid;
    std::set<AppEntry>& entries = port.app->entries;
    if (edit.kind == Kind::remove) {
        if (entries.erase(edit.entry) == 0)
            return Refusal{.code = ENOENT, .text = "No such file or directory"};
        if (driver.app.last_dscp_resets && is_of<AppEntry::dscp>(edit.entry) &&
            std::ranges::none_of(entries, is_of<AppEntry::dscp>)) {
            if (port.ets) {
                port.ets->traffic_class = {};
                port.ets->algorithm = {Ets::shared};
                port.ets->bandwidth = {100};
            }
            if (port.pfc) port.pfc->priorities = 0;
        }
        return std::nullopt;
    }
    if (lacks_class(driver, port, edit.entry)) return invalid;
    const bool first_dscp =
        is_of<AppEntry::dscp>(edit.entry) && std::ranges::none_of(entries, is_of<AppEntry::dscp>);
    const bool there = std::ranges::any_of(
        entries, [&](const AppEntry& other) { return same_key(other, edit.entry); });
    if (there && driver.app.existing == Driver::App::Existing::refused) return invalid;
    if (driver.app.existing == Driver::App::Existing::kept_beside && entries.contains(edit.entry))
        return Refusal{.code = EEXIST, .text = "File exists"};
    if (driver.app.existing == Driver::App::Existing::replaced)
        std::erase_if(entries, [&](const AppEntry& other) { return same_key(other, edit.entry); });
    entries.insert(edit.entry);
    if (first_dscp && driver.app.first_dscp_sets_ets && port.ets) {
        for (std::uint8_t i = 0; i < ets::classes_of(port); ++i)
            port.ets->traffic_class.at(i) = i;
        port.ets->algorithm.fill(Ets::shared);
        port.ets->bandwidth = {100};
    }
    return std::nullopt;
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    if (Reason reason = dcbx::owned_by_agent(driver, now)) return reason;
    for (const AppEntry& entry : minus(then.app->entries, now.app->entries))
        if (is_of<AppEntry::dscp>(entry) && !driver.app.no_dscp.empty())
            return std::string(driver.app.no_dscp);
    for (const AppEntry& entry : minus(then.app->entries, now.app->entries))
        if (!is_of<AppEntry::dscp>(entry) && !driver.app.takes_others)
            return std::string(driver.name) + " takes no APP entries with this selector";
    for (const AppEntry& entry : minus(then.app->entries, now.app->entries))
        if (lacks_class(driver, now, entry))
            return "the port has " + std::to_string(ets::classes_of(now)) +
                   " traffic classes, and " + std::string(driver.name) +
                   " takes no DSCP entry of priority " + std::to_string(entry.priority) +
                   "; state a priority below " + std::to_string(ets::classes_of(now));
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.app) return std::nullopt;  // no op: answered with yes, and nothing is stored
    for (const AppEdit& edit : edits(driver, *now.app, *then.app)) {
        if (Refused no = play_edit(driver, now, edit)) return no;
        if (driver.reopens) link::reopen(now);
    }
    if (now.app->trust && then.app->trust) now.app->trust = then.app->trust;
    return std::nullopt;
}

/// Whether the kernel's RDMA driver tags RoCE packets because of the entry (DGRAM, 4791). What it
/// counts tells, as its counters were renamed in the same release (bnxt_re/hw_counters.c); else
/// the kernel's version is all there is to go by.
bool tags_roce(const Driver& driver, const Host& host, const Port& port) {
    if (port.rdma_counters && port.rdma_counters->contains("out_of_sequence")) return false;
    if (port.rdma_counters && port.rdma_counters->contains("oos_drop_count")) return true;
    return is_before(host, driver.app.dgram_tags_before);
}

bool shown_by_map(const AppEntry& entry) {
    return entry.selector == AppEntry::dscp || entry.selector == AppEntry::dgram;
}

Got get_trust(const Port& port) {
    if (!port.app) return std::nullopt;
    const auto& app = *port.app;
    bool dscp = false;
    if (driver_of(port).app.trust == Driver::App::Trust::by_map) {
        dscp = std::ranges::any_of(
            app.entries, [](const AppEntry& entry) { return entry.selector == AppEntry::dscp; });
    } else {
        if (!app.trust) return std::nullopt;
        return one(trust_words(*app.trust));
    }
    return one(std::string(dscp ? "dscp" : "pcp"));
}

/// Where trust follows from the map there is nothing to set.
void set_trust(Port& port, const Elements& elements) {
    auto& app = part_of<&Port::app>(port);
    if (driver_of(port).app.trust == Driver::App::Trust::by_map) return;
    app.trust = trust_selectors(plain<std::string>(elements));
}

template <std::uint8_t Selector>
Got get_map(const Port& port) {
    if (!port.app) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.app->entries)
        if (is_of<Selector>(entry)) add_number(elements, entry.protocol, entry.priority);
    return elements;
}

template <std::uint8_t Selector>
void set_map(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::app>(port).entries;
    std::erase_if(entries, is_of<Selector>);
    // They come in the order of the entries.
    const auto behind = entries.upper_bound({Selector, 0xffff, 0xff});
    for_each_number(elements, [&](std::uint64_t protocol, std::uint64_t priority) {
        entries.emplace_hint(behind, AppEntry{Selector, static_cast<std::uint16_t>(protocol),
                                              static_cast<std::uint8_t>(priority)});
    });
}

Got get_other_app(const Port& port) {
    if (!port.app) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.app->entries) {
        if (shown_by_map(entry)) continue;
        const std::string selector = selector_word(entry.selector);
        Record record{{"selector", selector},
                      {"protocol", std::uint64_t{entry.protocol}},
                      {"priority", std::uint64_t{entry.priority}}};
        elements.emplace(
            selector + ' ' + std::to_string(entry.protocol) + ' ' + std::to_string(entry.priority),
            std::move(record));
    }
    return elements;
}

void set_other_app(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::app>(port).entries;
    std::erase_if(entries, [](const AppEntry& entry) { return !shown_by_map(entry); });
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        entries.insert({selector_of(text_part(record, "selector")).value_or(0),
                        static_cast<std::uint16_t>(number_part(record, "protocol")),
                        static_cast<std::uint8_t>(number_part(record, "priority"))});
    }
}

constexpr std::array<std::string_view, 5> kSelectors = {"ethtype", "stream-port", "port", "pcp",
                                                        "other"};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kAppParts = {
    RecordPart{.name = "selector",
               .shape = {.kind = word, .max = 255, .words = kSelectors},
               .doc = "What the protocol number means.",
               .required = true,
               .identity = true},
    RecordPart{.name = "protocol",
               .shape = {.kind = number, .max = 65535},
               .doc = "Protocol number.",
               .required = true,
               .identity = true},
    RecordPart{.name = "priority",
               .shape = {.kind = number, .max = 7},
               .doc = "Its priority.",
               .required = true,
               .identity = true},
};

constexpr std::array kFields = {
    setting("dscp.trust", {.kind = text, .text = Text::selectors},
            "Where a received packet's priority comes from: its DSCP (dscp) or its VLAN tag's PCP "
            "(pcp). A device with an APP trust table takes several, the first that applies "
            "deciding, or none.",
            get_trust, set_trust),
    setting("dscp.map", {.kind = map, .max = 7, .key_max = 63},
            "Priority of each DSCP; code points that are not listed stay as the NIC has them.",
            get_map<AppEntry::dscp>, set_map<AppEntry::dscp>),
    setting("app.udp", {.kind = map, .max = 7, .key_min = 1, .key_max = 65535},
            "Priority of each UDP port (APP entries with the datagram selector).",
            get_map<AppEntry::dgram>, set_map<AppEntry::dgram>),
    fact("app.other", {.kind = items, .parts = kAppParts}, "APP entries with other selectors.",
         get_other_app, set_other_app),
};

std::string selector_key(const AppEntry& entry) {
    switch (entry.selector) {
        case AppEntry::ethertype: return "ethtype-prio ";
        case AppEntry::stream: return "stream-port-prio ";
        case AppEntry::dgram: return "dgram-port-prio ";
        case AppEntry::any: return "port-prio ";
        case AppEntry::pcp: return "pcp-prio ";
        default: return "dscp-prio ";
    }
}

bool holds_key(const App& app, const AppEntry& entry) {
    return std::ranges::any_of(app.entries,
                               [&](const AppEntry& other) { return same_key(other, entry); });
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    Commands lines;
    std::string last;
    std::set<std::size_t> standing_in;
    for (const AppEdit& edit : edits(driver, *now.app, *then.app)) {
        // A driver that replaces by itself needs `add`: `dcb app replace` then fails to remove
        // the entry that is gone already.
        const std::string verb = edit.kind == Kind::remove ? "del" : "add";
        const std::string start =
            "dcb app " + verb + " dev " + shell(now.name) + " " + selector_key(edit.entry);
        const std::string mapping =
            std::to_string(edit.entry.protocol) + ":" + std::to_string(edit.entry.priority);
        if (start == last)
            lines.back() += " " + mapping;
        else
            lines.push_back(start + mapping);
        last = start;
        if (!holds_key(*now.app, edit.entry) && !holds_key(*then.app, edit.entry))
            standing_in.insert(lines.size() - 1);
    }
    for (const std::size_t at : standing_in)
        lines[at] = with_reason(std::move(lines[at]),
                                "stands in: with the last DSCP entry the QoS of the port is reset");
    if (now.app->trust != then.app->trust && then.app->trust)
        lines.push_back("dcb apptrust set dev " + shell(now.name) + " order" +
                        (then.app->trust->empty() ? "" : " " + trust_words(*then.app->trust)));
    return lines;
}

/// On bnxt_en an RDMA driver that looks for this entry sends RoCE packets with a tag of VLAN 0,
/// which not every switch port takes, and the firmware then goes by that tag (bnxt_re/main.c
/// bnxt_re_setup_qos, Linux 6.12 to 6.17; the patch that takes it away in 6.18 says so).
Reason remarks(const Driver& driver, const Host& host, const Port& now, const Port& then) {
    const std::vector<AppEntry> come = minus(then.app->entries, now.app->entries);
    if (driver.app.dgram_tags_before == Release{} || std::ranges::none_of(come, is_roce))
        return std::nullopt;
    const std::string tag =
        "with app.udp 4791 RoCE packets carry a priority tag (VLAN 0), which the switch port has "
        "to take";
    if (now.ecn_directory)
        return tag +
               "; the vendor's bnxt_re leaves it out with disable_prio_vlan_tx 1 and apply 1 "
               "in its configfs";
    if (!tags_roce(driver, host, now)) return std::nullopt;
    return tag +
           ", and the NIC then goes by the tag and no longer by DSCP: dscp.map is no proof "
           "of what it does. So presumed of " +
           std::string(driver.name) + " before Linux " + core::text(driver.app.dgram_tags_before) +
           ", and this is " + host.kernel + ", unless that was fixed in it";
}

constexpr std::array kConsults = {Object::dcbx, Object::ets};

/// On ice the first DSCP entry rewrites ETS, so APP goes before it; removing the last one hides
/// what ETS and PFC were reported before, to come back at the next write, so that goes after them.
std::optional<Object> goes_before(const Driver& driver, const std::function<Port()>& then) {
    if (!driver.app.first_dscp_sets_ets) return std::nullopt;
    const Port port = then();
    const bool maps = port.app && std::ranges::any_of(port.app->entries, is_of<AppEntry::dscp>);
    return maps ? std::optional(Object::ets) : std::nullopt;
}

Objects disturbs(const Driver& driver) {
    return dcbx::disturbed_by_qos(driver);
}

constexpr std::array kAtBoot = {
    AtBoot{"*", BootProgram::services, "lldpad.service", false},
    AtBoot{"app.*", BootProgram::network_manager, "dcb.*", false},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::app,
    .name = "app",
    .doc = "The APP table: DSCP and port numbers to priorities, and trust.",
    .topic = Topic::dcb,
    .lives = Lives::hardware,
    .fields = kFields,
    .alike = true,
    .refuses = refuses,
    .play = play,
    .read = {.intents = true},
    .order = {.goes_before = goes_before,
              .consults = kConsults,
              .by_driver = kAllByDriver,
              .disturbs = disturbs},
    .chosen_by = {.others = Others::firmware | Others::dcb_agent | Others::udev_rule},
    .words = {.remarks = remarks, .spell = spell, .by_family = true},
    .boot = {.programs = kAtBoot}};

}  // namespace core::app

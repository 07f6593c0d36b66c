// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::features {

namespace {

Got get_fixed(const Port& port) {
    if (!port.features) return std::nullopt;
    Elements elements;
    for (const std::string& name : port.features->fixed)
        elements.emplace(name, name);
    return elements;
}

void set_fixed(Port& port, const Elements& elements) {
    auto& fixed = part_of<&Port::features>(port).fixed;
    fixed.clear();
    for (const auto& [name, value] : elements)
        fixed.insert(name);
}

constexpr std::array<std::string_view, 2> kFeatures = {"rx-gro", "tx-tcp-segmentation"};

/// What ethtool calls some offloads, in its long and its short form (ethtool.c off_flag_def).
struct Alias {
    std::string_view typed;
    std::string_view name;
};
constexpr std::array kAliases = {Alias{"rx-checksumming", "rx-checksum"},
                                 Alias{"rx", "rx-checksum"},
                                 Alias{"generic-segmentation-offload", "tx-generic-segmentation"},
                                 Alias{"gso", "tx-generic-segmentation"},
                                 Alias{"generic-receive-offload", "rx-gro"},
                                 Alias{"gro", "rx-gro"},
                                 Alias{"large-receive-offload", "rx-lro"},
                                 Alias{"lro", "rx-lro"},
                                 Alias{"rx-vlan-offload", "rx-vlan-hw-parse"},
                                 Alias{"rxvlan", "rx-vlan-hw-parse"},
                                 Alias{"tx-vlan-offload", "tx-vlan-hw-insert"},
                                 Alias{"txvlan", "tx-vlan-hw-insert"},
                                 Alias{"ntuple-filters", "rx-ntuple-filter"},
                                 Alias{"ntuple", "rx-ntuple-filter"},
                                 Alias{"receive-hashing", "rx-hashing"},
                                 Alias{"rxhash", "rx-hashing"}};
/// Those by which ethtool means several.
constexpr std::array kGroups = {
    Alias{"tx-checksumming",
          "tx-checksum-ip-generic, tx-checksum-ipv4, tx-checksum-ipv6, tx-checksum-fcoe-crc and "
          "tx-checksum-sctp"},
    Alias{"tx",
          "tx-checksum-ip-generic, tx-checksum-ipv4, tx-checksum-ipv6, tx-checksum-fcoe-crc and "
          "tx-checksum-sctp"},
    Alias{"scatter-gather", "tx-scatter-gather and tx-scatter-gather-fraglist"},
    Alias{"sg", "tx-scatter-gather and tx-scatter-gather-fraglist"},
    Alias{"tcp-segmentation-offload",
          "tx-tcp-segmentation, tx-tcp-ecn-segmentation, tx-tcp-mangleid-segmentation and "
          "tx-tcp6-segmentation"},
    Alias{"tso",
          "tx-tcp-segmentation, tx-tcp-ecn-segmentation, tx-tcp-mangleid-segmentation and "
          "tx-tcp6-segmentation"}};

std::string_view kernel_name(std::string_view typed) {
    const auto found = std::ranges::find(kAliases, typed, &Alias::typed);
    return found == kAliases.end() ? typed : found->name;
}

std::optional<std::string> means_several(std::string_view typed) {
    const auto found = std::ranges::find(kGroups, typed, &Alias::typed);
    if (found == kGroups.end()) return std::nullopt;
    return "which is ethtool's name for several, expected those of " + std::string(found->name) +
           " that are meant";
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kFields = {
    setting("features",
            {.kind = named,
             .words = kFeatures,
             .of = &kFlag,
             .illegal_name = means_several,
             .canonical_name = kernel_name},
            "Offloads, by the kernel's names (ethtool --show-features lists them); ethtool's own "
            "name for a single one will do.",
            get_named<&Port::features, &Features::active>,
            set_named<&Port::features, &Features::active>),
    fact("features_fixed", {.kind = items, .text = Text::name}, "Offloads that cannot be changed.",
         get_fixed, set_fixed),
    fact("features_requested", {.kind = named, .words = kFeatures, .of = &kFlag},
         "What was asked of an offload, where the device does something else.",
         get_named<&Port::features, &Features::requested>,
         set_named<&Port::features, &Features::requested>),
};

/// What the kernel turns off where none of the others is on, in the order in which it looks
/// (net/core/dev.c, netdev_fix_features).
struct Need {
    std::string_view name;
    std::array<std::string_view, 2> one_of;
};
constexpr std::string_view kTso = "tx-tcp-segmentation";
constexpr std::string_view kTso6 = "tx-tcp6-segmentation";
constexpr std::string_view kChecksum = "tx-checksum-ip-generic";
constexpr std::string_view kGather = "tx-scatter-gather";
constexpr std::array kNeeds = {Need{kTso, {kGather}},
                               Need{kTso6, {kGather}},
                               Need{"tx-tcp-mangleid-segmentation", {kGather}},
                               Need{"tx-tcp-ecn-segmentation", {kGather}},
                               Need{kTso, {kChecksum, "tx-checksum-ipv4"}},
                               Need{kTso6, {kChecksum, "tx-checksum-ipv6"}},
                               Need{"tx-tcp-mangleid-segmentation", {kTso}},
                               Need{"tx-tcp-ecn-segmentation", {kTso, kTso6}},
                               Need{"tx-generic-segmentation", {kGather}},
                               Need{"rx-gro-hw", {"rx-checksum"}}};

bool is_on(const Flags& flags, std::string_view name) {
    const auto found = flags.find(name);
    return found != flags.end() && found->second;
}

bool met(const Need& need, const Flags& active) {
    return std::ranges::any_of(need.one_of,
                               [&](std::string_view name) { return is_on(active, name); });
}

bool all_met(std::string_view name, const Flags& active) {
    return std::ranges::all_of(
        kNeeds, [&](const Need& need) { return need.name != name || met(need, active); });
}

Reason refuses_one(const Features& now, const Flags& then, const std::string& name, bool on) {
    const auto before = now.active.find(name);
    if (before == now.active.end())
        return "the kernel has no offload '" + name + "'; ethtool --show-features lists them";
    if (before->second == on) return std::nullopt;
    if (now.fixed.contains(name)) return name + " is fixed " + (on ? "off" : "on");
    for (const Need& need : kNeeds) {
        if (!on || need.name != name || met(need, then)) continue;
        std::string reason = name;
        reason.append(" needs ").append(need.one_of[0]);
        if (!need.one_of[1].empty()) reason.append(" or ").append(need.one_of[1]);
        return reason;
    }
    return std::nullopt;
}

/// What goes off with what it needs, and comes back with it.
void follow(const Flags& before, Features& features) {
    for (const Need& need : kNeeds) {
        const auto found = features.active.find(need.name);
        if (found == features.active.end() || features.fixed.contains(found->first)) continue;
        const bool possible = all_met(need.name, features.active);
        if (found->second && !possible) {
            found->second = false;
            features.requested[found->first] = true;
        } else if (possible && !all_met(need.name, before) &&
                   is_on(features.requested, need.name)) {
            found->second = true;
            features.requested.erase(found->first);
        }
    }
}

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    for (const auto& [name, on] : then.features->active)
        if (Reason reason = refuses_one(*now.features, then.features->active, name, on))
            return reason;
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported: " + *reason};
    const Flags before = now.features->active;
    for (const auto& [name, on] : then.features->active)
        if (now.features->active.at(name) != on) now.features->requested.erase(name);
    now.features->active = then.features->active;
    follow(before, *now.features);
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    std::string line = "ethtool --features " + shell(now.name);
    for (const auto& [name, on] : then.features->active)
        if (is_on(now.features->active, name) != on)
            line += " " + shell(name) + (on ? " on" : " off");
    return {line};
}

constexpr std::array kAtBoot = {
    AtBoot{"features", BootProgram::link_file, "Link.*Offload", false},
    AtBoot{"features", BootProgram::network_manager, "ethtool.feature-*", false},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::features,
                                 .name = "features",
                                 .doc = "Offloads.",
                                 .topic = Topic::queues,
                                 .fields = kFields,
                                 .disruption = Disruption::queues,
                                 .refuses = refuses,
                                 .play = play,
                                 .order = {.by_driver = kAllByDriver},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::features

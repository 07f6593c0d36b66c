// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/plan/plan.hpp"

namespace cli {

/// What a text is about: the ports that there are, of which it can say "all", and what their names
/// and addresses are. `group_ports` is false where each port is to be reported by itself.
struct Grouping {
    std::vector<std::string> ports{};    ///< in the order of the plan, the host not among them
    const core::State* state = nullptr;  ///< null where nothing is known of them
    bool group_ports = true;
};
Grouping grouping_of(const core::Plan& plan, bool group_ports);

/// `ens1f0`, `ens1f0, ens1f1`; `ens1f0 … (8 ports)` where they are all there are.
std::string ports_text(const std::vector<std::string>& ports, const Grouping& of);

/// The same, or `the host`.
std::string places_text(const std::vector<std::string>& ports, const Grouping& of);

/// The text as all ports can share it: what names this one is put as what it is, `PORT` or `PCI`.
std::string shared_text(const std::string& text, const std::string& name, const Grouping& of);

/// One change as ports share it. What is not the same on each of them is `…` there, and told by
/// each of its own.
struct GroupedChange {
    std::string name{};  ///< dscp.map 26
    std::string before{};
    std::string after{};
    core::Origin origin{};
    std::string cost{};              ///< empty where it costs nothing
    std::vector<std::string> own{};  ///< for each port of the block, or each element of one port
};

/// Whether something comes, goes or changes: `+`, `-`, `~`.
char mark_of(const GroupedChange& change);

/// Ports whose changes differ in nothing but in what is a port's own.
struct Block {
    std::vector<std::string> ports{};
    std::vector<GroupedChange> changes{};
};

/// The changes with those of one map by one origin as one. The others of it, by another origin,
/// stay changes of their own.
std::vector<GroupedChange> with_maps_once(const std::vector<GroupedChange>& changes);

/// The steps as blocks, in the order of the first port of each.
std::vector<Block> blocks(const std::vector<core::Step>& steps, const Grouping& of);

/// `dscp.map 26`: what a finding is about.
std::string subject_of(const core::Finding& finding);

/// What findings have to have alike to be reported as one: the level and the cause, or, where there
/// is none that they share, what they are about, which is the name, and what is said of it.
std::string likeness_of(const core::Finding& finding, const std::string& name);

/// The desired values of some ports.
struct Concerned {
    std::vector<std::string> ports{};
    std::vector<std::string> names{};  ///< dscp.map 26
};

/// Findings of one cause.
struct Reported {
    core::Finding::Level level{};
    std::string text{};
    std::string remedy{};  ///< empty where that of the next one is the same
    std::vector<Concerned> concerned{};
    bool by_cause = false;  ///< the text is a cause that several desired values share
};

/// Whether each element of it is a setting with a name of its own, as `features rx-checksum` is:
/// the addresses of a port are one setting, and so are the entries of a map.
bool is_named_apart(const core::Field& field);

/// What there is to say, each cause once.
std::vector<Reported> reported(const std::vector<core::Finding>& findings, const Grouping& of);

/// One entry of a setting that maps numbers to numbers, and what is said of it.
struct MapEntry {
    std::uint64_t number = 0;  ///< a DSCP
    std::string before{};
    std::string after{};
};

/// Entries of one map as one setting. The ranges are as in dcb(8): `0-7:0 8-15:1`.
struct MapText {
    std::string name{};  ///< `dscp.map`; with its numbers where all entries say the same
    std::string before{};
    std::string after{};
};
MapText map_text(const std::string& key, const std::vector<MapEntry>& entries);

/// `dscp.map` and 26 of `dscp.map 26`; nothing where the name is of no map.
std::optional<std::pair<std::string, std::uint64_t>> map_entry(std::string_view name);

/// The names, those of one map as one: `mtu`, `dscp.map 0-7,26`.
std::vector<std::string> names_once(const std::vector<std::string>& names);

/// `all 0` for a list that says the same of every priority or class.
std::string value_text(const std::optional<core::Value>& value);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/json/tree.hpp"
#include "core/model/desired.hpp"
#include "core/profile/match.hpp"
#include "core/profile/roce_intent.hpp"

namespace core {

/// What an entry states of one setting.
struct Statement {
    const Field* field = nullptr;
    std::vector<Stated> elements;
    bool pending = false;  ///< a part of it holds `${…}` and is not among the elements
    Place place;           ///< of the key
};

struct VlanChild;
struct StatedBond;

/// The words of `missing`.
inline constexpr std::array<std::string_view, 2> kMissingWords = {"allowed", "refused"};
/// Whether the key of an entry is read before a port is matched, so that it is one value for all.
bool is_before_match(std::string_view key);

/// One entry of `ports`: which ports, and what is desired for them.
struct Entry {
    Match match;
    std::optional<std::uint64_t> expect;
    std::vector<Statement> statements;
    std::vector<Statement> facts;  ///< of each the values that do
    std::set<const Field*> optional;
    std::set<const Field*> external;
    std::set<const Field*> required;
    std::vector<Exact> exact;
    std::string rdma_device;  ///< selects one of a port's two devices
    std::string fabric;       ///< of those that the profile names; empty: none
    bool may_miss = false;    ///< fewer ports than expected are applied all the same
    std::vector<VlanChild> children;
    std::vector<StatedBond> bonds;  ///< of the host's entry
};

/// A VLAN child of each port that the entry is about.
struct VlanChild {
    std::uint16_t id = 0;
    std::string name;  ///< empty: that of the port, a dot and the id
    bool wanted = true;
    Place place;
    std::string pointer;
    Entry entry;  ///< its own settings; it matches nothing
};

/// A bond that `host` states.
struct StatedBond {
    std::string name;
    bool wanted = true;
    Place place;
    std::string pointer;
    Entry entry;  ///< its own settings; it matches nothing
};

/// Reads an entry; what is wrong is added to `problems`. What holds `${…}` is left out.
Entry read_entry(const Node& node, const std::string& pointer, Problems& problems);

/// Reads a profile's `host`, which is an entry without ports to match.
Entry read_host(const Node& node, Problems& problems);

/// What the entry states, for no port yet; the origin has the pointer.
DesiredValues stated_desired(const Entry& entry);
/// Adds what follows from the intent where nothing is stated. What is optional or external stays
/// so.
void add_derived(const Intent& intent, const Driver& driver, const std::set<const Field*>& optional,
                 const std::set<const Field*>& external, DesiredValues& out);
/// The desired values of an entry, not yet for a port: those it states, and for the rest those
/// derived from the intent, if any.
DesiredValues desired_by(const Entry& entry, const std::optional<Intent>& intent,
                         const Driver& driver);

}  // namespace core

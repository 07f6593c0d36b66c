// SPDX-License-Identifier: Apache-2.0
#include "core/profile/keys.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/json/tree.hpp"
#include "core/model/object.hpp"
#include "core/profile/acceptance.hpp"
#include "core/profile/accepted_findings.hpp"
#include "core/profile/fabrics.hpp"
#include "core/profile/match.hpp"
#include "core/profile/switch.hpp"

namespace core {
namespace {

/// How many letters have to be put in, taken out, changed or swapped with their neighbour
/// (optimal string alignment distance).
std::size_t distance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> last(right.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= left.size(); ++i) {
        std::vector<std::size_t> row(right.size() + 1, i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = std::move(last);
        last = std::move(row);
    }
    return last.back();
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += (out.empty() ? "" : ", ") + name;
    return out;
}

std::string nearest(std::string_view key, const std::vector<std::string>& known) {
    constexpr std::size_t kLongest = 64;
    if (key.size() > kLongest) return {};
    std::string best;
    std::size_t least = std::max<std::size_t>(key.size() / 3, 1) + 1;
    for (const std::string& candidate : known) {
        const std::size_t edits = distance(key, candidate);
        if (edits >= least) continue;
        least = edits;
        best = candidate;
    }
    return best;
}

namespace {

/// The keys of a group: of ring, ring.rx and ring.tx.
std::vector<std::string> members_of(std::string_view key, const std::vector<std::string>& known) {
    std::vector<std::string> out;
    for (const std::string& candidate : known)
        if (candidate.starts_with(std::string(key) + '.')) out.push_back(candidate);
    return out;
}

}  // namespace

std::string unknown_key(std::string_view key, const std::vector<std::string>& known) {
    if (const std::vector<std::string> members = members_of(key, known); !members.empty())
        return "found " + in_quotes(key) + ", which is a group of settings, expected one of " +
               listed(members);
    std::string out = "found unknown key " + in_quotes(key);
    const std::string near = nearest(key, known);
    if (!near.empty()) return out + ", did you mean '" + near + "'?";
    if (known.empty()) return out + ", expected none";
    return out + ", expected one of " + listed(known);
}

void read_section(const Node& node, const std::string& pointer, std::span<const SectionKey> keys,
                  Problems& problems,
                  const std::function<void(const SectionKey&, const Stated&)>& take) {
    std::vector<std::string> known;
    for (const SectionKey& key : keys)
        known.emplace_back(key.name);
    for (const Node::Member& member : node.members) {
        const std::string at = pointer_to(pointer, member.name);
        const auto key = std::ranges::find(keys, member.name, &SectionKey::name);
        if (key == keys.end())
            problems.push_back({member.place, at, unknown_key(member.name, known)});
        else
            for (const Stated& stated : parse_stated(key->shape, member.value, at, problems))
                if (stated.value) take(*key, stated);
    }
}

namespace {

constexpr std::array kEntryKeys = {
    EntryKey{"match", "Which ports the entry is about; all conditions must hold.",
             "an object of conditions"},
    EntryKey{"expect", "How many ports it must match; at least one where not stated.", "1..65535"},
    EntryKey{"roce", "The intent for these ports, over the profile's key by key; null for none.",
             "an object, or null"},
    EntryKey{"fabric", "Which fabric these ports are on, by its name in fabrics.", "a name"},
    EntryKey{"missing",
             "What follows from fewer ports than expect: refused (nothing is applied, where not "
             "stated) or allowed (what is there is applied, with unmoved indices, and 2).",
             "one of allowed, refused"},
    EntryKey{"optional", "Keys that a device may be unable to hold: a note then, not a failure.",
             "a list of settings"},
    EntryKey{"external", "Keys that another program sets: they are verified, and never written.",
             "a list of settings"},
    EntryKey{"facts",
             "What facts should be, each a value or a list of those that do: verify counts what "
             "is otherwise, plan and apply note it, and nothing writes it.",
             "an object of facts"},
    EntryKey{"required",
             "Keys of facts and of what another program sets: nothing is written before they are "
             "as stated.",
             "a list of settings and facts"},
    EntryKey{"exact", "Collections that hold nothing but what is named here.",
             "a list of collections"},
    EntryKey{"rdma.device", "The RDMA device that is meant where a port has two.", "a device name"},
    EntryKey{"vlans",
             "VLAN children of the port by id, each with settings of its own and a name, PORT.ID "
             "where not stated; null for none of the id.",
             "an object of VLAN ids to objects of settings"},
};
constexpr std::array kHostEntryKeys = {
    EntryKey{"host.optional", "Keys that the host may be unable to hold: a note, not a failure.",
             "a list of the host's settings"},
    EntryKey{"host.required",
             "Keys that rocectl does not set: nothing is written before they are as stated.",
             "a list of the host's settings"},
    EntryKey{"host.bonds",
             "Bonds by name, each with what follows bond. of its settings: mode, members and the "
             "others; null for none of the name. Entries match them by name, those that are yet "
             "to be made too.",
             "an object of names to objects of settings"},
};

}  // namespace

std::span<const EntryKey> entry_keys() {
    return kEntryKeys;
}

std::span<const EntryKey> host_entry_keys() {
    return kHostEntryKeys;
}

bool may_state(const Field& field, bool host) {
    return field.use == Field::Use::setting && field.key.starts_with(kHostKeys) == host;
}

bool may_expect(const Field& field) {
    const bool one_of_each = field.shape.kind == Shape::Kind::named;
    const Shape::Kind kind = one_of_each ? field.shape.of->kind : field.shape.kind;
    const bool plain = kind == Shape::Kind::flag || kind == Shape::Kind::number ||
                       kind == Shape::Kind::word || kind == Shape::Kind::text;
    const ObjectRow& row = row_of(field.object);
    return field.use == Field::Use::fact && plain && !row.read.on_demand &&
           row.lives != Lives::host;
}

std::vector<std::string> facts_below(const std::string& prefix) {
    std::vector<std::string> out;
    for (const Field& field : fields())
        if (may_expect(field) && field.key.starts_with(prefix))
            out.emplace_back(field.key.substr(prefix.size()));
    return out;
}

bool may_be_of_vlan(const Field& field) {
    return row_of(field.object).child_states;
}

std::vector<std::string> keys_below(const std::string& prefix) {
    const bool host = prefix.starts_with(kHostKeys);
    std::vector<std::string> out;
    const auto add = [&](std::string_view key, bool dotted) {
        if (!key.starts_with(prefix)) return;
        const std::string_view rest = key.substr(prefix.size());
        const std::string name(rest.substr(0, dotted ? rest.find('.') : std::string_view::npos));
        if (std::ranges::find(out, name) == out.end()) out.push_back(name);
    };
    // Whole keys come last, so that a near group is offered before them.
    for (const bool dotted : {true, false}) {
        for (const EntryKey& key : host ? std::span<const EntryKey>(kHostEntryKeys) : kEntryKeys)
            add(key.name, dotted);
        for (const Field& field : fields())
            if (may_state(field, host)) add(field.key, dotted);
    }
    return out;
}

namespace {

constexpr std::array kTopKeys = {
    EntryKey{"format", "Version of this format.", "1"},
    EntryKey{"name", "What the profile is called.", "a text"},
    EntryKey{"$schema", "For editors; rocectl does not look at it.", "a text"},
    EntryKey{"extends",
             "Shipped profiles by name, others by path. Objects are merged key by key, ports are "
             "appended, other lists are replaced, and what comes later wins.",
             "a list of texts"},
    EntryKey{"roce",
             "The intent: every setting that follows from it is derived for the ports; null for "
             "none.",
             "an object, or null"},
    EntryKey{
        "fabrics",
        "Defines the fabrics of the host, each by a name that fabric of an entry states: ports "
        "are compared, and destinations demanded, within one.",
        "an object of names to objects"},
    EntryKey{"host", "What is desired for the host itself.", "an object of settings"},
    EntryKey{"switch",
             "What the switches are configured to do; settings that disagree are an error.",
             "an object, or null"},
    EntryKey{"probe", "What rocectl probe run --profile measures, and what it has to find.",
             "an object, or null"},
    EntryKey{"accepted",
             "Findings that are meant so: they are shown and counted, and change no exit status.",
             "a list of objects, or null"},
    EntryKey{"ports", "Which ports, and what is desired for them.", "a list of entries"},
};

constexpr std::array kVlanKeys = {
    EntryKey{"name", "Name of the VLAN; PORT.ID where not stated.", "a device name"},
};

constexpr std::array kItemKeys = {
    EntryKey{"absent", "The element of a list should not be there.", "true or false"},
};

void add(std::span<const EntryKey> keys, const std::string& prefix, const std::string& place,
         std::vector<ProfileKey>& out) {
    for (const EntryKey& key : keys)
        out.push_back(
            {prefix + std::string(key.name), std::string(key.doc), std::string(key.takes), place});
}

}  // namespace

std::span<const EntryKey> top_keys() {
    return kTopKeys;
}

std::vector<ProfileKey> profile_keys() {
    std::vector<ProfileKey> out;
    add(kTopKeys, "", "at the top of a profile", out);
    add(entry_keys(), "", "in an entry of ports", out);
    for (const MatchKey& key : match_keys())
        out.push_back({"match." + std::string(key.name), std::string(key.doc),
                       key.words.empty() ? std::string("a text, or a list of texts")
                                         : admits({.kind = Shape::Kind::word, .words = key.words}) +
                                               ", or a list of them",
                       "in match"});
    add(kVlanKeys, "vlans.", "in a VLAN of vlans", out);
    add(stated_fabric_keys(), "fabrics.", "in a fabric of fabrics", out);
    for (const SectionKey& key : switch_keys())
        out.push_back({"switch." + std::string(key.name), std::string(key.doc), admits(key.shape),
                       "in switch"});
    for (const SectionKey& key : acceptance_keys())
        out.push_back({"probe." + std::string(key.name), std::string(key.doc), admits(key.shape),
                       "in probe"});
    for (const SectionKey& key : accepted_keys())
        out.push_back({"accepted." + std::string(key.name), std::string(key.doc), admits(key.shape),
                       "in an object of accepted"});
    add(host_entry_keys(), "", "in host", out);
    add(kItemKeys, "", "in an object of a list such as addresses or routes", out);
    return out;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/profile/entry_keys.hpp"

#include <algorithm>
#include <array>

#include "core/model/object.hpp"

namespace core {
namespace {

constexpr std::array kEntryKeys = {
    EntryKey{"match", "Which ports the entry is about; all conditions must hold.",
             "an object of conditions"},
    EntryKey{"expect", "How many ports it must match; at least one where not stated.", "1..65535"},
    EntryKey{"roce", "The intent for these ports, over the profile's key by key; null for none.",
             "an object, or null"},
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

}  // namespace core

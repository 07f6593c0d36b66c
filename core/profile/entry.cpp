// SPDX-License-Identifier: Apache-2.0
#include "core/profile/entry.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/json/value_reader.hpp"
#include "core/model/object.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

constexpr std::array kEntryKeys = {
    EntryKey{"match", "Which ports the entry is about; all conditions must hold."},
    EntryKey{"expect", "How many ports it must match; at least one where not stated."},
    EntryKey{"roce", "The intent for these ports, over the profile's key by key; null for none."},
    EntryKey{"optional", "Keys that a device may be unable to hold: a note then, not a failure."},
    EntryKey{"external", "Keys that another program sets: they are verified, and never written."},
    EntryKey{"exact", "Collections that hold nothing but what is named here."},
    EntryKey{"rdma.device", "The RDMA device that is meant where a port has two."},
    EntryKey{"vlans",
             "VLAN children of the port by id, each with settings of its own and a name, PORT.ID "
             "where not stated; null for none of the id."},
};
constexpr std::array kHostEntryKeys = {
    EntryKey{"host.optional", "Keys that the host may be unable to hold: a note, not a failure."},
};
constexpr std::uint64_t kMostPorts = 65535;
constexpr std::uint64_t kLastVlan = 4094;

bool may_state(const Field& field, bool host) {
    return field.use == Field::Use::setting && field.key.starts_with(kHostKeys) == host;
}

/// What may stand below a prefix; of the host's keys where it is one of theirs.
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

class EntryReader {
public:
    enum class Of : std::uint8_t { port, vlan, host };
    EntryReader(Problems& problems, Of of) : problems_(problems), of_(of) {}

    Entry read(const Node& node, const std::string& pointer) {
        if (of_ == Of::vlan) {
            members(node, "", pointer);
            return std::move(entry_);
        }
        if (node.kind != Node::Kind::object) {
            wrong(node, pointer, "an object with 'match' and settings");
            return {};
        }
        if (node.find("match") == nullptr)
            problems_.push_back({node.place, pointer, "found no 'match', expected one"});
        members(node, "", pointer);
        return std::move(entry_);
    }

    Entry read_host(const Node& node) {
        entry_.match.place = node.place;
        if (node.kind != Node::Kind::object)
            wrong(node, "/host", "an object of " + listed(keys_below(std::string(kHostKeys))));
        members(node, std::string(kHostKeys), "/host");
        return std::move(entry_);
    }

private:
    void wrong(const Node& node, const std::string& pointer, const std::string& expected) {
        problems_.push_back({node.place, pointer, found(node) + ", expected " + expected});
    }

    void members(const Node& node, const std::string& prefix, const std::string& pointer) {
        for (const Node::Member& member : node.members) {
            const std::string key = prefix + member.name;
            const std::string at = pointer_to(pointer, member.name);
            const Field* field = find_field(key);
            if (own_key(key, member, at)) continue;
            if (field != nullptr && of_ == Of::vlan && !may_be_of_vlan(*field)) {
                problems_.push_back({member.place, at,
                                     "found '" + key +
                                         "', which no new VLAN has of its own; state it for the "
                                         "port below, or for the VLAN by its name"});
            } else if (field != nullptr && may_state(*field, of_ == Of::host)) {
                setting(*field, member, at);
            } else if (begins_setting(key)) {
                if (member.value.kind == Node::Kind::object) {
                    members(member.value, key + '.', at);
                } else {
                    wrong(member.value, at, "an object of " + listed(keys_below(key + '.')));
                }
            } else if (field != nullptr) {
                problems_.push_back(
                    {member.place, at, "found '" + key + "', which is observed and cannot be set"});
            } else {
                problems_.push_back(
                    {member.place, at, unknown_key(member.name, keys_below(prefix))});
            }
        }
    }

    [[nodiscard]] bool begins_setting(const std::string& key) const {
        return std::ranges::any_of(fields(), [&](const Field& field) {
            return may_state(field, of_ == Of::host) && field.key.starts_with(key + '.');
        });
    }

    static std::string listed(const std::vector<std::string>& names) {
        std::string out;
        for (const std::string& name : names)
            out += (out.empty() ? "" : ", ") + name;
        return out;
    }

    /// Whether the key is one of the entry's own and was read here.
    bool own_key(const std::string& key, const Node::Member& member, const std::string& pointer) {
        const Node& value = member.value;
        const bool of_both = key == "optional" || key == "external" || key == "exact";
        if (of_ == Of::vlan && !of_both) return key == "name";
        if (key == "host.optional") {
            for (const Field* field : keys(value, pointer, false))
                entry_.optional.insert(field);
        } else if (key == "match") {
            entry_.match = read_match(value, pointer, problems_);
        } else if (key == "expect") {
            expect(value, pointer);
        } else if (key == "optional") {
            for (const Field* field : keys(value, pointer, false))
                entry_.optional.insert(field);
        } else if (key == "external") {
            for (const Field* field : keys(value, pointer, false))
                entry_.external.insert(field);
        } else if (key == "exact") {
            for (const Field* field : keys(value, pointer, true))
                entry_.exact.push_back(
                    {.port = {}, .field = field, .only = {}, .origin = origin_at(member.place)});
        } else if (key == "rdma.device") {
            const Shape shape{.kind = Shape::Kind::text, .text = Shape::Text::name};
            for (const Stated& stated : parse_stated(shape, value, pointer, problems_))
                entry_.rdma_device = std::get<std::string>(*stated.value);
        } else if (key == "vlans") {
            children(value, pointer);
        } else {
            return key == "roce";  // read_intent reads it, merged over the profile's
        }
        return true;
    }

    void expect(const Node& value, const std::string& pointer) {
        const Shape shape{.kind = Shape::Kind::number, .min = 1, .max = kMostPorts};
        for (const Stated& stated : parse_stated(shape, value, pointer, problems_))
            entry_.expect = std::get<std::uint64_t>(*stated.value);
    }

    void children(const Node& value, const std::string& pointer) {
        if (value.kind != Node::Kind::object) wrong(value, pointer, "an object of VLAN ids");
        for (const Node::Member& member : value.members) {
            const std::string at = pointer_to(pointer, member.name);
            const std::optional<std::uint64_t> id = whole_number(member.name);
            const bool null = member.value.kind == Node::Kind::null;
            if (has_reference(member.name)) {
                EntryReader(problems_, Of::vlan).read(member.value, at);
            } else if (!id || std::to_string(*id) != member.name || *id < 1 || *id > kLastVlan) {
                problems_.push_back(
                    {member.place, at, "found " + in_quotes(member.name) + ", expected 1..4094"});
            } else if (!null && member.value.kind != Node::Kind::object) {
                wrong(member.value, at, "an object of settings, or null");
            } else {
                child(static_cast<std::uint16_t>(*id), member, at);
            }
        }
    }

    void child(std::uint16_t id, const Node::Member& member, const std::string& pointer) {
        VlanChild made{.id = id,
                       .name = {},
                       .wanted = member.value.kind != Node::Kind::null,
                       .place = member.place,
                       .pointer = pointer,
                       .entry = {}};
        const Shape shape{.kind = Shape::Kind::text, .text = Shape::Text::name};
        if (const Node* name = member.value.find("name"))
            for (const Stated& stated :
                 parse_stated(shape, *name, pointer_to(pointer, "name"), problems_))
                made.name = child_name(*stated.value, *name, pointer_to(pointer, "name"));
        made.entry = EntryReader(problems_, Of::vlan).read(member.value, pointer);
        entry_.children.push_back(std::move(made));
    }

    std::string child_name(const Value& value, const Node& node, const std::string& pointer) {
        constexpr std::size_t longest = 15;  // IFNAMSIZ
        auto name = std::get<std::string>(value);
        if (name.size() > longest)
            problems_.push_back(
                {node.place, pointer, found(node) + ", expected at most 15 letters"});
        return name;
    }

    std::vector<const Field*> keys(const Node& value, const std::string& pointer,
                                   bool collections) {
        std::vector<const Field*> out;
        std::vector<std::string> known;
        const std::string prefix(of_ == Of::host ? kHostKeys : "");
        for (const Field& field : fields())
            if (may_state(field, of_ == Of::host) && (!collections || can_be_exact(field.shape)))
                known.emplace_back(field.key.substr(prefix.size()));
        if (value.kind != Node::Kind::array) wrong(value, pointer, "a list of " + listed(known));
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            const Node& item = value.items[i];
            const std::string at = pointer_to(pointer, i);
            if (item.kind != Node::Kind::text) {
                wrong(item, at, "a key");
            } else if (std::ranges::find(known, item.text) == known.end()) {
                problems_.push_back({item.place, at, unknown_key(item.text, known)});
            } else if (const Field* field = find_field(prefix + item.text);
                       std::ranges::find(out, field) != out.end()) {
                problems_.push_back({item.place, at, found(item) + " again, expected each once"});
            } else {
                out.push_back(field);
            }
        }
        return out;
    }

    void setting(const Field& field, const Node::Member& member, const std::string& pointer) {
        const auto again = std::ranges::find(entry_.statements, &field, &Statement::field);
        if (again != entry_.statements.end()) {
            problems_.push_back({member.place, pointer,
                                 "found '" + std::string(field.key) + "' again, first in line " +
                                     std::to_string(again->place.line)});
            return;
        }
        entry_.statements.push_back(
            {.field = &field,
             .elements = parse_stated(field.shape, member.value, pointer, problems_),
             .pending = is_pending(member.value),
             .place = member.place});
    }

    Entry entry_;
    Problems& problems_;
    Of of_;
};

/// Of a plain setting the line of its key, of a collection's element its own.
Origin origin_of(const Statement& statement, const Stated& stated) {
    return origin_at(stated.element.empty() ? statement.place : stated.place, stated.pointer);
}

}  // namespace

bool may_be_of_vlan(const Field& field) {
    return row_of(field.object).child_states;
}

std::span<const EntryKey> entry_keys() {
    return kEntryKeys;
}

std::span<const EntryKey> host_entry_keys() {
    return kHostEntryKeys;
}

Entry read_entry(const Node& node, const std::string& pointer, Problems& problems) {
    return EntryReader(problems, EntryReader::Of::port).read(node, pointer);
}

Entry read_host(const Node& node, Problems& problems) {
    return EntryReader(problems, EntryReader::Of::host).read_host(node);
}

Wished wished(const Entry& entry, const std::optional<Intent>& intent, const Driver& driver) {
    Wished out{.wishes = {}, .exact = entry.exact};
    for (const Statement& statement : entry.statements)
        for (const Stated& stated : statement.elements)
            out.wishes.push_back({.port = {},
                                  .field = statement.field,
                                  .element = stated.element,
                                  .value = stated.value,
                                  .origin = origin_of(statement, stated),
                                  .optional = entry.optional.contains(statement.field),
                                  .external = entry.external.contains(statement.field)});
    if (!intent) return out;
    Wished derived = derive(*intent, driver);
    std::erase_if(derived.wishes, [&](const Wish& wish) {
        return std::ranges::any_of(out.wishes,
                                   [&](const Wish& stated) { return same_element(stated, wish); });
    });
    for (Wish& wish : derived.wishes) {
        wish.optional = wish.optional || entry.optional.contains(wish.field);
        wish.external = entry.external.contains(wish.field);
    }
    std::ranges::move(derived.wishes, std::back_inserter(out.wishes));
    std::ranges::move(derived.exact, std::back_inserter(out.exact));
    return out;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/profile/entry.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "core/json/value_json.hpp"
#include "core/model/object.hpp"
#include "core/profile/derivation.hpp"
#include "core/profile/keys.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/variables.hpp"

namespace core {
namespace {

constexpr std::uint64_t kMostPorts = 65535;
constexpr std::uint64_t kLastVlan = 4094;
constexpr std::size_t kLongestName = 15;  // IFNAMSIZ

/// Empty where nothing is.
std::string wrong_with(const Entry& entry, const Field& field) {
    const bool fact = field.use == Field::Use::fact;
    const std::vector<Statement>& stated = fact ? entry.facts : entry.statements;
    if (entry.optional.contains(&field)) return "which is under optional too, expected one of both";
    if (std::ranges::find(stated, &field, &Statement::field) == stated.end())
        return std::string("which is not stated, expected it ") +
               (fact ? "under facts" : "beside this list");
    if (fact || row_of(field.object).play == nullptr || entry.external.contains(&field)) return {};
    return "which rocectl sets, so that it is required unless it is optional; expected facts, or "
           "what rocectl does not set";
}

/// Adds problems of the entry's `required`, which stands at `place`. What rocectl sets is required
/// unless optional, so the list may name only facts and what rocectl does not set, and each has to
/// be stated.
void check_required(const Entry& entry, const Place& place, const std::string& pointer,
                    Problems& problems) {
    for (const Field* field : entry.required)
        if (const std::string why = wrong_with(entry, *field); !why.empty())
            problems.push_back(
                {place, pointer, "found '" + std::string(key_in_place(*field)) + "', " + why});
}

/// Reads an entry of ports, of a VLAN, of the host or of a bond of it.
class EntryReader {
public:
    enum class Of : std::uint8_t { port, vlan, host, bond };
    EntryReader(Problems& problems, Of of) : problems_(problems), of_(of) {}

    Entry read(const Node& node, const std::string& pointer) {
        if (of_ == Of::vlan || of_ == Of::bond) {
            members(node, of_ == Of::bond ? std::string(kBondKeys) : "", pointer);
            return std::move(entry_);
        }
        if (node.kind != Node::Kind::object) {
            wrong(node, pointer, "an object with 'match' and settings");
            return {};
        }
        if (node.find("match") == nullptr)
            problems_.push_back({node.place, pointer, "found no 'match', expected one"});
        members(node, "", pointer);
        check_required(entry_, required_at_.first, required_at_.second, problems_);
        return std::move(entry_);
    }

    Entry read_host(const Node& node) {
        entry_.match.place = node.place;
        if (node.kind != Node::Kind::object)
            wrong(node, "/host", "an object of " + listed(keys_below(std::string(kHostKeys))));
        members(node, std::string(kHostKeys), "/host");
        check_required(entry_, required_at_.first, required_at_.second, problems_);
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
                                     "found " + in_quotes(key) +
                                         ", which no new VLAN has of its own; state it for the "
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

    /// Whether the key is one of the entry's own and was read here.
    bool own_key(const std::string& key, const Node::Member& member, const std::string& pointer) {
        const Node& value = member.value;
        const bool of_both = key == "optional" || key == "external" || key == "exact";
        if (of_ == Of::bond) return false;
        if (of_ == Of::vlan && !of_both) return key == "name";
        if (key == "host.optional") {
            for (const Field* field : keys(value, pointer, Keys::settings))
                entry_.optional.insert(field);
        } else if (key == "required" || key == "host.required") {
            required(value, pointer);
        } else if (key == "host.bonds") {
            bonds(value, pointer);
        } else if (key == "match") {
            entry_.match = read_match(value, pointer, problems_);
        } else if (key == "expect") {
            expect(value, pointer);
        } else if (key == "optional") {
            for (const Field* field : keys(value, pointer, Keys::settings))
                entry_.optional.insert(field);
        } else if (key == "external") {
            for (const Field* field : keys(value, pointer, Keys::settings))
                entry_.external.insert(field);
        } else if (key == "facts") {
            facts(value, "", pointer);
        } else if (key == "exact") {
            for (const Field* field : keys(value, pointer, Keys::collections))
                entry_.exact.push_back(
                    {.port = {}, .field = field, .only = {}, .origin = origin_at(member.place)});
        } else if (key == "fabric") {
            entry_.fabric =
                text_at({.kind = Shape::Kind::text, .text = Shape::Text::name}, value, pointer);
        } else if (key == "missing") {
            entry_.may_miss = text_at({.kind = Shape::Kind::word, .words = kMissingWords}, value,
                                      pointer) == kMissingWords.front();
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

    /// Empty where it is wrong, or holds `${…}`.
    std::string text_at(const Shape& shape, const Node& value, const std::string& pointer) {
        std::string out;
        for (const Stated& stated : parse_stated(shape, value, pointer, problems_))
            if (stated.value) out = std::get<std::string>(*stated.value);
        return out;
    }

    void required(const Node& value, const std::string& pointer) {
        const std::vector<const Field*> named = keys(value, pointer, Keys::required);
        entry_.required.insert(named.begin(), named.end());
        required_at_ = {value.place, pointer};
    }

    void expect(const Node& value, const std::string& pointer) {
        const Shape shape{.kind = Shape::Kind::number, .min = 1, .max = kMostPorts};
        for (const Stated& stated : parse_stated(shape, value, pointer, problems_))
            entry_.expect = std::get<std::uint64_t>(*stated.value);
    }

    /// `"pcie": {"link_width": 16}` and `"pcie.link_width": [8, 16]` alike.
    void facts(const Node& node, const std::string& prefix, const std::string& pointer) {
        if (node.kind != Node::Kind::object)
            wrong(node, pointer, "an object of " + listed(facts_below(prefix)));
        for (const Node::Member& member : node.members) {
            const std::string key = prefix + member.name;
            const std::string at = pointer_to(pointer, member.name);
            const Field* field = find_field(key);
            if (field != nullptr && may_expect(*field)) {
                fact(*field, member, at);
            } else if (!facts_below(key + '.').empty()) {
                facts(member.value, key + '.', at);
            } else if (field != nullptr) {
                problems_.push_back({member.place, at,
                                     "found '" + key + "', of which nothing can be expected here"});
            } else {
                problems_.push_back(
                    {member.place, at, unknown_key(member.name, facts_below(prefix))});
            }
        }
    }

    void fact(const Field& field, const Node::Member& member, const std::string& pointer) {
        Statement out{.field = &field,
                      .elements = {},
                      .pending = is_pending(member.value),
                      .place = member.place};
        const bool named = field.shape.kind == Shape::Kind::named;
        if (named && member.value.kind == Node::Kind::object) {
            for (const Node::Member& one : member.value.members)
                those_that_do(*field.shape.of, one.value, pointer_to(pointer, one.name), one.name,
                              out);
        } else if (named) {
            wrong(member.value, pointer, admits(field.shape));
        } else {
            those_that_do(field.shape, member.value, pointer, "", out);
        }
        entry_.facts.push_back(std::move(out));
    }

    /// A value, or a list of those that do.
    void those_that_do(const Shape& shape, const Node& node, const std::string& pointer,
                       const std::string& element, Statement& out) {
        const bool several = node.kind == Node::Kind::array;
        const List<Node>& items = node.items;
        for (const Node& value : several ? std::span<const Node>(items.begin(), items.end())
                                         : std::span<const Node>(&node, 1))
            for (Stated& stated : parse_stated(shape, value, pointer, problems_)) {
                if (!stated.value) continue;
                if (!element.empty()) stated.element = element;
                out.elements.push_back(std::move(stated));
            }
        if (several && items.empty()) wrong(node, pointer, "at least one of " + admits(shape));
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

    void bonds(const Node& value, const std::string& pointer) {
        if (value.kind != Node::Kind::object) wrong(value, pointer, "an object of bonds by name");
        for (const Node::Member& member : value.members) {
            const std::string at = pointer_to(pointer, member.name);
            const bool null = member.value.kind == Node::Kind::null;
            StatedBond made{.name = member.name,
                            .wanted = !null,
                            .place = member.place,
                            .pointer = at,
                            .entry = {}};
            const Shape shape{.kind = Shape::Kind::text, .text = Shape::Text::name};
            const auto illegal_name = illegal(shape, Value(member.name));
            if (!null && member.value.kind != Node::Kind::object) {
                wrong(member.value, at, "an object of settings, or null");
                continue;
            }
            made.entry = EntryReader(problems_, Of::bond).read(member.value, at);
            if (has_reference(member.name)) continue;
            if (illegal_name || member.name.size() > kLongestName)
                problems_.push_back({member.place, at,
                                     "found " + in_quotes(member.name) +
                                         ", expected a device name of at most 15 letters"});
            else
                entry_.bonds.push_back(std::move(made));
        }
    }

    std::string child_name(const Value& value, const Node& node, const std::string& pointer) {
        auto name = std::get<std::string>(value);
        if (name.size() > kLongestName)
            problems_.push_back(
                {node.place, pointer, found(node) + ", expected at most 15 letters"});
        return name;
    }

    /// Which keys a list may hold.
    enum class Keys : std::uint8_t { settings, collections, required };

    std::vector<const Field*> keys(const Node& value, const std::string& pointer, Keys which) {
        std::vector<const Field*> out;
        std::vector<std::string> known;
        const std::string prefix(of_ == Of::host ? kHostKeys : "");
        for (const Field& field : fields())
            if (may_be_named(field, which)) known.emplace_back(field.key.substr(prefix.size()));
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

    [[nodiscard]] bool may_be_named(const Field& field, Keys which) const {
        if (which == Keys::required && of_ == Of::port && may_expect(field)) return true;
        return may_state(field, of_ == Of::host) &&
               (which != Keys::collections || can_be_exact(field.shape));
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
    std::pair<Place, std::string> required_at_{};
    Problems& problems_;
    Of of_;
};

}  // namespace

bool is_before_match(std::string_view key) {
    return key == "match" || key == "expect" || key == "fabric" || key == "missing";
}

Entry read_entry(const Node& node, const std::string& pointer, Problems& problems) {
    return EntryReader(problems, EntryReader::Of::port).read(node, pointer);
}

Entry read_host(const Node& node, Problems& problems) {
    return EntryReader(problems, EntryReader::Of::host).read_host(node);
}

namespace {

/// Of a plain setting the line of its key, of a collection's element its own.
Origin origin_of(const Statement& statement, const Stated& stated) {
    return origin_at(stated.element.empty() ? statement.place : stated.place, stated.pointer);
}

/// The priorities that are stated to have PFC.
Numbers stated_lossless(const std::vector<Desired>& desired_values) {
    for (const Desired& desired : desired_values)
        if (desired.field->key == "pfc.priorities" && desired.value)
            return std::get<Numbers>(*desired.value);
    return {};
}

}  // namespace

DesiredValues stated_desired(const Entry& entry) {
    DesiredValues out{.desired_values = {}, .exact = entry.exact};
    for (const Statement& statement : entry.statements)
        for (const Stated& stated : statement.elements)
            out.desired_values.push_back({.port = {},
                                          .field = statement.field,
                                          .element = stated.element,
                                          .value = stated.value,
                                          .origin = origin_of(statement, stated),
                                          .optional = entry.optional.contains(statement.field),
                                          .external = entry.external.contains(statement.field),
                                          .required = entry.required.contains(statement.field)});
    for (const Statement& fact : entry.facts) {
        const Stated* before = nullptr;
        for (const Stated& stated : fact.elements) {
            if (before != nullptr && before->element == stated.element) {
                out.desired_values.back().accepted.push_back(*stated.value);
                continue;
            }
            before = &stated;
            out.desired_values.push_back({.port = {},
                                          .field = fact.field,
                                          .element = stated.element,
                                          .value = stated.value,
                                          .origin = origin_of(fact, stated),
                                          .required = entry.required.contains(fact.field)});
        }
    }
    return out;
}

void add_derived(const Intent& intent, const Driver& driver, const std::set<const Field*>& optional,
                 const std::set<const Field*>& external, DesiredValues& out) {
    DesiredValues derived = derive(intent, driver, stated_lossless(out.desired_values));
    std::erase_if(derived.desired_values, [&](const Desired& desired) {
        return std::ranges::any_of(out.desired_values, [&](const Desired& stated) {
            return same_element(stated, desired);
        });
    });
    for (Desired& desired : derived.desired_values) {
        desired.optional = desired.optional || optional.contains(desired.field);
        desired.external = external.contains(desired.field);
    }
    if (out.desired_values.empty())
        out.desired_values = std::move(derived.desired_values);
    else
        out.desired_values.insert(out.desired_values.end(),
                                  std::move_iterator(derived.desired_values.begin()),
                                  std::move_iterator(derived.desired_values.end()));
    std::ranges::move(derived.exact, std::back_inserter(out.exact));
}

DesiredValues desired_by(const Entry& entry, const std::optional<Intent>& intent,
                         const Driver& driver) {
    DesiredValues out = stated_desired(entry);
    if (intent) add_derived(*intent, driver, entry.optional, entry.external, out);
    return out;
}

}  // namespace core

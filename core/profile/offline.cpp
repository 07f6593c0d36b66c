// SPDX-License-Identifier: Apache-2.0
#include "core/profile/offline.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/checks/catalogue.hpp"
#include "core/model/glob.hpp"
#include "core/profile/acceptance.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/conflict.hpp"
#include "core/profile/fabrics.hpp"
#include "core/profile/origin.hpp"
#include "core/profile/tagging.hpp"

namespace core {
namespace {

/// The values below `node` that are still open, each under its key; of a collection's element
/// the whole.
void add_open(const Node& node, const std::string& key, std::vector<OpenValue>& out) {
    if (!is_pending(node)) return;
    const Field* field = find_field(key);
    const bool whole = field != nullptr && field->shape.kind == Shape::Kind::record;
    if (node.kind == Node::Kind::object && !whole) {
        const char* const joint = field == nullptr ? "." : " ";
        for (const Node::Member& member : node.members)
            add_open(member.value, key.empty() ? member.name.text() : key + joint + member.name,
                     out);
        return;
    }
    const auto add = [&](const Node& value) {
        out.push_back({.key = key, .text = source_text(value), .origin = origin_at(value.place)});
    };
    if (node.kind == Node::Kind::array && field != nullptr && is_collection(field->shape)) {
        for (const Node& item : node.items)
            if (is_pending(item)) add(item);
    } else {
        add(node);
    }
}

bool same(const std::vector<Desired>& left, const std::vector<Desired>& right) {
    return std::ranges::equal(left, right, [](const Desired& one, const Desired& other) {
        return same_element(one, other) && one.value == other.value && one.origin == other.origin &&
               one.optional == other.optional && one.external == other.external &&
               one.required == other.required;
    });
}

void add_driver(const Driver& driver, const Entry& entry, const std::optional<Intent>& intent,
                std::vector<OfflinePort>& out) {
    DesiredValues all = desired_by(entry, intent, driver);
    std::ranges::stable_sort(all.desired_values, {}, &Desired::field);
    for (OfflinePort& known : out)
        if (same(known.desired_values, all.desired_values)) {
            known.drivers.push_back(&driver);
            return;
        }
    out.push_back({.drivers = {&driver},
                   .desired_values = std::move(all.desired_values),
                   .exact = std::move(all.exact)});
}

/// Whether an entry may be about a port of the name, as far as the name tells.
bool may_match(const Node& entry, const std::string& port) {
    Problems ignored;
    const Node* match = entry.find("match");
    if (match == nullptr || port.empty()) return true;
    const Match read = read_match(*match, "", ignored);
    const std::vector<std::string>* names = read.values("name");
    return names == nullptr || std::ranges::any_of(*names, [&port](const std::string& name) {
               return has_reference(name) || glob_matches(name, port);
           });
}

Evidence evidence_of(const std::optional<Intent>& intent,
                     const std::optional<SwitchSettings>& switches, const Driver& driver,
                     const std::vector<Desired>& desired_values,
                     const std::set<const Field*>& open) {
    return {.driver = &driver,
            .desired_values = desired_values,
            .intent = intent ? &*intent : nullptr,
            .switches = switches ? &*switches : nullptr,
            .open = &open};
}

}  // namespace

std::vector<OpenValue> OfflineEntry::open() const {
    std::vector<OpenValue> out;
    for (const Node::Member& member : node.members)
        if (member.name != "match") add_open(member.value, member.name, out);
    return out;
}

std::vector<OfflinePort> OfflineEntry::ports() const {
    std::vector<OfflinePort> out;
    for (const Driver* driver : possible_drivers(entry.match))
        add_driver(*driver, entry, intent, out);
    return out;
}

OfflineProfile::OfflineProfile(const Node& tree, const Given& given, Problems& problems)
    : tree_(tree), given_(given) {
    const auto top = [&](const char* name) {
        const Node* stated = tree.find(name);
        if (stated == nullptr) return Node{};
        Node node = substitute_given(*stated, given, pointer_to("", name), problems);
        add_open(node, name, open);
        return node;
    };
    roce_ = top("roce");
    intent = read_intent(roce_, "/roce", problems);
    switches = read_switch(top("switch"), "/switch", problems);
    if (const Node stated = top("host"); tree.find("host") != nullptr)
        host = read_host(stated, problems);
}

std::optional<Intent> OfflineProfile::intent_of(const Node* own, const std::string& name,
                                                Problems& problems) const {
    Node base = roce_;
    if (const Node* fabrics = name.empty() ? nullptr : tree_.find("fabrics")) {
        Node tree = Node::of(Node::Kind::object, fabrics->place);
        tree.members.push_back({.name = "fabrics",
                                .place = fabrics->place,
                                .value = substitute_given(*fabrics, given_, "/fabrics", problems)});
        if (auto found = roce_on_fabric(tree, &roce_, name)) base = *std::move(found);
    }
    return read_intent(own == nullptr ? base : merge(base, *own), "/roce", problems);
}

void OfflineProfile::each_entry(Problems& problems, const Visit& visit,
                                const std::string& port) const {
    const Node* ports = tree_.find("ports");
    const std::vector<std::string> pointers = entry_pointers(ports);
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        const Node node = substitute_given(ports->items[i], given_, pointers[i], problems);
        if (!may_match(node, port)) continue;
        Entry entry = read_entry(node, pointers[i], problems);
        const Node* own = node.find("roce");
        std::optional<Intent> joint;
        const bool apart = own != nullptr || !entry.fabric.empty();
        if (apart) joint = intent_of(own, entry.fabric, problems);
        visit({.node = node,
               .pointer = pointers[i],
               .entry = std::move(entry),
               .intent = apart ? joint : intent});
    }
}

OfflineProfile offline_profile(const Profile& profile, const Given& given) {
    Problems problems;
    OfflineProfile out(profile.tree, given, problems);
    out.each_entry(problems, [](const OfflineEntry& /*entry*/) {});
    if (!problems.empty()) throw invalid_input(std::move(problems));
    return out;
}

Faults inconsistencies(const std::vector<Desired>& desired_values,
                       const std::optional<Intent>& intent,
                       const std::optional<SwitchSettings>& switches, const Driver& driver,
                       const std::set<const Field*>& open) {
    const Evidence evidence = evidence_of(intent, switches, driver, desired_values, open);
    Faults out;
    for (const FindingRow* row : catalogue())
        if (std::optional<Faults> faults = examine(*row, evidence))
            std::ranges::move(*faults, std::back_inserter(out));
    return out;
}

namespace {

/// Whether there can be something to find in what is desired, where no host is at hand.
bool looks_at_desired(const FindingRow& row) {
    return row.run != nullptr && row.examines == CheckTarget::settings && !row.needs.before;
}

/// The places in the catalogue of the rows that look at desired values for a setting.
const std::set<std::size_t>& rows_about(const Field* field) {
    static const std::map<const Field*, std::set<std::size_t>> all = [] {
        std::map<const Field*, std::set<std::size_t>> out;
        for (std::size_t i = 0; i < catalogue().size(); ++i) {
            if (!looks_at_desired(*catalogue()[i])) continue;
            for (const auto& keys : {catalogue()[i]->needs.keys, catalogue()[i]->needs.desired})
                for (const std::string_view key : keys)
                    out[find_field(key)].insert(i);
        }
        return out;
    }();
    static const std::set<std::size_t> none;
    const auto found = all.find(field);
    return found == all.end() ? none : found->second;
}

/// Those of the rows that look at what the entry states, in the order of the catalogue.
std::vector<std::size_t> rows_about(const Entry& entry) {
    std::vector<std::size_t> out;
    for (const Statement& statement : entry.statements)
        out.insert(out.end(), rows_about(statement.field).begin(),
                   rows_about(statement.field).end());
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Whether rows look for a desired value for the setting beside the settings that they are about.
bool is_looked_for(const Field* field) {
    static const std::set<const Field*> all = [] {
        std::set<const Field*> out;
        for (const std::string_view key : kLookedForBeside)
            out.insert(find_field(key));
        for (const FindingRow* row : catalogue())
            for (const std::string_view key : row->needs.desired)
                out.insert(find_field(key));
        return out;
    }();
    return all.contains(field);
}

/// The settings of which an entry states a part that holds `${…}`.
std::set<const Field*> pending_in(const Entry& entry) {
    std::set<const Field*> out;
    for (const Statement& statement : entry.statements)
        if (statement.pending) out.insert(statement.field);
    return out;
}

/// Holds what entries state against the checks. What follows from the intent that they share is
/// examined once a driver and not once an entry.
class EntryChecks {
public:
    using Found = std::function<void(const Fault&)>;

    /// `host` is what is stated of the host itself. Where one entry alone is checked, nothing of a
    /// driver is kept: each would hold all of the host's values.
    EntryChecks(const std::optional<Intent>& intent, const std::optional<SwitchSettings>& switches,
                const std::vector<Desired>& host, bool one_entry = false)
        : intent_(intent), switches_(switches), host_(host), one_entry_(one_entry) {}

    /// Calls `found` with each fault of the entry on each of the drivers, in the order of the
    /// drivers and then of the catalogue. What a fault points to is good until `found` returns.
    void each_fault(const Entry& entry, const std::vector<const Driver*>& drivers,
                    const Found& found) {
        std::optional<OfEntry> stated;
        for (const Driver* driver : drivers) {
            if (one_entry_) drivers_.clear();
            OnDriver& known = on(*driver);
            if (stands_apart(entry, known)) {
                if (!stated)
                    stated = OfEntry{.desired_values = stated_desired(entry).desired_values,
                                     .open = pending_in(entry),
                                     .rows = rows_about(entry)};
                each_alone(known, *stated, *driver, found);
                continue;
            }
            const std::vector<Desired> desired_values = all_desired(entry, *driver);
            std::ranges::for_each(
                inconsistencies(desired_values, intent_, switches_, *driver, pending_in(entry)),
                found);
        }
    }

private:
    /// What an entry states, which is the same on all drivers.
    struct OfEntry {
        std::vector<Desired> desired_values{};
        std::set<const Field*> open{};
        std::vector<std::size_t> rows{};  ///< that look at it, by their places in the catalogue
    };
    /// What follows on one driver for an entry that states nothing but the shared intent.
    struct OnDriver {
        std::vector<Desired> derived{};
        bool examined = false;
        std::map<std::size_t, Faults> faults{};  ///< by the row's place in the catalogue
        std::vector<Desired> with_stated{};  ///< the same desired values, and room for an entry's
    };

    /// What is stated of the ports and of the host, and what follows where neither says otherwise.
    [[nodiscard]] std::vector<Desired> all_desired(const Entry& entry, const Driver& driver) const {
        DesiredValues all = stated_desired(entry);
        all.desired_values.insert(all.desired_values.end(), host_.begin(), host_.end());
        if (intent_) add_derived(*intent_, driver, entry.optional, entry.external, all);
        return std::move(all.desired_values);
    }

    OnDriver& on(const Driver& driver) {
        const auto [place, fresh] = drivers_.try_emplace(&driver);
        if (fresh) place->second.derived = all_desired(Entry{}, driver);
        return place->second;
    }

    /// What the rows find where nothing is stated: once, for the first entry that stands apart.
    void examine_derived(OnDriver& on, const Driver& driver) const {
        if (on.examined) return;
        on.examined = true;
        on.with_stated = on.derived;
        const std::set<const Field*> nothing;
        const Evidence evidence = evidence_of(intent_, switches_, driver, on.derived, nothing);
        for (std::size_t i = 0; i < catalogue().size(); ++i)
            if (auto faults = examine(*catalogue()[i], evidence); faults && !faults->empty())
                on.faults.emplace(i, std::move(*faults));
    }

    /// Whether no statement of the entry affects the derived values, or the rows that check them.
    [[nodiscard]] static bool stands_apart(const Entry& entry, const OnDriver& on) {
        if (!entry.optional.empty() || !entry.external.empty()) return false;
        return std::ranges::none_of(entry.statements, [&](const Statement& statement) {
            return is_looked_for(statement.field) ||
                   std::ranges::find(on.derived, statement.field, &Desired::field) !=
                       on.derived.end();
        });
    }

    /// Of the rows that look at what is stated, what they find in all; of the others what is known.
    void each_alone(OnDriver& on, OfEntry& stated, const Driver& driver, const Found& found) const {
        examine_derived(on, driver);
        std::vector<std::size_t> rows = stated.rows;
        for (const auto& [row, faults] : on.faults)
            if (!std::ranges::binary_search(stated.rows, row)) rows.push_back(row);
        std::ranges::sort(rows);
        std::ranges::move(stated.desired_values, std::back_inserter(on.with_stated));
        const Evidence evidence =
            evidence_of(intent_, switches_, driver, on.with_stated, stated.open);
        for (const std::size_t row : rows) {
            if (!std::ranges::binary_search(stated.rows, row))
                std::ranges::for_each(on.faults.at(row), found);
            else if (const auto fresh = examine(*catalogue()[row], evidence))
                std::ranges::for_each(*fresh, found);
        }
        const auto own = std::next(on.with_stated.begin(), std::ssize(on.derived));
        std::move(own, on.with_stated.end(), stated.desired_values.begin());
        on.with_stated.erase(own, on.with_stated.end());
        // The room for a few serves the next entry; that for thousands would be held once a driver.
        constexpr std::size_t few = 1000;
        if (stated.desired_values.size() > few) on.with_stated.shrink_to_fit();
    }

    const std::optional<Intent>& intent_;
    const std::optional<SwitchSettings>& switches_;
    const std::vector<Desired>& host_;
    bool one_entry_;
    std::map<const Driver*, OnDriver> drivers_{};
};

/// Holds what the entry states against the checks, on each of the drivers; what is found on several
/// is said once.
void check_desired(const Entry& entry, EntryChecks& checks,
                   const std::vector<const Driver*>& drivers, Remarks& remarks) {
    std::set<std::pair<std::string_view, std::string>> said;
    checks.each_fault(entry, drivers, [&](const Fault& fault) {
        const Origin& origin = fault.at->origin;
        if (!said.emplace(fault.row->id, text(origin)).second) return;
        const bool note = fault.row->level == FindingLevel::note;
        (note ? remarks.notes : remarks.problems)
            .push_back({file_place(origin), origin.pointer,
                        element_name(*fault.at->field, fault.at->element) + ": " + fault.text +
                            (fault.remedy.empty() ? "" : "; state " + fault.remedy)});
    });
}

}  // namespace

void check_offline(const Node& tree, const Given& given, const std::string& port,
                   Remarks& remarks) {
    Problems& problems = remarks.problems;
    const OfflineProfile profile(tree, given, problems);
    if (const Node* stated = tree.find("probe"))
        read_acceptance(substitute_given(*stated, given, "/probe", problems), "/probe", problems);
    check_bonds(profile.host, problems);
    const std::vector<Desired> host = stated_desired(profile.host).desired_values;
    const std::optional<Intent> none;
    EntryChecks checks(profile.intent, profile.switches, host);
    EntryChecks of_children(none, profile.switches, host);
    const Node* ports = tree.find("ports");
    bool shares_intent = false;
    const auto check_entry = [&](const OfflineEntry& at) {
        const std::vector<const Driver*> rows = possible_drivers(at.entry.match);
        if (at.has_roce()) {
            if (at.intent) check_tagging(*at.intent, *ports, problems);
            EntryChecks of_entry(at.intent, profile.switches, host);
            check_desired(at.entry, of_entry, rows, remarks);
        } else {
            shares_intent = true;
            check_desired(at.entry, checks, rows, remarks);
        }
        for (const VlanChild& child : at.entry.children)
            check_desired(child.entry, of_children, {drivers().back()}, remarks);
        // With one port's values put in, the entry is that port's.
        if (port.empty()) check_addresses(at.entry, problems);
    };
    profile.each_entry(problems, check_entry, port);
    if (profile.intent && shares_intent) check_tagging(*profile.intent, *ports, problems);
    // Where others are to add the ports, the intent and the switches are here.
    if (ports != nullptr) return;
    EntryChecks of_none(profile.intent, profile.switches, host, true);
    check_desired(Entry{}, of_none, possible_drivers({}), remarks);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/profile/entry_checks.hpp"

#include <algorithm>
#include <iterator>

#include "core/checks/catalogue.hpp"
#include "core/profile/offline_checks.hpp"

namespace core {
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

Evidence evidence_of(const std::optional<Intent>& intent, const std::optional<Fabric>& fabric,
                     const Driver& driver, const std::vector<Desired>& desired_values) {
    return {.driver = &driver,
            .desired_values = desired_values,
            .intent = intent ? &*intent : nullptr,
            .fabric = fabric ? &*fabric : nullptr};
}

}  // namespace

std::set<const Field*> pending_in(const Entry& entry) {
    std::set<const Field*> out;
    for (const Statement& statement : entry.statements)
        if (statement.pending) out.insert(statement.field);
    return out;
}

/// What is stated of the ports and of the host, and what follows where neither says otherwise.
std::vector<Desired> EntryChecks::all_desired(const Entry& entry, const Driver& driver) const {
    DesiredValues all = stated_desired(entry);
    all.desired_values.insert(all.desired_values.end(), host_.begin(), host_.end());
    if (intent_) add_derived(*intent_, driver, entry.optional, entry.external, all);
    return std::move(all.desired_values);
}

EntryChecks::OnDriver& EntryChecks::on(const Driver& driver) {
    const auto [place, fresh] = drivers_.try_emplace(&driver);
    OnDriver& out = place->second;
    if (!fresh) return out;
    out.derived = all_desired(Entry{}, driver);
    return out;
}

/// What the rows find where nothing is stated: once, for the first entry that stands apart.
void EntryChecks::look_at_derived(OnDriver& on, const Driver& driver) const {
    if (on.examined) return;
    on.examined = true;
    on.with_stated = on.derived;
    const std::set<const Field*> nothing;
    Evidence evidence = evidence_of(intent_, fabric_, driver, on.derived);
    evidence.open = &nothing;
    for (std::size_t i = 0; i < catalogue().size(); ++i)
        if (auto faults = examine(*catalogue()[i], evidence); faults && !faults->empty())
            on.faults.emplace(i, std::move(*faults));
}

/// Whether no statement of the entry affects the derived values, or the rows that check them.
bool EntryChecks::stands_apart(const Entry& entry, const OnDriver& on) const {
    if (!entry.optional.empty() || !entry.external.empty()) return false;
    return std::ranges::none_of(entry.statements, [&](const Statement& statement) {
        return is_looked_for(statement.field) ||
               std::ranges::find(on.derived, statement.field, &Desired::field) != on.derived.end();
    });
}

/// Of the rows that look at what is stated, what they find in all; of the others what is known.
void EntryChecks::each_alone(OnDriver& on, Stated& stated, const Driver& driver,
                             const Found& found) const {
    look_at_derived(on, driver);
    std::vector<std::size_t> rows = stated.rows;
    for (const auto& [row, faults] : on.faults)
        if (!std::ranges::binary_search(stated.rows, row)) rows.push_back(row);
    std::ranges::sort(rows);
    std::ranges::move(stated.desired_values, std::back_inserter(on.with_stated));
    Evidence evidence = evidence_of(intent_, fabric_, driver, on.with_stated);
    evidence.open = &stated.open;
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

void EntryChecks::each_fault(const Entry& entry, const std::vector<const Driver*>& drivers,
                             const Found& found) {
    std::optional<Stated> stated;
    for (const Driver* driver : drivers) {
        OnDriver& known = on(*driver);
        if (stands_apart(entry, known)) {
            if (!stated)
                stated = Stated{.desired_values = stated_desired(entry).desired_values,
                                .open = pending_in(entry),
                                .rows = rows_about(entry)};
            each_alone(known, *stated, *driver, found);
            continue;
        }
        const std::vector<Desired> desired_values = all_desired(entry, *driver);
        std::ranges::for_each(
            inconsistencies(desired_values, intent_, fabric_, *driver, pending_in(entry)), found);
    }
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/profile/entry_checks.hpp"

#include <algorithm>
#include <iterator>

#include "core/checks/catalogue.hpp"
#include "core/profile/offline_checks.hpp"

namespace core {
namespace {

/// The places in the catalogue of the rows that look at a setting.
const std::set<std::size_t>& rows_about(const Field* field) {
    static const std::map<const Field*, std::set<std::size_t>> all = [] {
        std::map<const Field*, std::set<std::size_t>> out;
        for (std::size_t i = 0; i < catalogue().size(); ++i)
            for (const auto& keys : {catalogue()[i]->needs.keys, catalogue()[i]->needs.wished})
                for (const std::string_view key : keys)
                    out[find_field(key)].insert(i);
        return out;
    }();
    static const std::set<std::size_t> none;
    const auto found = all.find(field);
    return found == all.end() ? none : found->second;
}

/// Whether rows look for a wish for the setting beside the settings that they are about.
bool is_looked_for(const Field* field) {
    static const std::set<const Field*> all = [] {
        std::set<const Field*> out;
        for (const std::string_view key : kLookedForBeside)
            out.insert(find_field(key));
        for (const FindingRow* row : catalogue())
            for (const std::string_view key : row->needs.wished)
                out.insert(find_field(key));
        return out;
    }();
    return all.contains(field);
}

Evidence evidence_of(const std::optional<Intent>& intent, const std::optional<Fabric>& fabric,
                     const Driver& driver, const std::vector<Wish>& wishes) {
    return {.driver = &driver,
            .wishes = wishes,
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
std::vector<Wish> EntryChecks::all_wishes(const Entry& entry, const Driver& driver) const {
    Wished all = stated_wishes(entry);
    all.wishes.insert(all.wishes.end(), host_.begin(), host_.end());
    if (intent_) add_derived(*intent_, driver, entry.optional, entry.external, all);
    return std::move(all.wishes);
}

EntryChecks::OnDriver& EntryChecks::on(const Driver& driver) {
    const auto [place, fresh] = drivers_.try_emplace(&driver);
    OnDriver& out = place->second;
    if (!fresh) return out;
    out.derived = all_wishes(Entry{}, driver);
    return out;
}

/// What the rows find where nothing is stated: once, for the first entry that stands apart.
void EntryChecks::look_at_derived(OnDriver& on, const Driver& driver) const {
    if (on.looked_at) return;
    on.looked_at = true;
    on.with_stated = on.derived;
    const std::set<const Field*> nothing;
    Evidence evidence = evidence_of(intent_, fabric_, driver, on.derived);
    evidence.open = &nothing;
    for (std::size_t i = 0; i < catalogue().size(); ++i)
        if (auto faults = examine(*catalogue()[i], evidence); faults && !faults->empty())
            on.faults.emplace(i, std::move(*faults));
}

/// Whether nothing that the entry states changes what follows from the intent, or what rows find in
/// that.
bool EntryChecks::stands_apart(const Entry& entry, const OnDriver& on) const {
    if (!entry.optional.empty() || !entry.external.empty()) return false;
    return std::ranges::none_of(entry.statements, [&](const Statement& statement) {
        return is_looked_for(statement.field) ||
               std::ranges::find(on.derived, statement.field, &Wish::field) != on.derived.end();
    });
}

/// Of the rows that look at what is stated, what they find in all; of the others what is known.
void EntryChecks::each_alone(OnDriver& on, const std::vector<Wish>& stated, const Entry& entry,
                             const Driver& driver, const Found& found) const {
    look_at_derived(on, driver);
    std::set<std::size_t> concerned;
    for (const Statement& statement : entry.statements)
        concerned.insert(rows_about(statement.field).begin(), rows_about(statement.field).end());
    std::set<std::size_t> rows = concerned;
    for (const auto& [row, faults] : on.faults)
        rows.insert(row);
    const std::set<const Field*> open = pending_in(entry);
    on.with_stated.insert(on.with_stated.end(), stated.begin(), stated.end());
    Evidence evidence = evidence_of(intent_, fabric_, driver, on.with_stated);
    evidence.open = &open;
    for (const std::size_t row : rows) {
        std::optional<Faults> fresh;
        if (concerned.contains(row)) fresh = examine(*catalogue()[row], evidence);
        if (!concerned.contains(row)) std::ranges::for_each(on.faults.at(row), found);
        if (fresh) std::ranges::for_each(*fresh, found);
    }
    on.with_stated.resize(on.derived.size());
    // The room for a few serves the next entry; that for thousands would be held once a driver.
    constexpr std::size_t few = 1000;
    if (stated.size() > few) on.with_stated.shrink_to_fit();
}

void EntryChecks::each_fault(const Entry& entry, const Driver& driver, const Found& found) {
    OnDriver& known = on(driver);
    if (stands_apart(entry, known))
        return each_alone(known, stated_wishes(entry).wishes, entry, driver, found);
    const std::vector<Wish> wishes = all_wishes(entry, driver);
    std::ranges::for_each(inconsistencies(wishes, intent_, fabric_, driver, pending_in(entry)),
                          found);
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/inquiry.hpp"

#include <algorithm>
#include <iterator>

#include "core/checks/catalogue.hpp"
#include "core/checks/effective_intent.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/state.hpp"

namespace core {
namespace {

/// Whether the row examines a single port by its own values.
bool looks_at_a_port(const FindingRow& row) {
    const Needs& needs = row.needs;
    return row.run != nullptr && !needs.keys.empty() && !needs.intent && !needs.switches &&
           needs.desired.empty();
}

bool can_read(const FindingRow& row) {
    if (row.examines != CheckTarget::settings) return row.run != nullptr;
    return looks_at_a_port(row) && !row.needs.before;
}

}  // namespace

const Port* Inquiry::before(const std::string& port) const {
    return earlier == nullptr ? nullptr : find_port(*earlier, port);
}

std::uint64_t Inquiry::times_set_down(const Port& port) const {
    const auto found = set_down.find(port.name);
    const Port* was = before(port.name);
    if (found == set_down.end() || was == nullptr || !was->link || !port.link) return 0;
    // One that the earlier reading counts already, or this one not yet, is in no difference of
    // them.
    const auto is_between = [&](std::uint64_t count) {
        return count > was->link->carrier_down_count && count <= port.link->carrier_down_count;
    };
    return static_cast<std::uint64_t>(std::ranges::count_if(found->second, is_between));
}

void add(SetDowns& set_downs, const std::vector<Notification>& notifications) {
    for (const Notification& one : notifications)
        if (one.what == Notification::What::set_down)
            set_downs[one.port].insert(one.carrier_down_count);
}

std::vector<const FindingRow*> doctor_rows() {
    std::vector<const FindingRow*> out;
    std::ranges::copy_if(catalogue(), std::back_inserter(out),
                         [](const FindingRow* row) { return can_read(*row); });
    out.push_back(&findings::settings_of_siblings);
    out.push_back(&findings::drift);
    out.push_back(&findings::accepted_stale);
    return out;
}

bool is_asked(const FindingRow& row, const Inquiry& inquiry) {
    const auto names = [&](const std::set<std::string>& asked) {
        return asked.contains(std::string(row.id)) ||
               asked.contains(std::string(group_of(row).name));
    };
    return (inquiry.only.empty() || names(inquiry.only)) && !names(inquiry.leave);
}

Objects doctor_objects(const Inquiry& inquiry) {
    Objects out = inventory();
    out.insert(object_of("rdma.device"));
    for (const FindingRow* row : doctor_rows()) {
        if (!is_asked(*row, inquiry) || (row->needs.before && !inquiry.twice)) continue;
        for (const std::string_view key : row->needs.keys)
            out.insert(object_of(key));
        for (const std::string_view key : row->needs.beside)
            out.insert(object_of(key));
    }
    if (is_asked(findings::settings_of_siblings, inquiry))
        for (const ObjectRow* row : objects())
            if (row->alike) out.insert(row->object);
    if (std::ranges::any_of(out, [](Object object) { return row_of(object).read.intents; }))
        out.merge(intent_objects());
    if (inquiry.desired_values != nullptr)
        for (const Desired& desired : inquiry.desired_values->desired_values)
            out.insert(desired.field->object);
    return out;
}

AskedNames doctor_elements(const Inquiry& inquiry) {
    AskedNames out;
    for (const FindingRow* row : doctor_rows())
        if (!row->needs.named.empty() && is_asked(*row, inquiry))
            out[object_of(row->needs.keys.front())].insert(row->needs.named.begin(),
                                                           row->needs.named.end());
    if (inquiry.desired_values != nullptr)
        for (const Desired& desired : inquiry.desired_values->desired_values)
            if (row_of(desired.field->object).read.by_name)
                out[desired.field->object].insert(desired.element);
    return out;
}

}  // namespace core

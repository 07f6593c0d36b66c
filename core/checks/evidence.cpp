// SPDX-License-Identifier: Apache-2.0
#include "core/checks/evidence.hpp"

#include <algorithm>
#include <iterator>

#include "core/model/driver.hpp"
#include "core/model/object.hpp"
#include "core/model/reading.hpp"

namespace core {
namespace {

using DesiredList = std::vector<const Desired*>;

/// A port that holds only what is desired. The driver comes last: where it lets trust follow from
/// the map, setting trust would store nothing, and what was asked would be lost.
Port described(const DesiredList& desired_values, const Driver& driver) {
    Port port;
    ElementWriter writer(port);
    for (const Desired* desired : desired_values)
        writer.set(*desired->field, desired->element, desired->value);
    writer.done();
    port.device = Device{.driver = std::string(driver.name), .firmware = {}};
    return port;
}

DesiredList about(std::span<const std::string_view> keys, const Evidence& evidence) {
    DesiredList out;
    for (const std::string_view key : keys)
        for (const Desired& desired : evidence.desired_values)
            if (desired.field->key == key) out.push_back(&desired);
    return out;
}

/// The first stated one, in the order in which the row names its keys.
const Desired* to_blame(const DesiredList& desired_values) {
    const auto stated = std::ranges::find_if(
        desired_values, [](const Desired* desired) { return !is_derived(desired->origin); });
    return stated == desired_values.end() ? desired_values.front() : *stated;
}

bool all_desired(const FindingRow& row, const DesiredList& desired_values,
                 const Evidence& evidence) {
    return std::ranges::all_of(row.needs.keys, [&](std::string_view key) {
        const Field* field = find_field(key);
        const bool open = evidence.open != nullptr && evidence.open->contains(field);
        return !open && std::ranges::any_of(desired_values, [&](const Desired* desired) {
            return desired->field == field;
        });
    });
}

/// What firmware places as it likes says nothing, unless somebody states it so.
bool left_to_firmware(const Evidence& evidence, Object object) {
    const auto by_firmware = row_of(object).chosen_by.firmware;
    return by_firmware != nullptr && by_firmware(*evidence.driver, *evidence.now) &&
           std::ranges::none_of(evidence.desired_values, [&](const Desired& desired) {
               return desired.field->object == object && desired.value;
           });
}

bool all_read(const FindingRow& row, const Evidence& evidence) {
    const Port& port = *evidence.now;
    return std::ranges::all_of(row.needs.keys, [&](std::string_view key) {
        const Field* field = find_field(key);
        return !port.unknown.contains(field->object) && !port.refused.contains(field->object) &&
               field->get(port).has_value() && !left_to_firmware(evidence, field->object);
    });
}

/// On the port that these desired values describe.
Faults described_faults(const FindingRow& row, Evidence evidence,
                        const DesiredList& desired_values) {
    const Port port = described(desired_values, *evidence.driver);
    evidence.now = &port;
    Faults out = row.run(evidence);
    for (Fault& fault : out)
        if (fault.at == nullptr) fault.at = to_blame(desired_values);
    return out;
}

std::optional<Faults> desired_faults(const FindingRow& row, const Evidence& evidence) {
    const Needs& needs = row.needs;
    DesiredList on = about(needs.keys, evidence);
    if (needs.keys.size() == 1 && is_collection(find_field(needs.keys.front())->shape)) {
        // Each element by itself, so that the one at fault is the one to blame.
        Faults out;
        std::erase_if(on, [](const Desired* desired) { return !desired->value; });
        if (on.empty()) return std::nullopt;
        for (const Desired* desired : on)
            std::ranges::move(described_faults(row, evidence, {desired}), std::back_inserter(out));
        return out;
    }
    if (!all_desired(row, on, evidence)) return std::nullopt;
    const Desired* first = find_desired(evidence, needs.keys.front());
    if (needs.stated && first != nullptr && is_derived(first->origin)) return std::nullopt;
    for (const std::string_view key : kLookedForBeside)
        if (const Desired* beside = find_desired(evidence, key)) on.push_back(beside);
    return described_faults(row, evidence, on);
}

std::optional<Faults> found(const FindingRow& row, const Evidence& evidence) {
    const Needs& needs = row.needs;
    if (row.run == nullptr || row.examines != CheckTarget::settings) return std::nullopt;
    if ((needs.before && evidence.before == nullptr) ||
        (needs.intent && evidence.intent == nullptr) ||
        (needs.switches && evidence.switches == nullptr))
        return std::nullopt;
    if (!needs.desired.empty() && about(needs.desired, evidence).empty()) return std::nullopt;
    if (needs.keys.empty()) return row.run(evidence);
    if (evidence.now == nullptr) return desired_faults(row, evidence);
    if (!all_read(row, evidence)) return std::nullopt;
    return row.run(evidence);
}

}  // namespace

std::optional<Faults> examine(const FindingRow& row, const Evidence& evidence) {
    std::optional<Faults> out = found(row, evidence);
    if (!out) return out;
    for (Fault& fault : *out) {
        fault.row = &row;
        if (fault.remedy.empty()) fault.remedy = row.remedy;
    }
    return out;
}

const Desired* find_desired(const Evidence& evidence, std::string_view key,
                            std::string_view element) {
    for (const Desired& desired : evidence.desired_values)
        if (desired.field->key == key && desired.element == element) return &desired;
    return nullptr;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/checks/evidence.hpp"
#include "core/model/driver.hpp"
#include "core/model/object.hpp"
#include "core/model/reading.hpp"

namespace core {
namespace {

using WishList = std::vector<const Wish*>;

/// A port that holds only what is wished. The driver comes last: where it lets trust follow from
/// the map, setting trust would store nothing, and what was asked would be lost.
Port described(const WishList& wishes, const Driver& driver) {
    Port port;
    ElementWriter writer(port);
    for (const Wish* wish : wishes)
        writer.set(*wish->field, wish->element, wish->value);
    writer.done();
    port.device = Device{.driver = std::string(driver.name), .firmware = {}};
    return port;
}

WishList about(std::span<const std::string_view> keys, const Evidence& evidence) {
    WishList out;
    for (const std::string_view key : keys)
        for (const Wish& wish : evidence.wishes)
            if (wish.field->key == key) out.push_back(&wish);
    return out;
}

/// The first stated one, in the order in which the row names its keys.
const Wish* to_blame(const WishList& wishes) {
    const auto stated =
        std::ranges::find_if(wishes, [](const Wish* wish) { return !is_derived(wish->origin); });
    return stated == wishes.end() ? wishes.front() : *stated;
}

bool all_wished(const FindingRow& row, const WishList& wishes, const Evidence& evidence) {
    return std::ranges::all_of(row.needs.keys, [&](std::string_view key) {
        const Field* field = find_field(key);
        const bool open = evidence.open != nullptr && evidence.open->contains(field);
        return !open &&
               std::ranges::any_of(wishes, [&](const Wish* wish) { return wish->field == field; });
    });
}

/// What firmware places as it likes says nothing, unless somebody wishes it so.
bool left_to_firmware(const Evidence& evidence, Object object) {
    const auto by_firmware = row_of(object).by_firmware;
    return by_firmware != nullptr && by_firmware(*evidence.driver, *evidence.now) &&
           std::ranges::none_of(evidence.wishes, [&](const Wish& wish) {
               return wish.field->object == object && wish.value;
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

/// On the port that these wishes describe.
Faults described_faults(const FindingRow& row, Evidence evidence, const WishList& wishes) {
    const Port port = described(wishes, *evidence.driver);
    evidence.now = &port;
    Faults out = row.look(evidence);
    for (Fault& fault : out)
        if (fault.at == nullptr) fault.at = to_blame(wishes);
    return out;
}

std::optional<Faults> wished_faults(const FindingRow& row, const Evidence& evidence) {
    const Needs& needs = row.needs;
    WishList on = about(needs.keys, evidence);
    if (needs.keys.size() == 1 && is_collection(find_field(needs.keys.front())->shape)) {
        // Each element by itself, so that the one at fault is the one to blame.
        Faults out;
        std::erase_if(on, [](const Wish* wish) { return !wish->value; });
        if (on.empty()) return std::nullopt;
        for (const Wish* wish : on)
            std::ranges::move(described_faults(row, evidence, {wish}), std::back_inserter(out));
        return out;
    }
    if (!all_wished(row, on, evidence)) return std::nullopt;
    const Wish* first = find_wish(evidence, needs.keys.front());
    if (needs.stated && first != nullptr && is_derived(first->origin)) return std::nullopt;
    for (const std::string_view key : kLookedForBeside)
        if (const Wish* beside = find_wish(evidence, key)) on.push_back(beside);
    return described_faults(row, evidence, on);
}

std::optional<Faults> found(const FindingRow& row, const Evidence& evidence) {
    const Needs& needs = row.needs;
    if (row.look == nullptr || row.looks_at != LooksAt::settings) return std::nullopt;
    if ((needs.before && evidence.before == nullptr) ||
        (needs.intent && evidence.intent == nullptr) ||
        (needs.fabric && evidence.fabric == nullptr))
        return std::nullopt;
    if (!needs.wished.empty() && about(needs.wished, evidence).empty()) return std::nullopt;
    if (needs.keys.empty()) return row.look(evidence);
    if (evidence.now == nullptr) return wished_faults(row, evidence);
    if (!all_read(row, evidence)) return std::nullopt;
    return row.look(evidence);
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

const Wish* find_wish(const Evidence& evidence, std::string_view key, std::string_view element) {
    for (const Wish& wish : evidence.wishes)
        if (wish.field->key == key && wish.element == element) return &wish;
    return nullptr;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "core/checks/checks.hpp"
#include "core/doctor/examination.hpp"
#include "core/model/object.hpp"

namespace core {
namespace {

/// The objects that rows found on each port speak of.
using Spoken = std::map<std::string, Objects>;

Spoken spoken_of(const std::vector<Check>& found) {
    Spoken out;
    for (const Check& check : found) {
        if (check.faults.empty()) continue;
        for (const auto& keys : {check.row->needs.keys, check.row->needs.desired})
            for (const std::string_view key : keys)
                out[check.port].insert(object_of(key));
        for (const Fault& fault : check.faults)
            for (const Desired& desired : fault.fix)
                out[desired.port].insert(desired.field->object);
    }
    return out;
}

/// The elements of a port that the profile states.
using StatedElements = std::map<std::string, std::set<std::pair<const Field*, std::string>>>;

StatedElements stated_by(const DesiredState* desired_values) {
    StatedElements out;
    if (desired_values != nullptr)
        for (const Desired& desired : desired_values->desired_values)
            out[desired.port].emplace(desired.field, desired.element);
    return out;
}

bool is_to_be_alike(const Field& field) {
    return field.use == Field::Use::setting && row_of(field.object).alike;
}

/// Nothing where the value is not known, or is the firmware's to choose.
std::optional<Elements> held(const Port& port, const Field& field) {
    const auto by_firmware = row_of(field.object).chosen_by.firmware;
    if (port.unknown.contains(field.object) || port.refused.contains(field.object) ||
        (by_firmware != nullptr && by_firmware(driver_of(port), port)))
        return std::nullopt;
    return field.get(port);
}

struct FieldVote {
    const Elements* elements = nullptr;
    std::size_t ports = 0;
};

/// What ports of one driver hold of a field, each by its place among them.
class FieldVotes {
public:
    FieldVotes(const std::vector<const Port*>& ports, const Field& field) {
        for (const Port* port : ports)
            held_.push_back(held(*port, field));
        for (const auto& elements : held_) {
            if (!elements) continue;
            const auto known = std::ranges::find_if(
                votes_, [&](const FieldVote& vote) { return *vote.elements == *elements; });
            if (known == votes_.end())
                votes_.push_back({.elements = &*elements, .ports = 1});
            else
                ++known->ports;
        }
    }

    /// Null where the value is not known.
    [[nodiscard]] const Elements* of(std::size_t port) const {
        return held_[port] ? &*held_[port] : nullptr;
    }
    /// What most of the others hold, if at least three agree: with fewer nobody knows who is right.
    /// Null else.
    [[nodiscard]] const Elements* of_others(std::size_t port) const {
        constexpr std::size_t enough = 3;
        const FieldVote* most = nullptr;
        const auto without = [&](const FieldVote& vote) {
            const bool own = held_[port] && *vote.elements == *held_[port];
            return vote.ports - (own ? 1 : 0);
        };
        for (const FieldVote& vote : votes_)
            if (without(vote) >= enough && (most == nullptr || without(vote) > without(*most)))
                most = &vote;
        return most == nullptr ? nullptr : most->elements;
    }

private:
    std::vector<std::optional<Elements>> held_{};
    std::vector<FieldVote> votes_{};
};

/// An element in which the port differs: what the others have, and what it has.
struct Unlike {
    std::string element{};
    std::optional<Value> usual{};
    std::optional<Value> own{};
};

std::optional<Value> value_in(const Elements& elements, const std::string& element) {
    const auto found = elements.find(element);
    return found == elements.end() ? std::nullopt : std::optional(found->second);
}

std::vector<Unlike> unlike_elements(const Port& port, const Field& field, const Elements& own,
                                    const Elements& usual,
                                    const std::set<std::pair<const Field*, std::string>>& stated) {
    std::set<std::string> names;
    for (const Elements* each : {&own, &usual})
        for (const auto& [name, value] : *each)
            names.insert(name);
    std::vector<Unlike> out;
    for (const std::string& name : names) {
        Unlike one{.element = name, .usual = value_in(usual, name), .own = value_in(own, name)};
        const bool same = one.usual == one.own || (one.usual && one.own && field.same != nullptr &&
                                                   field.same(port, *one.usual, *one.own));
        if (!same && !stated.contains({&field, name}) && !made_by_kernel(port, field, name))
            out.push_back(std::move(one));
    }
    return out;
}

std::string value_or_nothing(const std::optional<Value>& value) {
    return value ? text(*value) : "nothing";
}

/// `dscp.map 26: 4, and 3 on the other ports`; of many elements the first ones.
Fault fault_of(const Port& port, const Field& field, const std::vector<Unlike>& unlike,
               const std::string& others) {
    constexpr std::size_t most = 3;
    Fault out{.row = &findings::settings_of_siblings};
    for (std::size_t i = 0; i < unlike.size(); ++i) {
        const Unlike& one = unlike[i];
        out.fix.push_back(
            {.port = port.name, .field = &field, .element = one.element, .value = one.usual});
        if (i >= most) continue;
        out.text += (i == 0 ? "" : "; ") + element_name(field, one.element) + " is " +
                    value_or_nothing(one.own) + ", " + others + " have " +
                    value_or_nothing(one.usual);
    }
    if (unlike.size() > most)
        out.text += "; and so on for " + std::to_string(unlike.size() - most) + " more";
    out.remedy = std::string(findings::settings_of_siblings.remedy);
    return out;
}

/// The ports of the fabric by their drivers.
std::vector<std::vector<const Port*>> kinds_of(const HostFabric& fabric) {
    std::map<std::string_view, std::vector<const Port*>> kinds;
    for (const Port* port : fabric.ports)
        if (port->device) kinds[port->device->driver].push_back(port);
    std::vector<std::vector<const Port*>> out;
    for (auto& [driver, ports] : kinds)
        out.push_back(std::move(ports));
    return out;
}

/// Compares ports of one driver on one fabric.
class Siblings {
public:
    Siblings(std::vector<const Port*> ports, std::string others)
        : ports_(std::move(ports)), others_(std::move(others)), compared_(ports_.size()) {
        for (const Port* port : ports_)
            checks_.push_back({.row = &findings::settings_of_siblings, .port = port->name});
    }

    void compare(const Field& field, const Spoken& spoken, StatedElements& stated) {
        const FieldVotes votes(ports_, field);
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            const Port& port = *ports_[i];
            const auto known = spoken.find(port.name);
            if (known != spoken.end() && known->second.contains(field.object)) continue;
            const Elements* own = votes.of(i);
            const Elements* usual = votes.of_others(i);
            if (own == nullptr || usual == nullptr) continue;
            compared_[i] = true;
            if (*own == *usual) continue;
            const auto unlike = unlike_elements(port, field, *own, *usual, stated[port.name]);
            if (!unlike.empty())
                checks_[i].faults.push_back(fault_of(port, field, unlike, others_));
        }
    }

    std::vector<Check> result() {
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            if (!checks_[i].faults.empty()) {
                checks_[i].verdict = Verdict::warn;
            } else if (!compared_[i]) {
                checks_[i].verdict = Verdict::skip;
                checks_[i].reason = "fewer than three other ports of its kind agree on a setting";
            }
        }
        return std::move(checks_);
    }

private:
    std::vector<const Port*> ports_;
    std::string others_;
    std::vector<bool> compared_;
    std::vector<Check> checks_{};
};

}  // namespace

std::vector<Check> unlike_siblings(const HostFabrics& fabrics, const DesiredState* desired_values,
                                   const std::vector<Check>& found) {
    const Spoken spoken = spoken_of(found);
    StatedElements stated = stated_by(desired_values);
    std::vector<Check> out;
    for (const HostFabric& fabric : fabrics.all())
        for (std::vector<const Port*>& ports : kinds_of(fabric)) {
            Siblings siblings(std::move(ports), siblings_words(fabrics, fabric));
            for (const Field& field : fields())
                if (is_to_be_alike(field)) siblings.compare(field, spoken, stated);
            std::ranges::move(siblings.result(), std::back_inserter(out));
        }
    return out;
}

}  // namespace core

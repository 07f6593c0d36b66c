// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/comparison.hpp"

#include <algorithm>
#include <set>

#include "core/model/object.hpp"
#include "core/model/reading.hpp"

namespace core {
namespace {

constexpr std::string_view kNone = "none";

/// Counters grow and tables are filled by themselves: neither is a change of the host.
bool is_compared(const Field& field) {
    if (is_restored(field)) return true;
    using Kind = Shape::Kind;
    const Kind kind = field.shape.kind;
    return kind == Kind::flag || kind == Kind::number || kind == Kind::word || kind == Kind::text ||
           kind == Kind::set;
}

std::string value_of(const Reading& reading, const Field& field, const std::string& element) {
    const Value* value = reading.element(field, element);
    return value == nullptr ? std::string(kNone) : text(*value);
}

void add(const Field& field, const Reading& was, const Reading& is, std::vector<Difference>& out) {
    const auto& before = was.elements(field);
    const auto& now = is.elements(field);
    if (!before || !now) return;
    std::set<std::string> names;
    for (const Elements* side : {&*before, &*now})
        for (const auto& [name, value] : *side)
            names.insert(name);
    for (const std::string& name : names) {
        Difference change{.port = is.port().name,
                          .name = element_name(field, name),
                          .before = value_of(was, field, name),
                          .after = value_of(is, field, name)};
        if (change.before != change.after) out.push_back(std::move(change));
    }
}

bool is_hardware(const Port& port) {
    return port.link && !port.link->pci.empty();
}

}  // namespace

Comparison compared(const State& before, const State& now, double seconds) {
    Comparison out{.seconds = seconds};
    for (const Port& port : before.ports)
        if (is_hardware(port) && find_port(now, port.name) == nullptr)
            out.changed.push_back(
                {.port = port.name, .name = "port", .before = port.link->pci, .after = "gone"});
    for (const Port& port : now.ports) {
        const Port* earlier = find_port(before, port.name);
        if (earlier == nullptr) {
            if (is_hardware(port))
                out.changed.push_back(
                    {.port = port.name, .name = "port", .before = "none", .after = port.link->pci});
            continue;
        }
        const Reading was(*earlier);
        const Reading is(port);
        for (const Field& field : fields())
            if (is_compared(field)) add(field, was, is, out.changed);
    }
    return out;
}

bool are_of_different_hosts(const State& earlier, const State& now) {
    if (earlier.host.name.empty() || now.host.name.empty() || earlier.host.name == now.host.name)
        return false;
    std::set<std::string_view> known;
    for (const Port& port : earlier.ports)
        if (port.link && !port.link->mac.empty()) known.insert(port.link->mac);
    return std::ranges::none_of(
        now.ports, [&](const Port& port) { return port.link && known.contains(port.link->mac); });
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"
#include "core/model/driver.hpp"
#include "core/objects/dcb/selectors.hpp"

// DCB: who owns it, ETS, rate limits, PFC and the APP table with trust and the DSCP map.

namespace core {
namespace {

constexpr std::array<std::string_view, 4> kAlgorithms = {"strict", "cb_shaper", "ets", "vendor"};

bool shown_by_map(const AppEntry& entry) {
    return entry.selector == AppEntry::dscp || entry.selector == AppEntry::dgram;
}

Got get_dcbx_mode(const Port& port) {
    if (!port.dcbx) return std::nullopt;
    const bool host =
        (port.dcbx->bits & Dcbx::host) != 0 && (port.dcbx->bits & Dcbx::lld_managed) == 0;
    return one(std::string(host ? "host" : "firmware"));
}

void set_dcbx_mode(Port& port, const Elements& elements) {
    if (port.dcbx && get_dcbx_mode(port) == elements) return;
    const bool host = plain<std::string>(elements) == "host";
    const Driver& driver = driver_of(port);
    part_of<&Port::dcbx>(port).bits = host ? driver.host_dcbx : driver.firmware_dcbx.value_or(0);
}

Got get_algorithm(const Port& port) {
    if (!port.ets) return std::nullopt;
    Words words;
    for (const std::uint8_t algorithm : port.ets->algorithm)
        words.emplace_back(kAlgorithms.at(std::min<std::size_t>(algorithm, 3)));
    return one(words);
}

void set_algorithm(Port& port, const Elements& elements) {
    auto& algorithms = part_of<&Port::ets>(port).algorithm;
    algorithms = {};
    const auto words = plain<Words>(elements);
    for (std::size_t i = 0; i < std::min(words.size(), algorithms.size()); ++i) {
        const auto found = std::ranges::find(kAlgorithms, words[i]);
        const auto index = static_cast<std::uint8_t>(found - kAlgorithms.begin());
        algorithms.at(i) = index == 3 ? Ets::vendor : index;
    }
}

bool same_bandwidth(const Port& port, const Value& left, const Value& right) {
    const auto* one = std::get_if<Numbers>(&left);
    const auto* other = std::get_if<Numbers>(&right);
    if (one == nullptr || other == nullptr || one->size() != other->size()) return false;
    for (std::size_t i = 0; i < one->size(); ++i) {
        const bool shares = !port.ets || port.ets->algorithm.at(i) == Ets::shared;
        if (shares && (*one)[i] != (*other)[i]) return false;
    }
    return true;
}

Got get_priorities(const Port& port) {
    if (!port.pfc) return std::nullopt;
    Numbers priorities;
    for (std::uint64_t priority = 0; priority < kPriorities; ++priority)
        if (((unsigned{port.pfc->priorities} >> priority) & 1U) != 0)
            priorities.push_back(priority);
    return one(priorities);
}

void set_priorities(Port& port, const Elements& elements) {
    unsigned mask = 0;
    for (const std::uint64_t priority : plain<Numbers>(elements))
        mask |= 1U << priority;
    part_of<&Port::pfc>(port).priorities = static_cast<std::uint8_t>(mask);
}

/// One number of the kernel's has one key: which one says what the driver counts in.
Got get_delay(const Port& port) {
    if (driver_of(port).delay_is_metres) return std::nullopt;
    return get_number<&Port::pfc, &Pfc::delay>(port);
}

Got get_cable_length(const Port& port) {
    if (!driver_of(port).delay_is_metres) return std::nullopt;
    return get_number<&Port::pfc, &Pfc::delay>(port);
}

Got get_storm(const Port& port) {
    if (!port.storm_prevention) return std::nullopt;
    const std::uint16_t timeout = port.storm_prevention->timeout;
    if (timeout == StormPrevention::off) return one(std::string("off"));
    if (timeout == StormPrevention::automatic) return one(std::string("auto"));
    return one(std::to_string(timeout));
}

void set_storm(Port& port, const Elements& elements) {
    const auto word = plain<std::string>(elements);
    auto& timeout = part_of<&Port::storm_prevention>(port).timeout;
    timeout = static_cast<std::uint16_t>(std::strtoul(word.c_str(), nullptr, 10));
    if (word == "auto") timeout = StormPrevention::automatic;
}

/// `0100` is 100; words stay as they are.
Value canonical_storm(const Value& value) {
    const auto& word = std::get<std::string>(value);
    if (word.empty() || word.find_first_not_of("0123456789") != std::string::npos) return value;
    return std::to_string(std::strtoul(word.c_str(), nullptr, 10));
}

/// A device that resolves "auto" reads the number.
bool same_storm(const Port& port, const Value& left, const Value& right) {
    const auto resolved = [&](const Value& value) -> Value {
        const std::uint16_t by_itself = driver_of(port).storm_auto;
        if (value == Value(std::string("auto")) && by_itself != 0) return std::to_string(by_itself);
        return value;
    };
    return resolved(left) == resolved(right);
}

Got get_trust(const Port& port) {
    if (!port.app) return std::nullopt;
    const auto& app = *port.app;
    bool dscp = false;
    if (driver_of(port).trust == Driver::Trust::by_map) {
        dscp = std::ranges::any_of(
            app.entries, [](const AppEntry& entry) { return entry.selector == AppEntry::dscp; });
    } else {
        if (!app.trust) return std::nullopt;
        return one(trust_words(*app.trust));
    }
    return one(std::string(dscp ? "dscp" : "pcp"));
}

/// Where trust follows from the map there is nothing to set.
void set_trust(Port& port, const Elements& elements) {
    auto& app = part_of<&Port::app>(port);
    if (driver_of(port).trust == Driver::Trust::by_map) return;
    app.trust = trust_order(plain<std::string>(elements));
}

Numbers several(const Value& value) {
    if (const auto* number = std::get_if<std::uint64_t>(&value)) return {*number};
    const auto* numbers = std::get_if<Numbers>(&value);
    return numbers == nullptr ? Numbers{} : *numbers;
}

void add_number(Elements& elements, std::uint64_t key, std::uint64_t number) {
    const auto [found, added] = elements.emplace(std::to_string(key), number);
    if (added) return;
    Numbers numbers = several(found->second);
    numbers.push_back(number);
    found->second = numbers;
}

/// Calls `found(key, number)` for every number of every key.
template <typename Found>
void for_each_number(const Elements& elements, const Found& found) {
    for (const auto& [key, value] : elements)
        for (const std::uint64_t number : several(value))
            found(std::strtoul(key.c_str(), nullptr, 10), number);
}

template <std::uint8_t Selector>
bool is_of(const AppEntry& entry) {
    return entry.selector == Selector;
}

template <std::uint8_t Selector>
Got get_map(const Port& port) {
    if (!port.app) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.app->entries)
        if (is_of<Selector>(entry)) add_number(elements, entry.protocol, entry.priority);
    return elements;
}
template <std::uint8_t Selector>
void set_map(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::app>(port).entries;
    std::erase_if(entries, is_of<Selector>);
    for_each_number(elements, [&](std::uint64_t protocol, std::uint64_t priority) {
        entries.insert(
            {Selector, static_cast<std::uint16_t>(protocol), static_cast<std::uint8_t>(priority)});
    });
}

/// The kernel keeps the table for drivers that do nothing with it as well.
Got get_rewrite(const Port& port) {
    if (!port.rewrite || !driver_of(port).rewrites) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.rewrite->entries)
        if (is_of<AppEntry::dscp>(entry)) add_number(elements, entry.priority, entry.protocol);
    return elements;
}

void set_rewrite(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::rewrite>(port).entries;
    std::erase_if(entries, is_of<AppEntry::dscp>);
    for_each_number(elements, [&](std::uint64_t priority, std::uint64_t dscp) {
        entries.insert({AppEntry::dscp, static_cast<std::uint16_t>(dscp),
                        static_cast<std::uint8_t>(priority)});
    });
}

Got get_other_app(const Port& port) {
    if (!port.app) return std::nullopt;
    Elements elements;
    for (const AppEntry& entry : port.app->entries) {
        if (shown_by_map(entry)) continue;
        const std::string selector = selector_word(entry.selector);
        Record record{{"selector", selector},
                      {"protocol", std::uint64_t{entry.protocol}},
                      {"priority", std::uint64_t{entry.priority}}};
        elements.emplace(
            selector + ' ' + std::to_string(entry.protocol) + ' ' + std::to_string(entry.priority),
            std::move(record));
    }
    return elements;
}

void set_other_app(Port& port, const Elements& elements) {
    auto& entries = part_of<&Port::app>(port).entries;
    std::erase_if(entries, [](const AppEntry& entry) { return !shown_by_map(entry); });
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        entries.insert({selector_of(text_part(record, "selector")).value_or(0),
                        static_cast<std::uint16_t>(number_part(record, "protocol")),
                        static_cast<std::uint8_t>(number_part(record, "priority"))});
    }
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array<std::string_view, 2> kOwners = {"host", "firmware"};
constexpr std::array<std::string_view, 2> kTimeouts = {"off", "auto"};
constexpr std::array<std::string_view, 5> kSelectors = {"ethtype", "stream-port", "port", "pcp",
                                                        "other"};
constexpr std::array kAppParts = {
    RecordPart{.name = "selector",
               .shape = {.kind = word, .max = 255, .words = kSelectors},
               .doc = "What the protocol number means.",
               .required = true,
               .identity = true},
    RecordPart{.name = "protocol",
               .shape = {.kind = number, .max = 65535},
               .doc = "Protocol number.",
               .required = true,
               .identity = true},
    RecordPart{.name = "priority",
               .shape = {.kind = number, .max = 7},
               .doc = "Its priority.",
               .required = true,
               .identity = true},
};

using enum Object;

const std::array kRows = {
    setting("dcbx.mode", dcbx, {.kind = word, .words = kOwners},
            "Who owns the port's DCB state: the host, or the NIC's firmware and its DCBX agent.",
            get_dcbx_mode, set_dcbx_mode),
    fact("dcbx.capability", dcbx, {.kind = number, .max = 255},
         "DCBX mode bits as the driver reports them: host 1, lld-managed 2, cee 4, ieee 8, "
         "static 16.",
         get_number<&Port::dcbx, &Dcbx::bits>, set_number<&Port::dcbx, &Dcbx::bits>),
    setting("ets.traffic_class", ets, {.kind = list, .max = 7},
            "Traffic class of each priority, from priority 0 to 7 (IEEE 802.1Q 37).",
            get_numbers<&Port::ets, &Ets::traffic_class>,
            set_numbers<&Port::ets, &Ets::traffic_class>),
    setting("ets.algorithm", ets, {.kind = words, .words = kAlgorithms},
            "Transmission selection algorithm of each traffic class, from class 0 to 7.",
            get_algorithm, set_algorithm),
    setting("ets.bandwidth", ets, {.kind = list, .max = 100},
            "Share of each traffic class in percent; the classes with algorithm ets sum to 100.",
            get_numbers<&Port::ets, &Ets::bandwidth>, set_numbers<&Port::ets, &Ets::bandwidth>,
            same_bandwidth),
    fact("ets.capability", ets, {.kind = number, .max = 8},
         "How many traffic classes the port has; 0 stands for 8.",
         get_number<&Port::ets, &Ets::capability>, set_number<&Port::ets, &Ets::capability>),
    fact("ets.willing", ets, {.kind = flag}, "The port takes ETS from its peer by DCBX.",
         get_flag<&Port::ets, &Ets::willing>, set_flag<&Port::ets, &Ets::willing>),
    setting("maxrate", maxrate, {.kind = list, .max = kU32},
            "Most each traffic class sends, from class 0 to 7, in kbit/s; 0 is no limit. mlx5_core "
            "counts in 100000 up to 25500000 and in 1000000 up to 255000000.",
            get_numbers<&Port::maxrate, &MaxRate::kbit>,
            set_numbers<&Port::maxrate, &MaxRate::kbit>),
    setting("pfc.priorities", pfc, {.kind = set, .max = 7},
            "Priorities that pause instead of dropping (IEEE 802.1Q 36).", get_priorities,
            set_priorities),
    setting("pfc.delay", pfc, {.kind = number, .max = 65535},
            "Allowance for pause frames to take effect, in bit times; mlx5_core has "
            "pfc.cable_length in its place.",
            get_delay, set_number<&Port::pfc, &Pfc::delay>),
    setting("pfc.cable_length", pfc, {.kind = number, .min = 1, .max = 999},
            "Length of the port's cable in metres, from which mlx5_core reckons how much arrives "
            "after a pause; the other drivers have pfc.delay in its place.",
            get_cable_length, set_number<&Port::pfc, &Pfc::delay>),
    fact("pfc.capability", pfc, {.kind = number, .max = 255},
         "How many traffic classes can be lossless.", get_number<&Port::pfc, &Pfc::capability>,
         set_number<&Port::pfc, &Pfc::capability>),
    fact("pfc.requests", pfc, {.kind = list, .max = kU64}, "PFC frames sent, by priority.",
         get_numbers<&Port::pfc, &Pfc::requests>, set_numbers<&Port::pfc, &Pfc::requests>),
    fact("pfc.indications", pfc, {.kind = list, .max = kU64}, "PFC frames received, by priority.",
         get_numbers<&Port::pfc, &Pfc::indications>, set_numbers<&Port::pfc, &Pfc::indications>),
    setting(
        "pfc.storm_prevention", storm_prevention,
        {.kind = word, .min = 1, .max = 65534, .words = kTimeouts, .canonical = canonical_storm},
        "For how many milliseconds the port may be paused without a break before the NIC drops "
        "instead, so that a hung host does not stop the fabric; mlx5_core takes 80 to 8000, and "
        "stores auto as 100.",
        get_storm, set_storm, same_storm),
    setting("dscp.trust", app, {.kind = text, .text = Text::selectors},
            "Where a received packet's priority comes from: its DSCP (dscp) or its VLAN tag's PCP "
            "(pcp). A device with an APP trust table takes several, the first that applies "
            "deciding, or none.",
            get_trust, set_trust),
    setting("dscp.map", app, {.kind = map, .max = 7, .key_max = 63},
            "Priority of each DSCP; code points that are not listed stay as the NIC has them.",
            get_map<AppEntry::dscp>, set_map<AppEntry::dscp>),
    setting("app.udp", app, {.kind = map, .max = 7, .key_min = 1, .key_max = 65535},
            "Priority of each UDP port (APP entries with the datagram selector).",
            get_map<AppEntry::dgram>, set_map<AppEntry::dgram>),
    setting("dscp.rewrite", rewrite, {.kind = map, .max = 63, .key_max = 7},
            "DSCP that the port writes into the packets that it sends in each priority; since "
            "Linux 6.3, and of switches: no driver of a RoCE NIC does it.",
            get_rewrite, set_rewrite),
    fact("app.other", app, {.kind = items, .parts = kAppParts}, "APP entries with other selectors.",
         get_other_app, set_other_app),
};

}  // namespace

std::span<const Field> dcb_fields() {
    return kRows;
}

}  // namespace core

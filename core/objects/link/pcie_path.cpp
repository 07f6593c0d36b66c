// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::pcie_path {

namespace {

struct CountPart {
    std::string_view name;
    std::optional<std::uint64_t> PcieHop::*member;
};
constexpr std::array kCounts = {CountPart{"correctable", &PcieHop::correctable},
                                CountPart{"nonfatal", &PcieHop::nonfatal},
                                CountPart{"fatal", &PcieHop::fatal}};

Got get_path(const Port& port) {
    if (!port.pcie_path) return std::nullopt;
    Elements elements;
    for (const PcieHop& hop : *port.pcie_path) {
        Record record{{"pci", hop.pci}, {"hops", std::uint64_t{hop.hops}}};
        if (!hop.speed.empty()) record["speed"] = hop.speed;
        if (hop.width != 0) record["width"] = std::uint64_t{hop.width};
        if (!hop.max_speed.empty()) record["speed_max"] = hop.max_speed;
        if (hop.max_width != 0) record["width_max"] = std::uint64_t{hop.max_width};
        for (const CountPart& part : kCounts)
            if (const auto& count = hop.*part.member) record[std::string(part.name)] = *count;
        elements.emplace(hop.pci, std::move(record));
    }
    return elements;
}

void set_path(Port& port, const Elements& elements) {
    PciePath& path = port.pcie_path.emplace();
    for (const auto& [pci, value] : elements) {
        const auto& record = std::get<Record>(value);
        const auto number = [&record = record](std::string_view part) {
            return static_cast<std::uint32_t>(number_part(record, part));
        };
        PcieHop hop{.pci = text_part(record, "pci"),
                    .hops = number("hops"),
                    .speed = text_part(record, "speed"),
                    .width = number("width"),
                    .max_speed = text_part(record, "speed_max"),
                    .max_width = number("width_max")};
        for (const CountPart& part : kCounts)
            if (record.contains(part.name)) hop.*part.member = number_part(record, part.name);
        path.push_back(std::move(hop));
    }
    std::ranges::sort(path, {}, &PcieHop::hops);
}

using enum Shape::Kind;

constexpr Shape kCount = {.kind = counter, .max = kU64};

constexpr std::array kParts = {
    RecordPart{.name = "pci",
               .shape = {.kind = text, .text = Shape::Text::pci},
               .doc = "Its PCI address.",
               .required = true,
               .identity = true},
    RecordPart{.name = "hops",
               .shape = {.kind = number, .max = kU32},
               .doc = "How far it is from the port's own function, which has 0.",
               .required = true},
    RecordPart{.name = "speed", .shape = {.kind = text}, .doc = "Speed of a lane of its link."},
    RecordPart{.name = "width", .shape = {.kind = number, .max = 64}, .doc = "Lanes of its link."},
    RecordPart{.name = "speed_max", .shape = {.kind = text}, .doc = "The most it can do."},
    RecordPart{.name = "width_max",
               .shape = {.kind = number, .max = 64},
               .doc = "Most lanes that it can use."},
    RecordPart{.name = "correctable",
               .shape = kCount,
               .doc = "Errors that the link fixed by sending anew."},
    RecordPart{.name = "nonfatal",
               .shape = kCount,
               .doc = "Errors that lost a transaction and left the link."},
    RecordPart{.name = "fatal", .shape = kCount, .doc = "Errors that took the link down."},
};

constexpr std::array kFields = {
    fact("pcie.path", {.kind = items, .parts = kParts},
         "The device's PCI Express function and every bridge above it: the link of each, and the "
         "errors that it reported since the host was started (AER), where the kernel counts them.",
         get_path, set_path),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::pcie_path,
                                 .name = "pcie_path",
                                 .doc = "The device and the bridges above it.",
                                 .topic = Topic::bus,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .read = {.on_demand = true},
                                 .words = {.unsupported = "the port is no PCI Express function"}};

}  // namespace core::pcie_path

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::gpus {

namespace {

constexpr std::array<std::string_view, 1> kFunctions = {"vf"};

void put(Record& record, std::string_view part, const std::string& text) {
    if (!text.empty()) record[std::string(part)] = text;
}

void put(Record& record, std::string_view part, std::optional<std::uint64_t> number) {
    if (number) record[std::string(part)] = *number;
}

template <typename Number>
std::optional<Number> number_of(const Record& record, std::string_view part) {
    if (!record.contains(part)) return std::nullopt;
    return static_cast<Number>(number_part(record, part));
}

Got get_gpus(const Port& port) {
    if (!port.gpus) return std::nullopt;
    Elements elements;
    for (const Gpu& gpu : port.gpus->devices) {
        Record record{{"pci", gpu.pci}, {"id", gpu.id}};
        put(record, "above", gpu.above);
        put(record, "driver", gpu.driver);
        put(record, "model", gpu.model);
        if (gpu.is_virtual) record["function"] = std::string(kFunctions.front());
        put(record, "numa_node", gpu.numa_node);
        put(record, "iommu_group", gpu.iommu_group);
        put(record, "speed", gpu.speed);
        if (gpu.width != 0) record["width"] = std::uint64_t{gpu.width};
        put(record, "speed_max", gpu.max_speed);
        if (gpu.max_width != 0) record["width_max"] = std::uint64_t{gpu.max_width};
        if (gpu.bar != 0) record["bar"] = gpu.bar;
        put(record, "memory", gpu.memory);
        put(record, "instances", gpu.instances);
        elements.emplace(gpu.pci, std::move(record));
    }
    return elements;
}

void set_gpus(Port& port, const Elements& elements) {
    std::vector<Gpu>& devices = part_of<&Port::gpus>(port).devices;
    devices.clear();
    for (const auto& [pci, value] : elements) {
        const auto& record = std::get<Record>(value);
        devices.push_back({.pci = text_part(record, "pci"),
                           .above = text_part(record, "above"),
                           .id = text_part(record, "id"),
                           .driver = text_part(record, "driver"),
                           .model = text_part(record, "model"),
                           .is_virtual = record.contains("function"),
                           .numa_node = number_of<std::uint32_t>(record, "numa_node"),
                           .iommu_group = number_of<std::uint32_t>(record, "iommu_group"),
                           .speed = text_part(record, "speed"),
                           .width = number_of<std::uint32_t>(record, "width").value_or(0),
                           .max_speed = text_part(record, "speed_max"),
                           .max_width = number_of<std::uint32_t>(record, "width_max").value_or(0),
                           .bar = number_of<std::uint64_t>(record, "bar").value_or(0),
                           .memory = number_of<std::uint64_t>(record, "memory"),
                           .instances = number_of<std::uint32_t>(record, "instances")});
    }
}

Got get_bridges(const Port& port) {
    if (!port.gpus) return std::nullopt;
    Elements elements;
    for (const PciBridge& bridge : port.gpus->bridges) {
        Record record{{"pci", bridge.pci}, {"id", bridge.id}};
        put(record, "above", bridge.above);
        put(record, "subsystem", bridge.subsystem);
        elements.emplace(bridge.pci, std::move(record));
    }
    return elements;
}

void set_bridges(Port& port, const Elements& elements) {
    std::vector<PciBridge>& bridges = part_of<&Port::gpus>(port).bridges;
    bridges.clear();
    for (const auto& [pci, value] : elements) {
        const auto& record = std::get<Record>(value);
        bridges.push_back({.pci = text_part(record, "pci"),
                           .above = text_part(record, "above"),
                           .id = text_part(record, "id"),
                           .subsystem = text_part(record, "subsystem")});
    }
}

/// Nothing where they were not read of all bridges: that takes CAP_SYS_ADMIN.
Got get_acs(const Port& port) {
    if (!port.gpus) return std::nullopt;
    Elements elements;
    for (const PciBridge& bridge : port.gpus->bridges) {
        if (bridge.acs.empty()) return std::nullopt;
        elements.emplace(bridge.pci, bridge.acs);
    }
    return elements;
}

void set_acs(Port& port, const Elements& elements) {
    std::vector<PciBridge>& bridges = part_of<&Port::gpus>(port).bridges;
    for (PciBridge& bridge : bridges)
        bridge.acs.clear();
    for (const auto& [pci, value] : elements) {
        const auto found = std::ranges::find(bridges, pci, &PciBridge::pci);
        PciBridge& bridge =
            found == bridges.end() ? bridges.emplace_back(PciBridge{.pci = pci}) : *found;
        bridge.acs = std::get<std::string>(value);
    }
}

Got get_data_direct(const Port& port) {
    if (!port.gpus) return std::nullopt;
    Elements elements;
    for (const DataDirect& function : port.gpus->data_direct) {
        Record record{{"pci", function.pci}};
        put(record, "above", function.above);
        put(record, "iommu_group", function.iommu_group);
        elements.emplace(function.pci, std::move(record));
    }
    return elements;
}

void set_data_direct(Port& port, const Elements& elements) {
    std::vector<DataDirect>& functions = part_of<&Port::gpus>(port).data_direct;
    functions.clear();
    for (const auto& [pci, value] : elements) {
        const auto& record = std::get<Record>(value);
        functions.push_back({.pci = text_part(record, "pci"),
                             .above = text_part(record, "above"),
                             .iommu_group = number_of<std::uint32_t>(record, "iommu_group")});
    }
}

using enum Shape::Kind;

constexpr Shape kPci = {.kind = text, .text = Shape::Text::pci};
constexpr Shape kLanes = {.kind = number, .max = 64};

constexpr std::array kGpuParts = {
    RecordPart{.name = "pci",
               .shape = kPci,
               .doc = "Its PCI address.",
               .required = true,
               .identity = true},
    RecordPart{.name = "id",
               .shape = {.kind = text},
               .doc = "PCI vendor and device, such as 10de:2330.",
               .required = true},
    RecordPart{.name = "above", .shape = kPci, .doc = "The bridge that it is behind."},
    RecordPart{.name = "driver", .shape = {.kind = text}, .doc = "The driver that it is bound to."},
    RecordPart{.name = "model", .shape = {.kind = text}, .doc = "What its driver calls it."},
    RecordPart{.name = "function",
               .shape = {.kind = word, .words = kFunctions},
               .doc = "vf where it is a virtual function."},
    RecordPart{.name = "numa_node",
               .shape = {.kind = number, .max = kU32},
               .doc = "NUMA node that it is near to, where the firmware names one."},
    RecordPart{
        .name = "iommu_group", .shape = {.kind = number, .max = kU32}, .doc = "Its IOMMU group."},
    RecordPart{.name = "speed", .shape = {.kind = text}, .doc = "Speed of a lane of its link."},
    RecordPart{.name = "width", .shape = kLanes, .doc = "Lanes of its link."},
    RecordPart{.name = "speed_max", .shape = {.kind = text}, .doc = "The most it can do."},
    RecordPart{.name = "width_max", .shape = kLanes, .doc = "Most lanes that it can use."},
    RecordPart{.name = "bar",
               .shape = {.kind = number, .max = kU64},
               .doc = "MiB of its memory that other devices can reach (its largest BAR)."},
    RecordPart{.name = "memory",
               .shape = {.kind = number, .max = kU64},
               .doc = "MiB of its memory, where amdgpu tells."},
    RecordPart{.name = "instances",
               .shape = {.kind = number, .max = kU32},
               .doc = "GPU instances that it is divided into (MIG), where the driver tells."},
};

constexpr std::array kBridgeParts = {
    RecordPart{.name = "pci",
               .shape = kPci,
               .doc = "Its PCI address.",
               .required = true,
               .identity = true},
    RecordPart{
        .name = "id", .shape = {.kind = text}, .doc = "PCI vendor and device.", .required = true},
    RecordPart{.name = "above", .shape = kPci, .doc = "The next bridge towards the processor."},
    RecordPart{
        .name = "subsystem", .shape = {.kind = text}, .doc = "Vendor and device of its subsystem."},
};

constexpr std::array kDataDirectParts = {
    RecordPart{.name = "pci",
               .shape = kPci,
               .doc = "Its PCI address.",
               .required = true,
               .identity = true},
    RecordPart{.name = "above", .shape = kPci, .doc = "The bridge that it is behind."},
    RecordPart{
        .name = "iommu_group", .shape = {.kind = number, .max = kU32}, .doc = "Its IOMMU group."},
};

constexpr Shape kControls = {.kind = text};
constexpr std::array<std::string_view, 2> kSomeBridges = {"0000:17:01.0", "0000:17:02.0"};

constexpr std::array kFields = {
    fact("host.gpus", {.kind = items, .parts = kGpuParts}, "The GPUs and accelerators of the host.",
         get_gpus, set_gpus),
    fact("host.gpu_bridges", {.kind = items, .parts = kBridgeParts},
         "The bridges of the PCI bus above GPUs and RDMA devices, where the host has a GPU.",
         get_bridges, set_bridges),
    fact("host.gpu_acs", {.kind = named, .words = kSomeBridges, .of = &kControls},
         "Of each of these bridges, which controls of Access Control Services are on, as lspci "
         "spells them: ReqRedir CmpltRedir; off where none is, none without the capability.",
         get_acs, set_acs),
    fact("host.data_direct", {.kind = items, .parts = kDataDirectParts},
         "Functions of ConnectX-8 behind a GPU's own root port, by which the NIC reaches the GPU's "
         "memory (data direct), where the host has a GPU.",
         get_data_direct, set_data_direct),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::gpus,
                                 .name = "gpus",
                                 .doc = "GPUs and accelerators, and the bridges above them.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::gpus

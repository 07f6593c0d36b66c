// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::rdma_software {

std::string_view module_of(const Port& port) {
    if (port.rdma_link)
        if (const auto* soft = rdma_link::soft_driver(port.rdma_link->type)) return soft->module;
    return driver_of(port).rdma_software.module;
}

std::optional<bool> is_loaded(const RdmaSoftware& software, std::string_view module) {
    const auto found = software.modules.find(module);
    if (found == software.modules.end()) return std::nullopt;
    return found->second == "loaded" || found->second == "built in";
}

namespace {

Got get_nodes(const Port& port) {
    if (!port.rdma_software) return std::nullopt;
    Elements elements;
    for (const DeviceNode& node : port.rdma_software->nodes) {
        Record record{{"name", node.name}};
        if (!node.mode.empty()) record["mode"] = node.mode;
        if (!node.owner.empty()) record["owner"] = node.owner;
        if (!node.refused.empty()) record["refused"] = node.refused;
        elements.emplace(node.name, std::move(record));
    }
    return elements;
}

void set_nodes(Port& port, const Elements& elements) {
    auto& nodes = part_of<&Port::rdma_software>(port).nodes;
    nodes.clear();
    for (const auto& [name, value] : elements) {
        const auto& record = std::get<Record>(value);
        nodes.push_back({.name = text_part(record, "name"),
                         .mode = text_part(record, "mode"),
                         .owner = text_part(record, "owner"),
                         .refused = text_part(record, "refused")});
    }
}

using enum Shape::Kind;

constexpr Shape kText = {.kind = text};
constexpr std::array<std::string_view, 2> kModules = {kCore, kVerbs};
constexpr std::array<std::string_view, 2> kDevices = {"mlx5_0", kLibrary};

constexpr std::array<std::string_view, 2> kParameters = {"irdma dcqcn_enable", "irdma roce_ena"};

constexpr std::array kNodeParts = {
    RecordPart{.name = "name",
               .shape = {.kind = text},
               .doc = "Its name under /dev/infiniband.",
               .required = true,
               .identity = true},
    RecordPart{.name = "mode", .shape = {.kind = text}, .doc = "Who may open it, in octal."},
    RecordPart{.name = "owner", .shape = {.kind = text}, .doc = "UID:GID."},
    RecordPart{.name = "refused", .shape = {.kind = text}, .doc = "Why opening it failed."},
};

constexpr std::array kFields = {
    fact("host.rdma.modules", {.kind = named, .words = kModules, .of = &kText},
         "Kernel modules that RDMA takes here: loaded, built in, on disk, blacklisted (in "
         "modprobe.d or on the kernel's command line), not on disk, or not loaded where nothing "
         "tells which files there are.",
         get_named<&Port::rdma_software, &RdmaSoftware::modules>,
         set_named<&Port::rdma_software, &RdmaSoftware::modules>),
    fact("host.rdma.providers", {.kind = named, .words = kDevices, .of = &kText},
         "Of each RDMA device the library with which libibverbs opens it, or none; and where "
         "libibverbs itself is.",
         get_named<&Port::rdma_software, &RdmaSoftware::providers>,
         set_named<&Port::rdma_software, &RdmaSoftware::providers>),
    fact("host.rdma.nodes", {.kind = items, .parts = kNodeParts},
         "What programs open under /dev/infiniband, for what the kernel has: mode and owner, none "
         "where there is no such file; and why opening it failed.",
         get_nodes, set_nodes),
    fact("host.rdma.parameters", {.kind = named, .words = kParameters, .of = &kText},
         "Parameters that a vendor's own RDMA module was loaded with, where the kernel's has none: "
         "of Intel's irdma those of DCQCN, and in which mode its ports are (roce_ena).",
         get_named<&Port::rdma_software, &RdmaSoftware::parameters>,
         set_named<&Port::rdma_software, &RdmaSoftware::parameters>),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::rdma_software,
                                 .name = "rdma_software",
                                 .doc = "Modules, libraries and device files of RDMA.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::rdma_software

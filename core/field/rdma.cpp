// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// RDMA: the device on the port, its GIDs, and the defaults of rdma_cm.

namespace core {
namespace {

Got get_rdma_link(const Port& port) {
    if (!port.rdma) return std::nullopt;
    if (port.rdma->type.empty()) return Elements{};
    return one(Record{{"type", port.rdma->type}, {"name", port.rdma->device}});
}

void set_rdma_link(Port& port, const Elements& elements) {
    auto& rdma = part_of<&Port::rdma>(port);
    const auto record = plain<Record>(elements);
    if (record.empty() && rdma.type.empty()) return;
    rdma.type = text_part(record, "type");
    rdma.device = text_part(record, "name");
}

Got get_rdma_device(const Port& port) {
    if (!port.rdma) return std::nullopt;
    return port.rdma->device.empty() ? Elements{} : one(port.rdma->device);
}

void set_rdma_device(Port& port, const Elements& elements) {
    auto& rdma = part_of<&Port::rdma>(port);
    rdma.device = plain<std::string>(elements);
    if (rdma.device.empty()) rdma.type.clear();
}

constexpr std::array<std::string_view, 3> kEffects = {"runtime", "driverinit", "permanent"};

Got get_effect(const Port& port) {
    if (!port.enable_roce) return std::nullopt;
    return one(std::string(kEffects.at(static_cast<std::size_t>(port.enable_roce->mode))));
}

void set_effect(Port& port, const Elements& elements) {
    const auto found = std::ranges::find(kEffects, plain<std::string>(elements));
    if (found == kEffects.end()) return;
    part_of<&Port::enable_roce>(port).mode =
        static_cast<EnableRoce::Mode>(found - kEffects.begin());
}

Got get_name(const Port& port) {
    if (!port.rdma || port.rdma->device.empty()) return std::nullopt;
    return one(port.rdma->device);
}

void set_name(Port& port, const Elements& elements) {
    part_of<&Port::rdma>(port).device = plain<std::string>(elements);
}

Got get_rdma_others(const Port& port) {
    if (!port.rdma) return std::nullopt;
    Elements elements;
    for (const std::string& other : port.rdma->others)
        elements.emplace(other, other);
    return elements;
}

void set_rdma_others(Port& port, const Elements& elements) {
    auto& others = part_of<&Port::rdma>(port).others;
    others.clear();
    for (const auto& [key, value] : elements)
        others.push_back(key);
}

Got get_gids(const Port& port) {
    if (!port.rdma_port) return std::nullopt;
    Elements elements;
    for (const Gid& gid : port.rdma_port->gids) {
        Record record{{"index", std::uint64_t{gid.index}}, {"gid", gid.gid}};
        if (!gid.type.empty()) record["type"] = gid.type;
        if (!gid.port.empty()) record["port"] = gid.port;
        elements.emplace(std::to_string(gid.index), std::move(record));
    }
    return elements;
}

void set_gids(Port& port, const Elements& elements) {
    auto& gids = part_of<&Port::rdma_port>(port).gids;
    gids.clear();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        gids.push_back({.index = static_cast<std::uint32_t>(number_part(record, "index")),
                        .gid = text_part(record, "gid"),
                        .type = text_part(record, "type"),
                        .port = text_part(record, "port")});
    }
}

Got get_cm_directory(const Port& port) {
    if (!port.cm_directory) return std::nullopt;
    return one(*port.cm_directory);
}

void set_cm_directory(Port& port, const Elements& elements) {
    port.cm_directory = plain<bool>(elements);
}

Got get_moderation(const Port& port) {
    if (!port.rdma_moderation) return std::nullopt;
    return one(*port.rdma_moderation);
}

void set_moderation(Port& port, const Elements& elements) {
    port.rdma_moderation = plain<bool>(elements);
}

Got get_traffic_class(const Port& port) {
    if (!port.traffic_class) return std::nullopt;
    const auto& tos = port.traffic_class->tos;
    return tos ? one(std::uint64_t{*tos}) : Elements{};
}

void set_traffic_class(Port& port, const Elements& elements) {
    auto& tos = part_of<&Port::traffic_class>(port).tos;
    tos.reset();
    if (!elements.empty()) tos = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array<std::string_view, 2> kHolders = {"ib_write_bw (1234)", "nvme_rdma (kernel)"};
constexpr Shape kPairs = {.kind = Shape::Kind::number, .max = 0xFFFFFF};
constexpr std::array<std::string_view, 2> kModes = {"RoCE v2", "IB/RoCE v1"};
constexpr std::array<std::string_view, 2> kSoftTypes = {"rxe", "siw"};
constexpr std::array kLinkParts = {
    RecordPart{.name = "type",
               .shape = {.kind = word, .words = kSoftTypes},
               .doc = "rxe is RoCE, siw is iWARP.",
               .required = true},
    RecordPart{.name = "name",
               .shape = {.kind = text, .text = Text::name},
               .doc = "Name of the RDMA device.",
               .required = true},
};
constexpr std::array kGidParts = {
    RecordPart{.name = "index",
               .shape = {.kind = number, .max = kU32},
               .doc = "Index in the table.",
               .required = true,
               .identity = true},
    RecordPart{.name = "gid", .shape = {.kind = text}, .doc = "The GID.", .required = true},
    RecordPart{.name = "type", .shape = {.kind = text}, .doc = "RoCE version."},
    RecordPart{.name = "port", .shape = {.kind = text}, .doc = "Network port it belongs to."},
};

using enum Object;

const std::array kRows = {
    setting("rdma.enable_roce", devlink, {.kind = flag},
            "Whether the NIC does RoCE, by its devlink parameter: mlx5_core's driver is started "
            "anew for it, ice takes it at once, and not beside iWARP, bnxt_en with the next reset. "
            "Nobody tells what the driver was started with: where a parameter was changed and no "
            "reload followed, verify takes the parameter for it.",
            get_flag<&Port::enable_roce, &EnableRoce::on>,
            set_flag<&Port::enable_roce, &EnableRoce::on>),
    fact("rdma.enable_roce_mode", devlink, {.kind = word, .words = kEffects},
         "When a change of rdma.enable_roce is in force.", get_effect, set_effect),
    setting("rdma.link", rdma_link, {.kind = record, .parts = kLinkParts},
            "A software RDMA device on a port without an RDMA NIC.", get_rdma_link, set_rdma_link),
    setting("rdma.name", rdma_name, {.kind = text, .text = Text::name},
            "Name of the RDMA device on the port; a soft device has the name of rdma.link. What "
            "finds devices by name has to know it, an entry's match of rdma too.",
            get_name, set_name),
    fact("rdma.device", rdma_link, {.kind = text, .text = Text::name}, "RDMA device on the port.",
         get_rdma_device, set_rdma_device),
    fact("rdma.others", rdma_link, {.kind = items}, "Further RDMA devices on the port.",
         get_rdma_others, set_rdma_others),
    fact("rdma.state", rdma_port, {.kind = text}, "State of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::state>,
         set_text<&Port::rdma_port, &RdmaPort::state>),
    fact("rdma.physical_state", rdma_port, {.kind = text}, "Physical state of the RDMA port.",
         get_text<&Port::rdma_port, &RdmaPort::physical_state>,
         set_text<&Port::rdma_port, &RdmaPort::physical_state>),
    fact("rdma.active_mtu", rdma_port, {.kind = number, .max = 4096},
         "RDMA MTU in use, in bytes of payload.",
         get_number<&Port::rdma_port, &RdmaPort::active_mtu>,
         set_number<&Port::rdma_port, &RdmaPort::active_mtu>),
    fact("rdma.max_mtu", rdma_port, {.kind = number, .max = 4096},
         "Largest RDMA MTU of the device, in bytes of payload.",
         get_number<&Port::rdma_port, &RdmaPort::max_mtu>,
         set_number<&Port::rdma_port, &RdmaPort::max_mtu>),
    fact("rdma.gids", rdma_port, {.kind = items, .parts = kGidParts},
         "GID table: what other hosts address the port by.", get_gids, set_gids),
    fact("rdma.queue_pairs", queue_pairs,
         {.kind = Shape::Kind::named, .words = kHolders, .of = &kPairs},
         "Queue pairs on the RDMA device, by the process or the part of the kernel that has them.",
         get_named<&Port::queue_pairs>, set_named<&Port::queue_pairs>),
    setting("rdma.adaptive_moderation", rdma_moderation, {.kind = flag},
            "The kernel chooses how long the device waits before it interrupts for a completion "
            "queue of the kernel's own; those that are there keep what they have.",
            get_moderation, set_moderation),
    setting("rdma.cm_directory", cm_directory, {.kind = flag},
            "The device has a directory under /sys/kernel/config/rdma_cm, in which its defaults "
            "can be read.",
            get_cm_directory, set_cm_directory),
    setting("rdma.default_mode", cm_defaults, {.kind = word, .words = kModes},
            "RoCE version of connections made by rdma_cm.", get_text<&Port::cm, &CmDefaults::mode>,
            set_text<&Port::cm, &CmDefaults::mode>),
    setting("rdma.default_tos", cm_defaults, {.kind = number, .max = 255},
            "ToS byte of connections made by rdma_cm: DSCP times 4, plus 2 for ECT(0).",
            get_number<&Port::cm, &CmDefaults::tos>, set_number<&Port::cm, &CmDefaults::tos>),
    setting("rdma.traffic_class", traffic_class, {.kind = number, .max = 255},
            "ToS byte that the vendor's mlx5 driver gives to all connections of the RDMA device, "
            "whatever they ask for: DSCP times 4, plus 2 for ECT(0).",
            get_traffic_class, set_traffic_class),
};

}  // namespace

std::span<const Field> rdma_fields() {
    return kRows;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "core/model/access.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/shell.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/link/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::rdma_link {

namespace {

Got get_rdma_link(const Port& port) {
    if (!port.rdma_link) return std::nullopt;
    if (port.rdma_link->type.empty()) return Elements{};
    return one(Record{{"type", port.rdma_link->type}, {"name", port.rdma_link->device}});
}

void set_rdma_link(Port& port, const Elements& elements) {
    auto& rdma = part_of<&Port::rdma_link>(port);
    const auto record = plain<Record>(elements);
    if (record.empty() && rdma.type.empty()) return;
    rdma.type = text_part(record, "type");
    rdma.device = text_part(record, "name");
}

Got get_rdma_device(const Port& port) {
    if (!port.rdma_link) return std::nullopt;
    return port.rdma_link->device.empty() ? Elements{} : one(port.rdma_link->device);
}

void set_rdma_device(Port& port, const Elements& elements) {
    auto& rdma = part_of<&Port::rdma_link>(port);
    rdma.device = plain<std::string>(elements);
    if (rdma.device.empty()) rdma.type.clear();
}

/// Told where it is not the first one.
Got get_number(const Port& port) {
    if (!port.rdma_link || port.rdma_link->port == 1) return std::nullopt;
    return one(std::uint64_t{port.rdma_link->port});
}

/// Not known where the kernel names none of those that it has a word for.
Got get_protocol(const Port& port) {
    if (!port.rdma_link || port.rdma_link->protocol.empty()) return std::nullopt;
    return one(port.rdma_link->protocol);
}

Got get_rdma_others(const Port& port) {
    if (!port.rdma_link) return std::nullopt;
    Elements elements;
    for (const std::string& other : port.rdma_link->others)
        elements.emplace(other, other);
    return elements;
}

Got get_netns(const Port& port) {
    if (!port.rdma_link || port.rdma_link->netns.empty()) return std::nullopt;
    return one(port.rdma_link->netns);
}

constexpr std::string_view kGids = "gids";
constexpr std::array kFoundBy = {kGids};

/// Told where it is not the kernel that names the port of the device.
Got get_found_by(const Port& port) {
    if (!port.rdma_link || !port.rdma_link->by_gids) return std::nullopt;
    return one(std::string(kGids));
}

void set_found_by(Port& port, const Elements& elements) {
    part_of<&Port::rdma_link>(port).by_gids = plain<std::string>(elements) == kGids;
}

Got get_elsewhere(const Port& port) {
    if (!port.rdma_link || port.rdma_link->elsewhere.empty()) return std::nullopt;
    Elements elements;
    for (const std::string& device : port.rdma_link->elsewhere)
        elements.emplace(device, device);
    return elements;
}

void set_elsewhere(Port& port, const Elements& elements) {
    auto& elsewhere = part_of<&Port::rdma_link>(port).elsewhere;
    elsewhere.clear();
    for (const auto& [key, value] : elements)
        elsewhere.push_back(key);
}

void set_rdma_others(Port& port, const Elements& elements) {
    auto& others = part_of<&Port::rdma_link>(port).others;
    others.clear();
    for (const auto& [key, value] : elements)
        others.push_back(key);
}

constexpr std::array<std::string_view, 2> kSoftTypes = {kSoftDrivers[0].type, kSoftDrivers[1].type};
static_assert(kSoftTypes.size() == kSoftDrivers.size());

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kLinkParts = {
    RecordPart{.name = "type",
               .shape = {.kind = word, .words = kSoftTypes},
               .doc = "rxe is RoCE, siw is iWARP.",
               .required = true},
    RecordPart{.name = "name",
               .shape = {.kind = text, .text = Text::name, .names = Shape::Names::rdma_device},
               .doc = "Name of the RDMA device.",
               .required = true},
};

constexpr std::array kFields = {
    setting("rdma.link", {.kind = record, .parts = kLinkParts},
            "A software RDMA device on a port without an RDMA NIC.", get_rdma_link, set_rdma_link),
    fact("rdma.device", {.kind = text, .text = Text::name, .names = Shape::Names::rdma_device},
         "RDMA device on the port.", get_rdma_device, set_rdma_device),
    fact("rdma.port", {.kind = number, .min = 2, .max = kU32},
         "The port's number in its RDMA device, where it is not 1.", get_number,
         set_number<&Port::rdma_link, &RdmaLink::port>),
    fact("rdma.protocol", {.kind = text},
         "What the RDMA device speaks, as the kernel names it: roce; iw for iWARP, as siw, and "
         "irdma "
         "and erdma as they may be set up; ib, opa, usnic. Only roce is RoCE.",
         get_protocol, set_text<&Port::rdma_link, &RdmaLink::protocol>),
    fact("rdma.others", {.kind = items, .names = Shape::Names::rdma_device},
         "Further RDMA devices on the port.", get_rdma_others, set_rdma_others),
    fact("rdma.netns", {.kind = text},
         "Of a port in another network namespace than the first: whether namespaces share RDMA "
         "devices, or have them exclusive.",
         get_netns, set_text<&Port::rdma_link, &RdmaLink::netns>),
    fact(
        "rdma.found_by", {.kind = word, .words = kFoundBy},
        "Of a port on one of another network namespace, as a macvlan in a pod: its RDMA device was "
        "found by the GIDs of its addresses, and what is the other port's is not seen here.",
        get_found_by, set_found_by),
    fact("rdma.elsewhere", {.kind = items, .names = Shape::Names::rdma_device},
         "Of a port without an RDMA device: those of the host that are on no port of this network "
         "namespace. Their names are taken.",
         get_elsewhere, set_elsewhere),
};

Reason already_so(const Port& port) {
    if (!port.rdma_link || port.rdma_link->device.empty() || !port.rdma_link->type.empty())
        return std::nullopt;
    return "the port has the RDMA device " + port.rdma_link->device +
           " already, and needs no soft one";
}

Refused name_taken(const State& state, const Port& /*now*/, const Port& then) {
    for (const Port& other : state.ports)
        if (other.name != then.name && other.rdma_link && !then.rdma_link->type.empty() &&
            other.rdma_link->device == then.rdma_link->device)
            return Refusal{.code = EEXIST, .text = "File exists"};
    return std::nullopt;
}

/// Device names are the host's (drivers/infiniband/core/device.c assign_name: ENFILE), but in the
/// mode exclusive since Linux 7.3.
Refused taken_elsewhere(const Port& now, const Port& then) {
    const std::string& name = then.rdma_link->device;
    const auto& elsewhere = now.rdma_link->elsewhere;
    if (std::ranges::find(elsewhere, name) == elsewhere.end()) return std::nullopt;
    return Refusal{.code = ENFILE,
                   .text = "an RDMA device " + name +
                           " is there already, on no port of this network namespace"};
}

/// Soft drivers have their devices made in the first namespace (ib_verbs.h ib_alloc_device, Linux
/// 6.1 to 7.3), and only in the mode shared are they seen from others.
Refused made_elsewhere(const Port& now) {
    if (now.rdma_link->netns != "exclusive") return std::nullopt;
    return Refusal{.code = EXDEV,
                   .text =
                       "in the RDMA mode exclusive a soft device comes into the first network "
                       "namespace, and this port is in another; run rdma system set netns "
                       "shared while there is no other, as at boot (options ib_core "
                       "netns_mode=1)"};
}

}  // namespace

bool has_device(const Port& port) {
    return port.rdma_link && !port.rdma_link->device.empty();
}

bool speaks_roce(const Port& port) {
    return !port.rdma_link || port.rdma_link->protocol.empty() ||
           port.rdma_link->protocol == "roce";
}

void lose_device(Port& port) {
    port.rdma_link->device.clear();
    port.rdma_link->port = 1;
    port.rdma_link->type.clear();
    port.rdma_link->protocol.clear();
    port.rdma_port.reset();
    port.active_mtu.reset();
    port.rdma_moderation.reset();
    port.cm_directory.reset();
    port.cm_defaults.reset();
    port.unknown.erase(Object::cm_defaults);
}

void add_device(Port& port, RdmaLink device) {
    if (port.rdma_link) device.netns = port.rdma_link->netns;
    port.rdma_link = std::move(device);
    port.rdma_moderation = false;  // only mlx5 turns it on by itself (hw/mlx5/main.c)
    port.cm_directory = false;
    // A new device starts with the newest version it knows and no ToS (cma.c cma_add_one), which
    // nobody can read before the directory is there.
    port.cm_defaults = CmDefaults{.mode = speaks_roce(port) ? "RoCE v2" : "IB/RoCE v1", .tos = 0};
    port.unknown.insert(Object::cm_defaults);
}

namespace {

/// Another name alone: the device stays, with what programs have on it.
bool is_renamed(const Port& now, const Port& then) {
    return !now.rdma_link->type.empty() && now.rdma_link->type == then.rdma_link->type;
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (const Refused no = name_taken(state, now, then)) return *no;
    if (is_renamed(now, then)) {
        now.rdma_link->device = then.rdma_link->device;
        return std::nullopt;
    }
    if (!now.rdma_link->type.empty()) lose_device(now);
    if (then.rdma_link->type.empty()) return std::nullopt;
    if (const Refused no = made_elsewhere(now)) return Played::no_by_port(*no);
    if (const Refused no = taken_elsewhere(now, then)) return *no;
    if (!now.rdma_link->device.empty())
        return Played::no_by_port({.code = EEXIST, .text = "the port already has an RDMA device"});
    // rxe_net.c rxe_newlink: "rxe creation allowed on top of a real device only"
    if (now.link && now.link->kind == "vlan")
        return Played::no_by_port({.code = EPERM, .text = "Operation not permitted"});
    RdmaLink device = *then.rdma_link;
    if (const SoftDriver* soft = soft_driver(device.type)) device.protocol = soft->protocol;
    device.elsewhere.clear();
    add_device(now, std::move(device));
    return std::nullopt;
}

/// nldev.c nldev_dellink. Programs that have a device of rxe open lose it at once since Linux 7.3
/// (rxe_verbs.c rxe_disassociate_ucontext); before, the kernel waits until they close it.
bool is_soft(const Port& now) {
    return now.rdma_link && !now.rdma_link->type.empty();
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    if (is_renamed(now, then)) return row_of(Object::rdma_name).words.spell(driver, now, then);
    Commands lines;
    if (!now.rdma_link->type.empty() && now.cm_directory.value_or(false))
        lines.push_back("rmdir " + shell(cm_directory::path(now)));
    if (!now.rdma_link->type.empty())
        lines.push_back("rdma link delete " + shell(now.rdma_link->device));
    if (!then.rdma_link->type.empty())
        lines.push_back("rdma link add " + shell(then.rdma_link->device) + " type " +
                        shell(then.rdma_link->type) + " netdev " + shell(now.name));
    return lines;
}

/// rxe_net.c rxe_net_init: its sockets were in the first namespace (6.12), and are in the port's
/// since Linux 7.1 (rxe_ns.c).
constexpr Release kRxeInNamespaces{7, 1};

Reason remarks(const Driver& /*driver*/, const Host& host, const Port& now, const Port& then) {
    if (then.rdma_link->type != "rxe" || now.rdma_link->netns.empty()) return std::nullopt;
    if (!is_before(host, kRxeInNamespaces)) return std::nullopt;
    return "rxe of Linux before " + core::text(kRxeInNamespaces) +
           " sends and listens in the first network namespace alone, and this is " + host.kernel +
           ": the device comes up here, and no packet of it leaves by the port";
}

constexpr std::array kTouches = {Object::rdma_port, Object::active_mtu, Object::rdma_moderation,
                                 Object::cm_directory, Object::cm_defaults};

}  // namespace

bool is_on_another(const State& state, const Port& port) {
    // drivers/net/macvlan.c and drivers/net/ipvlan/ipvlan_main.c: their kinds.
    if (!port.link || (port.link->kind != "macvlan" && port.link->kind != "ipvlan")) return false;
    return port.link->lower.empty() || find_port(state, port.link->lower) == nullptr;
}

void forget_unnamed(State& state) {
    const Port* host = find_port(state, kHost);
    if (host == nullptr || !host->rdma_software) return;
    std::set<std::string, std::less<>> left;
    for (const auto& [device, library] : host->rdma_software->providers)
        if (device != rdma_software::kLibrary) left.insert(device);
    for (const Port& port : state.ports) {
        if (!port.rdma_link) continue;
        // Where it was told which are on no port here, their GIDs were looked at.
        if (!port.rdma_link->elsewhere.empty()) return;
        left.erase(port.rdma_link->device);
        for (const std::string& other : port.rdma_link->others)
            left.erase(other);
    }
    if (left.empty()) return;
    for (Port& port : state.ports)
        if (port.rdma_link && port.rdma_link->device.empty() && is_on_another(state, port))
            port.rdma_link.reset();
}

std::optional<Unsupported> no_device(const Driver& driver, const Port& /*port*/,
                                     std::string_view /*key*/) {
    std::string load = "load the NIC's RDMA driver";
    if (!driver.rdma_software.offered_by.empty())
        load += ", " + std::string(driver.rdma_software.module) + ", of " +
                std::string(driver.rdma_software.offered_by);
    const std::string_view none = driver.rdma_port.no_roce;
    return Unsupported{
        .id = findings::no_rdma_device,
        .text = "the port has no RDMA device" +
                (none.empty() ? std::string() : ": " + std::string(none)),
        .remedy = (none.empty() ? load + ", or state" : "state") + " rdma.link for soft RoCE",
        .no_interface = false};
}

bool hangs_on_device(const ObjectRow& other) {
    const bool has_words = other.unsupported != nullptr || !other.words.unsupported.empty();
    return has_words &&
           std::ranges::find(other.read.found_by, Object::rdma_link) != other.read.found_by.end();
}

constinit const ObjectRow row = {
    .object = Object::rdma_link,
    .name = "rdma_link",
    .doc = "A software RDMA device.",
    .topic = Topic::rdma,
    .sees_others = true,
    .fields = kFields,
    .already_so = already_so,
    .play = play,
    .lifecycle = {.makes_rdma_device = true, .takes_device_away = is_soft},
    .order = {.touches = kTouches, .settle_ms = 2000},
    .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::rdma_link

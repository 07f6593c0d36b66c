// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/run/task.hpp"
#include "cli/views/formatted.hpp"
#include "cli/views/gpus.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"
#include "core/json/json.hpp"
#include "core/model/glob.hpp"
#include "core/model/object.hpp"

namespace cli {
namespace {

constexpr OptionRow kGids{
    .name = "--gids",
    .help = "List the GIDs of RDMA ports: index, device, version, address, netdev"};
constexpr OptionRow kGpus{
    .name = "--gpus",
    .help = "List the GPUs, and how far on the PCI bus each RDMA port is from them"};
constexpr std::array kShowOptions = {&kGids, &kGpus, &option::state, &option::reading_limit,
                                     &option::output};

/// `400G`, `2.5G`, `100M`: as people say it.
std::string speed_text(std::uint64_t megabits) {
    constexpr std::uint64_t giga = 1000;
    if (megabits < giga) return std::to_string(megabits) + 'M';
    if (megabits % giga == 0) return std::to_string(megabits / giga) + 'G';
    return formatted("%.1fG", static_cast<double>(megabits) / static_cast<double>(giga));
}

/// Whether nothing looks at the entry of a map, though the kernel holds it: its number or what it
/// leads to is none that there is (net/dcb/dcbnl.c stores what it is given, and
/// dcb_ieee_getapp_prio_dscp_mask_map, by which drivers ask, leaves such entries out).
bool is_held_in_vain(const core::Shape& shape, const std::string& element,
                     const core::Value& value) {
    const auto* number = std::get_if<std::uint64_t>(&value);
    std::uint64_t key = 0;
    const char* const end = element.data() + element.size();
    const auto read = std::from_chars(element.data(), end, key);
    return shape.kind == core::Shape::Kind::map && number != nullptr && read.ptr == end &&
           (key < shape.key_min || key > shape.key_max || *number < shape.min ||
            *number > shape.max);
}

/// Elements of a map with their keys, of a list one after the other.
std::string elements_text(const core::Field& field, const core::Elements& elements) {
    std::string out;
    for (const auto& [element, value] : elements) {
        if (!out.empty()) out += ", ";
        if (core::is_keyed(field.shape)) out += element + ":";
        out += core::text(value);
        if (is_held_in_vain(field.shape, element, value)) out += " (ignored)";
    }
    return out.empty() ? "none" : out;
}

/// The value; why there is none, where the kernel said why; `-` where it said nothing.
std::string cell(const core::Port& port, const core::Field& field) {
    if (field.key == "speed")
        if (const auto speed = core::speed::known(port)) return speed_text(*speed);
    if (const auto elements = field.get(port)) return elements_text(field, *elements);
    if (port.unknown.contains(field.object)) return "unknown";
    return "-";
}

core::State read(const Session& session, std::optional<std::vector<std::string>> ports,
                 core::Objects objects) {
    return open_host(session)->read({.ports = std::move(ports), .objects = std::move(objects)});
}

/// What belongs to the host is no port's.
core::Objects of_ports() {
    core::Objects objects = every_object();
    std::erase_if(objects, [](core::Object object) {
        return core::row_of(object).lives == core::Lives::host;
    });
    return objects;
}

/// The addresses, those of the link alone only where there are no others.
std::vector<core::Ip> shown_addresses(const core::Port& port) {
    std::vector<core::Ip> out;
    for (const bool of_link : {false, true}) {
        if (!port.addresses || !out.empty()) break;
        for (const core::Address& address : *port.addresses)
            if (core::is_link_local(address.ip) == of_link) out.push_back(address.ip);
    }
    std::ranges::stable_sort(out, {}, &core::Ip::v6);
    return out;
}

std::string address_cell(const core::Port& port, const core::Field& field) {
    if (!port.addresses) return cell(port, field);
    std::string out;
    for (const core::Ip& address : shown_addresses(port))
        out += (out.empty() ? "" : ", ") + core::text(address);
    return out.empty() ? "none" : out;
}

/// The index that NCCL_IB_GID_INDEX and the options of perftest name: that of the RoCE v2 GID of
/// the first address, of IPv4 before IPv6.
std::string gid_cell(const core::Port& port, const core::Field& field) {
    if (port.refused.contains(field.object)) return "unknown";
    if (!port.rdma_port || !port.rdma_port->gids)
        return port.unknown.contains(field.object) ? "unknown" : "-";
    for (const core::Ip& address : shown_addresses(port))
        if (const core::Gid* gid = core::find_gid(port, address)) return std::to_string(gid->index);
    return "none";
}

struct Column {
    std::string_view heading;
    std::string_view key;
    std::string (*text)(const core::Port&, const core::Field&) = cell;
};

/// The fabric side of a port: by what others reach it, and what decides whether RoCE v2 is lossless
/// on it.
constexpr std::array kColumns = {Column{"DRIVER", "driver"},
                                 Column{"UP", "up"},
                                 Column{"CARRIER", "carrier"},
                                 Column{"SPEED", "speed"},
                                 Column{"MTU", "mtu"},
                                 Column{"ADDRESS", "addresses", address_cell},
                                 Column{"RDMA", "rdma.device"},
                                 Column{"STATE", "rdma.state"},
                                 Column{"GID", "rdma.gids", gid_cell},
                                 Column{"TOS", "rdma.default_tos"},
                                 Column{"PAUSE", "pause.rx"},
                                 Column{"PFC", "pfc.priorities"},
                                 Column{"TRUST", "dscp.trust"},
                                 Column{"NUMA", "pcie.numa_node"},
                                 Column{"FIRMWARE", "firmware"}};

}  // namespace

core::Objects shown() {
    core::Objects out;
    for (const Column& column : kColumns)
        out.insert(core::object_of(column.key));
    return out;
}

std::string show_text(const core::State& state, const Style& style) {
    std::vector<Row> rows{{"PORT"}};
    for (const Column& column : kColumns)
        rows.front().emplace_back(column.heading);
    for (const core::Port& port : state.ports) {
        if (port.name == core::kHost) continue;
        Row row{style.bold(port.name)};
        for (const Column& column : kColumns)
            row.push_back(column.text(port, *core::find_field(column.key)));
        rows.push_back(row);
    }
    return figures(rows, 1, style.width);
}

namespace {

/// Names and values in as many columns as there is room for, from above to below; a value that is
/// too long for that has its line behind them.
std::string in_columns(const std::vector<Row>& values, std::size_t width) {
    constexpr std::size_t indent = 2;
    constexpr std::size_t least = 38;  // two of them fit 80
    const std::size_t columns = std::max<std::size_t>(1, width / (least + indent));
    const std::size_t most = width / columns - indent;
    std::size_t names = 0;
    for (const Row& value : values)
        names = std::max(names, value[0].size());
    Row fitting;
    std::vector<Row> longer;
    for (const Row& value : values) {
        if (names + indent + value[1].size() > most)
            longer.push_back(value);
        else
            fitting.push_back(value[0] + std::string(names + indent - value[0].size(), ' ') +
                              value[1]);
    }
    const std::size_t lines = (fitting.size() + columns - 1) / columns;
    std::vector<Row> rows(lines);
    for (std::size_t i = 0; i < fitting.size(); ++i)
        rows[i % lines].push_back(fitting[i]);
    return table(rows, std::string(indent, ' '), width) +
           table(longer, std::string(indent, ' '), width);
}

}  // namespace

std::string port_text(const core::Port& port, const Style& style) {
    std::vector<std::vector<Row>> topics;
    std::optional<core::Topic> last;
    for (const core::Field& field : core::fields()) {
        const std::string value = cell(port, field);
        if (value == "-") continue;
        const core::Topic topic = core::row_of(field.object).topic;
        if (last != topic) topics.emplace_back();
        last = topic;
        topics.back().push_back({std::string(field.key), value});
    }
    std::vector<Row> refused;
    for (const auto& [object, refusal] : port.refused)
        refused.push_back(
            {std::string(core::row_of(object).name),
             style.bad("refused") + ": " + refusal.text +
                 (refusal.code != 0 ? " (" + std::to_string(refusal.code) + ")" : "")});
    std::string out = style.bold(port.name) + '\n';
    if (style.width == std::string::npos) {
        std::vector<Row> rows;
        for (const std::vector<Row>& topic : topics)
            rows.insert(rows.end(), topic.begin(), topic.end());
        rows.insert(rows.end(), refused.begin(), refused.end());
        return out + table(rows, "  ");
    }
    for (const std::vector<Row>& topic : topics)
        out += (&topic == &topics.front() ? "" : "\n") + in_columns(topic, style.width);
    return out + (refused.empty() ? "" : "\n") + table(refused, "  ", style.width);
}

namespace {

/// A GID and what has it; without one (null) an RDMA device whose table is empty, or not known.
struct ShownGid {
    const core::Port* port = nullptr;
    const core::Gid* gid = nullptr;
    std::optional<core::Ip> address{};  ///< of IPv4 where the GID is one that is mapped
};

std::vector<ShownGid> gids_of(const core::State& state) {
    std::vector<ShownGid> out;
    for (const core::Port& port : state.ports) {
        if (!port.rdma_link || port.rdma_link->device.empty()) continue;
        const bool any = port.rdma_port && port.rdma_port->gids && !port.rdma_port->gids->empty();
        if (!any) out.push_back({.port = &port});
        if (!any) continue;
        for (const core::Gid& gid : *port.rdma_port->gids) {
            auto address = core::parse_ip(gid.gid);
            if (address)
                if (const auto ipv4 = core::mapped_in(*address)) address = ipv4;
            out.push_back({.port = &port, .gid = &gid, .address = address});
        }
    }
    return out;
}

/// `v2` of `RoCE v2`, `v1` of `IB/RoCE v1`; another type as it is.
std::string version_text(const std::string& type) {
    const std::size_t blank = type.rfind(' ');
    return type.empty() ? "-" : blank == std::string::npos ? type : type.substr(blank + 1);
}

/// `mlx5_0/1`, as rdma(8) names it.
std::string device_text(const core::Port& port) {
    return port.rdma_link->device + '/' + std::to_string(port.rdma_link->port);
}

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

}  // namespace

core::Objects shown_of_gids() {
    core::Objects out = core::inventory();
    out.insert(core::object_of("rdma.device"));
    out.insert(core::object_of("rdma.gids"));
    return out;
}

std::string gids_text(const core::State& state, const Style& style) {
    std::vector<Row> rows{
        {"PORT", "INDEX", "DEVICE", "VERSION", "ADDRESS", "STATE", "NETDEV", "GID"}};
    for (const ShownGid& one : gids_of(state)) {
        const core::Port& port = *one.port;
        const bool unknown = !port.rdma_port || !port.rdma_port->gids ||
                             port.refused.contains(core::object_of("rdma.gids"));
        const std::string none = unknown ? "unknown" : "none";
        const std::string now = port.rdma_port ? or_dash(port.rdma_port->state) : "unknown";
        if (one.gid == nullptr) {
            rows.push_back(
                {style.bold(port.name), none, device_text(port), "-", "-", now, "-", "-"});
            continue;
        }
        rows.push_back({style.bold(port.name), std::to_string(one.gid->index), device_text(port),
                        version_text(one.gid->type),
                        one.address ? core::text(*one.address) : std::string("-"), now,
                        or_dash(one.gid->port), one.gid->gid});
    }
    return figures(rows, 2, style.width);
}

std::string gids_json(const Heading& heading, const core::State& state) {
    using core::Json;
    const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    Json gids = Json::array();
    for (const ShownGid& one : gids_of(state)) {
        const core::Port& port = *one.port;
        Json out = {{"port", port.name}, {"device", port.rdma_link->device}};
        out["rdma_port"] = port.rdma_link->port;
        out["index"] = one.gid == nullptr ? Json() : Json(one.gid->index);
        out["gid"] = one.gid == nullptr ? Json() : Json(one.gid->gid);
        out["address"] = one.address ? Json(core::text(*one.address)) : Json();
        out["version"] = one.gid == nullptr ? Json() : or_null(one.gid->type);
        out["netdev"] = one.gid == nullptr ? Json() : or_null(one.gid->port);
        out["state"] = port.rdma_port ? or_null(port.rdma_port->state) : Json();
        gids.push_back(std::move(out));
    }
    return document(heading, {{"gids", std::move(gids)}});
}

constinit const Command command::show{
    .name = "show",
    .operands = "[PORT]",
    .operands_max = 1,
    .help = "Show the fabric side of this host, or all that is known of a port",
    .host = HostUse::reads,
    .asks_devices = true,
    .options = kShowOptions,
    .run = cli::show};

core::Status show(Session& session) {
    const std::vector<std::string>& operands = session.options.operands;
    const bool one = !operands.empty();
    const bool gids = given_value(session.options, kGids).has_value();
    const bool gpus = given_value(session.options, kGpus).has_value();
    const bool json = session.options.output == Output::json;
    if (gpus && (one || gids))
        throw core::Error(core::Status::invalid_input,
                          std::string("--gpus is about all ports: found ") +
                              (one ? "'" + operands.front() + "'" : "--gids") + " beside it");
    std::optional<std::vector<std::string>> ports;
    if (one) ports = std::vector{core::literal(operands.front())};
    const core::State state = read(session, std::move(ports),
                                   gids          ? shown_of_gids()
                                   : gpus        ? shown_of_gpus()
                                   : one || json ? of_ports()
                                                 : shown());
    if (one && (state.ports.empty() || is_not_there(state.ports.front())))
        throw core::Error(core::Status::failed, "no port '" + operands.front() + "'");
    const Heading heading{session.command, core::Status::done};
    if (gids)
        session.out << (json ? gids_json(heading, state) : gids_text(state, session.style));
    else if (gpus)
        session.out << (json ? gpus_json(heading, state) : gpus_text(state, session.style));
    else if (json)
        print_state(session.out, heading, state);
    else
        session.out << (one ? port_text(state.ports.front(), session.style)
                            : show_text(state, session.style));
    return core::Status::done;
}

}  // namespace cli

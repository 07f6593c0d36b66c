// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/command.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"
#include "core/model/glob.hpp"

namespace cli {
namespace {

constexpr std::array kShowOptions = {&option::state, &option::reading_limit, &option::output};

struct Column {
    std::string_view heading;
    std::string_view key;
};

/// The fabric side of a port: what decides whether RoCE v2 is lossless on it.
constexpr std::array kColumns = {Column{"DRIVER", "driver"},
                                 Column{"UP", "up"},
                                 Column{"CARRIER", "carrier"},
                                 Column{"SPEED", "speed"},
                                 Column{"MTU", "mtu"},
                                 Column{"PAUSE", "pause.rx"},
                                 Column{"PFC", "pfc.priorities"},
                                 Column{"TRUST", "dscp.trust"},
                                 Column{"RDMA", "rdma.device"},
                                 Column{"STATE", "rdma.state"},
                                 Column{"TOS", "rdma.default_tos"}};

/// Elements of a map with their keys, of a list one after the other.
std::string elements_text(const core::Field& field, const core::Elements& elements) {
    std::string out;
    for (const auto& [element, value] : elements) {
        if (!out.empty()) out += ", ";
        if (core::is_keyed(field.shape)) out += element + ":";
        out += core::text(value);
    }
    return out.empty() ? "none" : out;
}

/// The value; why there is none, where the kernel said why; `-` where it said nothing.
std::string cell(const core::Port& port, const core::Field& field) {
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
            row.push_back(cell(port, *core::find_field(column.key)));
        rows.push_back(row);
    }
    return table(rows, "", style.width);
}

std::string port_text(const core::Port& port, const Style& style) {
    std::vector<Row> rows;
    for (const core::Field& field : core::fields()) {
        const std::string value = cell(port, field);
        if (value != "-") rows.push_back({std::string(field.key), value});
    }
    for (const auto& [object, refusal] : port.refused)
        rows.push_back({std::string(core::row_of(object).name),
                        style.bad("refused") + ": " + refusal.text +
                            (refusal.code != 0 ? " (" + std::to_string(refusal.code) + ")" : "")});
    return style.bold(port.name) + '\n' + table(rows, "  ", style.width);
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
    const core::State state =
        one ? read(session, std::vector{core::literal(operands.front())}, of_ports())
            : read(session, std::nullopt,
                   session.options.output == Output::json ? of_ports() : shown());
    if (one && (state.ports.empty() || is_not_there(state.ports.front())))
        throw core::Error(core::Status::failed, "no port '" + operands.front() + "'");
    if (session.options.output == Output::json)
        print_state(session.out, {session.command, core::Status::done}, state);
    else
        session.out << (one ? port_text(state.ports.front(), session.style)
                            : show_text(state, session.style));
    return core::Status::done;
}

}  // namespace cli

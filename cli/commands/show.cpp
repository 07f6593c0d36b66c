// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/views/text.hpp"

namespace cli {
namespace {

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

}  // namespace cli

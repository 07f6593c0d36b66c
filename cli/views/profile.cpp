// SPDX-License-Identifier: Apache-2.0
#include "cli/views/profile.hpp"

#include <nlohmann/json.hpp>

#include "cli/views/printable.hpp"
#include "cli/views/text.hpp"
#include "core/json/json.hpp"
#include "core/profile/bonds.hpp"

namespace cli {
namespace {

using core::Json;
using core::Origin;

std::string stated_text(const std::optional<core::Value>& value) {
    return value ? core::text(*value) : "none";
}

std::string origin_text(const Origin& origin, bool optional) {
    return text(origin) + (optional ? ", optional" : "");
}

/// Where the file says so; of what it does not say, where `roce` is.
Origin place_of(Origin origin) {
    origin.derived_from.clear();
    return origin;
}

std::string exact_text(const core::Exact& exact) {
    if (!exact.only) return "nothing else";
    return "nothing else with " + core::text(*exact.only);
}

std::vector<Row> rows_of(const std::vector<core::Desired>& desired_values,
                         const std::vector<core::Exact>& exact, const Style& style) {
    std::vector<Row> rows;
    for (const core::Desired& desired : desired_values)
        rows.push_back({core::element_name(*desired.field, desired.element),
                        stated_text(desired.value),
                        style.faint(origin_text(desired.origin, desired.optional))});
    for (const core::Exact& one : exact)
        rows.push_back(
            {std::string(one.field->key), exact_text(one), style.faint(text(one.origin))});
    return grouped(rows, 0);
}

std::vector<Row> open_rows(const std::vector<core::OpenValue>& open, const Style& style) {
    std::vector<Row> rows;
    for (const core::OpenValue& value : open)
        rows.push_back({value.key, value.text, style.faint(text(value.origin))});
    return rows;
}

/// The keys of the whole profile's intent and what the switches do.
std::vector<Row> top_rows(const core::OfflineProfile& profile, const Style& style) {
    std::vector<Row> rows;
    const auto add = [&](const std::string& key, const std::string& value, const Origin& origin) {
        rows.push_back({key, value, style.faint(text(place_of(origin)))});
    };
    if (const auto& intent = profile.intent) {
        for (const auto& [key, part] : core::parts(*intent))
            add("roce." + std::string(key->name), core::text(core::value_of(*key, *part)),
                part->origin);
        if (!intent->cnp) add("roce.cnp", "none", intent->origin);
    }
    if (const auto& switches = profile.switches) {
        for (const auto& [dscp, priority] : switches->dscp_map)
            add("switch.dscp_map " + std::to_string(dscp), std::to_string(priority.value),
                priority.origin);
        if (const auto& lossless = switches->lossless)
            add("switch.lossless", core::text(core::Value(lossless->priorities)), lossless->origin);
    }
    for (Row& row : rows_of(core::stated_desired(profile.host).desired_values, {}, style))
        rows.push_back(std::move(row));
    for (Row& row : open_rows(profile.open, style))
        rows.push_back(std::move(row));
    return rows;
}

std::string drivers_text(const core::OfflinePort& offline_port) {
    std::string out;
    for (const core::Driver* driver : offline_port.drivers) {
        if (!out.empty()) out += ", ";
        out += core::title_of(*driver);
    }
    return out;
}

std::string entry_text(const core::OfflineEntry& offline, const Style& style) {
    const core::Entry& entry = offline.entry;
    std::string out = '\n' + style.bold(text(entry.match));
    if (entry.expect) out += ", expected " + std::to_string(*entry.expect);
    out += style.faint("  (" + entry.match.place.file.text() + ':' +
                       std::to_string(entry.match.place.line) + ")") +
           '\n';
    if (const std::vector<core::OpenValue> open = offline.open(); !open.empty())
        out +=
            "  until variables have values\n" + table(open_rows(open, style), "    ", style.width);
    for (const core::OfflinePort& offline_port : offline.ports()) {
        const std::vector<Row> rows =
            rows_of(offline_port.desired_values, offline_port.exact, style);
        if (!rows.empty())
            out += "  on " + drivers_text(offline_port) + '\n' + table(rows, "    ", style.width);
    }
    for (const core::VlanChild& child : entry.children) {
        out += "  VLAN " + std::to_string(child.id);
        if (!child.name.empty()) out += ", " + on_one_line(child.name);
        out += child.wanted ? "\n" : ", none\n";
        out += table(rows_of(core::stated_desired(child.entry).desired_values, {}, style), "    ",
                     style.width);
    }
    return out;
}

Json settings_json(const std::vector<core::Desired>& desired_values) {
    Json out = Json::array();
    for (const core::Desired& desired : desired_values) {
        Json row = {{"setting", desired.field->key}};
        if (!desired.element.empty()) row["element"] = desired.element;
        row["value"] = desired.value ? core::to_json(desired.field->shape, *desired.value) : Json();
        if (desired.optional) row["optional"] = true;
        row["origin"] = core::to_json(desired.origin);
        out.push_back(std::move(row));
    }
    return out;
}

Json exact_json(const std::vector<core::Exact>& exact) {
    Json out = Json::array();
    for (const core::Exact& one : exact) {
        Json row = {{"setting", one.field->key}};
        if (one.only) row["only"] = core::to_json(one.field->shape, *one.only);
        row["origin"] = core::to_json(one.origin);
        out.push_back(std::move(row));
    }
    return out;
}

Json open_json(const std::vector<core::OpenValue>& open) {
    Json out = Json::array();
    for (const core::OpenValue& value : open)
        out.push_back(
            {{"key", value.key}, {"text", value.text}, {"origin", core::to_json(value.origin)}});
    return out;
}

Json intent_json(const core::Intent& intent) {
    Json out = Json::array();
    for (const auto& [key, part] : core::parts(intent))
        out.push_back({{"key", "roce." + std::string(key->name)},
                       {"value", core::to_json(key->shape, core::value_of(*key, *part))},
                       {"origin", core::to_json(place_of(part->origin))}});
    return out;
}

Json switch_json(const core::SwitchSettings& switches) {
    Json out = Json::object();
    for (const auto& [dscp, priority] : switches.dscp_map)
        out["dscp_map"][std::to_string(dscp)] = {{"value", priority.value},
                                                 {"origin", core::to_json(priority.origin)}};
    if (switches.lossless)
        out["lossless"] = {{"value", switches.lossless->priorities},
                           {"origin", core::to_json(switches.lossless->origin)}};
    return out;
}

Json entry_json(const core::OfflineEntry& offline) {
    const core::Entry& entry = offline.entry;
    Json offline_ports = Json::array();
    for (const core::OfflinePort& offline_port : offline.ports()) {
        Json drivers = Json::array();
        for (const core::Driver* driver : offline_port.drivers)
            drivers.push_back(driver->name);
        offline_ports.push_back({{"drivers", std::move(drivers)},
                                 {"settings", settings_json(offline_port.desired_values)},
                                 {"exact", exact_json(offline_port.exact)}});
    }
    Json out = {{"match", text(entry.match)}, {"pointer", offline.pointer}};
    if (entry.expect) out["expect"] = *entry.expect;
    out["open"] = open_json(offline.open());
    out["on"] = std::move(offline_ports);
    for (const core::VlanChild& child : entry.children)
        out["vlans"][std::to_string(child.id)] =
            child.wanted ? settings_json(core::stated_desired(child.entry).desired_values) : Json();
    return out;
}

template <typename Item>
std::vector<Item> of_port(const std::vector<Item>& items, const std::string& port) {
    std::vector<Item> out;
    for (const Item& item : items)
        if (item.port == port) out.push_back(item);
    return out;
}

/// What follows a line's end moved to the right: in JSON no text has one.
std::string indented(const std::string& text, std::size_t columns) {
    std::string out;
    for (const char c : text) {
        out += c;
        if (c == '\n') out.append(columns, ' ');
    }
    return out;
}

std::string driver_at(const core::State& inventory, const std::string& name) {
    const core::Port* port = core::find_port(inventory, name);
    return port != nullptr && port->device ? port->device->driver : "";
}

}  // namespace

void write_offline_profile(std::ostream& out, const core::Profile& profile,
                           const core::Given& given, const Style& style) {
    const core::OfflineProfile offline = core::offline_profile(profile, given);
    out << style.bold(profile.name) << '\n' << table(top_rows(offline, style), "  ", style.width);
    for (const core::StatedBond& bond : offline.host.bonds)
        out << '\n'
            << style.bold("bond " + bond.name) << (bond.wanted ? "\n" : ", none\n")
            << (bond.wanted ? table(rows_of(core::desired_of(bond), {}, style), "    ", style.width)
                            : "");
    bool any = false;
    offline.each_entry([&](const core::OfflineEntry& entry) {
        out << entry_text(entry, style);
        any = true;
    });
    if (!any) out << "\nno ports: a profile that extends it names them\n";
}

void write_offline_profile_json(std::ostream& out, const Heading& heading,
                                const core::Profile& profile, const core::Given& given) {
    const core::OfflineProfile offline = core::offline_profile(profile, given);
    Json bonds = Json::object();
    for (const core::StatedBond& bond : offline.host.bonds)
        bonds[bond.name] = bond.wanted ? settings_json(core::desired_of(bond)) : Json();
    const std::string whole = document(
        heading, {{"profile", profile.name},
                  {"roce", offline.intent ? intent_json(*offline.intent) : Json()},
                  {"switch", offline.switches ? switch_json(*offline.switches) : Json()},
                  {"host", settings_json(core::stated_desired(offline.host).desired_values)},
                  {"bonds", std::move(bonds)},
                  {"open", open_json(offline.open)},
                  {"entries", Json::array()}});
    // The list of the entries comes last; each is put into it as it is made.
    constexpr std::string_view end = "]\n}\n";
    out << whole.substr(0, whole.size() - end.size());
    std::string_view before = "\n    ";
    offline.each_entry([&](const core::OfflineEntry& entry) {
        out << before << indented(json_text(entry_json(entry)), 4);
        before = ",\n    ";
    });
    out << (before.starts_with(',') ? "\n  " : "") << end;
}

std::string desired_text(const core::DesiredState& desired_values, const core::State& inventory,
                         const Style& style) {
    std::string out;
    for (const std::string& name : desired_values.ports) {
        const std::string driver = driver_at(inventory, name);
        out += style.bold(name) + (driver.empty() ? "" : style.faint("  (" + driver + ")")) + '\n';
        out += table(rows_of(of_port(desired_values.desired_values, name),
                             of_port(desired_values.exact, name), style),
                     "  ", style.width);
    }
    return out + findings_text(desired_values.findings, style);
}

std::string desired_json(const Heading& heading, const std::string& profile,
                         const core::DesiredState& desired_values, const core::State& inventory) {
    Json ports = Json::array();
    for (const std::string& name : desired_values.ports)
        ports.push_back({{"port", name},
                         {"driver", driver_at(inventory, name)},
                         {"settings", settings_json(of_port(desired_values.desired_values, name))},
                         {"exact", exact_json(of_port(desired_values.exact, name))}});
    Json findings = Json::array();
    for (const core::Finding& finding : desired_values.findings)
        findings.push_back(core::to_json(finding));
    return document(
        heading,
        {{"profile", profile}, {"ports", std::move(ports)}, {"findings", std::move(findings)}});
}

}  // namespace cli

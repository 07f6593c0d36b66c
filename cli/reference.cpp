// SPDX-License-Identifier: Apache-2.0
#include "cli/reference.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/roff.hpp"
#include "core/json/json.hpp"
#include "core/json/pretty.hpp"
#include "core/model/driver.hpp"

namespace cli {
namespace {

using core::Disruption;
using core::Driver;
using core::Field;
using core::Json;

/// A part of a record: its name, what it takes, what it is.
Row part_row(const core::RecordPart& part) {
    std::string notes = core::admits(part.shape);
    if (part.required) notes += ", required";
    if (part.identity) notes += ", part of its identity";
    return {std::string(part.name), notes, std::string(part.doc)};
}

Disruption disruption_on(const Driver& driver, const Field& field) {
    core::Port port;
    port.name = "port";
    port.device = core::Device{.driver = std::string(driver.name), .firmware = {}};
    return core::disruption_of(port, field.object, {field.key});
}

/// `link; queues on mlx5_core`: what a write costs, and where it costs something else.
std::string disruption_text(const Field& field) {
    const Disruption usual = disruption_on(*core::drivers().back(), field);
    std::string out(core::word(usual));
    for (const Driver* const driver : core::drivers()) {
        const Disruption here = disruption_on(*driver, field);
        if (here != usual)
            out += "; " + std::string(core::word(here)) + " on " + std::string(driver->name);
        for (const core::Cost& cost : driver->costs)
            if (!cost.where.empty() && here == usual && is_of(cost, field.object, {field.key}))
                out += "; " + std::string(core::word(cost.disruption)) + " on " +
                       std::string(driver->name) + " where " + std::string(cost.where);
    }
    return out;
}

/// A profile in which settings have values that make sense; the tests load it.
constexpr std::string_view kExample = R"({
  "format": 1,
  "name": "example",
  "host": {
    "modules": ["rdma_ucm", "ib_umad"],
    "rdma": { "netns_mode": "shared" },
    "hugepages": { "default": 2048, "1G/node0": 16 },
    "sysctl": { "net.core.rmem_max": 16777216, "vm.zone_reclaim_mode": 0 },
    "cpu": { "governor": "performance" },
    "irqbalance": false,
    "tuned": "network-latency",
    "memlock": { "service:slurmd": "unlimited" },
    "nccl": { "NCCL_IB_TC": 106, "NCCL_IB_SL": 3 },
    "ucx": { "UCX_IB_TRAFFIC_CLASS": 106, "UCX_IB_SL": 3 }
  },
  "ports": [
    {
      "match": { "name": "ens1f0" },
      "up": true,
      "mtu": 9000,
      "ip": {
        "arp_ignore": 1,
        "arp_announce": 2,
        "rp_filter": 2,
        "accept_local": false,
        "addr_gen_mode": "eui64"
      },
      "link": { "autoneg": true, "speed": 100000, "duplex": "full", "lanes": 4, "fec": "rs" },
      "private_flags": { "fw-lldp-agent": false },
      "ring": { "rx": 8192, "tx": 8192 },
      "channels": { "combined": 8, "rx": 0, "tx": 0 },
      "coalesce": {
        "adaptive_rx": false,
        "adaptive_tx": false,
        "cqe_mode_rx": true,
        "cqe_mode_tx": false,
        "rx_usecs": 16,
        "rx_frames": 32,
        "tx_usecs": 16,
        "tx_frames": 32
      },
      "features": { "rx-gro": true },
      "dcbx": { "mode": "host" },
      "pause": { "rx": false, "tx": false, "autoneg": false },
      "ets": {
        "traffic_class": [0, 1, 2, 3, 4, 5, 6, 7],
        "algorithm": ["ets", "ets", "ets", "ets", "ets", "ets", "strict", "ets"],
        "bandwidth": [50, 0, 0, 50, 0, 0, 0, 0]
      },
      "maxrate": [0, 0, 0, 0, 0, 0, 10000000, 0],
      "pfc": { "priorities": [3], "delay": 7, "cable_length": 30, "storm_prevention": "auto" },
      "optional": ["pfc.delay", "pfc.cable_length"],
      "buffer": {
        "of_priority": [0, 0, 0, 1, 0, 0, 0, 0],
        "size": [65536, 196608, 0, 0, 0, 0, 0, 0]
      },
      "dscp": { "trust": "dscp", "map": { "26": 3, "48": 6 }, "rewrite": { "3": 26 } },
      "app": { "udp": { "4791": 3 } },
      "ecn": {
        "directory": true,
        "notify": { "3": true },
        "react": { "3": true },
        "cnp_dscp": 48,
        "cnp_priority": 6,
        "min_time_between_cnps": 4
      },
      "dcqcn": {
        "clamp_tgt_rate": 0,
        "clamp_tgt_rate_after_time_inc": 1,
        "rpg_time_reset": 300,
        "rpg_byte_reset": 32767,
        "rpg_threshold": 1,
        "rpg_max_rate": 0,
        "rpg_ai_rate": 5,
        "rpg_hai_rate": 50,
        "rpg_gd": 11,
        "rpg_min_dec_fac": 50,
        "rpg_min_rate": 1,
        "rate_to_set_on_first_cnp": 0,
        "dce_tcp_g": 1019,
        "dce_tcp_rtt": 1,
        "rate_reduce_monitor_period": 4,
        "initial_alpha_value": 1023,
        "g": 8,
        "init_cr": 200,
        "init_tr": 800,
        "rtt": 40,
        "inact_th": 10000
      },
      "rdma": {
        "enable_roce": true,
        "link": { "type": "rxe", "name": "rxe_ens1f0" },
        "name": "rxe_ens1f0",
        "adaptive_moderation": true,
        "cm_directory": true,
        "default_mode": "RoCE v2",
        "default_tos": 106,
        "traffic_class": 106
      },
      "pcie": { "read_request": 4096, "relaxed_ordering": true },
      "irq": { "affinity": "local" },
      "addresses": ["192.168.100.1/24", "2001:db8::1/64"],
      "routes": [{ "to": "10.0.0.0/8", "via": "192.168.100.254", "table": 101 }],
      "rules": [{ "from": "192.168.100.1", "table": 101, "priority": 1000 }],
      "neighbours": [{ "ip": "192.168.100.254", "mac": "0c:42:a1:00:00:01" }],
      "vlans": {
        "100": {
          "mtu": 9000,
          "addresses": ["192.168.101.1/24"],
          "egress_priority": { "3": 3 },
          "ingress_priority": { "3": 3 }
        }
      }
    }
  ]
})";

/// A whole value for the field: one element where it is a collection.
core::Elements sample(const Field& field) {
    const core::Value value = core::samples(field.shape).front();
    switch (field.shape.kind) {
        case core::Shape::Kind::map:
        case core::Shape::Kind::named: return {{core::sample_keys(field.shape).front(), value}};
        case core::Shape::Kind::items: return {{core::identity(field.shape, value), value}};
        default: return {{"", value}};
    }
}

/// Where a profile states the field: `/ports/0/link/fec`.
Json::json_pointer place_of(const Field& field) {
    std::string path = (field.key.starts_with(core::kHostKeys) ? "/" : "/ports/0/");
    path += field.key;
    std::ranges::replace(path, '.', '/');
    return Json::json_pointer(path);
}

/// The field's value in the example; where it has none, one that the shape takes.
Json example_value(const Json& whole, const Field& field) {
    const auto place = place_of(field);
    return whole.contains(place) ? whole.at(place) : core::to_json(field.shape, sample(field));
}

/// `up, rdma.link; where it does not, rdma-not-active is found`.
std::string follows_text(const core::Proof& proof) {
    std::string out;
    for (const std::string_view key : proof.from)
        out += (out.empty() ? "" : ", ") + std::string(key);
    return out + "; where it does not, " + std::string(proof.finding->id) + " is found";
}

std::string manual_entry(const Field& field) {
    std::string out = ".TP\n.B " + roff(field.key) + "\n" + roff(field.doc) + "\n";
    if (field.use == Field::Use::kept) return out + ".br\nUndo puts it back.\n";
    if (field.proves != nullptr)
        out += ".br\nFollows from " + roff(follows_text(*field.proves)) + ".\n";
    if (field.use == Field::Use::fact) return out;
    out += ".br\nTakes " + roff(core::admits(field.shape)) +
           ".\n.br\nDisruption: " + roff(disruption_text(field)) + ".\n";
    for (const core::RecordPart& part : field.shape.parts)
        out += ".br\n.I " + roff(part.name) + "\n(" + roff(part_row(part)[1]) +
               "): " + roff(part.doc) + "\n";
    return out + ".nf\n\\fB" + roff(example(field)) + "\\fP\n.fi\n";
}

std::string manual_section(std::string_view title, bool settings) {
    std::string out = ".SH " + std::string(title) + "\n";
    for (const Field& field : core::fields())
        if ((field.use == Field::Use::setting) == settings) out += manual_entry(field);
    return out;
}

std::string_view meaning(Field::Use use) {
    if (use == Field::Use::setting) return "a profile may state it";
    if (use == Field::Use::kept) return "observed, and put back by undo; no profile may state it";
    return "only observed, no profile may state it";
}

}  // namespace

std::string example(const Field& field) {
    Json value = example_value(Json::parse(kExample), field);
    std::string_view key = field.key;
    for (std::size_t dot = key.rfind('.'); dot != std::string_view::npos; dot = key.rfind('.')) {
        value = Json{{std::string(key.substr(dot + 1)), std::move(value)}};
        key = key.substr(0, dot);
    }
    return '"' + std::string(key) + "\": " + value.dump();
}

std::string example_profile() {
    Json whole = Json::parse(kExample);
    bool stated = true;
    for (const Field& field : core::fields()) {
        if (field.use != Field::Use::setting || whole.contains(place_of(field))) continue;
        whole[place_of(field)] = example_value(whole, field);
        stated = false;
    }
    return stated ? std::string(kExample) : core::pretty(whole);
}

std::string explanation(const Field& field, const Style& style) {
    const core::ObjectRow& object = core::row_of(field.object);
    const bool setting = field.use == Field::Use::setting;
    std::string out = style.bold(field.key) + '\n' + std::string(field.doc) + "\n\n";
    std::vector<Row> rows{
        {"kind", std::string(word(field.use)) + ": " + std::string(meaning(field.use))},
        {setting ? "takes" : "reads", core::admits(field.shape)},
        {"object", std::string(object.name) + ": " + std::string(object.doc)}};
    if (field.proves != nullptr) rows.push_back({"follows from", follows_text(*field.proves)});
    if (setting) {
        rows.push_back({"disruption", disruption_text(field)});
        rows.push_back({"example", example(field)});
    }
    out += table(rows, "  ");
    if (!field.shape.parts.empty()) {
        std::vector<Row> parts;
        for (const core::RecordPart& part : field.shape.parts)
            parts.push_back(part_row(part));
        out += "\nparts\n" + table(parts, "  ");
    }
    if (!setting) return out;
    if (!core::row_of(field.object).by_family) return out;
    std::vector<Row> drivers;
    for (const Driver* const driver : core::drivers())
        drivers.push_back({std::string(driver->name), std::string(driver->doc)});
    return out + "\ndrivers\n" + table(drivers, "  ");
}

std::string explanation(const core::ProfileKey& key, const Style& style) {
    const std::vector<Row> rows{{"kind", "key of a profile, no setting of its own"},
                                {"stands", key.place},
                                {"takes", key.takes},
                                {"manual", "rocectl-profile(5)"}};
    return style.bold(key.name) + '\n' + key.doc + "\n\n" + table(rows, "  ");
}

std::string manual_tables() {
    std::string out =
        manual_section("SETTINGS", true) + manual_section("FACTS", false) + ".SH DRIVERS\n";
    for (const Driver* const driver : core::drivers())
        out += ".TP\n.B " + roff(driver->name) + "\n" + roff(driver->doc) + "\n";
    out +=
        ".SH EXAMPLE\nEvery setting, with a value that makes sense where others do "
        "too:\n.PP\n.EX\n";
    std::string line;
    for (const char c : example_profile() + '\n') {
        if (c != '\n') line += c;
        if (c == '\n') out += roff(std::exchange(line, {})) + '\n';
    }
    return out + ".EE\n";
}

}  // namespace cli

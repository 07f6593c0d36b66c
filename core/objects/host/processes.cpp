// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::processes {

namespace {

constexpr std::array<std::string_view, 1> kCapabilities = {"CAP_IPC_LOCK"};
constexpr std::string_view kCapability = kCapabilities.front();

Got get_processes(const Port& port) {
    if (!port.processes) return std::nullopt;
    Elements elements;
    for (const Process& process : *port.processes) {
        Record record{{"process", std::uint64_t{process.id}}, {"name", process.name}};
        if (!process.memlock.empty()) record["memlock"] = process.memlock;
        if (process.may_exceed) record["capability"] = std::string(kCapability);
        if (!process.rdma_object.empty()) {
            record["rdma_object"] = process.rdma_object;
            record["rdma_used"] = process.rdma_used;
            record["rdma_limit"] = process.rdma_limit;
        }
        elements.emplace(std::to_string(process.id), std::move(record));
    }
    return elements;
}

void set_processes(Port& port, const Elements& elements) {
    port.processes.emplace();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.processes->push_back({.id = static_cast<std::uint32_t>(number_part(record, "process")),
                                   .name = text_part(record, "name"),
                                   .memlock = text_part(record, "memlock"),
                                   .may_exceed = text_part(record, "capability") == kCapability,
                                   .rdma_object = text_part(record, "rdma_object"),
                                   .rdma_used = number_part(record, "rdma_used"),
                                   .rdma_limit = number_part(record, "rdma_limit")});
    }
}

using enum Shape::Kind;

constexpr std::array kParts = {
    RecordPart{.name = "process",
               .shape = {.kind = number, .max = kU32},
               .doc = "Its number.",
               .required = true,
               .identity = true},
    RecordPart{.name = "name", .shape = {.kind = text}, .doc = "Its name.", .required = true},
    RecordPart{.name = "memlock",
               .shape = {.kind = text},
               .doc = "How many bytes it may lock in memory, or unlimited."},
    RecordPart{.name = "capability",
               .shape = {.kind = word, .words = kCapabilities},
               .doc = "CAP_IPC_LOCK where it has that, for which no limit holds."},
    RecordPart{.name = "rdma_object",
               .shape = {.kind = text},
               .doc = "What its control group limits and has most of: hca_object of mlx5_0."},
    RecordPart{.name = "rdma_used",
               .shape = {.kind = number, .max = kU64},
               .doc = "How many of them there are."},
    RecordPart{.name = "rdma_limit",
               .shape = {.kind = number, .max = kU64},
               .doc = "How many there may be."},
};

constexpr std::array kFields = {
    fact("host.processes", {.kind = items, .parts = kParts},
         "Processes that hold queue pairs or identifiers of rdma_cm on any RDMA device, and how "
         "much memory each may lock and what a control group allows it.",
         get_processes, set_processes),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::processes,
                                 .name = "processes",
                                 .doc = "Processes that use RDMA.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::processes

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::environments {

bool is_kept(std::string_view assignment) {
    return assignment.find('=') != std::string_view::npos &&
           std::ranges::any_of(
               kKept, [&](std::string_view start) { return assignment.starts_with(start); });
}

namespace {

Got get_environments(const Port& port) {
    if (!port.environments) return std::nullopt;
    Elements elements;
    for (const ProcessVariable& variable : *port.environments) {
        Record record{{"process", std::uint64_t{variable.process}}, {"name", variable.name}};
        if (!variable.program.empty()) record["program"] = variable.program;
        if (!variable.value.empty()) record["value"] = variable.value;
        elements.emplace(std::to_string(variable.process) + ' ' + variable.name, std::move(record));
    }
    return elements;
}

void set_environments(Port& port, const Elements& elements) {
    port.environments.emplace();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.environments->push_back(
            {.process = static_cast<std::uint32_t>(number_part(record, "process")),
             .program = text_part(record, "program"),
             .name = text_part(record, "name"),
             .value = text_part(record, "value")});
    }
}

using enum Shape::Kind;

constexpr std::array kParts = {
    RecordPart{.name = "process",
               .shape = {.kind = number, .max = kU32},
               .doc = "Number of the process.",
               .required = true,
               .identity = true},
    RecordPart{.name = "name",
               .shape = {.kind = text},
               .doc = "Name of the variable.",
               .required = true,
               .identity = true},
    RecordPart{.name = "program", .shape = {.kind = text}, .doc = "Name of the process."},
    RecordPart{.name = "value", .shape = {.kind = text}, .doc = "Its value."},
};

constexpr std::array kFields = {
    fact("host.environments", {.kind = items, .parts = kParts},
         "What the environments of processes that use RDMA say to NCCL, UCX, NVSHMEM, Mooncake "
         "and UCCL about it; of an environment nothing else is kept.",
         get_environments, set_environments),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::environments,
                                 .name = "environments",
                                 .doc = "Variables of processes that use RDMA.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::environments

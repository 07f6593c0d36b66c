// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <array>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::boot_files {

namespace {

Got get_lines_of_files(const Port& port) {
    if (!port.boot_files) return std::nullopt;
    Elements elements;
    for (const BootLine& line : *port.boot_files) {
        Record record{{"file", line.file}, {"line", std::uint64_t{line.line}}};
        if (!line.text.empty()) record["text"] = line.text;
        if (!line.refused.empty()) record["refused"] = line.refused;
        if (line.time != 0) record["time"] = line.time;
        elements.emplace(line.file + ' ' + std::to_string(line.line), std::move(record));
    }
    return elements;
}

void set_lines_of_files(Port& port, const Elements& elements) {
    port.boot_files.emplace();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.boot_files->push_back({.file = text_part(record, "file"),
                                    .line = static_cast<std::uint32_t>(number_part(record, "line")),
                                    .text = text_part(record, "text"),
                                    .refused = text_part(record, "refused"),
                                    .time = number_part(record, "time")});
    }
}

using enum Shape::Kind;

constexpr std::array kParts = {
    RecordPart{.name = "file",
               .shape = {.kind = text},
               .doc = "Where it is.",
               .required = true,
               .identity = true},
    RecordPart{.name = "line",
               .shape = {.kind = number, .max = kU32},
               .doc = "Which line of it; 0 is the file itself.",
               .required = true,
               .identity = true},
    RecordPart{.name = "text", .shape = {.kind = text}, .doc = "What stands there."},
    RecordPart{.name = "refused", .shape = {.kind = text}, .doc = "Why it could not be read."},
    RecordPart{.name = "time",
               .shape = {.kind = number, .max = kU64},
               .doc = "When it was written, in seconds since 1970."},
};

constexpr std::array kFields = {
    fact("host.boot_files", {.kind = items, .parts = kParts},
         "Lines of the files by which programs set, at boot, what rocectl sets, for verify "
         "--persistent: of systemd, NetworkManager, ifupdown, netplan and rocectl's own units.",
         get_lines_of_files, set_lines_of_files),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::boot_files,
                                 .name = "boot_files",
                                 .doc = "What files say is to be set at boot.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::boot_files

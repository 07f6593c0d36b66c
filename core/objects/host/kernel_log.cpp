// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::kernel_log {

namespace {

// Those of any driver; Linux 6.12 where no other source is named.
constexpr auto kOfAny = std::to_array<Kind>({
    // drivers/pci/pcie/aer.c, aer_print_error
    {"aer-fatal", {"PCIe Bus Error: severity=Uncorrect", ""}},
    {"aer", {"PCIe Bus Error: severity=Correct", ""}},
    {"aer-fatal", {"AER: Uncorrect", "error"}},
    {"aer", {"AER: ", "Correct"}},
    // The same of the module that makes NVIDIA's memory peer memory.
    {"gpu-peermem-mismatch", {"nvidia_peermem: ", "Unknown symbol"}},
    {"gpu-peermem-mismatch", {"nvidia_peermem: ", "disagrees about version of symbol"}},
    // NVIDIA open-gpu-kernel-modules 595.45.04, kernel-open/nvidia/nv-dmabuf.c nv_dma_buf_attach
    {"gpu-topology-refused", {"NVRM: dma-buf attach failed: ", ""}},
    // kernel/module/main.c, version.c and signing.c; security/lockdown/lockdown.c
    {"module-mismatch", {": Unknown symbol", ""}},
    {"module-mismatch", {"disagrees about version of symbol", ""}},
    {"module-rejected", {"Loading of ", " is rejected"}},
    {"module-rejected", {"Key was rejected by service", ""}},
    {"module-rejected", {"Lockdown", "unsigned module loading"}},
    // net/core/neighbour.c, neigh_alloc
    {"neighbours-full", {"neighbor table overflow", ""}},
    {"neighbours-full", {"neighbour table overflow", ""}},
});

Got get_lines(const Port& port) {
    if (!port.kernel_log) return std::nullopt;
    Elements elements;
    for (const LogLine& line : *port.kernel_log) {
        Record record{{"milliseconds", line.milliseconds}, {"text", line.text}};
        if (!line.kind.empty()) record["kind"] = line.kind;
        elements.emplace(std::to_string(line.milliseconds) + ' ' + line.text, std::move(record));
    }
    return elements;
}

void set_lines(Port& port, const Elements& elements) {
    port.kernel_log.emplace();
    for (const auto& [key, value] : elements) {
        const auto& record = std::get<Record>(value);
        port.kernel_log->push_back({.milliseconds = number_part(record, "milliseconds"),
                                    .kind = text_part(record, "kind"),
                                    .text = text_part(record, "text")});
    }
}

using enum Shape::Kind;

constexpr std::array kParts = {
    RecordPart{.name = "milliseconds",
               .shape = {.kind = number, .max = kU64},
               .doc = "When it was written, since the host was started.",
               .required = true,
               .identity = true},
    RecordPart{.name = "text",
               .shape = {.kind = text},
               .doc = "The line.",
               .required = true,
               .identity = true},
    RecordPart{.name = "kind", .shape = {.kind = text}, .doc = "What it tells of."},
};

constexpr std::array kFields = {
    fact("host.kernel_log", {.kind = items, .parts = kParts},
         "Lines of the kernel's log since the host was started that tell of a fault which RDMA "
         "would feel: of each kind the first and the last ones.",
         get_lines, set_lines),
};

}  // namespace

std::span<const Kind> kinds() {
    static const std::vector<Kind> all = [] {
        std::vector<Kind> out(kOfAny.begin(), kOfAny.end());
        for (const Driver* driver : drivers())
            out.insert(out.end(), driver->log.begin(), driver->log.end());
        return out;
    }();
    return all;
}

std::string_view kind_of(std::string_view line) {
    for (const Kind& kind : kinds())
        if (std::ranges::all_of(kind.has, [&](std::string_view part) {
                return line.find(part) != std::string_view::npos;
            }))
            return kind.name;
    return {};
}

constinit const ObjectRow row = {.object = Object::kernel_log,
                                 .name = "kernel_log",
                                 .doc = "What the kernel's log says of faults.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::kernel_log

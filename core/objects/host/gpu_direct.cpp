// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/model/access.hpp"
#include "core/objects/host/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::gpu_direct {

namespace {

Got get_drivers(const Port& port) {
    if (!port.gpu_direct) return std::nullopt;
    Elements elements;
    for (const GpuDriver& driver : port.gpu_direct->drivers) {
        Record record{{"name", driver.name}};
        if (!driver.version.empty()) record["version"] = driver.version;
        if (!driver.flavour.empty()) record["flavour"] = driver.flavour;
        elements.emplace(driver.name, std::move(record));
    }
    return elements;
}

void set_drivers(Port& port, const Elements& elements) {
    std::vector<GpuDriver>& drivers = part_of<&Port::gpu_direct>(port).drivers;
    drivers.clear();
    for (const auto& [name, value] : elements) {
        const auto& record = std::get<Record>(value);
        drivers.push_back({.name = text_part(record, "name"),
                           .version = text_part(record, "version"),
                           .flavour = text_part(record, "flavour")});
    }
}

Got get_options(const Port& port) {
    if (!port.gpu_direct || !port.gpu_direct->kernel_options) return std::nullopt;
    const GpuDirect::Options& options = *port.gpu_direct->kernel_options;
    return Elements(options.begin(), options.end());
}

void set_options(Port& port, const Elements& elements) {
    GpuDirect::Options& options = part_of<&Port::gpu_direct>(port).kernel_options.emplace();
    for (const auto& [name, value] : elements)
        options.emplace(name, std::get<std::string>(value));
}

using enum Shape::Kind;

constexpr std::array<std::string_view, 2> kFlavours = {kOpen, kProprietary};
constexpr std::array<std::string_view, 3> kAnswers = {"y", "m", "n"};
constexpr Shape kAnswer = {.kind = word, .words = kAnswers};

constexpr std::array kParts = {
    RecordPart{.name = "name",
               .shape = {.kind = word, .words = kGpuModules},
               .doc = "The kernel module.",
               .required = true,
               .identity = true},
    RecordPart{.name = "version", .shape = {.kind = text}, .doc = "Its version."},
    RecordPart{.name = "flavour",
               .shape = {.kind = word, .words = kFlavours},
               .doc = "Of NVIDIA's, open or proprietary."},
};

constexpr std::array kFields = {
    fact("host.gpu.drivers", {.kind = items, .parts = kParts},
         "Drivers of GPUs that are loaded, with their version where they have one of their own.",
         get_drivers, set_drivers),
    fact("host.gpu.peer_modules", {.kind = items, .text = Shape::Text::name},
         "Loaded modules that give NICs the memory of NVIDIA's GPUs as peer memory.",
         get_listed<&Port::gpu_direct, &GpuDirect::peer_modules>,
         set_listed<&Port::gpu_direct, &GpuDirect::peer_modules>),
    fact("host.gpu.peer_clients", {.kind = items, .text = Shape::Text::name},
         "What is registered as peer memory with a vendor's ib_core, where that shows it.",
         get_listed<&Port::gpu_direct, &GpuDirect::peer_clients>,
         set_listed<&Port::gpu_direct, &GpuDirect::peer_clients>),
    fact("host.gpu.kernel_options",
         {.kind = named, .words = kKernelOptions, .of = &kAnswer, .closed = true},
         "Options that the kernel was built with and that decide about dma-buf, where a driver of "
         "GPUs is loaded: y, m or n.",
         get_options, set_options),
};

}  // namespace

constinit const ObjectRow row = {.object = Object::gpu_direct,
                                 .name = "gpu_direct",
                                 .doc = "What gives NICs the memory of GPUs.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .fields = kFields,
                                 .read = {.on_demand = true}};

}  // namespace core::gpu_direct

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/model/back_end.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::traffic_class {

namespace {

Got get_traffic_class(const Port& port) {
    if (!port.traffic_class) return std::nullopt;
    const auto& tos = port.traffic_class->tos;
    return tos ? one(std::uint64_t{*tos}) : Elements{};
}

void set_traffic_class(Port& port, const Elements& elements) {
    auto& tos = part_of<&Port::traffic_class>(port).tos;
    tos.reset();
    if (!elements.empty()) tos = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("rdma.traffic_class", {.kind = number, .max = 255},
            "ToS byte that the vendor's mlx5 driver gives to all connections of the RDMA device, "
            "whatever they ask for: DSCP times 4, plus 2 for ECT(0).",
            get_traffic_class, set_traffic_class),
};

std::optional<Unsupported> unsupported(const Driver& /*driver*/, const Port& port,
                                       std::string_view /*key*/) {
    if (!port.rdma_link || port.rdma_link->device.empty())
        return rdma_link::no_device(driver_of(port), port, "rdma.traffic_class");
    return Unsupported{
        .text = "only the vendor's mlx5 driver can force a traffic class on connections",
        .remedy = "state rdma.default_tos, and set the traffic class in the application"};
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    Commands lines;
    for (const FileBackEnd& back_end : driver.traffic_class.back_ends)
        for (const FileWrite& write : file_writes(back_end, now, then))
            lines.push_back("echo " + shell(write.text) + " > " + shell(write.path));
    return lines;
}

constexpr std::array kConsults = {Object::rdma_link};

constexpr std::array kFoundBy = {Object::device, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::traffic_class,
                                 .name = "traffic_class",
                                 .doc = "The traffic class that the driver forces on connections.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .alike = true,
                                 .unsupported = unsupported,
                                 .play = take<&Port::traffic_class>,
                                 .read = {.found_by = kFoundBy},
                                 .order = {.consults = kConsults},
                                 .words = {.spell = spell}};

}  // namespace core::traffic_class

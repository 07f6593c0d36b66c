// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/model/back_end.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

std::optional<Lack> lacks(const Driver& /*driver*/, const Port& port, std::string_view /*key*/) {
    if (!port.rdma || port.rdma->device.empty())
        return no_rdma_device(driver_of(port), port, "rdma.traffic_class");
    return Lack{.text = "only the vendor's mlx5 driver can force a traffic class on connections",
                .remedy = "state rdma.default_tos, and set the traffic class in the application"};
}

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    now.traffic_class = then.traffic_class;
    return std::nullopt;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    Commands lines;
    for (const FileBackEnd& back_end : driver.traffic_class)
        for (const FileWrite& write : file_writes(back_end, now, then))
            lines.push_back("echo " + write.text + " > " + write.path);
    return lines;
}

constexpr std::array kConsults = {Object::rdma_link};

}  // namespace

constinit const ObjectRow traffic_class_row = {
    .object = Object::traffic_class,
    .name = "traffic_class",
    .doc = "The traffic class that the driver forces on connections.",
    .copy = copy<&Port::traffic_class>,
    .consults = kConsults,
    .lacks = lacks,
    .play = play,
    .spell = spell};

}  // namespace core

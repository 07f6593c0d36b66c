// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/objects/rows.hpp"

namespace core {

std::string cm_path(const Port& port) {
    return "/sys/kernel/config/rdma_cm/" + (port.rdma ? port.rdma->device : std::string());
}

std::optional<Lack> no_rdma_device(const Driver& /*driver*/, const Port& /*port*/,
                                   std::string_view /*key*/) {
    return Lack{.id = "no-rdma-device",
                .text = "the port has no RDMA device",
                .remedy = "load the NIC's RDMA driver, or state rdma.link for soft RoCE",
                .no_interface = false};
}

namespace {

Played play(const Driver& /*driver*/, Port& now, const Port& then) {
    if (!now.rdma || now.rdma->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    now.cm_directory = then.cm_directory;
    if (*now.cm_directory) {
        if (now.cm) now.unknown.erase(Object::cm_defaults);
    } else {
        now.unknown.insert(Object::cm_defaults);
    }
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    return {(*then.cm_directory ? "mkdir " : "rmdir ") + cm_path(now)};
}

constexpr std::array kTouches = {Object::cm_defaults};
constexpr std::array kConsults = {Object::rdma_link};

}  // namespace

constinit const ObjectRow cm_directory_row = {
    .object = Object::cm_directory,
    .name = "cm_directory",
    .doc = "The rdma_cm directory of the device in configfs.",
    .copy = copy<&Port::cm_directory>,
    .touches = kTouches,
    .consults = kConsults,
    .lacks = no_rdma_device,
    .play = play,
    .spell = spell};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cerrno>

#include "core/model/back_end.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    if (now.rdma && !now.rdma->device.empty() && then.rdma->device.empty())
        return "an RDMA device has a name";
    return std::nullopt;
}

/// Names are the host's, not the port's (ib_device_rename in drivers/infiniband/core/device.c).
Played name_taken(const State& state, const Port& /*now*/, const Port& then) {
    for (const Port& other : state.ports)
        if (other.name != then.name && other.rdma && then.rdma &&
            other.rdma->device == then.rdma->device)
            return Refusal{.code = EEXIST, .text = "File exists: the RDMA device of " + other.name};
    return std::nullopt;
}

/// The device stays what it is; the directories of configfs are made anew under the new name.
Played play(const Driver& driver, Port& now, const Port& then) {
    if (!now.rdma || now.rdma->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    now.rdma->device = then.rdma->device;
    return std::nullopt;
}

/// The directories of configfs that are there for the device, by the name that `named` gives it.
std::vector<std::string> directories(const Driver& driver, const Port& now, const Port& named) {
    std::vector<std::string> out;
    if (now.cm_directory.value_or(false)) out.push_back(cm_path(named));
    if (!now.congestion_directory.value_or(false)) return out;
    const FileBackEnd* back_end = congestion_back_end(driver, now);
    const auto directory = back_end == nullptr ? std::nullopt : directory_of(*back_end, named);
    if (directory) out.push_back(*directory);
    return out;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    Commands lines;
    for (const std::string& directory : directories(driver, now, now))
        lines.push_back("rmdir " + directory);
    lines.push_back("rdma dev set " + now.rdma->device + " name " + then.rdma->device);
    for (const std::string& directory : directories(driver, now, then))
        lines.push_back("mkdir " + directory);
    return lines;
}

constexpr std::array kConsults = {Object::rdma_link};
constexpr std::array kTouches = {Object::cm_directory, Object::cm_defaults, Object::ecn_directory,
                                 Object::ecn};

}  // namespace

constinit const ObjectRow rdma_name_row = {.object = Object::rdma_name,
                                           .name = "rdma_name",
                                           .doc = "Name of the RDMA device.",
                                           .copy = copy<&Port::rdma>,
                                           .touches = kTouches,
                                           .consults = kConsults,
                                           .lacks = no_rdma_device,
                                           .refuses = refuses,
                                           .clashes = name_taken,
                                           .play = play,
                                           .spell = spell};

}  // namespace core

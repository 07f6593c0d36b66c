// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/back_end.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::rdma_name {

namespace {

Got get_name(const Port& port) {
    if (!port.rdma_link || port.rdma_link->device.empty()) return std::nullopt;
    return one(port.rdma_link->device);
}

void set_name(Port& port, const Elements& elements) {
    part_of<&Port::rdma_link>(port).device = plain<std::string>(elements);
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array kFields = {
    setting("rdma.name", {.kind = text, .text = Text::name, .names = Shape::Names::rdma_device},
            "Name of the RDMA device on the port; a soft device has the name of rdma.link. What "
            "finds devices by name has to know it, an entry's match of rdma too.",
            get_name, set_name),
};

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    if (now.rdma_link && !now.rdma_link->device.empty() && then.rdma_link->device.empty())
        return "an RDMA device has a name";
    return std::nullopt;
}

/// Names are the host's, not the port's (ib_device_rename in drivers/infiniband/core/device.c).
Refused name_taken(const State& state, const Port& /*now*/, const Port& then) {
    for (const Port& other : state.ports)
        if (other.name != then.name && other.rdma_link && then.rdma_link &&
            other.rdma_link->device == then.rdma_link->device)
            return Refusal{.code = EEXIST, .text = "File exists: the RDMA device of " + other.name};
    return std::nullopt;
}

/// The device stays what it is; the directories of configfs are made anew under the new name.
Played play(const Driver& driver, State& state, Port& now, const Port& then) {
    if (const Refused no = name_taken(state, now, then)) return *no;
    if (!now.rdma_link || now.rdma_link->device.empty())
        return Played::no_by_port({.code = ENODEV, .text = "No such device"});
    if (const Reason reason = refuses(driver, now, then))
        return Played::no_by_port({.code = EINVAL, .text = "Invalid argument: " + *reason});
    now.rdma_link->device = then.rdma_link->device;
    return std::nullopt;
}

/// The directories of configfs that are there for the device, by the name that `named` gives it.
std::vector<std::string> directories(const Driver& driver, const Port& now, const Port& named) {
    std::vector<std::string> out;
    if (now.cm_directory.value_or(false)) out.push_back(cm_directory::path(named));
    if (!now.ecn_directory.value_or(false)) return out;
    const FileBackEnd* back_end = ecn::back_end_of(driver, now);
    const auto directory = back_end == nullptr ? std::nullopt : directory_of(*back_end, named);
    if (directory) out.push_back(*directory);
    return out;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    Commands lines;
    for (const std::string& directory : directories(driver, now, now))
        lines.push_back("rmdir " + shell(directory));
    lines.push_back("rdma dev set " + shell(now.rdma_link->device) + " name " +
                    shell(then.rdma_link->device));
    for (const std::string& directory : directories(driver, now, then))
        lines.push_back("mkdir " + shell(directory));
    return lines;
}

constexpr std::array kConsults = {Object::rdma_link};
constexpr std::array kTouches = {Object::cm_directory, Object::cm_defaults, Object::ecn_directory,
                                 Object::ecn};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::rdma_name,
    .name = "rdma_name",
    .doc = "Name of the RDMA device.",
    .topic = Topic::rdma,
    .lives = Lives::rdma_device,
    .sees_others = true,
    .fields = kFields,
    .unsupported = rdma_link::no_device,
    .refuses = refuses,
    .play = play,
    .read = {.found_by = kConsults},
    .order = {.consults = kConsults, .touches = kTouches},
    .words = {.spell = spell},
    .boot = {.unforeseen = "udev names RDMA devices at boot by rules that are not read"}};

}  // namespace core::rdma_name

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

namespace core::cm_directory {

namespace {

Got get_cm_directory(const Port& port) {
    if (!port.cm_directory) return std::nullopt;
    return one(*port.cm_directory);
}

void set_cm_directory(Port& port, const Elements& elements) {
    port.cm_directory = plain<bool>(elements);
}

using enum Shape::Kind;

constexpr std::array kFields = {
    setting("rdma.cm_directory", {.kind = flag},
            "The device has a directory under /sys/kernel/config/rdma_cm, in which its defaults "
            "can be read.",
            get_cm_directory, set_cm_directory),
};

}  // namespace

std::string path(const Port& port) {
    return "/sys/kernel/config/rdma_cm/" +
           (port.rdma_link ? port.rdma_link->device : std::string());
}

std::string path_of_port(const Port& port) {
    return path(port) + "/ports/" + std::to_string(port.rdma_link ? port.rdma_link->port : 1);
}

Refusal no_module() {
    return {.code = ENOENT, .text = "rdma_cm is not loaded; run modprobe rdma_cm"};
}

bool lacks_module(const Port& port) {
    const auto found = port.refused.find(Object::cm_defaults);
    return found != port.refused.end() && found->second == no_module();
}

void module_came(Port& port) {
    port.refused.erase(Object::cm_defaults);
    if (!rdma_link::has_device(port)) return;
    port.cm_directory = false;
    port.unknown.insert(Object::cm_defaults);
}

void module_went(Port& port) {
    port.unknown.erase(Object::cm_defaults);
    port.cm_defaults.reset();
    port.refused[Object::cm_defaults] = no_module();
}

bool comes_with(std::string_view module) {
    return module == "rdma_cm" || module == "rdma_ucm";
}

namespace {

constexpr std::string_view kMounts = "mount -t configfs configfs /sys/kernel/config";

/// Whether another port has a device of the name that is not the port's own.
bool has_namesake(const State& state, const Port& now) {
    return std::ranges::any_of(state.ports, [&](const Port& other) {
        return other.rdma_link && other.rdma_link->device == now.rdma_link->device &&
               other.rdma_link->index != now.rdma_link->index;
    });
}

Played play(const Driver& /*driver*/, State& state, Port& now, const Port& then) {
    if (!now.rdma_link || now.rdma_link->device.empty())
        return Refusal{.code = ENODEV, .text = "No such device"};
    if (has_namesake(state, now))
        return Refusal{.code = EEXIST,
                       .text = "two RDMA devices are called " + now.rdma_link->device +
                               ", and the kernel takes the first: rename one (rdma dev set)"};
    if (lacks_module(now) && then.cm_directory.value_or(false)) return no_module();
    now.cm_directory = then.cm_directory;
    now.unknown.erase(Object::cm_directory);  // writing it mounts configfs
    if (*now.cm_directory) {
        if (now.cm_defaults) now.unknown.erase(Object::cm_defaults);
    } else {
        now.unknown.insert(Object::cm_defaults);
    }
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    if (now.unknown.contains(Object::cm_directory)) lines.emplace_back(kMounts);
    lines.push_back((*then.cm_directory ? "mkdir " : "rmdir ") + shell(path(now)));
    return lines;
}

/// drivers/infiniband/core/cma_configfs.c (Linux 7.3): "not net namespace aware", while device.c
/// has names that are unique in a namespace alone.
constexpr Release kNamesByNamespace{7, 3};

Reason remarks(const Driver& /*driver*/, const Host& host, const Port& now, const Port& then) {
    if (!then.cm_directory.value_or(false) || !is_since(host, kNamesByNamespace) ||
        !now.rdma_link || now.rdma_link->netns != "exclusive")
        return std::nullopt;
    return "in the RDMA mode exclusive another network namespace may have a device called " +
           now.rdma_link->device +
           " too, and the kernel then takes the first of the name on the host: give it a name that "
           "no other has (rdma dev set)";
}

constexpr std::array kTouches = {Object::cm_defaults};
constexpr std::array kConsults = {Object::rdma_link};

constexpr std::array kFoundBy = {Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::cm_directory,
    .name = "cm_directory",
    .doc = "The rdma_cm directory of the device in configfs.",
    .topic = Topic::rdma,
    .lives = Lives::rdma_device,
    .sees_others = true,
    .fields = kFields,
    .unsupported = rdma_link::no_device,
    .play = play,
    .read = {.found_by = kFoundBy,
             .unopened = "configfs is not mounted here, as in ip netns exec, so "
                         "that nobody can see whether the device has its "
                         "directory in it; mount -t configfs configfs "
                         "/sys/kernel/config"},
    .order = {.consults = kConsults, .touches = kTouches},
    .chosen_by = {.others = Others::udev_rule},
    .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::cm_directory

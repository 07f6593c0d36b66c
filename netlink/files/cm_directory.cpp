// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include "core/model/back_end.hpp"
#include "netlink/files/loaded_modules.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr auto kConfigfs = "/sys/kernel/config";

constexpr long kConfigfsMagic = 0x62656570;  // fs/configfs/configfs_internal.h

HostPath cm_root(const Machine& machine) {
    return machine.file(kConfigfs) / "rdma_cm";
}

void mount_configfs(const Machine& machine) {
    const HostPath path = machine.file(kConfigfs);
    if (!exists(path)) throw KernelError(errno, path.string() + ": load module configfs");
    if (sees_configfs(machine)) return;
    if (mount("configfs", kConfigfs, "configfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
        throw KernelError(errno, "mounting configfs on " + path.string());
}

}  // namespace

HostPath cm_folder(const Machine& machine, const core::Port& port) {
    const auto path = core::path_of(std::string(kConfigfs) + "/rdma_cm/{rdma}", port);
    if (!path) throw KernelError(ENODEV, "the port has no RDMA device");
    return machine.file(*path);
}

bool sees_configfs(const Machine& machine) {
    struct statfs status {};
    return machine.rooted() || (statfs(kConfigfs, &status) == 0 && status.f_type == kConfigfsMagic);
}

bool module_is_missing(const Machine& machine) {
    if (!machine.rooted() && sees_configfs(machine)) return !is_folder(cm_root(machine));
    // Nobody mounted configfs, which a write does.
    return !machine.rooted() && !is_folder(machine.file("/sys/module/rdma_cm")) &&
           !is_built_in(machine, "rdma_cm");
}

bool take_cm_directory(Machine& machine, const core::Port& port) {
    const HostPath folder = cm_folder(machine, port);
    if (!sees_configfs(machine) && !module_is_missing(machine)) mount_configfs(machine);
    if (remove_directory(folder)) return true;
    if (errno != ENOENT) throw file_error(errno, folder);
    return false;
}

void remove_cm_directory(Machine& machine, const core::Port& port) {
    static_cast<void>(take_cm_directory(machine, port));
}

void make_cm_directory(Machine& machine, const core::Port& port) {
    const HostPath folder = cm_folder(machine, port);
    if (!make_directory(folder) && errno != EEXIST) throw file_error(errno, folder);
}

void write_cm_directory(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!then.cm_directory.value_or(false)) {
        remove_cm_directory(machine, now);
        return;
    }
    if (!is_folder(cm_root(machine))) mount_configfs(machine);
    if (!is_folder(cm_root(machine)))
        throw KernelError(ENOENT, cm_root(machine).string() + ": load module rdma_cm");
    make_cm_directory(machine, now);
}

}  // namespace netlink

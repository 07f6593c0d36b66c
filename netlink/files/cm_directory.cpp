// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/cm_directory.hpp"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include "core/model/back_end.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr auto kConfigfs = "/sys/kernel/config";

constexpr long kConfigfsMagic = 0x62656570;  // fs/configfs/configfs_internal.h

std::filesystem::path cm_root(const Host& host) {
    return host.file(kConfigfs) / "rdma_cm";
}

void mount_configfs(const Host& host) {
    const std::filesystem::path path = host.file(kConfigfs);
    struct statfs status {};
    if (statfs(path.c_str(), &status) != 0)
        throw KernelError(errno, path.string() + ": load module configfs");
    if (status.f_type == kConfigfsMagic || host.rooted()) return;
    if (mount("configfs", path.c_str(), "configfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0)
        throw KernelError(errno, "mounting configfs on " + path.string());
}

}  // namespace

std::filesystem::path cm_folder(const Host& host, const core::Port& port) {
    const auto path = core::path_of(std::string(kConfigfs) + "/rdma_cm/{rdma}", port);
    if (!path) throw KernelError(ENODEV, "the port has no RDMA device");
    return host.file(*path);
}

bool is_folder(const std::filesystem::path& path) {
    std::error_code failure;
    return std::filesystem::is_directory(path, failure);
}

bool module_is_missing(const Host& host) {
    struct statfs status {};
    const bool mounted =
        statfs(host.file(kConfigfs).c_str(), &status) == 0 && status.f_type == kConfigfsMagic;
    return mounted && !is_folder(cm_root(host));
}

bool take_cm_directory(Host& host, const core::Port& port) {
    const std::filesystem::path folder = cm_folder(host, port);
    if (rmdir(folder.c_str()) == 0) return true;
    if (errno != ENOENT) throw file_error(errno, folder);
    return false;
}

void remove_cm_directory(Host& host, const core::Port& port) {
    static_cast<void>(take_cm_directory(host, port));
}

void make_cm_directory(Host& host, const core::Port& port) {
    const std::filesystem::path folder = cm_folder(host, port);
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) throw file_error(errno, folder);
}

void write_cm_directory(Host& host, const core::Port& now, const core::Port& then) {
    if (!then.cm_directory.value_or(false)) {
        remove_cm_directory(host, now);
        return;
    }
    if (!is_folder(cm_root(host))) mount_configfs(host);
    if (!is_folder(cm_root(host)))
        throw KernelError(ENOENT, cm_root(host).string() + ": load module rdma_cm");
    make_cm_directory(host, now);
}

}  // namespace netlink

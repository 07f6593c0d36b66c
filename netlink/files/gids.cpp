// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/gids.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// An empty entry reads as zero, or with EINVAL for its type and netdev.
std::string read_entry(const std::filesystem::path& path) {
    try {
        return read_text_file(path);
    } catch (const KernelError& error) {
        if (error.code == EINVAL || error.code == ENOENT) return {};
        throw;
    }
}

bool is_empty(const std::string& gid) {
    return gid.find_first_not_of("0:") == std::string::npos;
}

}  // namespace

std::vector<core::Gid> read_gids(Machine& machine, const std::string& device, std::uint32_t port) {
    if (device.empty() || device.front() == '.' || device.find('/') != std::string::npos)
        throw KernelError(EINVAL, "'" + device + "' is no name of an RDMA device");
    const std::filesystem::path folder =
        machine.file("/sys/class/infiniband") / device / "ports" / std::to_string(port);
    std::vector<core::Gid> gids;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "gids", failure)) {
        const std::string number = entry.path().filename().string();
        std::uint32_t index = 0;
        const char* const end = number.data() + number.size();
        const auto read = std::from_chars(number.data(), end, index);
        if (read.ec != std::errc() || read.ptr != end) continue;  // no entry
        core::Gid gid;
        gid.gid = read_entry(entry.path());
        if (is_empty(gid.gid)) continue;
        gid.index = index;
        gid.type = read_entry(folder / "gid_attrs" / "types" / number);
        gid.port = read_entry(folder / "gid_attrs" / "ndevs" / number);
        gids.push_back(std::move(gid));
    }
    if (failure) throw KernelError(failure.value(), (folder / "gids").string());
    std::ranges::sort(gids, {}, &core::Gid::index);
    return gids;
}

}  // namespace netlink

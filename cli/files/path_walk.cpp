// SPDX-License-Identifier: Apache-2.0
#include "cli/files/path_walk.hpp"

#include <fcntl.h>

#include <system_error>

#include "cli/files/owner.hpp"

namespace cli {

Reached go(const netlink::HostPath& file, const std::function<void(const Passed&)>& visit,
           core::Status failed) {
    Reached end = netlink::walk(file, visit);
    if (end.error == 0) return end;
    throw core::Error(failed, file.string() + ": " + std::generic_category().message(end.error));
}

netlink::Descriptor reopened(const Reached& end, int flags) {
    expect_proc(end.path.string() + " is not opened safely");
    // The link there leads to the very file, wherever its path by now does.
    const std::string name = "/proc/self/fd/" + std::to_string(end.file.number());
    return netlink::open_host_file(name, flags | O_NOCTTY);
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/verbs_module.hpp"

#include <rdma/siw-abi.h>

#include "netlink/files/text_file.hpp"

namespace netlink {

bool has_verbs() {
    std::error_code none;
    return std::filesystem::exists("/sys/class/infiniband_verbs", none);
}

std::string soft_type_in_sysfs(const Machine& machine, const std::string& device) {
    const std::filesystem::path folder = machine.file("/sys/class/infiniband") / device;
    std::error_code none;
    if (std::filesystem::exists(folder / "parent", none)) return "rxe";
    return read_if_there(folder / "node_desc") == SIW_NODE_DESC_COMMON ? "siw" : "";
}

}  // namespace netlink

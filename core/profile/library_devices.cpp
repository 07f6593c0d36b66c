// SPDX-License-Identifier: Apache-2.0
#include "core/profile/library_devices.hpp"

#include "core/model/access.hpp"

namespace core {

std::string rdma_device_of(const PortDesired& all) {
    const auto& rdma = all.port->rdma_link;
    std::string device = rdma ? rdma->device : std::string();
    for (const Desired& desired : all.desired_values) {
        if (!desired.value) continue;
        const auto* soft = std::get_if<Record>(&*desired.value);
        if (desired.field->key == "rdma.link" && soft != nullptr && device.empty())
            device = text_part(*soft, "name");
        if (desired.field->key == "rdma.name") device = std::get<std::string>(*desired.value);
    }
    return device;
}

std::string device_list(const Library& library, const std::vector<std::string>& devices) {
    std::string out(library.devices_head);
    for (const std::string& device : devices) {
        if (&device != &devices.front()) out += ',';
        out += device + ":1";
    }
    return out;
}

}  // namespace core

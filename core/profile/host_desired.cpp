// SPDX-License-Identifier: Apache-2.0
#include "core/profile/host_desired.hpp"

#include <algorithm>
#include <iterator>

#include "core/model/object.hpp"
#include "core/profile/library_devices.hpp"

namespace core {

HostDesired::HostDesired() {
    static const Port host(kHost);
    all_.port = &host;
}

void HostDesired::state(const Entry& entry) {
    add(stated_desired(entry), all_);
    optional_ = entry.optional;
}

void HostDesired::name_devices(const std::vector<PortDesired>& ports) {
    for (const Library& library : libraries()) {
        std::vector<std::string> devices;
        std::set<std::string> known;
        const PortDesired* first = nullptr;
        for (const PortDesired& all : ports) {
            if (!all.intent || !tells(*all.intent, library)) continue;
            const std::string device = rdma_device_of(all);
            if (device.empty() || !known.insert(device).second) continue;
            devices.push_back(device);
            if (first == nullptr) first = &all;
        }
        if (first == nullptr) continue;
        const Value value = device_list(library, devices);
        all_.desired_values.push_back({.port = std::string(kHost),
                                       .field = find_field(library.key),
                                       .element = std::string(library.devices),
                                       .value = value,
                                       .origin = first->intent->libraries.origin});
    }
}

void HostDesired::take(PortDesired& all, bool with_exact) {
    const auto of_host = [](const auto& desired) {
        return row_of(desired.field->object).lives == Lives::host;
    };
    std::ranges::copy_if(all.desired_values, std::back_inserter(all_.desired_values), of_host);
    for (; marked_ < all_.desired_values.size(); ++marked_) {
        Desired& desired = all_.desired_values[marked_];
        desired.optional = desired.optional || optional_.contains(desired.field);
    }
    std::erase_if(all.desired_values, of_host);
    if (with_exact) std::ranges::copy_if(all.exact, std::back_inserter(all_.exact), of_host);
    std::erase_if(all.exact, of_host);
}

void HostDesired::leave_modules(bool any_port) {
    const Field* modules = find_field("host.modules");
    std::erase_if(all_.desired_values,
                  [&](const Desired& desired) { return !any_port || desired.field != modules; });
    all_.exact.clear();
}

}  // namespace core

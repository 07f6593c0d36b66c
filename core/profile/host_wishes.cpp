// SPDX-License-Identifier: Apache-2.0
#include "core/profile/host_wishes.hpp"

#include <algorithm>
#include <iterator>

#include "core/model/object.hpp"
#include "core/profile/library_devices.hpp"

namespace core {

HostWishes::HostWishes() {
    static const Port host(kHost);
    all_.port = &host;
}

void HostWishes::state(const Entry& entry) {
    add(stated_wishes(entry), all_);
    optional_ = entry.optional;
}

void HostWishes::name_devices(const std::vector<PortWishes>& ports) {
    for (const Library& library : libraries()) {
        std::vector<std::string> devices;
        std::set<std::string> known;
        const PortWishes* first = nullptr;
        for (const PortWishes& all : ports) {
            if (!all.intent || !tells(*all.intent, library)) continue;
            const std::string device = rdma_device_of(all);
            if (device.empty() || !known.insert(device).second) continue;
            devices.push_back(device);
            if (first == nullptr) first = &all;
        }
        if (first == nullptr) continue;
        const Value value = device_list(library, devices);
        all_.wishes.push_back({.port = std::string(kHost),
                               .field = find_field(library.key),
                               .element = std::string(library.devices),
                               .value = value,
                               .origin = first->intent->libraries.origin});
    }
}

void HostWishes::take(PortWishes& all, bool with_exact) {
    const auto of_host = [](const auto& wish) {
        return row_of(wish.field->object).lives == Lives::host;
    };
    std::ranges::copy_if(all.wishes, std::back_inserter(all_.wishes), of_host);
    for (; marked_ < all_.wishes.size(); ++marked_) {
        Wish& wish = all_.wishes[marked_];
        wish.optional = wish.optional || optional_.contains(wish.field);
    }
    std::erase_if(all.wishes, of_host);
    if (with_exact) std::ranges::copy_if(all.exact, std::back_inserter(all_.exact), of_host);
    std::erase_if(all.exact, of_host);
}

void HostWishes::leave_modules(bool any_port) {
    const Field* modules = find_field("host.modules");
    std::erase_if(all_.wishes,
                  [&](const Wish& wish) { return !any_port || wish.field != modules; });
    all_.exact.clear();
}

}  // namespace core

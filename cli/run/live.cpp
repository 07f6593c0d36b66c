// SPDX-License-Identifier: Apache-2.0
#include "cli/run/live.hpp"

#include "cli/run/codecs.hpp"
#include "cli/run/prefetched_host.hpp"
#include "netlink/live.hpp"

namespace cli {

std::unique_ptr<core::Kernel> live_host(const netlink::Root& root, Usable usable) {
    auto host = std::make_unique<netlink::Live>(root, codecs(), usable.devices, usable.sealed,
                                                std::move(usable.kept), usable.firmware);
    if (usable.reported.objects.empty()) return host;
    return std::make_unique<PrefetchedHost>(std::move(host), std::move(usable.reported));
}

}  // namespace cli

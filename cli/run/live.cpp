// SPDX-License-Identifier: Apache-2.0
#include "cli/run/live.hpp"

#include "dcb/sources.hpp"
#include "netlink/live.hpp"
#include "netlink/sources.hpp"
#include "verbs/sources.hpp"

namespace cli {
namespace {

template <typename Item>
void append(std::vector<Item>& all, const std::vector<Item>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::unique_ptr<core::Kernel> live_host(const std::filesystem::path& root, Reach reach) {
    std::vector<netlink::Source> sources = netlink::sources();
    append(sources, dcb::sources());
    if (reach.devices) append(sources, verbs::sources());
    std::vector<netlink::Writer> writers = netlink::writers();
    append(writers, dcb::writers());
    return std::make_unique<netlink::Live>(root, std::move(sources), std::move(writers),
                                           std::move(reach.kept));
}

}  // namespace cli

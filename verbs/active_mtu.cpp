// SPDX-License-Identifier: Apache-2.0
#include "verbs/active_mtu.hpp"

#include "core/objects/rdma/parts.hpp"
#include "netlink/rdma/codecs.hpp"
#include "verbs/library.hpp"

namespace verbs {
namespace {

void fill_mtu(const Library& library, core::Port& port) {
    const Context context = open_device(library, port.rdma_link->device);
    if (!context) return;
    ibv_port_attr attributes{};
    if (library.query_port(context.get(), kPort, &attributes) != 0) return;
    port.active_mtu = core::ActiveMtu{.bytes = mtu_bytes(attributes.active_mtu),
                                      .max = mtu_bytes(attributes.max_mtu)};
}

}  // namespace

std::uint32_t mtu_bytes(unsigned mtu) {
    // IBV_MTU_256 is 1, and each step doubles (infiniband/verbs.h).
    return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096 ? 128U << mtu : 0;
}

void read_active_mtu(netlink::Machine& /*machine*/, const core::Scope& /*scope*/,
                     core::State& state) {
    for (core::Port& port : state.ports) {
        if (!port.rdma_link || port.rdma_link->device.empty()) continue;
        // What nobody could read proves nothing, and is no pass either.
        if (!netlink::has_verbs()) {
            core::active_mtu::lacks_verbs(port);
            continue;
        }
        const Library* loaded = library();
        if (loaded == nullptr) return;
        fill_mtu(*loaded, port);
    }
}

}  // namespace verbs

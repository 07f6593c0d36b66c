// SPDX-License-Identifier: Apache-2.0
#include "verbs/dmabuf.hpp"

#include <unistd.h>

#include <cerrno>

#include "core/objects/rdma/parts.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/rdma/codecs.hpp"
#include "verbs/library.hpp"

namespace verbs {
namespace {

/// As NCCL asks (2.30, src/transport/net_ib/gdr.cc ibDmaBufSupportInitOnce).
std::string_view asked(const Library& library, const std::string& device) {
    if (library.reg_dmabuf_mr == nullptr) return core::dmabuf::kNotByLibrary;
    const Context context = open_device(library, device);
    if (!context) return {};
    ibv_pd* const domain = library.alloc_pd(context.get());
    if (domain == nullptr) return {};
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    errno = 0;
    ibv_mr* const region = library.reg_dmabuf_mr(domain, 0, page, 0, -1, IBV_ACCESS_LOCAL_WRITE);
    const std::string_view answer = region == nullptr ? answer_of(errno) : core::dmabuf::kYes;
    if (region != nullptr) library.dereg_mr(region);
    library.dealloc_pd(domain);
    return answer;
}

}  // namespace

std::string_view answer_of(int refusal) {
    switch (refusal) {
        // The descriptor is looked for last (drivers/infiniband/core/umem_dmabuf.c
        // ib_umem_dmabuf_get, dma_buf_get; Linux 5.12 to 7.3).
        case EBADF: return core::dmabuf::kYes;
        // Of the kernel's driver (uverbs_std_types_mr.c UVERBS_METHOD_REG_DMABUF_MR; mlx5 also
        // without CONFIG_INFINIBAND_ON_DEMAND_PAGING, hw/mlx5/mr.c), or of the library's
        // (rdma-core, libibverbs/dummy_ops.c).
        case EOPNOTSUPP: return core::dmabuf::kNotByDriver;
        // The kernel has no such method (uverbs_ioctl.c ib_uverbs_cmd_verbs).
        case EPROTONOSUPPORT: return core::dmabuf::kNotByKernel;
        default: return {};
    }
}

void read_dmabuf(netlink::Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    // What a device of this machine answers is not of a captured tree.
    if (machine.rooted() || !netlink::has_gpu_driver(machine) || !netlink::has_verbs()) return;
    const Library* const loaded = library();
    if (loaded == nullptr) return;
    for (core::Port& port : state.ports) {
        if (!core::rdma_link::has_device(port)) continue;
        const std::string_view answer = asked(*loaded, port.rdma_link->device);
        if (!answer.empty()) port.dmabuf = answer;
    }
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>

#include <memory>
#include <string>

namespace verbs {

/// Looks up a function of a loaded library; false where it does not exist.
template <typename Function>
bool find(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
}

/// The functions of libibverbs that are used here, found at run time. What is posted and polled
/// goes by the device's own functions, which its context holds (infiniband/verbs.h).
struct Library {
    decltype(&ibv_get_device_list) device_list = nullptr;
    decltype(&ibv_free_device_list) free_device_list = nullptr;
    decltype(&ibv_get_device_name) device_name = nullptr;
    decltype(&ibv_open_device) open_device = nullptr;
    decltype(&ibv_close_device) close_device = nullptr;
    int (*query_port)(ibv_context*, std::uint8_t, ibv_port_attr*) = nullptr;
    decltype(&ibv_query_device) query_device = nullptr;
    decltype(&ibv_alloc_pd) alloc_pd = nullptr;
    decltype(&ibv_dealloc_pd) dealloc_pd = nullptr;
    ibv_mr* (*reg_mr)(ibv_pd*, void*, std::size_t, int) = nullptr;
    /// Null in libibverbs before 1.12 (rdma-core 34).
    ibv_mr* (*reg_dmabuf_mr)(ibv_pd*, std::uint64_t, std::size_t, std::uint64_t, int,
                             int) = nullptr;
    decltype(&ibv_dereg_mr) dereg_mr = nullptr;
    decltype(&ibv_create_comp_channel) create_comp_channel = nullptr;
    decltype(&ibv_destroy_comp_channel) destroy_comp_channel = nullptr;
    decltype(&ibv_create_cq) create_cq = nullptr;
    decltype(&ibv_destroy_cq) destroy_cq = nullptr;
    decltype(&ibv_get_cq_event) get_cq_event = nullptr;
    decltype(&ibv_ack_cq_events) ack_cq_events = nullptr;
    decltype(&ibv_create_qp) create_qp = nullptr;
    decltype(&ibv_destroy_qp) destroy_qp = nullptr;
    decltype(&ibv_modify_qp) modify_qp = nullptr;
    decltype(&ibv_query_qp) query_qp = nullptr;
    decltype(&ibv_wc_status_str) wc_status_text = nullptr;
};

/// The state knows one port a device.
inline constexpr std::uint8_t kPort = 1;

/// Nothing where libibverbs is not installed.
const Library* library();

/// For whoever cannot go on without. Throws Error where libibverbs is not installed, or ib_uverbs
/// not loaded: asked for devices then, libibverbs has the kernel load it, which is not for us to
/// do, and /dev/infiniband came too late for what Landlock lets be opened.
const Library& usable_library();

/// An opened RDMA device; null, and why in errno, where verbs does not know it (ENODEV) or may not
/// open it.
using Context = std::unique_ptr<ibv_context, int (*)(ibv_context*)>;
Context open_device(const Library& library, const std::string& name);

/// The functions of librdmacm that are used here, found at run time: no plan needs them.
struct Manager {
    decltype(&rdma_create_event_channel) create_channel = nullptr;
    decltype(&rdma_destroy_event_channel) destroy_channel = nullptr;
    decltype(&rdma_create_id) create_id = nullptr;
    decltype(&rdma_destroy_id) destroy_id = nullptr;
    decltype(&rdma_resolve_addr) resolve_addr = nullptr;
    decltype(&rdma_resolve_route) resolve_route = nullptr;
    decltype(&rdma_connect) connect = nullptr;
    decltype(&rdma_get_cm_event) get_event = nullptr;
    decltype(&rdma_ack_cm_event) ack_event = nullptr;
    decltype(&rdma_event_str) event_name = nullptr;
    decltype(&rdma_set_option) set_option = nullptr;
    decltype(&rdma_bind_addr) bind_addr = nullptr;
    decltype(&rdma_listen) listen = nullptr;
    decltype(&rdma_get_src_port) source_port = nullptr;
    decltype(&rdma_accept) accept = nullptr;
    decltype(&rdma_reject) reject = nullptr;
    decltype(&rdma_create_qp) create_qp = nullptr;
    decltype(&rdma_destroy_qp) destroy_qp = nullptr;
};

/// Nothing where librdmacm is not installed.
const Manager* manager();

}  // namespace verbs

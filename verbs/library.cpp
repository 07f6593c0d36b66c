// SPDX-License-Identifier: Apache-2.0
#include "verbs/library.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <optional>

#include "core/error.hpp"
#include "netlink/rdma/codecs.hpp"

namespace verbs {
namespace {

// Not linked: loading libibverbs also loads the drivers of every NIC family, which costs more than
// a whole plan, and a plan needs none of it.
std::optional<Library> load_verbs() {
    void* handle = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return std::nullopt;
    Library found;
    const bool complete = find(handle, "ibv_get_device_list", found.device_list) &&
                          find(handle, "ibv_free_device_list", found.free_device_list) &&
                          find(handle, "ibv_get_device_name", found.device_name) &&
                          find(handle, "ibv_open_device", found.open_device) &&
                          find(handle, "ibv_close_device", found.close_device) &&
                          find(handle, "ibv_query_port", found.query_port) &&
                          find(handle, "ibv_query_device", found.query_device) &&
                          find(handle, "ibv_alloc_pd", found.alloc_pd) &&
                          find(handle, "ibv_dealloc_pd", found.dealloc_pd) &&
                          find(handle, "ibv_reg_mr", found.reg_mr) &&
                          find(handle, "ibv_dereg_mr", found.dereg_mr) &&
                          find(handle, "ibv_create_comp_channel", found.create_comp_channel) &&
                          find(handle, "ibv_destroy_comp_channel", found.destroy_comp_channel) &&
                          find(handle, "ibv_create_cq", found.create_cq) &&
                          find(handle, "ibv_destroy_cq", found.destroy_cq) &&
                          find(handle, "ibv_get_cq_event", found.get_cq_event) &&
                          find(handle, "ibv_ack_cq_events", found.ack_cq_events) &&
                          find(handle, "ibv_create_qp", found.create_qp) &&
                          find(handle, "ibv_destroy_qp", found.destroy_qp) &&
                          find(handle, "ibv_modify_qp", found.modify_qp) &&
                          find(handle, "ibv_query_qp", found.query_qp) &&
                          find(handle, "ibv_wc_status_str", found.wc_status_text);
    if (!complete) return std::nullopt;
    find(handle, "ibv_reg_dmabuf_mr", found.reg_dmabuf_mr);
    return found;
}

}  // namespace

const Library* library() {
    static const std::optional<Library> loaded = load_verbs();
    return loaded ? &*loaded : nullptr;
}

const Library& usable_library() {
    const Library* loaded = library();
    if (loaded == nullptr)
        throw core::Error(core::Status::failed,
                          "libibverbs is not installed; package libibverbs1 or rdma-core has it");
    if (!netlink::has_verbs())
        throw core::Error(core::Status::failed,
                          "the module ib_uverbs is not loaded; run modprobe ib_uverbs");
    return *loaded;
}

Context open_device(const Library& library, const std::string& name) {
    Context context(nullptr, library.close_device);
    int count = 0;
    ibv_device** devices = library.device_list(&count);
    if (devices == nullptr) return context;
    int failure = ENODEV;
    for (int i = 0; i < count; ++i) {
        if (name != library.device_name(devices[i])) continue;
        context.reset(library.open_device(devices[i]));
        failure = errno;
        // What the device file answered is lost behind the seal: libibverbs goes on to wait for
        // udev to make another one, by calls that the seal does not know (rdma-core,
        // util/open_cdev.c open_cdev_robust).
        const int refused =
            !context && failure == ENOSYS ? netlink::refusal_of_node(devices[i]->dev_name) : 0;
        if (refused != 0) failure = refused;
        break;
    }
    library.free_device_list(devices);
    errno = failure;
    return context;
}

namespace {

std::optional<Manager> load_manager() {
    void* handle = dlopen("librdmacm.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return std::nullopt;
    Manager found;
    const bool complete = find(handle, "rdma_create_event_channel", found.create_channel) &&
                          find(handle, "rdma_destroy_event_channel", found.destroy_channel) &&
                          find(handle, "rdma_create_id", found.create_id) &&
                          find(handle, "rdma_destroy_id", found.destroy_id) &&
                          find(handle, "rdma_resolve_addr", found.resolve_addr) &&
                          find(handle, "rdma_resolve_route", found.resolve_route) &&
                          find(handle, "rdma_connect", found.connect) &&
                          find(handle, "rdma_get_cm_event", found.get_event) &&
                          find(handle, "rdma_ack_cm_event", found.ack_event) &&
                          find(handle, "rdma_event_str", found.event_name) &&
                          find(handle, "rdma_set_option", found.set_option) &&
                          find(handle, "rdma_bind_addr", found.bind_addr) &&
                          find(handle, "rdma_listen", found.listen) &&
                          find(handle, "rdma_get_src_port", found.source_port) &&
                          find(handle, "rdma_accept", found.accept) &&
                          find(handle, "rdma_reject", found.reject) &&
                          find(handle, "rdma_create_qp", found.create_qp) &&
                          find(handle, "rdma_destroy_qp", found.destroy_qp);
    if (!complete) return std::nullopt;
    return found;
}

}  // namespace

const Manager* manager() {
    static const std::optional<Manager> loaded = load_manager();
    return loaded ? &*loaded : nullptr;
}

}  // namespace verbs

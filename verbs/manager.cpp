// SPDX-License-Identifier: Apache-2.0
#include "verbs/manager.hpp"

#include <dlfcn.h>

#include <optional>

#include "verbs/library.hpp"

namespace verbs {
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

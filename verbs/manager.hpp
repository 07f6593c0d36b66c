// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rdma/rdma_cma.h>

namespace verbs {

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

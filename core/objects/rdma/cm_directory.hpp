// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace core {

struct Port;
struct Refusal;

}  // namespace core

namespace core::cm_directory {

/// The directory of the port's RDMA device in rdma_cm's configfs.
std::string path(const Port& port);

/// How reading the defaults of rdma_cm is refused on a host where the module rdma_cm is not loaded.
Refusal no_module();
/// Whether the port was read on a host where the module rdma_cm is not loaded.
bool lacks_module(const Port& port);
/// Makes the port what it is once the module rdma_cm is loaded, or removed.
void module_came(Port& port);
void module_went(Port& port);
/// Whether loading the module of the name brings rdma_cm: it is itself, or needs it
/// (drivers/infiniband/core/ucma.c, Linux 6.12).
bool comes_with(std::string_view module);

}  // namespace core::cm_directory

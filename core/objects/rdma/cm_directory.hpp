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

/// What a read of the defaults is answered on a host without the module.
Refusal no_module();
/// Whether the port was read on such a host.
bool lacks_module(const Port& port);
/// Makes the port what it is once the module is there, or gone.
void module_came(Port& port);
void module_went(Port& port);
/// Whether loading the module of the name brings rdma_cm: it is itself, or needs it
/// (drivers/infiniband/core/ucma.c, Linux 6.12).
bool comes_with(std::string_view module);

}  // namespace core::cm_directory

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace core {

struct Port;

}  // namespace core

namespace core::cm_directory {

/// The directory of the port's RDMA device in rdma_cm's configfs.
std::string path(const Port& port);

}  // namespace core::cm_directory

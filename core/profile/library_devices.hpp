// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/objects/host/variable.hpp"
#include "core/profile/collection.hpp"

namespace core {

/// The port's RDMA device once it is as desired; empty where there is none.
std::string rdma_device_of(const PortDesired& all);

/// The devices as the library takes them, each with its port: every driver that rocectl has a row
/// for makes a device of its own for each port.
std::string device_list(const Library& library, const std::vector<std::string>& devices);

}  // namespace core

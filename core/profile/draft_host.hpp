// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/model/desired.hpp"

namespace core {

/// The rules of the host that are about the port: from an address of it, by its name, or to a
/// table of its own that holds routes out of it.
std::vector<Desired> rules_about(const Port& host, const Port& port);

/// What RoCE asks of the host itself and the kernel does not have before somebody sets it: huge
/// pages, and RDMA devices of one namespace. Null where there is nothing.
nlohmann::ordered_json host_draft(const Port& host);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace core {

/// Queue pairs on the RDMA device by who has them, those of the management datagrams (SMI, GSI)
/// left out: `ib_write_bw (1234)`, `nvme_rdma (kernel)`, `not visible`.
using QueuePairs = std::map<std::string, std::uint64_t, std::less<>>;

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/views/style.hpp"
#include "cli/views/text.hpp"
#include "core/model/object.hpp"
#include "core/model/state.hpp"

namespace cli {

/// The objects of which gpus_text says something.
core::Objects shown_of_gpus();

/// A row for each GPU of the host: how far each port with an RDMA device is, under NCCL's names,
/// and by which of them NCCL is to send. `json` has it as `gpus`, which is null where it was not
/// read.
std::string gpus_text(const core::State& state, const Style& style);
std::string gpus_json(const Heading& heading, const core::State& state);

}  // namespace cli

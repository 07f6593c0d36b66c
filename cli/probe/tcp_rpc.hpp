// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/streams.hpp"
#include "core/probe/call.hpp"
#include "verbs/rpc.hpp"

namespace cli {

/// Makes the calls that verbs::call makes, but over the first data connection: the data that a
/// request or a reply carries follows its head. Throws StreamBroken, Error (failed) where what
/// comes is not what was agreed on, and what `wait` throws.
verbs::Called call_by_tcp(Streams& streams, const core::probe::Calls& what, verbs::Wait& wait);
/// The side that serves them, one after the other.
void answer_by_tcp(Streams& streams, const core::probe::Calls& what, verbs::Wait& wait);

}  // namespace cli

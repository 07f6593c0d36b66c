// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/probe/streams.hpp"
#include "core/probe/call.hpp"
#include "verbs/rpc.hpp"

namespace cli {

/// Makes the calls of verbs::call over the first data connection: the data of a request or reply
/// follows its head. Throws StreamBroken, Error (failed) for a reply other than agreed, and what
/// `wait` throws.
verbs::Called call_by_tcp(Streams& streams, const core::probe::Calls& what, verbs::Wait& wait);
/// The side that serves the calls, one after the other.
void answer_by_tcp(Streams& streams, const core::probe::Calls& what, verbs::Wait& wait);

}  // namespace cli

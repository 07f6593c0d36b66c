// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/probe/payload.hpp"
#include "verbs/rpc.hpp"
#include "verbs/streams.hpp"

namespace verbs {

/// Makes the calls of call over the first data connection: the data of a request or reply
/// follows its head. Throws StreamBroken, Error (failed) for a reply other than agreed, and what
/// `wait` throws.
Called call_by_tcp(Streams& streams, const core::probe::Calls& what, Wait& wait);
/// The side that serves the calls, one after the other.
void answer_by_tcp(Streams& streams, const core::probe::Calls& what, Wait& wait);

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
// What the serving side does where it is the one that sends, or one of two.
#include "cli/probe/cpu_time.hpp"
#include "cli/probe/exchange.hpp"
#include "cli/probe/server.hpp"
#include "core/error.hpp"
#include "verbs/bandwidth.hpp"

namespace cli {

using core::probe::Message;
using core::probe::number_in;
using core::probe::Operation;

Message ProbeServer::send_stream(const Message& message) {
    constexpr std::uint64_t kLongestStream = 60'000;  ///< milliseconds
    verbs::Stream what = stream_in(message);
    what.duration = std::chrono::milliseconds(number_in(message, "duration", 1, kLongestStream));
    what.bits_a_second = number_in(message, "rate", 0, UINT64_MAX);
    const bool both = number_in(message, "both", 0, 1) == 1;
    if (both) verbs::prepare_receive_stream(endpoint(), what);
    expected_ = 0;
    control_connection_.send({.kind = "ready"});
    verbs::Wait wait = limited(message);
    const CpuTime cpu_time;
    std::uint64_t received = 0;
    const bool receives = both && what.operation == Operation::send;
    const core::probe::Bandwidth sent =
        verbs::send_stream(endpoint(), what, wait, [this, &what, &received, receives] {
            while (receives && verbs::take_one(endpoint(), what))
                ++received;
        });
    if (receives)
        verbs::receive_stream(
            endpoint(), what, wait, [this] { return expected_; }, received);
    else if (both)
        await_count(wait);
    Message out{.kind = "poured",
                .numbers = {{"messages", sent.messages}, {"nanoseconds", sent.nanoseconds}},
                .words = {}};
    cpu_time.tell(out);
    return out;
}

}  // namespace cli

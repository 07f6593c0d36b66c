// SPDX-License-Identifier: Apache-2.0
// What the serving side does while the other measures.
#include "cli/measuring.hpp"
#include "cli/probe/cpu_time.hpp"
#include "cli/probe/exchange.hpp"
#include "cli/probe/server.hpp"
#include "core/error.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"

namespace cli {
namespace {

using core::probe::Message;
using core::probe::number_in;
using std::chrono::milliseconds;

core::probe::Operation operation_in(const Message& message) {
    const std::string& name = core::probe::word_in(message, "operation");
    const auto found = core::probe::find_operation(name);
    if (found && core::probe::is_verb(*found)) return *found;
    throw core::Error(core::Status::failed,
                      "found operation '" + name + "', expected send, write or read");
}

}  // namespace

Message ProbeServer::pong(const Message& message) {
    const verbs::PingPong what{.operation = operation_in(message),
                               .size = size_in(message),
                               .iterations = number_in(message, "iterations", 1, kMostMessages)};
    verbs::prepare_pong(endpoint(), what);
    expected_ = 0;
    return timed(message, [&](verbs::Wait& wait, Message& /*ended*/) {
        if (what.operation == core::probe::Operation::read)
            await_count(wait);
        else
            verbs::pong(endpoint(), what, wait);
    });
}

Message ProbeServer::timed(const Message& message,
                           const std::function<void(verbs::Wait&, Message&)>& work) {
    // The client is the first whose time is over: it knows how much was done.
    constexpr milliseconds kLonger{1000};
    control_connection_.send({.kind = "ready"});
    verbs::Wait wait = limited(message, kLonger);
    Message ended{.kind = "ended"};
    const CpuTime cpu_time;
    work(wait, ended);
    cpu_time.tell(ended);
    return ended;
}

verbs::Stream ProbeServer::stream_in(const Message& message) {
    return {.operation = operation_in(message),
            .size = size_in(message),
            .depth = static_cast<unsigned>(number_in(message, "depth", 1, kMostDepth))};
}

Message ProbeServer::receive_stream(const Message& message) {
    const verbs::Stream what = stream_in(message);
    verbs::prepare_receive_stream(endpoint(), what);
    expected_ = 0;
    return timed(message, [&](verbs::Wait& wait, Message& ended) {
        std::uint64_t received = 0;
        if (what.operation == core::probe::Operation::send) {
            received = verbs::receive_stream(endpoint(), what, wait, [this] { return expected_; });
        } else {
            await_count(wait);
            received = expected_;
        }
        ended.numbers["received"] = received;
    });
}

void ProbeServer::await_count(verbs::Wait& wait) {
    // Nothing is to be done here, and the processor is the client's, where both are one host.
    for (; expected_ == 0; wait.check())
        if (control_connection_.await_some(milliseconds{5})) poll_client();
}

}  // namespace cli

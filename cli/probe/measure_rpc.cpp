// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/measure_rpc.hpp"

#include "cli/probe/cpu_time.hpp"
#include "cli/probe/measure_tcp.hpp"
#include "cli/probe/tcp_rpc.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Calls;
using core::probe::Message;
using core::probe::Operation;
using core::probe::Trial;

using Work = std::function<verbs::Called(const Calls& what, verbs::Wait& wait)>;

Calls check_of(const Calls& what) {
    Calls out = what;
    out.number = what.depth;
    out.checked = true;
    return out;
}

/// Both sides do so many calls; what they took.
Trial called(ProbeClient& client, std::string_view kind, const Calls& what, const Work& work) {
    const Message ready = client.ask(
        {.kind = std::string(kind),
         .numbers = {{"limit", static_cast<std::uint64_t>(client.options().limit.count())},
                     {"writes", what.writes ? 1U : 0U},
                     {"size", what.size},
                     {"depth", what.depth},
                     {"calls", what.number},
                     {"checked", what.checked ? 1U : 0U}},
         .words = {}});
    if (ready.kind != "ready")
        throw core::Error(core::Status::failed,
                          "the peer sent '" + ready.kind + "' where 'ready' was expected");
    const CpuTime cpu_time;
    verbs::Wait wait = client.wait();
    const verbs::Called done = work(what, wait);
    Trial out{.size = what.size,
              .depth = what.depth,
              .completion = client.options().completion,
              .data = what.writes ? "write" : "read",
              .latency = core::probe::Latency{},
              .bandwidth = core::probe::Bandwidth{.messages = what.number,
                                                  .bytes = what.number * what.size,
                                                  .nanoseconds = done.nanoseconds}};
    out.processor = cpu_time.share(client.await_answer(client.options().limit));
    for (const std::uint64_t time : done.times)
        out.latency->times.add(time);
    return out;
}

}  // namespace

Trial measure_rpc(ProbeClient& client, const Calls& what) {
    const core::probe::CallRoom room{.size = what.size, .depth = what.depth};
    verbs::Endpoint& endpoint =
        client.open({.depth = verbs::requests_of(what.depth), .room = room.bytes()});
    const Work work = [&](const Calls& calls, verbs::Wait& wait) {
        return verbs::call(endpoint, calls, wait);
    };
    // A reply is to find a receive, however soon it comes.
    verbs::prepare_calls(endpoint, check_of(what));
    called(client, "answer", check_of(what), work);
    verbs::prepare_calls(endpoint, what);
    Trial out = called(client, "answer", what, work);
    out.operation = Operation::rpc;
    return out;
}

Trial measure_tcp_rpc(ProbeClient& client, const Calls& what) {
    Streams streams = join_streams(client, 1);
    const Work work = [&](const Calls& calls, verbs::Wait& wait) {
        return call_by_tcp(streams, calls, wait);
    };
    called(client, "tcp-answer", check_of(what), work);
    Trial out = called(client, "tcp-answer", what, work);
    out.operation = Operation::tcp_rpc;
    return out;
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run_parts.hpp"

#include <algorithm>
#include <optional>

namespace verbs {
namespace {

using core::probe::FlowPath;
using Clock = Wait::Clock;

constexpr std::uint64_t kFlowBytes = 64;
constexpr unsigned kWrites = 32;

const Request kWrite{.code = IBV_WR_RDMA_WRITE, .size = kFlowBytes};

/// A queue pair that fails does so after about 4 s, and soft RoCE, to which the 7 retries of these
/// are no bound (drivers/infiniband/sw/rxe/rxe_comp.c), never.
constexpr std::chrono::milliseconds kMostToAnswer{5000};

Wait answer_wait(ProbeClient& client) {
    const std::chrono::milliseconds own = client.options().limit;
    return client.wait(std::min(own, kMostToAnswer) - own);
}

/// The queue pair of the next completion; noted where it is a bad one.
std::optional<unsigned> next_done(Endpoint& endpoint, std::vector<FlowPath>& paths) {
    ibv_wc completion{};
    try {
        if (!endpoint.has_sent(completion)) return std::nullopt;
    } catch (const Incomplete& error) {
        paths.at(pair_of(completion)).failure = error.what();
    }
    return pair_of(completion);
}

/// One over each at the same time: those that fail do so together, which takes seconds.
void try_all(ProbeClient& client, std::vector<FlowPath>& paths) {
    Endpoint& endpoint = client.endpoint();
    Wait wait = answer_wait(client);
    for (unsigned pair = 0; pair < paths.size(); ++pair)
        endpoint.post(kWrite, pair);
    std::vector<bool> answered(paths.size());
    try {
        for (std::size_t done = 0; done < paths.size(); wait.turn())
            if (const auto pair = next_done(endpoint, paths)) {
                answered[*pair] = true;
                ++done;
            }
    } catch (const TimeOver& error) {
        for (std::size_t pair = 0; pair < paths.size(); ++pair)
            if (!answered[pair]) paths[pair].failure = error.what();
    }
}

void write_in_turn(ProbeClient& client, std::vector<FlowPath>& paths, unsigned pair) {
    try {
        for (unsigned i = 0; i < kWrites && paths[pair].failure.empty(); ++i) {
            Wait wait = answer_wait(client);
            const Clock::time_point start = Clock::now();
            client.endpoint().post(kWrite, pair);
            // One of those that were given up may end in between.
            while (next_done(client.endpoint(), paths) != pair)
                wait.turn();
            if (paths[pair].failure.empty()) paths[pair].times.add(nanoseconds_since(start));
        }
    } catch (const TimeOver& error) {
        paths[pair].failure = error.what();
    }
}

}  // namespace

std::vector<FlowPath> run_flows(ProbeClient& client, unsigned flows) {
    client.open({.queue_pairs = flows, .depth = 1, .room = kFlowBytes, .spread = true});
    std::vector<FlowPath> out(flows);
    for (unsigned pair = 0; pair < flows; ++pair) {
        out[pair].flow_label = core::probe::flow_label(pair);
        out[pair].source_port = core::probe::source_port(out[pair].flow_label);
    }
    try_all(client, out);
    for (unsigned pair = 0; pair < flows; ++pair)
        write_in_turn(client, out, pair);
    return out;
}

}  // namespace verbs

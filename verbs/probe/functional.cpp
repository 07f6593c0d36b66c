// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run_parts.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"
#include "core/probe/path_mtu.hpp"
#include "core/probe/payload.hpp"

namespace verbs {
namespace {

using core::probe::Message;
using core::probe::number_in;
using core::probe::PathCheck;

/// Around the RDMA MTUs 1024, 2048 and 4096, where a packet becomes two.
constexpr std::array<std::uint64_t, 13> kSizes = {1,    64,   256,  1024, 1025, 2047, 2048,
                                                  2049, 4095, 4096, 4097, 8192, 65536};
constexpr std::uint32_t kImmediate = 0x524F4345;
constexpr std::uint64_t kStepLimit = 5000;

std::string bytes_text(std::uint64_t size) {
    return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

Message sized(std::string_view kind, std::uint64_t size, std::uint32_t seed) {
    return {.kind = std::string(kind),
            .numbers = {{"size", size}, {"seed", seed}, {"limit", kStepLimit}},
            .words = {}};
}

core::Error differs(const std::string& what, std::uint64_t at) {
    return {core::Status::failed,
            what + ": byte " + std::to_string(at) + " is not the one that was sent"};
}

void check_wrong(const Message& answer, const std::string& what) {
    if (answer.numbers.contains("wrong")) throw differs(what, answer.numbers.at("wrong"));
}

void fill_own(ProbeClient& client, std::uint64_t size, std::uint32_t seed) {
    core::probe::fill_pattern(client.endpoint().outgoing().first(size), seed);
}

void post_and_wait(ProbeClient& client, const Request& request) {
    Wait wait = client.wait();
    client.endpoint().post(request);
    client.endpoint().sent(wait);
}

void send_there(ProbeClient& client, std::uint64_t size, std::uint32_t seed) {
    fill_own(client, size, seed);
    client.ask(sized("receive", size, seed));
    post_and_wait(client, {.code = IBV_WR_SEND, .size = size});
    const Message answer = client.ask(sized("arrived", size, seed));
    if (number_in(answer, "length", 0, UINT32_MAX) != size)
        throw core::Error(core::Status::failed,
                          "send: " + std::to_string(answer.numbers.at("length")) + " bytes came");
    check_wrong(answer, "send");
}

void send_back(ProbeClient& client, std::uint64_t size, std::uint32_t seed) {
    std::memset(client.endpoint().incoming().data(), 0, size);
    client.endpoint().post_receive(size);
    client.tell(sized("send", size, seed));
    Wait wait = client.wait();
    client.endpoint().received(wait);
    client.await_answer(std::chrono::milliseconds(kStepLimit));
    const auto wrong = core::probe::first_wrong(client.endpoint().incoming().first(size), seed);
    if (wrong) throw differs("send from the peer", *wrong);
}

void write(ProbeClient& client, std::uint64_t size, std::uint32_t seed) {
    fill_own(client, size, seed);
    post_and_wait(client, {.code = IBV_WR_RDMA_WRITE, .size = size});
    check_wrong(client.ask(sized("check", size, seed)), "write");
}

void write_immediate(ProbeClient& client, std::uint64_t size, std::uint32_t seed) {
    fill_own(client, size, seed);
    client.ask(sized("receive", size, seed));
    post_and_wait(client,
                  {.code = IBV_WR_RDMA_WRITE_WITH_IMM, .size = size, .immediate = kImmediate});
    const Message answer = client.ask(sized("arrived", size, seed));
    check_wrong(answer, "write with immediate");
    if (number_in(answer, "immediate", 0, UINT32_MAX) != kImmediate)
        throw core::Error(core::Status::failed, "write with immediate: other data came");
}

void read(ProbeClient& client, std::uint64_t size, std::uint32_t seed) {
    client.ask(sized("fill", size, seed));
    std::memset(client.endpoint().outgoing().data(), 0, size);
    post_and_wait(client, {.code = IBV_WR_RDMA_READ, .size = size});
    const auto wrong = core::probe::first_wrong(client.endpoint().outgoing().first(size), seed);
    if (wrong) throw differs("read", *wrong);
}

/// What was at the place before an atomic operation comes back.
std::uint64_t fetched(ProbeClient& client) {
    std::uint64_t out = 0;
    std::memcpy(&out, client.endpoint().outgoing().data(), sizeof out);
    return out;
}

void expect_values(ProbeClient& client, const char* what, std::uint64_t before,
                   std::uint64_t after) {
    const std::uint64_t there = number_in(client.ask({.kind = "value"}), "number", 0, UINT64_MAX);
    if (fetched(client) == before && there == after) return;
    throw core::Error(core::Status::failed,
                      std::string(what) + ": found " + std::to_string(fetched(client)) +
                          " and then " + std::to_string(there) + ", expected " +
                          std::to_string(before) + " and then " + std::to_string(after));
}

void fetch_and_add(ProbeClient& client, std::uint64_t /*size*/, std::uint32_t seed) {
    client.ask({.kind = "value", .numbers = {{"set", seed}}});
    post_and_wait(client, {.code = IBV_WR_ATOMIC_FETCH_AND_ADD, .compare = 42});
    expect_values(client, "fetch and add", seed, seed + 42ULL);
}

void compare_and_swap(ProbeClient& client, std::uint64_t /*size*/, std::uint32_t seed) {
    client.ask({.kind = "value", .numbers = {{"set", seed}}});
    post_and_wait(client,
                  {.code = IBV_WR_ATOMIC_CMP_AND_SWP, .compare = seed, .swap = seed + 7ULL});
    expect_values(client, "compare and swap", seed, seed + 7ULL);
}

struct Step {
    const char* name;
    void (*run)(ProbeClient& client, std::uint64_t size, std::uint32_t seed);
    bool back = false;  ///< its data comes from the peer
    bool atomic = false;
};
constexpr std::array kSteps = {
    Step{.name = "send", .run = send_there},
    Step{.name = "send from the peer", .run = send_back, .back = true},
    Step{.name = "write", .run = write},
    Step{.name = "write with immediate", .run = write_immediate},
    Step{.name = "read", .run = read, .back = true},
    Step{.name = "fetch and add", .run = fetch_and_add, .atomic = true},
    Step{.name = "compare and swap", .run = compare_and_swap, .atomic = true}};

/// The peer is asked whether what was sent came to it, though nothing came back.
bool came_to_peer(ProbeClient& client, const Step& step, std::uint64_t size, std::uint32_t seed) {
    if (step.run != send_there) return false;
    try {
        Message asked = sized("arrived", size, seed);
        asked.numbers["limit"] = 100;
        return client.ask(asked).kind == "arrived";
    } catch (const std::exception&) {
        return false;
    }
}

/// How one step at one size ended.
struct Outcome {
    bool works = false;
    bool lost = false;     ///< packets, or what answers them: the path is to be looked at
    bool flushed = false;  ///< the queue pair failed before anything went out
    std::string why{};
};

/// What ends the whole run is thrown.
Outcome outcome(ProbeClient& client, const Step& step, std::uint64_t size, std::uint32_t seed) {
    try {
        step.run(client, size, seed);
        return {.works = true};
    } catch (const Incomplete& error) {
        return {.lost = error.status() == IBV_WC_RETRY_EXC_ERR,
                .flushed = error.status() == IBV_WC_WR_FLUSH_ERR,
                .why = error.what()};
    } catch (const TimeOver& error) {
        return {.lost = true, .why = error.what()};
    } catch (const core::Error& error) {
        return {.why = error.what()};
    }
}

/// One step at one size, and the largest size of it that works.
struct Try {
    const Step& step;
    std::uint64_t passed = 0;
    std::uint64_t size = 0;
    std::uint32_t seed = 0;
};

/// The largest message that any step got through whose data goes the same way.
std::uint64_t carried(const std::vector<PathCheck>& checks, bool back) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < checks.size(); ++i)
        if (kSteps.at(i).back == back)
            for (const std::uint64_t size : checks[i].sizes)
                out = std::max(out, size);
    return out;
}

/// What is wrong with the path, as far as it can be told.
void explain(Functional& out, ProbeClient& client, const Try& one, const Outcome& end) {
    const ProbeClient::Presence peer = client.presence();
    out.failure = std::string(one.step.name) + " of " + bytes_text(one.size) + ": " + end.why +
                  "; " + peer.text;
    if (end.flushed)
        out.advice =
            "this host did not let it out: with soft RoCE, a firewall rule of its own for UDP "
            "4791 does that; rocectl doctor --only firewall names it";
    if (!peer.advice.empty()) out.advice = peer.advice;
    if (!peer.runs || !peer.advice.empty() || !end.lost) return;
    if (const auto words = core::probe::words_of(
            core::probe::LostMessage{.operation = one.step.name,
                                     .size = one.size,
                                     .passed = one.passed,
                                     .carried = carried(out.checks, one.step.back),
                                     .why = end.why})) {
        out.failure = words->failure;
        out.advice = words->advice;
        return;
    }
    out.advice = came_to_peer(client, one.step, one.size, one.seed)
                     ? "what is sent arrives, and what the peer answers does not come back: look "
                       "for what drops UDP 4791 on the way from the peer to this host"
                     : "TCP passes and RoCE v2 does not: look for what drops UDP 4791 on the way "
                       "from this host to the peer (firewalls and access lists), then at the "
                       "routes of both addresses; rocectl doctor on both hosts names a broken link";
}

}  // namespace

Functional run_functional(ProbeClient& client) {
    Functional out;
    client.open({.queue_pairs = 1, .depth = 2, .room = kSizes.back()});
    std::uint32_t seed = 1;
    for (const Step& step : kSteps) {
        PathCheck& check = out.checks.emplace_back(PathCheck{.name = step.name});
        if (step.atomic && !client.has_atomics()) {
            check.skipped = true;
            check.why = "one of the two devices has no atomic operations";
            continue;
        }
        for (const std::uint64_t size : kSizes) {
            if (step.atomic && !check.sizes.empty()) break;
            const std::uint64_t passed = check.sizes.empty() ? 0 : check.sizes.back();
            const Outcome end = outcome(client, step, size, ++seed);
            if (end.works) {
                check.sizes.push_back(step.atomic ? 8 : size);
                continue;
            }
            check.why = end.why + " at " + bytes_text(size);
            explain(out, client, {.step = step, .passed = passed, .size = size, .seed = seed}, end);
            return out;
        }
    }
    return out;
}

}  // namespace verbs

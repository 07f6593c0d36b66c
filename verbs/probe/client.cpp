// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/client.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/error.hpp"
#include "core/probe/parameters.hpp"
#include "verbs/probe/messages.hpp"

namespace verbs {
namespace {

using core::probe::Message;
using std::chrono::milliseconds;

/// What the other side does at once.
constexpr milliseconds kAtOnce{5000};

core::Error failed(const std::string& text) {
    return {core::Status::failed, text};
}

ProbeClient::Presence presence_in(const Message& said) {
    const std::string runs = "the peer's rocectl runs and answers";
    if (!said.numbers.contains("failed_pairs") ||
        core::probe::number_in(said, "failed_pairs", 0, core::probe::kMostPairs) == 0)
        return {.runs = true, .text = runs};
    return {.runs = true,
            .text = runs + ", and a queue pair there has failed: it is in the error state",
            .advice =
                "the network is not what failed: the peer's device has ended its queue pair "
                "and answers nothing on it; the kernel's log there, and rocectl doctor, may "
                "say why"};
}

}  // namespace

ProbeClient::ProbeClient(ControlConnection& control_connection, Rail rail, CallOptions options)
    : control_connection_(control_connection),
      rail_(std::move(rail)),
      options_(std::move(options)) {}

Message ProbeClient::await_answer(milliseconds limit) {
    if (early_) return *std::exchange(early_, std::nullopt);
    if (!lost_.empty()) throw PeerSilent(lost_);
    const auto end = std::chrono::steady_clock::now() + limit;
    for (;;) {
        if (options_.stopped()) throw Interrupted();
        // A peer that is stopped is not waited for as long as one that is at work.
        if (!control_connection_.await_some(std::min(milliseconds{50}, options_.pace)))
            inquire();
        else if (auto answer = hear())
            return *std::move(answer);
        if (std::chrono::steady_clock::now() >= end)
            give_up("the peer's rocectl runs and answers, and has not come to an end in time");
    }
}

/// The next message that is not an answer to an inquiry. Throws with the peer's text where it
/// failed.
std::optional<Message> ProbeClient::hear() {
    Message said = control_connection_.receive(kAtOnce);
    if (said.kind == "alive") {
        unanswered_ -= unanswered_ > 0 ? 1 : 0;
        if (!presence_in(said).advice.empty())
            throw PeerBroken(core::Status::failed, "nothing comes back any more");
        return std::nullopt;
    }
    if (said.kind != "failed") return said;
    const std::string text = "the peer: " + core::probe::word_in(said, "text");
    if (said.words.contains("lacks")) throw NoRail(text);
    // An error of verbs on the peer (ProbeServer::answer).
    if (said.numbers.contains("status")) throw PeerBroken(core::Status::failed, text);
    throw failed(text);
}

Message ProbeClient::ask(const Message& message) {
    if (unanswered_ == 0) inquired_ = Wait::Clock::now();
    control_connection_.send(message);
    return await_answer(kAtOnce);
}

Endpoint& ProbeClient::open(const Shape& shape) {
    shut();
    Message wanted{.kind = "open",
                   .numbers = {{"queue_pairs", shape.queue_pairs},
                               {"depth", shape.depth},
                               {"room", shape.room},
                               {"force", options_.force ? 1U : 0U}},
                   .words = {{"completion", options_.completion}}};
    const Message opened = ask(wanted);
    peer_ = {.port = core::probe::word_in(opened, "port"),
             .device = core::probe::word_in(opened, "device"),
             .address = core::probe::word_in(opened, "address"),
             .gid_index = static_cast<std::uint32_t>(
                 core::probe::number_in(opened, "gid_index", 0, UINT32_MAX))};
    atomics_ = core::probe::number_in(opened, "atomics", 0, 1) == 1;
    endpoint_.emplace(EndpointOptions{.device = rail_.device,
                                      .gid_index = rail_.gid_index,
                                      .gid = rail_.gid,
                                      .queue_pairs = shape.queue_pairs,
                                      .depth = shape.depth,
                                      .room = shape.room,
                                      .completion = completion_named(options_.completion)});
    atomics_ = atomics_ && endpoint_->has_atomics();
    Message own{
        .kind = "connect",
        .numbers = {{"traffic_class", options_.traffic_class}, {"spread", shape.spread ? 1U : 0U}}};
    put_address(own, endpoint_->address());
    ask(own);
    endpoint_->connect(address_in(opened, shape.queue_pairs),
                       {.traffic_class = options_.traffic_class, .spread = shape.spread});
    return *endpoint_;
}

std::string ProbeClient::ask_rail() {
    const Message said = ask({.kind = "rail", .numbers = {{"force", options_.force ? 1U : 0U}}});
    peer_ = {.address = core::probe::word_in(said, "address")};
    if (said.words.contains("lack")) return said.words.at("lack");
    peer_.port = core::probe::word_in(said, "port");
    peer_.device = core::probe::word_in(said, "device");
    peer_.gid_index =
        static_cast<std::uint32_t>(core::probe::number_in(said, "gid_index", 0, UINT32_MAX));
    return {};
}

void ProbeClient::shut() {
    if (!endpoint_) return;
    endpoint_.reset();
    ask({.kind = "shut"});
}

Wait ProbeClient::wait(milliseconds more) {
    inquired_ = Wait::Clock::now();
    return {options_.limit + more, [this] { poll_client(); }};
}

void ProbeClient::pause(milliseconds time) const {
    constexpr milliseconds kStep{20};
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
        if (options_.stopped()) throw Interrupted();
        std::this_thread::sleep_for(kStep);
    }
}

void ProbeClient::poll_client() {
    if (options_.stopped()) throw Interrupted();
    if (!control_connection_.await_some(milliseconds{0})) return inquire();
    if (auto said = hear()) early_ = std::move(said);
}

void ProbeClient::inquire() {
    const milliseconds since =
        std::chrono::duration_cast<milliseconds>(Wait::Clock::now() - inquired_);
    if (unanswered_ > 0 && since >= 4 * options_.pace)
        give_up(
            "the peer's rocectl answers again after a time in which it did not: it was stopped, or "
            "got no processor");
    if (unanswered_ > 0 || since < options_.pace) return;
    inquired_ = Wait::Clock::now();
    control_connection_.send({.kind = "alive"});
    ++unanswered_;
}

void ProbeClient::give_up(const std::string& where_it_runs) {
    const Presence peer = presence();
    throw PeerSilent(peer.runs ? where_it_runs : peer.text);
}

ProbeClient::Presence ProbeClient::presence() {
    if (!lost_.empty()) return {.text = lost_};
    const milliseconds answer = 2 * options_.pace;
    try {
        control_connection_.send({.kind = "alive"});
        ++unanswered_;
        const auto end = std::chrono::steady_clock::now() + answer;
        while (std::chrono::steady_clock::now() < end)
            if (const Message said = control_connection_.receive(answer);
                said.kind == "alive" && --unanswered_ == 0)
                return presence_in(said);
        lost_ = "the peer says other things than it was asked";
    } catch (const PeerGone&) {
        lost_ = "the peer's rocectl has ended";
    } catch (const PeerSilent&) {
        lost_ = control_connection_.is_acknowledged()
                    ? "the peer's host answers, and rocectl there does not run on: it is stopped, "
                      "or gets no processor"
                    : "the peer's host does not answer any more";
    }
    return {.text = lost_};
}

ProbeClient::Presence ProbeClient::settle() {
    try {
        control_connection_.send({.kind = "stop"});
    } catch (const PeerGone&) {
        return {.text = "the peer's rocectl has ended"};
    } catch (const PeerSilent&) {
        // What does not go out gets no answer either: presence says why.
    }
    Presence out = presence();
    early_.reset();
    return out;
}

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/run_parts.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/probe/payload.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/rdma_cm.hpp"

namespace verbs {
namespace {

using core::probe::CmReport;
using core::probe::Message;
using core::probe::number_in;
using std::chrono::milliseconds;

constexpr std::uint32_t kSeed = 7;
/// The kernel itself waits for more than a minute.
constexpr milliseconds kMostToConnect{5000};
/// Longer than all steps here, so that it is this side that says which of them failed.
constexpr milliseconds kPeerLimit{30'000};

/// The steps in their order, each with its time as rdma_core's cmtime takes it.
class Steps {
public:
    Steps(ProbeClient& client, CmReport& report) : client_(client), report_(report) {}

    template <typename Step>
    void operator()(const char* name, Step step) {
        doing_ = name;
        Wait wait = limited();
        const auto start = Wait::Clock::now();
        step(wait);
        const auto took =
            std::chrono::duration_cast<std::chrono::nanoseconds>(Wait::Clock::now() - start);
        report_.steps.push_back(
            {.name = name, .nanoseconds = static_cast<std::uint64_t>(took.count())});
    }
    /// What is done without a time.
    void goes_on(const char* name) { doing_ = name; }
    [[nodiscard]] const std::string& doing() const { return doing_; }

private:
    Wait limited() {
        const milliseconds own = client_.options().limit;
        return client_.wait(std::min(own, kMostToConnect) - own);
    }
    ProbeClient& client_;
    CmReport& report_;
    std::string doing_ = "make an event channel";
};

void check_answer(const Message& answer) {
    if (answer.numbers.contains("wrong"))
        throw core::Error(
            core::Status::failed,
            "byte " + std::to_string(answer.numbers.at("wrong")) + " is not the one that was sent");
}

void connect_and_send(ProbeClient& client, Steps& step, CmReport& report) {
    Managed own(client.options().traffic_class, kManagedBytes);
    step.goes_on("ask the peer to listen");
    const std::uint64_t token = random_token();
    const Message listening =
        client.ask({.kind = "cm_listen",
                    .numbers = {{"traffic_class", client.options().traffic_class},
                                {"token", token},
                                {"force", client.options().force ? 1U : 0U}}});
    const auto port = static_cast<std::uint16_t>(number_in(listening, "port", 1, UINT16_MAX));
    const core::Ip peer = address_said(listening);
    client.tell(
        {.kind = "cm_accept",
         .numbers = {{"seed", kSeed}, {"limit", static_cast<std::uint64_t>(kPeerLimit.count())}}});
    const core::Ip here = client.rail().address;
    step("resolve address", [&](Wait& wait) { own.resolve_address(here, peer, port, wait); });
    report.device = own.device();
    step("resolve route", [&](Wait& wait) { own.resolve_route(wait); });
    step("create queue pair", [&](Wait& /*wait*/) { own.create_pair(); });
    core::probe::fill_pattern(own.outgoing(), kSeed);
    own.post_receive();
    step("connect", [&](Wait& wait) { own.connect(token, wait); });
    step("send", [&](Wait& wait) { own.send(wait); });
    step("send from the peer", [&](Wait& wait) { own.received(wait); });
    check_answer(client.await_answer(client.options().limit));
    if (const auto wrong = core::probe::first_wrong(own.incoming(), kSeed + 1))
        throw core::Error(
            core::Status::failed,
            "send from the peer: byte " + std::to_string(*wrong) + " is not the one that was sent");
    client.ask({.kind = "cm_shut"});
}

}  // namespace

CmReport run_managed(ProbeClient& client) {
    CmReport out;
    Steps steps(client, out);
    try {
        connect_and_send(client, steps, out);
        return out;
    } catch (const CmFailure& error) {
        out.failure = error.what();
    } catch (const Incomplete& error) {
        out.failure = error.what();
    } catch (const TimeOver& error) {
        out.failure = error.what();
    } catch (const core::Error& error) {
        out.failure = error.what();
    }
    out.advice = core::probe::meaning_of(out.failure);
    out.failure = steps.doing() + ": " + out.failure;
    if (const ProbeClient::Presence peer = client.settle(); !peer.runs)
        out.failure += "; " + peer.text;
    return out;
}

}  // namespace verbs

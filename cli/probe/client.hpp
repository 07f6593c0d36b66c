// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "cli/probe/control_connection.hpp"
#include "cli/probe/rail.hpp"
#include "core/error.hpp"
#include "core/probe/report.hpp"
#include "verbs/endpoint.hpp"

namespace cli {

/// How a run is to be made.
struct CallOptions {
    std::uint8_t traffic_class = 106;
    std::string completion = "poll";
    bool force = false;
    std::chrono::milliseconds limit{10'000};  ///< for one measurement
    /// How often a peer that is waited for is asked whether it is there. Four times as long without
    /// an answer, it is asked a last time, and awaited for twice as long.
    std::chrono::milliseconds pace{1000};
    std::function<bool()> stopped{};
};

/// The user wants no more.
class Interrupted : public std::exception {};

/// What the peer's device ended, or the peer could not do; the path's figures end with it.
class PeerBroken : public core::Error {
    using core::Error::Error;
};

/// The side of a probe that begins: it asks the server for an endpoint, has one of its own, and
/// joins them. One endpoint at a time; each measurement has its own.
class ProbeClient {
public:
    ProbeClient(ControlConnection& control_connection, Rail rail, CallOptions options);

    struct Shape {
        unsigned queue_pairs = 1;
        unsigned depth = 2;
        std::uint64_t room = 65536;
        bool spread = false;  ///< a flow label of its own for each queue pair
    };
    /// Of the endpoints that are opened from here on, in both directions.
    void set_traffic_class(std::uint8_t traffic_class) { options_.traffic_class = traffic_class; }
    /// Joined queue pairs, in place of those before. Throws Error (failed).
    verbs::Endpoint& open(const Shape& shape);
    [[nodiscard]] verbs::Endpoint& endpoint() { return *endpoint_; }
    void shut();

    /// Asks the server, and awaits what it says. Throws Error (failed) in its words where it could
    /// not, PeerGone and PeerSilent: at once where the peer did not answer before, else within
    /// seven times the pace, however long the answer may take.
    core::probe::Message ask(const core::probe::Message& message);
    core::probe::Message await_answer(std::chrono::milliseconds limit);
    /// An answer that came while something else was waited for; null as long as none did.
    [[nodiscard]] const core::probe::Message* early() const { return early_ ? &*early_ : nullptr; }
    void tell(const core::probe::Message& message) { control_connection_.send(message); }
    /// For one measurement: ends where the time is over, the user wants no more, or the peer is
    /// gone. The peer is asked every second whether it is there and its queue pairs are well:
    /// a device may send again for minutes, and soft RoCE does without end.
    verbs::Wait wait(std::chrono::milliseconds more = {});
    /// Lets time go by. Throws Interrupted.
    void pause(std::chrono::milliseconds time) const;

    /// Where nothing came back: whether the peer's process and its host are there.
    struct Presence {
        bool runs = false;
        std::string text{};
        std::string advice{};  ///< where it runs, and its device has ended a queue pair of it
    };
    Presence presence();
    /// After something that did not end: tells the peer to give up what it was asked, and drops its
    /// answer to that. The result is what presence() says then.
    Presence settle();

    /// What of the peer sends, without an endpoint; why it has no RDMA, or empty.
    std::string ask_rail();
    /// From here on.
    void use(const std::string& completion) { options_.completion = completion; }
    [[nodiscard]] const ControlConnection& control_connection() const {
        return control_connection_;
    }
    /// Data connections are counted by both sides, for their tokens.
    std::uint64_t next_opening() { return openings_++; }

    [[nodiscard]] const core::probe::End& peer() const { return peer_; }
    [[nodiscard]] bool has_atomics() const { return atomics_; }
    [[nodiscard]] const CallOptions& options() const { return options_; }
    [[nodiscard]] const Rail& rail() const { return rail_; }

private:
    void poll_client();
    void inquire();
    [[noreturn]] void give_up(const std::string& where_it_runs);
    std::optional<core::probe::Message> hear();

    ControlConnection& control_connection_;
    Rail rail_;
    CallOptions options_;
    std::optional<verbs::Endpoint> endpoint_;
    core::probe::End peer_;
    bool atomics_ = false;
    std::uint64_t openings_ = 0;
    unsigned unanswered_ = 0;  ///< inquiries
    std::string lost_{};       ///< what was found where the peer answered nothing, or empty
    verbs::Wait::Clock::time_point inquired_{};
    std::optional<core::probe::Message> early_;  ///< an answer that came before it was awaited
};

}  // namespace cli

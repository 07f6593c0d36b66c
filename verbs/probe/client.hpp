// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/probe/report.hpp"
#include "verbs/endpoint.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/rail.hpp"

namespace verbs {

/// The options of a run.
struct CallOptions {
    std::uint8_t traffic_class = 106;
    std::string completion = "poll";
    bool force = false;
    std::chrono::milliseconds limit{10'000};  ///< for one measurement
    /// Interval of inquiries to a peer that is waited for. After four intervals without an answer a
    /// last inquiry is sent, and awaited for two more.
    std::chrono::milliseconds pace{1000};
    std::function<bool()> stopped{};
};

/// The user interrupted the run.
class Interrupted : public std::exception {};

/// The peer's device failed, or the peer could not do what was asked. Ends the measurements of the
/// path.
class PeerBroken : public core::Error {
    using core::Error::Error;
};

/// The active side of a probe: asks the server for an endpoint, opens its own, and connects them.
/// One endpoint at a time, a new one for each measurement.
class ProbeClient {
public:
    ProbeClient(ControlConnection& control_connection, Rail rail, CallOptions options);

    struct Shape {
        unsigned queue_pairs = 1;
        unsigned depth = 2;
        std::uint64_t room = 65536;
        bool spread = false;  ///< a flow label for each queue pair
    };
    /// For endpoints opened from here on, in both directions.
    void set_traffic_class(std::uint8_t traffic_class) { options_.traffic_class = traffic_class; }
    /// Opens connected queue pairs in place of the previous ones. Throws Error (failed).
    Endpoint& open(const Shape& shape);
    [[nodiscard]] Endpoint& endpoint() { return *endpoint_; }
    void shut();

    /// Sends a request and waits for the answer. Throws Error (failed) with the server's text where
    /// it could not do it, PeerGone and PeerSilent: at once where the peer was silent before, else
    /// within seven times the pace, however long the answer may take.
    core::probe::Message ask(const core::probe::Message& message);
    core::probe::Message await_answer(std::chrono::milliseconds limit);
    /// An answer that came while something else was awaited; null where none did.
    [[nodiscard]] const core::probe::Message* early() const { return early_ ? &*early_ : nullptr; }
    void tell(const core::probe::Message& message) { control_connection_.send(message); }
    /// The wait of one measurement: ends with the time limit, an interrupt, or the peer. The peer
    /// is asked every second whether it is alive and its queue pairs are well, since a device may
    /// retransmit for minutes, and soft RoCE without end.
    Wait wait(std::chrono::milliseconds more = {});
    /// Sleeps. Throws Interrupted.
    void pause(std::chrono::milliseconds time) const;

    /// Whether the peer's process and its host are alive, after a missing answer.
    struct Presence {
        bool runs = false;
        std::string text{};
        std::string
            advice{};  ///< where it runs and its device has put a queue pair into the error state
    };
    Presence presence();
    /// After an unfinished measurement: tells the peer to stop, and drops its answer. Returns
    /// presence() as of then.
    Presence settle();

    /// Asks for the peer's rail, without an endpoint. Returns why the peer has no RDMA, or an empty
    /// text.
    std::string ask_rail();
    /// The way of completion from here on.
    void use(const std::string& completion) { options_.completion = completion; }
    [[nodiscard]] const ControlConnection& control_connection() const {
        return control_connection_;
    }
    /// The number of the next opening of data connections; both sides count them, for tokens.
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
    std::optional<Endpoint> endpoint_;
    core::probe::End peer_;
    bool atomics_ = false;
    std::uint64_t openings_ = 0;
    unsigned unanswered_ = 0;  ///< inquiries
    std::string lost_{};       ///< why the peer did not answer, or empty
    Wait::Clock::time_point inquired_{};
    std::optional<core::probe::Message> early_;  ///< an answer that came before it was awaited
};

}  // namespace verbs

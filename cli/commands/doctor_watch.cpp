// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/doctor_watch.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "cli/views/story.hpp"
#include "core/doctor/poll_schedule.hpp"
#include "core/doctor/reading.hpp"

namespace cli {
namespace {

using std::chrono::milliseconds;
using Read = core::PollSchedule::Read;

/// After so long whoever waits for this process hears from it, and it looks whether it is to stop.
constexpr milliseconds kBeat{500};
/// Where there is no end of notifications, a reading goes on with what was heard.
constexpr std::size_t kMostAtOnce = 100;

class HostWatch {
public:
    HostWatch(const Session& session, core::Kernel& kernel, const core::Inquiry& inquiry)
        : session_(session),
          kernel_(kernel),
          sampled_(kernel, inquiry),
          teller_(session.out, session.options.output, session.style, seconds_since_1970),
          scope_{.ports = std::nullopt, .objects = core::doctor_objects(inquiry)},
          start_(kernel.time()) {}

    core::Status run() {
        static_cast<void>(kernel_.wait(scope_, milliseconds(0)));  // from now on it listens
        do {
            const Read due = poll_schedule_.due(kernel_.time());
            if (due != Read::nothing) run(due);
            listen();
        } while (!is_over());
        teller_.ended({.status = status_,
                       .seconds = seconds(),
                       .readings = readings_,
                       .lost = lost_,
                       .no_port = no_port_,
                       .unknown = unknown_,
                       .episodes = story_.episodes(seconds()),
                       .counters = counters_.grown()});
        return status_;
    }

private:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(kernel_.time() - start_).count();
    }

    [[nodiscard]] bool is_over() const {
        const auto& window = session_.options.window;
        return (session_.stopped && session_.stopped()) ||
               (window && kernel_.time() - start_ >= *window);
    }

    void run(Read due) {
        const milliseconds begin = kernel_.time();
        if (due == Read::whole)
            sampled_.read_whole();
        else
            sampled_.read_counted();
        // What was reported by now may be why something was counted.
        for (std::size_t i = 0; i < kMostAtOnce && hear(milliseconds(0)); ++i) {
        }
        sampled_.hear();
        const double at = seconds();
        const core::Diagnosis diagnosis = sampled_.diagnose();
        if (readings_++ == 0) teller_.began(diagnosis.examination);
        for (const core::Event& event : story_.tell(sampled_.state(), diagnosis, at))
            teller_.tell(event);
        note_unknown(diagnosis.examination);
        counters_.add(sampled_.state(), diagnosis.examination.intents, at);
        add_status(core::status_of(diagnosis.examination, session_.options.strict));
        poll_schedule_.was_read(due, begin, kernel_.time());
    }

    /// What makes the watch end with 1, so that the end says it.
    void note_unknown(const core::Examination& examination) {
        no_port_ = examination.ports.empty();
        for (const core::Check& check : examination.checks)
            if (check.verdict == core::Verdict::unknown || check.verdict == core::Verdict::crash)
                unknown_.emplace(check.row->id);
    }

    /// What was found once was found; what was unknown once was not known to be well.
    void add_status(core::Status now) {
        if (status_ != core::Status::differs && now != core::Status::done) status_ = now;
    }

    /// Until something is due.
    void listen() {
        for (;;) {
            if (session_.beat) session_.beat();
            milliseconds left = poll_schedule_.next() - kernel_.time();
            if (const auto& window = session_.options.window)
                left = std::min(left, start_ + *window - kernel_.time());
            if (left <= milliseconds(0) || is_over()) return;
            static_cast<void>(hear(std::min(left, kBeat)));
        }
    }

    /// Whether something was reported in this time.
    bool hear(milliseconds time) {
        if (!kernel_.wait(scope_, time)) return false;
        poll_schedule_.notified(kernel_.time());
        if (!kernel_.lost()) return true;
        ++lost_;
        teller_.lost();
        return true;
    }

    const Session& session_;
    core::Kernel& kernel_;
    core::SampledHost sampled_;
    core::Story story_{};
    core::CounterSeriesList counters_{false};
    core::PollSchedule poll_schedule_{};
    StoryTeller teller_;
    core::Scope scope_;
    milliseconds start_;
    core::Status status_ = core::Status::done;
    std::size_t readings_ = 0;
    std::size_t lost_ = 0;
    bool no_port_ = false;
    std::set<std::string> unknown_{};
};

[[noreturn]] void refuse(const std::string& other) {
    throw core::Error(core::Status::usage, "--watch: cannot be used together with " + other);
}

}  // namespace

void check_watch(const Options& options) {
    if (!options.watch) return;
    if (options.state) refuse("--state: what is in a file does not change");
    if (options.since) refuse("--since");
    if (options.out) refuse(options.html ? "--html" : "--output-file");
    if (options.output != Output::text && options.output != Output::json)
        throw core::Error(core::Status::usage,
                          "--watch: found another form, expected -o text or -o json");
}

core::Status watch_host(const Session& session, core::Kernel& kernel,
                        const core::Inquiry& inquiry) {
    return HostWatch(session, kernel, inquiry).run();
}

}  // namespace cli

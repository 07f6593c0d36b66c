// SPDX-License-Identifier: Apache-2.0
#include "cli/views/watch.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>

#include "cli/command.hpp"
#include "cli/commands/watch_reasons.hpp"
#include "cli/run/healing.hpp"
#include "cli/run/run.hpp"
#include "core/doctor/notification_log.hpp"
#include "core/doctor/poll_schedule.hpp"

namespace cli {
namespace {

using core::Status;
using std::chrono::milliseconds;
using Read = core::PollSchedule::Read;

/// Interval of the beats to the waiting process, and of checks whether to stop.
constexpr milliseconds kBeatOfWatch{500};
/// After this many readings with ports in motion, the last reading is reported.
constexpr unsigned kMostInMotion = 5;
/// How long to wait for devlink to explain why a port that is back had gone.
constexpr milliseconds kReloadEnds{2'000};

class ProfileWatch {
public:
    explicit ProfileWatch(const Session& session)
        : session_(session),
          task_(session, Task::Purpose::check),
          teller_(session.out, session.options.output, session.style, seconds_since_1970),
          start_(task_.kernel().time()),
          reasons_(session.options.root) {
        if (session.options.heal)
            healing_.emplace(session, task_.digest());
        else
            written_.emplace(session.options.root, task_.digest());
    }

    Status run() {
        task_.read_and_plan();
        keep_scope();
        count_losses();
        static_cast<void>(task_.kernel().wait(scope_, milliseconds(0)));  // from now on it listens
        teller_.began(task_.profile_name(), task_.desired_values(), session_.options.heal);
        do {
            if (poll_schedule_.due(task_.kernel().time()) != Read::nothing) read_and_plan();
            if (!end_) listen();
        } while (!end_ && !is_over());
        if (stirred_ && !end_) read_last();
        end_reported_.status = end_.value_or(status());
        end_reported_.seconds = seconds();
        end_reported_.standing = standing_.count();
        teller_.ended(end_reported_);
        return end_reported_.status;
    }

private:
    [[nodiscard]] double seconds() { return seconds_at(task_.kernel().time()); }
    [[nodiscard]] double seconds_at(milliseconds time) const {
        return std::chrono::duration<double>(time - start_).count();
    }

    [[nodiscard]] bool is_over() {
        const auto& window = session_.options.window;
        return (session_.stopped && session_.stopped()) ||
               (window && task_.kernel().time() - start_ >= *window);
    }

    /// Ports that were there once are listened to while they are gone.
    void keep_scope() {
        scope_ = task_.scope();
        const std::vector<std::string>& ports = task_.desired_values().ports;
        seen_.insert(ports.begin(), ports.end());
        if (scope_.ports) scope_.ports->assign(seen_.begin(), seen_.end());
    }

    void read_and_plan() {
        if (read() && healing_ && !restless_) heal();
    }

    /// What was heard last.
    void read_last() {
        while (!read() && in_motion_ > 0) {
        }
    }

    /// Reads the host and tells what is new; false where it could not be read, or not as it is at
    /// one time.
    bool read() {
        const milliseconds begin = task_.kernel().time();
        stirred_ = false;
        static_cast<void>(notifications_.add(task_.kernel().notifications(), seen_));
        ++end_reported_.readings;
        bool read = true;
        try {
            task_.read_and_plan();
            keep_scope();
            read = !is_in_motion();
            if (read) tell(seconds_at(begin));
            unread_.clear();
        } catch (const core::Error& error) {
            read = false;
            in_motion_ = 0;
            ++end_reported_.unread;
            if (worst_ == Status::done) worst_ = Status::failed;
            if (unread_ != error.lines()) teller_.unread(error.lines());
            unread_ = error.lines();
        }
        poll_schedule_.was_read(Read::whole, begin, task_.kernel().time());
        if (stirred_) poll_schedule_.notified(task_.kernel().time());
        return read;
    }

    /// Whether a port went or came while the host was read: then half of what was read is of a
    /// device that another half knows nothing of, and it is read again.
    bool is_in_motion() {
        restless_ = !is_at_rest();
        in_motion_ = restless_ && in_motion_ < kMostInMotion ? in_motion_ + 1 : 0;
        return in_motion_ > 0;
    }

    /// Whether no port went or came since this was asked last, as far as nothing was lost.
    bool is_at_rest() {
        const std::size_t lost = end_reported_.lost;
        hear(milliseconds(0));
        return !notifications_.add(task_.kernel().notifications(), seen_) &&
               end_reported_.lost == lost;
    }

    void tell(double at) {
        count_losses();
        for (const std::string& port : notifications_.returned())
            if (healing_) healing_->was_lost(port);
        others().read_on();
        tell_of(task_.plan(), at);
        notifications_.was_reported(task_.plan().ports);
    }

    void tell_of(const core::Plan& plan, double at) {
        const std::vector<core::DeviationChange> changes =
            standing_.tell(task_.desired_values(), plan, at);
        const auto is_new = [](const core::DeviationChange& change) {
            return change.kind >= core::DeviationChange::Kind::changed;
        };
        reasons_.forget_owners();
        if (std::ranges::any_of(changes, is_new))
            reasons_.ask_for_owners(task_.kernel(), task_.plan());
        for (const core::DeviationChange& change : changes)
            if (is_new(change)) note(change);
        teller_.tell(changes, [this](const core::Deviation& of) { return reasons_of(of); });
    }

    /// Of what came, devlink tells why it had gone, by what it counted before and counts now. It
    /// counts a reload once that is at its end, after the port is there (net/devlink/dev.c,
    /// devlink_reload()).
    void count_losses() {
        const milliseconds end = task_.kernel().time() + kReloadEnds;
        count_once();
        while (notifications_.any_unexplained() && task_.kernel().time() < end) {
            hear(kBeatOfWatch);
            count_once();
        }
        notifications_.has_waited();
    }

    /// The kernel answers once a running reload has ended and been counted. The notifications of
    /// the port's return precede that, and are read before counters are compared.
    void count_once() {
        core::State counts =
            task_.kernel().read(core::DeviceResets::scope(task_.desired_values().ports));
        hear(milliseconds(0));
        if (notifications_.counted(std::move(counts), task_.kernel().notifications(), seen_))
            restless_ = true;
    }

    std::vector<std::string> reasons_of(const core::Deviation& of) {
        return reasons_.of(of, notifications_, others());
    }

    OtherRuns& others() { return healing_ ? healing_->others() : *written_; }

    void note(const core::DeviationChange& change) {
        if (change.kind == core::DeviationChange::Kind::appeared) ++end_reported_.deviated;
        const auto& finding = change.deviation.finding;
        const bool unknown = finding && finding->level == core::Finding::Level::unknown;
        if (worst_ != Status::differs) worst_ = unknown ? Status::failed : Status::differs;
    }

    void heal() {
        if (!standing_.any_fixable()) return healing_->is_as_desired();
        Healed healed = healing_->heal(task_.plan(), seconds(), [this] { return is_at_rest(); });
        // Where the port went in the middle, no write was refused: there was nobody to take it.
        if (healed.wrote && hear_others() && healed.what == Healed::What::never_more) {
            healed.what = Healed::What::not_now;
            healed.soon = true;
        }
        switch (healed.what) {
            case Healed::What::nothing: break;
            case Healed::What::healed:
                ++end_reported_.healed;
                teller_.healed(healed.report);
                // As it was read back: what differs by the next reading does so anew.
                tell_of(healed.report.remaining, seconds());
                static_cast<void>(read());
                poll_schedule_.notified(task_.kernel().time());
                break;
            case Healed::What::not_now:
                if (healed.news) teller_.not_healed(healed.lines);
                if (healed.soon) poll_schedule_.notified(task_.kernel().time());
                break;
            case Healed::What::never_more: teller_.gave_up(named(healed)); end_ = healed.status;
        }
    }

    bool hear_others() {
        static_cast<void>(task_.kernel().wait(scope_, milliseconds(0)));
        return notifications_.add_of_own_writes(task_.kernel().notifications(), seen_);
    }

    /// Who is known to write what rocectl does not write any more.
    std::vector<std::string> named(const Healed& healed) {
        std::vector<std::string> lines = healed.lines;
        for (const core::Deviation& of : core::deviations(task_.plan()))
            if (healed.overwritten && of.port == healed.overwritten->port &&
                of.name == healed.overwritten->name)
                for (std::string& reason : reasons_of(of))
                    lines.push_back(std::move(reason));
        return lines;
    }

    /// Where it heals, what is left counts; else what ever was.
    [[nodiscard]] Status status() const {
        if (!unread_.empty()) return Status::failed;
        if (!healing_) return worst_;
        return standing_.any() ? standing_worst() : Status::done;
    }

    [[nodiscard]] Status standing_worst() const {
        return standing_.any_known() ? Status::differs : Status::failed;
    }

    /// Until something is due.
    void listen() {
        for (;;) {
            if (session_.beat) session_.beat();
            milliseconds left = poll_schedule_.next() - task_.kernel().time();
            if (const auto& window = session_.options.window)
                left = std::min(left, start_ + *window - task_.kernel().time());
            if (left <= milliseconds(0) || is_over()) return;
            hear(std::min(left, kBeatOfWatch));
        }
    }

    void hear(milliseconds time) {
        if (!task_.kernel().wait(scope_, time)) return;
        poll_schedule_.notified(task_.kernel().time());
        stirred_ = true;
        if (!task_.kernel().lost()) return;
        ++end_reported_.lost;
        teller_.lost();
    }

    const Session& session_;
    Task task_;
    WatchTeller teller_;
    milliseconds start_;
    std::optional<Healing> healing_{};
    std::optional<OtherRuns> written_{};
    core::PollSchedule poll_schedule_{false};
    core::Deviations standing_{};
    core::NotificationLog notifications_{};
    core::Scope scope_{};
    std::set<std::string> seen_{};
    bool restless_ = false;   ///< ports went or came while it was read last
    unsigned in_motion_ = 0;  ///< readings one after the other in which ports went or came
    bool stirred_ = false;    ///< something was heard since the host was read
    WatchReasons reasons_;
    std::vector<std::string> unread_{};
    ProfileWatchEnd end_reported_{};
    Status worst_ = Status::done;
    std::optional<Status> end_{};
};

void check_options(const Options& options) {
    if (options.heal) return;
    for (const auto& [name, value] : options.given)
        if (name == "--allow" || name == "--take" || name == "--lock-timeout")
            throw core::Error(Status::usage, name + ": is of use with --heal alone");
}

}  // namespace

Status watch(Session& session) {
    check_options(session.options);
    if (session.options.heal) require_privilege(session);
    return ProfileWatch(session).run();
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/watch.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "cli/command.hpp"
#include "cli/run/accepted.hpp"
#include "cli/run/healing.hpp"
#include "cli/run/run.hpp"
#include "cli/views/watch.hpp"
#include "core/doctor/notification_log.hpp"
#include "core/doctor/poll_schedule.hpp"
#include "core/doctor/reading.hpp"
#include "core/plan/owners.hpp"

namespace cli {
namespace {

using core::Status;
using std::chrono::milliseconds;
using Read = core::PollSchedule::Read;

constexpr OptionRow kHeal{.name = "--heal",
                          .help = "Write back what differs, and verify it, as apply does",
                          .take = store<&Options::heal>};
constexpr OptionRow kWatchWindow{.name = "--window",
                                 .value = "DURATION",
                                 .help = "End after DURATION; else at SIGINT",
                                 .take = store<&Options::window>};
constexpr std::array kWatchOptions = {&kHeal,
                                      &kWatchWindow,
                                      &option::settings_only,
                                      &option::set,
                                      &option::vars,
                                      &option::trust_files,
                                      &option::allow,
                                      &option::take,
                                      &option::lock_timeout,
                                      &option::time_limit,
                                      &option::output};

/// After so long whoever waits for this process hears from it, and it looks whether it is to stop.
constexpr milliseconds kBeatOfWatch{500};
/// If notifications never end, a reading goes on after so many of them.
constexpr std::size_t kMostAtOnce = 100;
/// After this many readings with ports in motion, the last reading is reported.
constexpr unsigned kMostInMotion = 5;
/// How long to wait for devlink to explain why a port that is back had gone.
constexpr milliseconds kReloadEnds{2'000};

/// Listens to a host, and has it read when something is due, until --window is over or the session
/// is stopped.
class Watch {
protected:
    /// `counts`: whether there are counters to read.
    Watch(const Session& session, core::Kernel& kernel, bool counts)
        : session_(session),
          kernel_(kernel),
          teller_(session.out, session.options.output, session.style, seconds_since_1970),
          poll_schedule_(counts),
          start_(kernel.time()) {}
    ~Watch() = default;

    /// Reads what is due, tells what is new, and says so to the schedule; false ends the watch.
    virtual bool read(Read due) = 0;

    void run() {
        static_cast<void>(kernel_.wait(scope_, milliseconds(0)));  // from now on it listens
        do {
            const Read due = poll_schedule_.due(kernel_.time());
            if (due != Read::nothing && !read(due)) break;
            listen();
        } while (!is_over());
    }

    [[nodiscard]] double seconds() const { return seconds_at(kernel_.time()); }
    [[nodiscard]] double seconds_at(milliseconds time) const {
        return std::chrono::duration<double>(time - start_).count();
    }

    /// Whether something was reported in this time.
    bool hear(milliseconds time) {
        if (!kernel_.wait(scope_, time)) return false;
        poll_schedule_.notified(kernel_.time());
        was_notified_ = true;
        if (!kernel_.lost()) return true;
        ++end_.lost;
        teller_.lost();
        return true;
    }

    /// What was found once was found; what was unknown once was not known to be well.
    void add_status(Status now) {
        if (end_.status != Status::differs && now != Status::done) end_.status = now;
    }

    const Session& session_;
    core::Kernel& kernel_;
    WatchTeller teller_;
    core::PollSchedule poll_schedule_;
    core::Scope scope_{};        ///< what is listened to
    bool was_notified_ = false;  ///< a notification arrived since the last reading
    WatchEnd end_{};

private:
    [[nodiscard]] bool is_over() const {
        const auto& window = session_.options.window;
        return (session_.stopped && session_.stopped()) ||
               (window && kernel_.time() - start_ >= *window);
    }

    /// Until something is due.
    void listen() {
        for (;;) {
            if (session_.beat) session_.beat();
            milliseconds left = poll_schedule_.next() - kernel_.time();
            if (const auto& window = session_.options.window)
                left = std::min(left, start_ + *window - kernel_.time());
            if (left <= milliseconds(0) || is_over()) return;
            hear(std::min(left, kBeatOfWatch));
        }
    }

    milliseconds start_;
};

class HostWatch final : Watch {
public:
    HostWatch(const Session& session, core::Kernel& kernel, const core::Inquiry& inquiry)
        : Watch(session, kernel, true), sampled_(kernel, inquiry) {
        scope_ = {.ports = std::nullopt, .objects = core::doctor_objects(inquiry)};
    }

    Status watch() {
        run();
        end_.seconds = seconds();
        watched_.episodes = story_.episodes(seconds());
        watched_.counters = counters_.grown();
        teller_.ended(end_, watched_);
        return end_.status;
    }

private:
    bool read(Read due) override {
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
        const core::Diagnosis diagnosis = sampled_.diagnose(today());
        if (end_.readings++ == 0) teller_.began(diagnosis.examination);
        for (const core::Event& event : story_.tell(sampled_.state(), diagnosis, at))
            teller_.tell(event);
        note_unknown(diagnosis.examination);
        counters_.add(sampled_.state(), diagnosis.examination.intents, at);
        add_status(core::status_of(diagnosis.examination, session_.options.strict));
        poll_schedule_.was_read(due, begin, kernel_.time());
        return true;
    }

    /// What makes the watch end with 1, so that the end says it.
    void note_unknown(const core::Examination& examination) {
        watched_.no_port = examination.ports.empty();
        for (const core::Check& check : examination.checks)
            if (check.verdict == core::Verdict::unknown || check.verdict == core::Verdict::crash)
                watched_.unknown.emplace(check.row->id);
    }

    core::SampledHost sampled_;
    core::Story story_{};
    core::CounterSeriesList counters_{false};
    HostWatched watched_{};
};

class ProfileWatch final : Watch {
public:
    ProfileWatch(const Session& session, Task& task)
        : Watch(session, task.kernel(), false),
          task_(task),
          other_runs_(session.options.root, task.digest()) {
        if (session.options.heal) healing_.emplace(session, task.digest(), other_runs_);
    }

    Status watch() {
        task_.read_and_plan();
        keep_scope();
        count_losses();
        teller_.began(task_.profile_name(), task_.desired_values(), session_.options.heal);
        run();
        if (was_notified_ && !ended_) read_last();
        end_.status = ended_.value_or(status());
        end_.seconds = seconds();
        watched_.standing = standing_.count();
        teller_.ended(end_, watched_);
        return end_.status;
    }

private:
    /// Ports that were there once are listened to while they are gone.
    void keep_scope() {
        scope_ = task_.scope();
        const std::vector<std::string>& ports = task_.desired_values().ports;
        seen_.insert(ports.begin(), ports.end());
        if (scope_.ports) scope_.ports->assign(seen_.begin(), seen_.end());
    }

    bool read(Read /*due*/) override {
        if (read_whole() && healing_ && !restless_) heal();
        return !ended_;
    }

    /// The notifications that arrived last.
    void read_last() {
        while (!read_whole() && in_motion_ > 0) {
        }
    }

    /// Reads the host and tells what is new; false where it could not be read, or not as it is at
    /// one time.
    bool read_whole() {
        const milliseconds begin = kernel_.time();
        was_notified_ = false;
        static_cast<void>(notifications_.add(kernel_.notifications(), seen_));
        ++end_.readings;
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
            ++watched_.unread;
            add_status(Status::failed);
            if (unread_ != error.lines()) teller_.unread(error.lines());
            unread_ = error.lines();
        }
        poll_schedule_.was_read(Read::whole, begin, kernel_.time());
        if (was_notified_) poll_schedule_.notified(kernel_.time());
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
        const std::size_t lost = end_.lost;
        hear(milliseconds(0));
        return !notifications_.add(kernel_.notifications(), seen_) && end_.lost == lost;
    }

    void tell(double at) {
        count_losses();
        for (const std::string& port : notifications_.returned())
            if (healing_) healing_->was_lost(port);
        other_runs_.read_on();
        tell_of(task_.plan(), at);
        notifications_.was_reported(task_.plan().ports);
    }

    void tell_of(const core::Plan& plan, double at) {
        const std::vector<core::DeviationChange> changes =
            standing_.tell(task_.desired_values(), plan, at);
        owners_.clear();
        if (std::ranges::any_of(changes, is_new)) read_owners();
        for (const core::DeviationChange& change : changes)
            if (is_new(change)) note(change);
        teller_.tell(changes, [this](const core::Deviation& of) { return reasons_of(of); });
    }

    static bool is_new(const core::DeviationChange& change) {
        return change.kind >= core::DeviationChange::Kind::changed;
    }

    void note(const core::DeviationChange& change) {
        if (change.kind == core::DeviationChange::Kind::appeared) ++watched_.deviated;
        const auto& finding = change.deviation.finding;
        const bool unknown = finding && finding->level == core::Finding::Level::unknown;
        add_status(unknown ? Status::failed : Status::differs);
    }

    /// Of what came, devlink tells why it had gone, by what it counted before and counts now. It
    /// counts a reload once that is at its end, after the port is there (net/devlink/dev.c,
    /// devlink_reload()).
    void count_losses() {
        const milliseconds end = kernel_.time() + kReloadEnds;
        count_once();
        while (notifications_.any_unexplained() && kernel_.time() < end) {
            hear(kBeatOfWatch);
            count_once();
        }
        notifications_.has_waited();
    }

    /// The kernel answers once a running reload has ended and been counted. The notifications of
    /// the port's return precede that, and are read before counters are compared.
    void count_once() {
        core::State counts = kernel_.read(core::DeviceResets::scope(task_.desired_values().ports));
        hear(milliseconds(0));
        if (notifications_.counted(std::move(counts), kernel_.notifications(), seen_))
            restless_ = true;
    }

    /// Where they cannot be read, none are known: the deviation is still reported.
    void read_owners() {
        try {
            owners_ =
                core::other_owners(task_.plan(), kernel_.read(core::owner_scope(task_.plan())));
        } catch (const core::Error&) {
            owners_.clear();
        }
    }

    /// One line for each possible author: notifications of the port, other runs of rocectl that
    /// wrote the value recently, the one that is running now, and the owners of the port.
    std::vector<std::string> reasons_of(const core::Deviation& of) const {
        std::vector<std::string> out = notifications_.reasons(of);
        if (of.change)
            for (std::string& line : other_runs_.writers_of(
                     {{.port = of.port, .changes = {*of.change}}}, OtherRuns::Since::lately))
                out.push_back(std::move(line));
        if (const auto holder = other_holder(session_.options.root))
            out.push_back(text(*holder) + " is at work");
        for (const core::Finding& owner : owners_)
            if (owner.port == of.port) out.push_back(owner.text);
        return out;
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
                ++watched_.healed;
                teller_.healed(healed.report);
                // As it was read back: what differs by the next reading does so anew.
                tell_of(healed.report.remaining, seconds());
                static_cast<void>(read_whole());
                poll_schedule_.notified(kernel_.time());
                break;
            case Healed::What::not_now:
                if (healed.news) teller_.not_healed(healed.lines);
                if (healed.soon) poll_schedule_.notified(kernel_.time());
                break;
            case Healed::What::never_more: teller_.gave_up(named(healed)); ended_ = healed.status;
        }
    }

    bool hear_others() {
        static_cast<void>(kernel_.wait(scope_, milliseconds(0)));
        return notifications_.add_of_own_writes(kernel_.notifications(), seen_);
    }

    /// Who is known to write what rocectl does not write any more.
    std::vector<std::string> named(const Healed& healed) const {
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
        if (!healing_) return end_.status;
        if (!standing_.any()) return Status::done;
        return standing_.any_known() ? Status::differs : Status::failed;
    }

    Task& task_;
    OtherRuns other_runs_;
    std::optional<Healing> healing_{};
    core::Deviations standing_{};
    core::NotificationLog notifications_{};
    std::vector<core::Finding> owners_{};  ///< others that have the ports
    std::set<std::string> seen_{};
    bool restless_ = false;   ///< ports went or came while it was read last
    unsigned in_motion_ = 0;  ///< readings one after the other in which ports went or came
    std::vector<std::string> unread_{};
    ProfileWatched watched_{};
    std::optional<Status> ended_{};  ///< by healing
};

void check_options(const Options& options) {
    if (options.heal) return;
    for (const auto& [name, value] : options.given)
        if (name == "--allow" || name == "--take" || name == "--lock-timeout")
            throw core::Error(Status::usage, name + ": is of use with --heal alone");
}

}  // namespace

constinit const Command command::watch{
    .name = "watch",
    .operands = "PROFILE",
    .operand_required = true,
    .operands_max = 1,
    .input_operand = "PROFILE",
    .help = "Say at once what no longer is as the profile states, and write it back if told",
    .host = HostUse::reads,
    .heals = true,
    .goes_on = true,
    .asks_devices = true,
    .limited = true,
    .options = kWatchOptions,
    .run = cli::watch};

Status watch_host(const Session& session, core::Kernel& kernel, const core::Inquiry& inquiry) {
    return HostWatch(session, kernel, inquiry).watch();
}

Status watch(Session& session) {
    check_options(session.options);
    if (session.options.heal) require_privilege(session);
    Task task(session, Task::Purpose::check);
    return ProfileWatch(session, task).watch();
}

}  // namespace cli

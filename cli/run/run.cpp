// SPDX-License-Identifier: Apache-2.0
#include "cli/run/run.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "cli/files/lifetime.hpp"
#include "cli/files/pending.hpp"
#include "cli/files/provenance.hpp"
#include "cli/log.hpp"
#include "cli/run/child.hpp"
#include "cli/views/text.hpp"
#include "core/error.hpp"
#include "core/plan/owners.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

std::string subject_of(const core::Step& step) {
    return step.port + ": " + std::string(core::row_of(step.object).name);
}

/// One line for each step that costs more than is granted. Where queue pairs are in use on a port
/// whose link the plan costs, that has to be granted in so many words.
std::vector<std::string> too_much(const core::Plan& plan, const core::State& owners,
                                  const Options& options) {
    std::vector<std::string> lines;
    if (!options.allow) {
        lines = core::held_ports(plan, owners);
        for (std::string& line : lines)
            line += "; --allow link accepts that they fail";
    }
    const core::Disruption granted = options.allow.value_or(core::Disruption::link);
    for (const core::Step& step : plan.steps) {
        const std::string subject = subject_of(step) + ": ";
        if (step.disruption > granted)
            lines.push_back(subject + "writing it costs '" + std::string(word(step.disruption)) +
                            "', more than --allow " + std::string(word(granted)));
        if (step.irreversible && !options.allow_irreversible)
            lines.push_back(subject +
                            "writing it cannot be undone; --allow irreversible accepts it");
    }
    return lines;
}

/// Where the guard of --confirm would end with what started it, and nothing that this host has
/// could keep it, or could not read the journal once the network is cut.
std::vector<std::string> unguarded(const Options& options) {
    if (!options.confirm || options.state || options.allow_unguarded) return {};
    std::vector<std::string> lines;
    const netlink::HostPath journal = options.root / "var/lib/rocectl/journal";
    if (const std::string kind = remote_file_system(journal); !kind.empty())
        lines.push_back("--confirm: " + journal.string() + " is on " + kind +
                        ", which the guard that would go back cannot read where the network is "
                        "cut; --allow unguarded accepts it");
    const Lifetime life = lifetime_of_left_behind(options.root);
    if (life.end == Lifetime::End::surely && !life.of_systemd)
        lines.push_back("--confirm: the guard that would go back would be in " + life.in +
                        ", and end with it; --allow unguarded accepts it");
    return lines;
}

}  // namespace

std::string command_line(const Session& session) {
    std::string out = session.command;
    for (const std::string& operand : session.options.operands)
        out += ' ' + operand;
    return out;
}

std::unique_ptr<Lock> lock_for(const Session& session) {
    if (session.options.state || !session.missing_privilege().empty()) return nullptr;
    return std::make_unique<Lock>(session.options.root, command_line(session),
                                  session.options.lock_timeout);
}

std::string too_few_files() {
    constexpr rlim_t needed = 64;
    struct rlimit limit {};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return {};
    struct rlimit raised = {.rlim_cur = needed, .rlim_max = std::max(needed, limit.rlim_max)};
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) return {};
    raised = {.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &raised);  // as many as may be
    return "may have " + std::to_string(limit.rlim_max) + " files open (ulimit -n); " +
           std::to_string(needed) + " are needed";
}

Journal journal_for(const Session& session) {
    static_cast<void>(too_few_files());  // what is one too many then, is told
    const std::chrono::milliseconds limit = session.options.time_limit;
    const auto answers = std::make_shared<std::optional<bool>>();
    return Journal(session.options.root,
                   [limit, answers](const std::function<std::string()>& work) -> std::string {
                       try {
                           if (!*answers) {
                               const Answer answer = in_child(work, limit);
                               *answers = answer.text.has_value();
                               if (answer.text) return *answer.text;
                           }
                       } catch (const NoProcess&) {
                           *answers = true;  // nobody can tell
                       }
                       if (**answers) return work();
                       throw Error(Status::failed, "the disk of the journal has not answered in " +
                                                       std::to_string(limit.count()) + " ms");
                   });
}

void require_privilege(const Session& session) {
    if (session.options.state) return;
    if (const std::string missing = session.missing_privilege(); !missing.empty())
        throw Error(Status::no_permission, session.command + ": " + missing);
}

bool may_write(const Session& session, const core::Plan& plan, const core::State& owners) {
    std::vector<std::string> lines = too_much(plan, owners, session.options);
    for (std::string& line : core::conflicts(plan, owners, session.options.take))
        lines.push_back(std::move(line));
    for (std::string& line : unguarded(session.options))
        lines.push_back(std::move(line));
    if (!lines.empty()) throw Error(Status::failed, lines);
    require_privilege(session);
    if (session.options.yes) return true;
    const bool shown = session.options.output == Output::text;
    return session.ask((shown ? "" : plan_text(plan, {})) + "Apply? [y/N] ");
}

void check_pending(const Session& session) {
    if (session.options.state) return;
    if (const auto pending = read_pending(session.options.root))
        throw Error(Status::failed, text(*pending) + "; one thing at a time");
}

void after_all(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        for (const std::string& line : error.lines())
            log_error(line);
    }
}

Run::Run(const Session& session, const Journal& journal, core::JournalEntry entry,
         StandsBy stands_by)
    : stands_by_(std::move(stands_by)), progress_(session.progress) {
    if (session.options.state) return;
    entry.command = session.command;
    entry.time = utc_now();
    entry.user = session.user.empty() ? user_name() : session.user;
    entry.boot = boot_id(session.options.root);
    entry.network_namespace = network_namespace();
    entry.to_confirm = stands_by_ != nullptr;
    file_.emplace(journal, std::move(entry));
}

void Run::begin(const core::Plan& plan, const core::DesiredState& undo_profile) {
    steps_ = plan.steps.size();
    if (!file_) return;
    file_->begin(plan, undo_profile);
    if (!stands_by_) return;
    try {
        standby_ = stands_by_(file_->id());
    } catch (const Error&) {
        file_->end(Status::failed);
        throw;
    }
}

void Run::beat() const {
    if (standby_) standby_->beat();
}

void Run::learned(const std::vector<core::Desired>& values) {
    beat();
    if (file_) file_->learned(values);
}

void Run::writing(const core::Step& step, bool undoing) {
    beat();
    if (!undoing) ++at_;
    // What follows a stage was not counted when the run began.
    steps_ = std::max(steps_, at_);
    progress_.say((undoing ? "back" : std::to_string(at_) + " of " + std::to_string(steps_)) +
                  ": " + subject_of(step));
    if (file_) file_->writing(step, undoing);
}

void Run::wrote(const core::Outcome& outcome, bool undoing) {
    beat();
    log_info(outcome.text.empty() ? subject_of(outcome.step) + ": written" : outcome.text);
    if (file_) file_->wrote(outcome, undoing);
}

void Run::waiting(const core::Finding& missed) {
    beat();
    progress_.say("waiting for " + missed.port + ": " + missed.key);
}

bool Run::stop() {
    beat();
    // What nobody would undo any more is undone now.
    return signals_.asked_to_stop() || (standby_ && standby_->is_gone());
}

void Run::end(Status status) {
    progress_.clear();
    // What was written is there, whatever the other end of the cable does.
    if (status == Status::differs) status = Status::done;
    after_all([&] {
        if (file_) file_->end(status);
    });
    if (!standby_) return;
    after_all([&] {
        if (status == Status::done)
            standby_->arm();
        else if (status == Status::left_changed)
            standby_->take_over();
        else
            standby_->dismiss();
    });
}

std::uint64_t Run::id() const {
    return file_ ? file_->id() : 0;
}

}  // namespace cli

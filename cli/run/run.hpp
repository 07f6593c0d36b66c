// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "cli/files/journal.hpp"
#include "cli/files/lock.hpp"
#include "cli/run/progress.hpp"
#include "cli/run/session.hpp"
#include "cli/run/signals.hpp"
#include "cli/run/standby.hpp"

namespace cli {

/// The lock for a run on the live host. Null for a state file, and where the process lacks the
/// privilege to write, since it will write nothing. Throws Error.
std::unique_ptr<Lock> lock_for(const Session& session);

/// Lets this process have as many files open as a run that writes takes at once, with room
/// (RLIMIT_NOFILE). Where it may not, `may have 40 files open (ulimit -n); 64 are needed`; else
/// empty.
std::string too_few_files();

/// The journal for a run that writes. The first entry or mark is written by a process of its own:
/// where the disk has not taken it within --time-limit, that and all that follows throw Error
/// (failed). A disk that did is waited for from then on.
Journal journal_for(const Session& session);

/// The command line in short, for processes that wait for the lock: `apply gpu-rail`.
std::string command_line(const Session& session);

/// Throws Error (no_permission) where the process lacks the privilege to write to the live host.
void require_privilege(const Session& session);

/// Checks all reasons not to write the plan before anything is written: disruption, queue pairs in
/// use, other owners of the values. False where the user declined. Throws Error.
bool may_write(const Session& session, const core::Plan& plan, const core::State& owners);

/// Throws Error (failed) where an apply waits to be confirmed.
void check_pending(const Session& session);

/// Work after the host is written: its failure is reported, and does not hide the result of the
/// writes.
void after_all(const std::function<void()>& work);

/// A run that writes. Reports each step on stderr (to a terminal in one line), records it in the
/// journal (not for a state file), starts the standby where the run is to be confirmed, and stops
/// on a signal.
class Run final : public core::Recorder {
public:
    Run(const Session& session, const Journal& journal, core::JournalEntry entry,
        StandsBy stands_by = {});

    void begin(const core::Plan& plan, const core::DesiredState& undo_profile) override;
    void learned(const std::vector<core::Desired>& values) override;
    void writing(const core::Step& step, bool undoing) override;
    void wrote(const core::Outcome& outcome, bool undoing) override;
    void waiting(const core::Finding& missed) override;
    bool stop() override;
    /// Throws nothing: an entry that cannot be recorded is reported.
    void end(core::Status status);
    [[nodiscard]] std::uint64_t id() const;

private:
    /// Tells the standby that the run goes on.
    void beat() const;

    std::optional<EntryFile> file_;
    StandsBy stands_by_;
    std::unique_ptr<Standby> standby_;
    Signals signals_;
    Progress progress_;
    std::size_t steps_ = 0;
    std::size_t at_ = 0;
};

}  // namespace cli

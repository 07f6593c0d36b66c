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

/// The lock for a run on the live host; none for a state file, and none where the process lacks
/// what writing needs, for it will write nothing. Throws Error.
std::unique_ptr<Lock> lock_for(const Session& session);

/// The command line in short, for who waits: `apply gpu-rail`.
std::string command_line(const Session& session);

/// Throws Error (no_permission) where the process lacks what writing to the live host needs.
void require_privilege(const Session& session);

/// Everything that speaks against writing the plan, found before anything is written: what it
/// costs, whose queue pairs are there, who writes the same. False where a person said no. Throws
/// Error.
bool may_write(const Session& session, const core::Plan& plan, const core::State& owners);

/// Throws Error (failed) where an apply waits to be confirmed.
void check_pending(const Session& session);

/// What is done once the host is written: a failure is said, and does not hide what became of the
/// host.
void after_all(const std::function<void()>& work);

/// One run that writes: tells each step on stderr, to a terminal in one line, keeps it in the
/// journal (of a state file nothing is kept), has somebody stand by where it is to be confirmed,
/// and stops where a signal asks for it.
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
    /// Throws nothing: what cannot be kept is said.
    void end(core::Status status);
    [[nodiscard]] std::uint64_t id() const;

private:
    std::optional<EntryFile> file_;
    StandsBy stands_by_;
    std::unique_ptr<Standby> standby_;
    Signals signals_;
    Progress progress_;
    std::size_t steps_ = 0;
    std::size_t at_ = 0;
};

}  // namespace cli

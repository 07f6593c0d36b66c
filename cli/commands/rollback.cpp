// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <csignal>

#include "cli/command.hpp"
#include "cli/confirm/journal_rollback.hpp"
#include "cli/files/lifetime.hpp"
#include "cli/files/pending.hpp"
#include "cli/files/provenance.hpp"
#include "cli/log.hpp"
#include "cli/run/run.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"
#include "core/plan/owners.hpp"

namespace cli {
namespace {

using core::Error;
using core::Report;
using core::Status;

constexpr OptionRow kUnconfirmed{
    .name = "--unconfirmed",
    .help =
        "Bring back what an apply --confirm wrote that nobody confirmed and no process guards; "
        "after a boot, what the boot left of it",
    .excludes = "ID",
    .take = store<&Options::unconfirmed>};
constexpr std::array kRollbackOptions = {
    &option::yes,        &kUnconfirmed,           &option::allow,
    &option::take,       &option::wait_for_links, &option::lock_timeout,
    &option::time_limit, &option::output};
constexpr std::chrono::milliseconds kForTheGuard{60'000};

std::uint64_t chosen(std::uint64_t named, const Journal& journal) {
    if (named != 0) return journal.entry(named).id;
    const auto last = core::last_to_undo(journal.entries());
    if (!last) throw Error(Status::failed, "rollback: the journal has no apply");
    return *last;
}

Status reported(const Session& session, const Report& report, const std::string& text) {
    if (session.options.output == Output::json)
        session.out << report_json({session.command, report.status}, report);
    else if (!session.options.is_quiet() || report.status != Status::done)
        session.out << text;
    return report.status;
}

/// An apply that is stopped keeps the lock, and would go on writing when it is continued. Where a
/// guard stands by, it is ended, and the guard goes back: whether there was one.
bool end_stopped_apply(const netlink::Root& root) {
    const auto pending = read_pending(root);
    if (!pending || !pending->guarded || pending->phase != Pending::Phase::writing) return false;
    const auto holder = lock_holder(root);
    if (!holder || holder->pid <= 1 || !is_stopped(root, holder->pid)) return false;
    log_warning("ended, since it is stopped: " + text(*holder));
    return ::kill(static_cast<pid_t>(holder->pid), SIGKILL) == 0;
}

/// Going back needs no file that can be made; only another run that writes keeps it waiting.
std::unique_ptr<Lock> lock_for_rollback(const Session& session) {
    try {
        if (!end_stopped_apply(session.options.root)) return lock_for(session);
        return std::make_unique<Lock>(session.options.root, command_line(session),
                                      std::max(session.options.lock_timeout, kForTheGuard));
    } catch (const Held&) {
        throw;
    } catch (const Error& error) {
        log_warning("going back without the lock: " + std::string(error.what()));
        return nullptr;
    }
}

/// The oldest that was to be confirmed, was not, and that no guard goes back on.
std::optional<core::JournalEntry> oldest_unconfirmed(const Session& session,
                                                     const Journal& journal) {
    const auto pending = read_pending(session.options.root);
    for (core::JournalEntry& entry : journal.open_entries()) {
        const bool guarded = pending && pending->guarded && pending->entry == entry.id;
        if (core::is_unconfirmed(entry) && !guarded) return std::move(entry);
    }
    return std::nullopt;
}

/// Going back to before the first would undo what somebody kept since.
void check_accepted_since(const std::vector<core::JournalEntry>& entries) {
    const auto is_in_force = [](const core::JournalEntry& entry) {
        return entry.command == "apply" && entry.end == Status::done && !entry.rolled_back_by &&
               !core::is_unconfirmed(entry);
    };
    const auto accepted = std::ranges::find_if(entries, is_in_force);
    if (accepted == entries.end()) return;
    const std::string first = std::to_string(entries.front().id);
    throw Error(Status::failed,
                "entry " + first + " was not confirmed, and entry " + std::to_string(accepted->id) +
                    " was accepted after it: nothing was undone; rocectl rollback " + first +
                    " undoes both");
}

core::NetworkNamespace this_namespace(const Session& session) {
    return {.boot = boot_id(session.options.root), .cookie = network_namespace()};
}

/// Of a rollback that found nothing to write: `nothing changed: as before 7`.
std::string unwritten_text(const core::Plan& plan, const Report& report, const std::string& before,
                           const Style& style) {
    return findings_text(plan.findings, style) + "nothing changed" +
           (report.status == Status::done ? ": " + before : "") + '\n';
}

/// Who wrote it agreed to this with --confirm: nothing else is asked for.
Status rollback_unconfirmed(const Session& session) {
    const auto lock = lock_for_rollback(session);
    const Journal journal = journal_for(session);
    const auto entry = oldest_unconfirmed(session, journal);
    if (!entry) return reported(session, {}, "nothing is unconfirmed\n");
    std::vector<core::JournalEntry> entries = journal.entries_from(entry->id);
    core::note_what_is_back(entries);
    check_accepted_since(entries);
    const core::NetworkNamespace here = this_namespace(session);
    const bool after_a_boot = !here.boot.empty() && entry->boot != here.boot;
    const auto kernel = session.live(session.options.root);
    const JournalRollback rollback = rollback_of(*kernel, std::move(entries), here, after_a_boot);
    const Report report = roll_back(session, *kernel, journal, journal_for(session), rollback,
                                    after_a_boot ? "not confirmed before the boot" : "");
    const std::string before = "as before " + std::to_string(entry->id);
    return reported(session, report,
                    rollback.plan.steps.empty()
                        ? unwritten_text(rollback.plan, report, before, session.style)
                        : plan_text(rollback.plan, session.style) +
                              rollback_text(report, before, session.style));
}

}  // namespace

constinit const Command command::rollback{
    .name = "rollback",
    .operands = "[ID]",
    .operands_max = 1,
    .help = "Bring the host back to before the last apply, or before an entry of history",
    .host = HostUse::writes,
    .options = kRollbackOptions,
    .run = cli::rollback};

Status rollback(Session& session) {
    if (!session.options.yes && !session.ask)
        throw Error(Status::usage,
                    "rollback: --yes is missing, and there is no terminal to ask on");
    const auto& operands = session.options.operands;
    const std::uint64_t named = operands.empty() ? 0 : entry_id(operands.front());
    require_privilege(session);
    if (session.options.unconfirmed) return rollback_unconfirmed(session);
    const auto lock = lock_for_rollback(session);
    const Journal journal = journal_for(session);
    const std::uint64_t entry = chosen(named, journal);
    const auto kernel = open_host(session);
    const JournalRollback undoing =
        rollback_of(*kernel, journal.entries_from(entry), this_namespace(session));
    const std::string before = "as before " + std::to_string(entry);
    if (undoing.plan.steps.empty()) {
        const Report report =
            roll_back(session, *kernel, journal, journal_for(session), undoing, {});
        return reported(session, report,
                        unwritten_text(undoing.plan, report, before, session.style));
    }
    const bool quiet = session.options.is_quiet() && session.options.yes;
    if (session.options.output == Output::text && !quiet)
        session.out << plan_text(undoing.plan, session.style) << std::flush;
    if (!may_write(session, undoing.plan, kernel->read(core::owner_scope(undoing.plan)))) {
        Report report;
        report.plan = report.remaining = undoing.plan;
        report.status = Status::failed;
        return reported(session, report, "nothing changed\n");
    }
    const Report report = roll_back(session, *kernel, journal, journal_for(session), undoing, {});
    return reported(session, report, rollback_text(report, before, session.style));
}

}  // namespace cli

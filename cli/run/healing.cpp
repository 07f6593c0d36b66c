// SPDX-License-Identifier: Apache-2.0
#include "cli/run/healing.hpp"

#include <unistd.h>

#include <algorithm>

#include "cli/run/run.hpp"
#include "cli/run/written.hpp"
#include "cli/views/text.hpp"
#include "cli/views/watch.hpp"

namespace cli {
namespace {

using core::Status;
using What = Healed::What;

/// As one who heals, nobody is asked, and whether a link is up yet is not its business.
Session healing(const Session& session) {
    Session out = session;
    out.options.yes = true;
    out.options.settings_only = true;
    out.progress = false;
    return out;
}

Healed never_more(Status status, std::vector<std::string> lines) {
    return {.what = What::never_more, .lines = std::move(lines), .status = status};
}

bool writes(const core::Step& step, const std::string& port, const core::Change& change) {
    return step.port == port && std::ranges::any_of(step.changes, [&](const core::Change& own) {
               return own.field == change.field && own.element == change.element;
           });
}

/// Whether both write the same value.
bool shares(const std::vector<core::Step>& left, const std::vector<core::Step>& right) {
    for (const core::Step& step : right)
        for (const core::Change& change : step.changes)
            for (const core::Step& other : left)
                if (writes(other, step.port, change)) return true;
    return false;
}

}  // namespace

std::optional<Holder> other_holder(const netlink::Root& root) {
    auto holder = lock_holder(root);
    if (holder && holder->pid == ::getpid()) holder.reset();
    return holder;
}

OtherRuns::OtherRuns(const netlink::Root& root, std::string digest)
    : journal_(root), digest_(std::move(digest)) {
    read();
    others_.clear();
}

void OtherRuns::read() {
    std::vector<core::JournalEntry> entries;
    try {
        entries = journal_.entries(last_ + 1);
    } catch (const core::Error&) {
        return;  // what cannot be believed says nothing
    }
    for (core::JournalEntry& entry : entries) {
        // One that goes on is looked at again.
        if (!entry.end) continue;
        last_ = entry.id;
        if (entry.digest != digest_ && is_written(*entry.end))
            others_.push_back({.entry = std::move(entry), .reading = readings_});
    }
}

std::vector<std::string> OtherRuns::writers_of(const std::vector<core::Step>& steps,
                                               Since since) const {
    std::vector<std::string> lines;
    for (const Other& one : others_) {
        const bool recent = since == Since::beginning || one.reading + 1 >= readings_;
        if (!recent || !shares(one.entry.steps, steps)) continue;
        lines.push_back(one.entry.command + ' ' + one.entry.subject + " wrote it as entry " +
                        std::to_string(one.entry.id) + ", by " + one.entry.user);
    }
    return lines;
}

Healing::Healing(const Session& session, std::string digest, OtherRuns& runs)
    : session_(healing(session)), digest_(std::move(digest)), runs_(runs) {}

bool Healing::is_new(const std::vector<std::string>& lines) {
    const bool out = lines != said_;
    said_ = lines;
    return out;
}

Healed Healing::not_now(std::vector<std::string> lines, bool soon) {
    const bool news = is_new(lines);
    return {.what = What::not_now, .lines = std::move(lines), .news = news, .soon = soon};
}

Healed Healing::heal(const core::Plan& seen, double seconds, const AtRest& at_rest) {
    if (auto value = flap_guard_.hopeless(seen.steps, seconds)) {
        Healed out = never_more(Status::differs, {overwritten_text(*value)});
        out.overwritten = std::move(value);
        return out;
    }
    try {
        const Lock lock(session_.options.root, command_line(session_),
                        session_.options.lock_timeout);
        Healed out = write(seen, at_rest);
        if (out.wrote) flap_guard_.wrote(out.report.plan.steps, seconds);
        return out;
    } catch (const Held& held) {
        return not_now(held.lines(), true);
    } catch (const core::Error& error) {
        return not_now(error.lines());
    }
}

Healed Healing::write(const core::Plan& seen, const AtRest& at_rest) {
    runs_.read();
    if (auto lines = runs_.writers_of(seen.steps, OtherRuns::Since::beginning); !lines.empty()) {
        lines.emplace_back(
            "what was written by rocectl with other desired values is not written over");
        return never_more(Status::differs, std::move(lines));
    }
    const Journal journal = journal_for(session_);
    journal.check_open();
    Task task(session_, Task::Purpose::write);
    if (task.digest() != digest_)
        return never_more(Status::failed,
                          {task.profile_name() + ", or what it takes its values from, is not what "
                                                 "it was when the watch began"});
    task.read_and_plan();
    if (!at_rest()) return not_now({"a port went or came while the host was read"}, true);
    if (nothing_left(task.plan())) return {};
    check_pending(session_);
    if (!feasible(task.plan())) return not_now(finding_lines(task.plan(), {}));
    if (!may_write(session_, task.plan(), task.owners())) return {};
    return reported(write_plan(session_, task, journal));
}

Healed Healing::reported(core::Report report) {
    using Result = core::Outcome::Result;
    Healed out{.what = What::healed, .report = std::move(report), .wrote = true};
    out.status = out.report.status;
    if (is_written(out.status)) {
        said_.clear();
        return out;
    }
    const bool refused = std::ranges::find(out.report.outcomes, Result::refused,
                                           &core::Outcome::result) != out.report.outcomes.end();
    const std::string entry = "entry " + std::to_string(out.report.entry) + ": ";
    if (out.status == Status::brought_back && !refused) {
        std::vector<std::string> lines = finding_lines(out.report.remaining, {});
        const bool stored = std::ranges::find(out.report.outcomes, Result::not_stored,
                                              &core::Outcome::result) == out.report.outcomes.end();
        if (out.report.interrupted)
            lines = {"asked to stop, and the host was brought back"};
        else if (!stored || !out.report.remaining.steps.empty() || lines.empty())
            // The kernel took it: somebody else writes it too, which shows when it happens again,
            // or the device lies.
            lines = {"what was written was otherwise when it was read back"};
        for (std::string& line : lines)
            line.insert(0, entry);
        Healed later = not_now(std::move(lines), true);
        later.wrote = !out.report.interrupted;
        later.report = std::move(out.report);
        return later;
    }
    out.what = What::never_more;
    out.lines = {
        entry +
        (out.status == Status::brought_back
             ? "a write was refused, and the host was brought back"
             : "a write failed, and the rollback too: what follows is to be set right by hand")};
    for (const core::Outcome& outcome : out.report.outcomes)
        if (outcome.result != Result::applied) out.lines.push_back(outcome.text);
    return out;
}

}  // namespace cli

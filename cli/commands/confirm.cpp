// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/files/journal.hpp"
#include "cli/files/pending.hpp"
#include "cli/run/run.hpp"
#include "cli/views/json.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;

constexpr OptionRow kStatus{.name = "--status",
                            .help = "Say what waits to be confirmed, and how long; change nothing",
                            .excludes = "--extend",
                            .take = store<&Options::status>};
constexpr OptionRow kExtend{.name = "--extend",
                            .value = "DURATION",
                            .help = "Do not confirm yet: let DURATION from now pass first",
                            .take = store<&Options::extend>};
constexpr std::array kConfirmOptions = {&kStatus, &kExtend, &option::lock_timeout, &option::output};

Status reported(const Session& session, const std::optional<Pending>& pending, Status status,
                const std::string& line) {
    if (session.options.output != Output::json) {
        session.out << line << '\n';
        return status;
    }
    nlohmann::ordered_json body = {{"pending", nullptr}};
    if (pending)
        body["pending"] = {
            {"entry", pending->entry},       {"left_ms", time_left(*pending).count()},
            {"guarded", pending->guarded},   {"stalled", pending->stalled},
            {"phase", word(pending->phase)}, {"away", pending->away}};
    session.out << document({session.command, status}, body);
    return status;
}

Status show_status(const Session& session) {
    if (session.files_read) session.files_read();
    const auto pending = read_pending(session.options.root);
    if (!pending) return reported(session, pending, Status::done, "nothing waits to be confirmed");
    const bool goes_back = pending->guarded && !pending->stalled;
    return reported(session, pending, goes_back ? Status::done : Status::failed, text(*pending));
}

/// What is pending, now that nobody else writes.
Pending still_pending(const Session& session) {
    if (const auto pending = read_pending(session.options.root)) return *pending;
    throw Error(Status::failed,
                "confirm: nothing waits to be confirmed; rocectl history tells what went back");
}

/// The guard alone knows whether it has gone back, also where no disk could note it.
void check_taken(Taken taken, const std::string& entry) {
    if (taken == Taken::went_back)
        throw Error(Status::failed, "apply " + entry +
                                        " went back before it was confirmed: the confirmation came "
                                        "to the disk too late; rocectl history lists it as kept");
    if (taken == Taken::unseen)
        throw Error(Status::failed,
                    "the process that goes back on apply " + entry +
                        " does not see that it is confirmed, and will go back: the journal that it "
                        "holds is another, or it does not run");
}

}  // namespace

constinit const Command command::confirm{.name = "confirm",
                                         .help = "Keep what apply --confirm wrote",
                                         .host = HostUse::writes,
                                         .options = kConfirmOptions,
                                         .run = cli::confirm};

Status confirm(Session& session) {
    if (session.options.status) return show_status(session);
    require_privilege(session);
    const auto lock = lock_for(session);
    Pending pending = still_pending(session);
    const std::string entry = std::to_string(pending.entry);
    // What has gone back cannot be kept.
    if (pending.guarded && pending.phase == Pending::Phase::going_back)
        throw Error(Status::failed, text(pending) + "; it cannot be confirmed any more");
    if (session.options.extend) {
        if (!pending.guarded) throw Error(Status::failed, text(pending));
        pending.deadline = since_boot() + *session.options.extend;
        extend_pending(session.options.root, pending);
        return reported(session, pending, Status::done, text(pending));
    }
    std::optional<PendingReader> guard;
    if (pending.guarded && !pending.stalled) guard.emplace(session.options.root);
    Journal(session.options.root).mark(pending.entry, "confirmed", pending.entry);
    if (guard) check_taken(guard->taken(), entry);
    remove_pending(session.options.root);
    return reported(session, std::nullopt, Status::done, "apply " + entry + " is confirmed");
}

}  // namespace cli

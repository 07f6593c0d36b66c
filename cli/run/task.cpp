// SPDX-License-Identifier: Apache-2.0
#include "cli/run/task.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "cli/files/inventory.hpp"
#include "cli/files/journal.hpp"
#include "cli/files/library.hpp"
#include "cli/files/lock.hpp"
#include "cli/files/pending.hpp"
#include "cli/files/provenance.hpp"
#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "cli/log.hpp"
#include "cli/views/history.hpp"
#include "core/json/json.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/judge.hpp"
#include "core/plan/management.hpp"
#include "core/plan/owners.hpp"
#include "core/plan/read_and_plan.hpp"
#include "core/plan/readiness.hpp"
#include "core/plan/refused_optional.hpp"
#include "core/plan/state_file.hpp"
#include "core/plan/undo.hpp"
#include "core/profile/resolve.hpp"

namespace cli {

core::Profile read_profile(const Options& options, Inputs& inputs) {
    Library library(options.root, options.only_trusted);
    const core::Source source = library.open(options.operands.front());
    log_info("profile " + source.name);
    inputs.name = source.name;
    inputs.text += source.text;
    const auto load = [&](const std::string& name, const std::string& from) {
        core::Source extended = library.open(name, from);
        inputs.text += extended.text;
        log_info("profile " + extended.name + ", extended by " + from);
        return extended;
    };
    return core::load_profile(source, load, options.set);
}

core::Profile read_profile(const Options& options) {
    Inputs inputs;
    return read_profile(options, inputs);
}

core::Variables read_variables(const Options& options, Inputs& inputs) {
    core::Variables variables;
    const netlink::HostPath own = options.root / "etc/rocectl/vars.json";
    const bool takes_own = !options.vars && !options.state && exists(own);
    if (options.vars || takes_own) {
        const std::string name = takes_own ? own.string() : *options.vars;
        log_info("variables " + name);
        const core::Source source{.name = input_name(name),
                                  .text = takes_own ? open_named(own, options.only_trusted).text
                                                    : read_named(name, options.only_trusted)};
        inputs.text += source.text;
        variables = core::load_variables(source);
    }
    variables.set = options.set;
    for (const auto& [name, value] : options.set)
        inputs.text.append(name).append("=").append(value).append("\n");
    return variables;
}

core::Variables read_variables(const Options& options) {
    Inputs inputs;
    return read_variables(options, inputs);
}

core::Waits waits_of(const Session& session) {
    core::Waits waits;
    if (session.options.wait) waits.wait = waits.wait_for_others = *session.options.wait;
    waits.settings_only = session.options.settings_only;
    return waits;
}

core::State read_inventory(core::Kernel& kernel, const core::Profile& profile,
                           const std::string& also) {
    core::Wanted wanted = core::wanted(profile);
    if (!also.empty()) wanted.names.push_back(also);
    core::State inventory = kernel.read({.ports = wanted.names, .objects = wanted.objects});
    log_info("inventory: " + std::to_string(inventory.ports.size()) + " ports");
    return inventory;
}

namespace {

/// What an earlier run left half done; not of one that goes on, which has begun its entry since it
/// has the lock, or goes back over an earlier one.
void find_what_is_open(const netlink::Root& root) {
    std::vector<core::JournalEntry> open = Journal(root).open_entries();
    if (open.empty()) return;
    if (const auto holder = lock_holder(root); holder && holder->pid != ::getpid()) {
        log_info("writes to this host at the moment: " + text(*holder));
        if (holder->command.starts_with("rollback")) return;
        std::erase_if(open, [&](const auto& entry) { return entry.time >= holder->start; });
    }
    const auto pending = read_pending(root);
    for (const core::JournalEntry& entry : open) {
        const bool waits = pending && pending->entry == entry.id;
        if (waits && pending->guarded && !pending->stalled)
            log_info(text(*pending));
        else
            log_warning(waits ? text(*pending) : open_text(entry, !entry.end && !sees_lock(root)));
    }
}

/// What cannot be believed, or read, is no reason for a reader to end.
void tell_what_is_open(const netlink::Root& root) {
    try {
        find_what_is_open(root);
    } catch (const core::Error& error) {
        log_warning(error.what());
    }
}

}  // namespace

std::unique_ptr<core::Kernel> open_host(const Session& session) {
    const auto& state = session.options.state;
    std::optional<std::string> contents;
    if (state) contents = read_input(*state);
    if (session.files_read) session.files_read();
    if (contents)
        return std::make_unique<core::StateFile>(core::parse_state(*contents, input_name(*state)));
    tell_what_is_open(session.options.root);
    return session.live(session.options.root);
}

std::vector<core::RefusedOptional> refused_optional_here(const Journal& journal,
                                                         const netlink::Root& root) {
    return core::refused_optional(journal.entries(), boot_id(root));
}

core::Objects every_object() {
    core::Objects all;
    for (const core::ObjectRow* row : core::objects())
        all.insert(row->object);
    return all;
}

Task::Task(const Session& session, Purpose purpose)
    : root_(session.options.root),
      journal_(session.options.root),
      purpose_(purpose),
      unready_(purpose == Purpose::write || session.options.settings_only
                   ? core::Finding::Level::note
                   : core::Finding::Level::failure),
      live_(!session.options.state),
      only_port_(session.options.only_port),
      session_(core::parse_ip(session.session_address)),
      guarded_(session.options.confirm.has_value()),
      kernel_(nullptr) {
    const Options& options = session.options;
    if (options.plan_file) {
        const std::string& file = *options.plan_file;
        saved_ = core::parse_saved_plan(read_named(file, options.only_trusted), input_name(file));
        inputs_.name = saved_->profile;
    } else {
        profile_ = read_profile(options, inputs_);
        variables_ = read_variables(options, inputs_);
    }
    const bool counts = !only_port_.empty() || (!saved_ && core::may_miss_ports(profile_));
    if (counts && live_) earlier_ = read_earlier();
    kernel_ = open_host(session);
}

std::string Task::digest() const {
    return saved_ ? saved_->digest : sha256(inputs_.text);
}

core::SavedPlan Task::saved() const {
    return {.profile = inputs_.name,
            .digest = digest(),
            .desired_values = desired_values_,
            .before = plan_.before,
            .steps = plan_.steps};
}

void Task::check_unchanged() const {
    if (!saved_) return;
    std::vector<std::string> lines = core::changed_since(*saved_, plan_);
    if (lines.empty()) return;
    lines.insert(lines.begin(), "the host is not as it was when the plan was made");
    throw core::Error(core::Status::failed, std::move(lines));
}

void Task::desired(const core::State& inventory) {
    using Level = core::Finding::Level;
    if (only_port_.empty()) {
        desired_values_ = core::resolve(profile_, variables_, inventory, {}, earlier_);
        if (purpose_ == Purpose::check)
            for (core::Finding& finding : desired_values_.findings)
                if (finding.id == core::findings::expect) finding.level = Level::failure;
        if (live_ && core::is_complete(desired_values_)) complete_ = places_of(inventory);
        return;
    }
    desired_values_ = core::resolve_one(profile_, variables_, inventory, earlier_, only_port_);
    // Without desired values nothing can be as desired.
    if (purpose_ == Purpose::check && desired_values_.desired_values.empty())
        for (core::Finding& finding : desired_values_.findings)
            finding.level = Level::failure;
}

/// Nothing where it cannot be read or believed, which is said: it is needed only where a port is
/// missing.
std::optional<core::State> Task::read_earlier() const {
    try {
        return InventoryFile(root_, inputs_.name).read();
    } catch (const core::Error& error) {
        log_warning(std::string("the ports of an earlier run are not known: ") + error.what());
        return std::nullopt;
    }
}

void Task::keep_inventory(const Journal& journal) const {
    if (!complete_) return;
    try {
        static_cast<void>(journal.on_disk([this] {
            InventoryFile(root_, inputs_.name).keep(*complete_);
            return std::string();
        }));
    } catch (const core::Error& error) {
        log_warning(std::string("not kept for --port: ") + error.what());
    }
}

void Task::read_and_plan() {
    core::State inventory;
    if (saved_) {
        desired_values_ = saved_->desired_values;
        inventory = kernel_->read(
            {.ports = desired_values_.ports, .objects = core::subjects_scope().objects});
    } else {
        inventory = read_inventory(*kernel_, profile_, only_port_);
        desired(inventory);
    }
    if (live_ && purpose_ == Purpose::write) add_what_was_taken_away();
    // Before a write nobody asks for more than a plan needs.
    core::ReadPlan found = core::read_and_plan(
        *kernel_, desired_values_, inventory,
        purpose_ == Purpose::check ? core::proofs_of(desired_values_) : core::Objects{});
    if (purpose_ == Purpose::write) core::read_along(*kernel_, desired_values_, found);
    std::vector<core::Finding> refused;
    if (purpose_ == Purpose::check) refused = take_out_refused_optional(inventory, found);
    plan_ = std::move(found.plan);
    scope_ = std::move(found.scope);
    for (core::Finding& finding : core::not_ready(desired_values_, plan_.before, unready_))
        plan_.findings.push_back(std::move(finding));
    std::ranges::move(refused, std::back_inserter(plan_.findings));
    if (unready_ == core::Finding::Level::failure) core::count_facts(plan_.findings);
    if (purpose_ == Purpose::write) {
        ask_for_owners();
        tell_cut_management(inventory);
    }
    log_info("plan: " + std::to_string(desired_values_.desired_values.size()) +
             " desired values, " + std::to_string(plan_.steps.size()) + " steps");
}

std::vector<core::Finding> Task::take_out_refused_optional(const core::State& inventory,
                                                           core::ReadPlan& found) {
    if (found.plan.steps.empty()) return {};
    core::DesiredState rest = desired_values_;
    std::vector<core::Finding> notes = core::take_out_refused_optional(
        rest, live_ ? refused_optional_here(journal_, root_) : inventory.refused_optional,
        found.plan.before);
    if (!notes.empty())
        found = core::read_and_plan(*kernel_, rest, inventory, core::proofs_of(rest));
    return notes;
}

void Task::add_what_was_taken_away() {
    for (const core::JournalEntry& entry : journal_.open_entries())
        for (core::Desired& desired : core::taken_away(entry, desired_values_))
            desired_values_.desired_values.push_back(std::move(desired));
}

void Task::tell_cut_management(const core::State& inventory) {
    // An inventory holds the ports that the profile names, and not those that stand on them.
    const core::State all =
        core::costs_link(plan_)
            ? kernel_->read({.ports = std::vector<std::string>{"*"}, .objects = core::inventory()})
            : inventory;
    const core::Scope scope = core::management_scope(plan_, all);
    const core::State read = scope.ports->empty() ? core::State() : kernel_->read(scope);
    std::vector<core::Finding> found = core::cut_management(plan_, all, read, session_, guarded_);
    plan_.findings.insert(plan_.findings.begin(), std::make_move_iterator(found.begin()),
                          std::make_move_iterator(found.end()));
}

void Task::ask_for_owners() {
    owners_ = {};
    if (plan_.steps.empty()) return;
    owners_ = kernel_->read(core::owner_scope(plan_));
    for (core::Finding& finding : core::other_owners(plan_, owners_))
        plan_.findings.push_back(std::move(finding));
}

}  // namespace cli

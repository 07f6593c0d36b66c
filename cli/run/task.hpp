// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "cli/files/journal.hpp"
#include "cli/run/session.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/read_and_plan.hpp"
#include "core/plan/saved_plan.hpp"
#include "core/profile/profile.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// Opens the --state file or the live host. Throws Error.
std::unique_ptr<core::Kernel> open_host(const Session& session);

/// The source of the desired values: the profile's name, and the text of every file read for it.
struct Inputs {
    std::string name{};
    std::string text{};
};

/// Reads the profile named on the command line, with --set. Throws Error.
core::Profile read_profile(const Options& options, Inputs& inputs);
core::Profile read_profile(const Options& options);

/// The variables of --vars, else of the host's own file if it has one, overridden by --set. With
/// --state the host's own file is not used: the state is another host's. Throws Error.
core::Variables read_variables(const Options& options, Inputs& inputs);
core::Variables read_variables(const Options& options);

/// Reads what the profile needs to match ports; `also` adds the port of that name.
core::State read_inventory(core::Kernel& kernel, const core::Profile& profile,
                           const std::string& also = {});

/// The limits of a run, from --wait and similar options.
core::Waits waits_of(const Session& session);

/// Optional desired values that devices have refused since boot.
std::vector<core::RefusedOptional> refused_optional_here(const Journal& journal,
                                                         const netlink::Root& root);

/// The objects in a snapshot.
core::Objects every_object();

/// The common part of plan, apply and verify: a profile, a host, and the plan between them.
class Task {
public:
    /// Whether the plan will be written. `write` also restores what a killed run took away, and
    /// reads the owners of what it writes.
    enum class Purpose : bool { check, write };

    /// Reads the files. Throws Error.
    Task(const Session& session, Purpose purpose);

    /// Reads the host and plans; repeated at each call.
    void read_and_plan();

    [[nodiscard]] core::Kernel& kernel() { return *kernel_; }
    /// With --plan: throws Error (failed) where what read_and_plan() found differs from what the
    /// plan was made from.
    void check_unchanged() const;

    /// Stores this host's ports for --port on the journal's disk, where all ports that the profile
    /// expects are present. A failure is reported on stderr.
    void keep_inventory(const Journal& journal) const;

    /// The path of the profile's file, as it was found.
    [[nodiscard]] const std::string& profile_name() const { return inputs_.name; }
    /// SHA-256 of the source of the desired values: profiles, variables, --set.
    [[nodiscard]] std::string digest() const;
    /// The plan in the form that --plan reads.
    [[nodiscard]] core::SavedPlan saved() const;
    [[nodiscard]] const core::Profile& profile() const { return profile_; }
    [[nodiscard]] const core::Variables& variables() const { return variables_; }
    [[nodiscard]] const core::DesiredState& desired_values() const { return desired_values_; }
    [[nodiscard]] const core::Scope& scope() const { return scope_; }
    [[nodiscard]] const core::Plan& plan() const { return plan_; }
    /// Other owners and users of what the plan writes. Empty where it writes nothing, or with
    /// Purpose::check.
    [[nodiscard]] const core::State& owners() const { return owners_; }

private:
    void desired(const core::State& inventory);
    [[nodiscard]] std::optional<core::State> read_earlier() const;
    void add_what_was_taken_away();
    /// Plans again without the optional desired values that a device refused, if there are any.
    std::vector<core::Finding> take_out_refused_optional(const core::State& inventory,
                                                         core::ReadPlan& found);
    void ask_for_owners();
    /// Puts first what the plan cuts off of the way by which the host is managed.
    void tell_cut_management(const core::State& inventory);

    netlink::Root root_;
    Journal journal_;
    Purpose purpose_;
    core::Finding::Level unready_;  ///< for ports that are as desired and not ready
    bool live_;
    Inputs inputs_;
    std::optional<core::SavedPlan> saved_;
    core::Profile profile_;
    core::Variables variables_;
    std::string only_port_;
    std::optional<core::Ip> session_;  ///< the address to which the caller's connection came
    bool guarded_;                     ///< an apply that goes back by itself
    std::optional<core::State>
        earlier_;  ///< with --port, or where ports may miss: the stored ports
    std::optional<core::State> complete_;  ///< the ports found, where all expected ones are present
    std::unique_ptr<core::Kernel> kernel_;
    core::DesiredState desired_values_;
    core::Scope scope_;
    core::Plan plan_;
    core::State owners_;
};

}  // namespace cli

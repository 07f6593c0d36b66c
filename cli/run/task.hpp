// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "cli/files/journal.hpp"
#include "cli/run/session.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/read_and_plan.hpp"
#include "core/plan/saved_plan.hpp"
#include "core/profile/profile.hpp"

namespace cli {

/// The --state file or the live host. Throws Error.
std::unique_ptr<core::Kernel> open_host(const Session& session);

/// What the desired values come from: the profile's name, and the text of every file that was read.
struct Inputs {
    std::string name{};
    std::string text{};
};

/// The profile that the command names, with what --set gives. Throws Error.
core::Profile read_profile(const Options& options, Inputs& inputs);
core::Profile read_profile(const Options& options);

/// --vars, else the host's own file where it has one; over either, --set. A --state file is
/// another host, which this one's values do not concern. Throws Error.
core::Variables read_variables(const Options& options, Inputs& inputs);
core::Variables read_variables(const Options& options);

/// What the profile needs to know to find its ports; of the port `also` too, where one is named.
core::State read_inventory(core::Kernel& kernel, const core::Profile& profile,
                           const std::string& also = {});

/// What --wait and the like allow a run.
core::Terms terms_of(const Session& session);

/// What devices refused, since the host was started, of what was desired.
std::vector<core::RefusedOptional> refused_optional_here(const Journal& journal,
                                                         const std::filesystem::path& root);

/// All that a snapshot holds.
core::Objects every_object();

/// What plan, apply and verify have in common: a profile, a host, and the plan between them.
class Task {
public:
    /// Whether the plan is to be written: then it also puts back what a killed run took away,
    /// and tells who else manages or uses what it writes.
    enum class Purpose : bool { check, write };

    /// Reads the files. Throws Error.
    Task(const Session& session, Purpose purpose);

    /// Reads the host and plans; again at each call.
    void read_and_plan();

    [[nodiscard]] core::Kernel& kernel() { return *kernel_; }
    /// With --plan: throws Error (failed) where what look() found is not what the plan was made of.
    void check_unchanged() const;

    /// Keeps the ports of this host for --port, where all that the profile expects are there.
    /// What cannot be kept is said on stderr.
    void keep_inventory() const;

    /// The profile's file, as it was found.
    [[nodiscard]] const std::string& profile_name() const { return inputs_.name; }
    /// SHA-256 of all that the desired values come from: profiles, variables, --set.
    [[nodiscard]] std::string digest() const;
    /// The plan as --plan takes it.
    [[nodiscard]] core::SavedPlan saved() const;
    [[nodiscard]] const core::DesiredState& desired_values() const { return desired_values_; }
    [[nodiscard]] const core::Scope& scope() const { return scope_; }
    [[nodiscard]] const core::Plan& plan() const { return plan_; }
    /// Who else manages or uses what the plan writes; nothing where it writes nothing, or is only
    /// checked.
    [[nodiscard]] const core::State& owners() const { return owners_; }

private:
    void desired(const core::State& inventory);
    [[nodiscard]] std::optional<core::State> read_earlier() const;
    void add_what_was_taken_away();
    /// Looks anew without the optional desired values that a device refused, where there are such.
    std::vector<core::Finding> take_out_refused_optional(const core::State& inventory,
                                                         core::ReadPlan& found);
    void ask_for_owners();

    std::filesystem::path root_;
    Journal journal_;
    Purpose purpose_;
    core::Finding::Level unready_;  ///< of what is as desired and not ready
    bool live_;
    Inputs inputs_;
    std::optional<core::SavedPlan> saved_;
    core::Profile profile_;
    core::Variables variables_;
    std::string only_port_;
    std::optional<core::State> earlier_;   ///< with --port: as all ports were there
    std::optional<core::State> complete_;  ///< what look() found, where all ports were there
    std::unique_ptr<core::Kernel> kernel_;
    core::DesiredState desired_values_;
    core::Scope scope_;
    core::Plan plan_;
    core::State owners_;
};

}  // namespace cli

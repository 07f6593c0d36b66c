// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "core/doctor/diagnosis.hpp"
#include "core/json/json.hpp"
#include "core/model/desired.hpp"
#include "core/profile/profile.hpp"

/// Hosts on which a shipped profile was applied, and what tests/doctor breaks on them.
namespace broken_hosts {

using core::DesiredState;
using core::Diagnosis;
using core::Inquiry;
using core::Json;
using core::State;

/// The text of a file below tests/.
std::string source(const std::string& path);
core::Profile shipped_profile(const std::string& name);
core::Variables variables_of(const std::string& name);

/// The host of a shipped profile once that is applied, as its state file.
const Json& applied(std::string_view name);
/// The names of the ports of the fabric, the first one first.
std::vector<std::string> fabric_of(const Json& state);
/// What a patch says of the port, as tests/doctor/README.md has it.
Json patched(Json state, const std::vector<std::string>& fabric, const Json& patch);

/// A host as the command reads it, and what is asked of it.
struct Asked {
    State now{};
    std::optional<State> earlier{};
    std::optional<DesiredState> desired_values{};
    Inquiry inquiry{};

    Diagnosis diagnose();
};

/// As the command reads it: with the host itself.
State whole(const Json& state);
/// What a fault's row asks: with the profile, with an earlier reading.
Asked asked(const Json& fault, const Json& state, const Json& earlier);
/// As all of these faults ask for it: with an earlier reading, with the profile.
Json asked_for(const std::string& of, const std::vector<Json>& faults);

/// The rows of tests/doctor/faults.json.
Json faults();
/// A host with the ground of all these faults, and with the faults.
struct Mutant {
    Json sound{};
    Json broken{};
};
Mutant mutant(const std::string& of, const std::vector<Json>& faults);

/// The ids of the causes, and what was found of each.
std::vector<std::string> found(const Diagnosis& diagnosis);
std::vector<std::string> causes_of(const Diagnosis& diagnosis);
/// Why checks have no verdict, a line each.
std::string reasons(const Diagnosis& diagnosis);
/// Of a host that was read once; it stands until the next one is asked for.
Diagnosis diagnosis_of(const Json& state);

}  // namespace broken_hosts

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <random>

#include "cli/command.hpp"
#include "cli/run/record.hpp"
#include "cli/run/task.hpp"
#include "cli/views/json.hpp"
#include "cli/views/text.hpp"
#include "core/doctor/examination.hpp"
#include "core/redact/redaction.hpp"

namespace cli {
namespace {

constexpr OptionRow kSnapshotFile{.name = "--output",
                                  .letter = "-o",
                                  .value = "FILE",
                                  .help = "Write to FILE instead of standard output",
                                  .take = store<&Options::out>};
constexpr OptionRow kRedact{
    .name = "--redact",
    .help = "Replace addresses, names and serial numbers, the same by the same",
    .take = store<&Options::redact>};
constexpr std::array kSnapshotOptions = {
    &kSnapshotFile,       &option::state,         &kRedact,
    &option::trust_files, &option::reading_limit, &option::firmware};

/// Nobody's to guess.
std::uint64_t seed() {
    std::random_device random;
    return std::uint64_t{random()} << 32U | random();
}

}  // namespace

constinit const Command command::snapshot{.name = "snapshot",
                                          .operands = "[PROFILE]...",
                                          .operands_max = kMany,
                                          .input_operand = "PROFILE",
                                          .help = "Write the whole state as JSON, for --state",
                                          .host = HostUse::reads,
                                          .asks_devices = true,
                                          .asks_with_rights = true,
                                          .options = kSnapshotOptions,
                                          .run = cli::snapshot};

core::Status snapshot(Session& session) {
    core::AskedNames asked = asked_by_profiles(session.options);
    for (const auto& [object, names] : core::doctor_elements({}))
        asked[object].insert(names.begin(), names.end());
    core::State state = record(*open_host(session), asked);
    const Options& options = session.options;
    if (!options.state)
        state.refused_optional = refused_optional_here(Journal(options.root), options.root);
    if (options.redact) state = core::Redaction(state, seed()).state();
    const Heading heading{session.command, core::Status::done};
    if (session.options.out)
        session.save(state_json(heading, state));
    else
        print_state(session.out, heading, state);
    return core::Status::done;
}

}  // namespace cli

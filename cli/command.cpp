// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

#include <array>
#include <limits>

namespace cli {
namespace {

constexpr std::array kPlan = {
    &option::state,    &option::set,         &option::vars,          &option::exit_code,
    &option::plan_out, &option::trust_files, &option::reading_limit, &option::output_or_commands};
constexpr std::array kApply = {
    &option::yes,           &option::plan,         &option::allow,       &option::take,
    &option::confirm,       &option::probe,        &option::state,       &option::out,
    &option::set,           &option::vars,         &option::trust_files, &option::wait_for_links,
    &option::settings_only, &option::lock_timeout, &option::time_limit,  &option::output};
constexpr std::array kRollback = {
    &option::yes,          &option::allow,      &option::take,  &option::wait_for_links,
    &option::lock_timeout, &option::time_limit, &option::output};
constexpr std::array kConfirm = {&option::status, &option::extend, &option::lock_timeout,
                                 &option::output};
constexpr std::array kVerify = {
    &option::state,         &option::set,         &option::vars,          &option::wait,
    &option::settings_only, &option::trust_files, &option::reading_limit, &option::output_or_junit};
constexpr std::array kSnapshot = {&option::snapshot_file, &option::state, &option::redact,
                                  &option::trust_files};
constexpr std::array kShow = {&option::state, &option::output};
constexpr std::array kDoctor = {&option::state,  &option::only,        &option::skip,
                                &option::window, &option::watch,       &option::since,
                                &option::strict, &option::list,        &option::set,
                                &option::vars,   &option::trust_files, &option::reading_limit,
                                &option::html,   &option::output_file, &option::output_of_doctor};
constexpr std::array kExplain = {&option::here, &option::state, &option::reading_limit,
                                 &option::output};
constexpr std::array kCheck = {&option::set, &option::vars, &option::output};
constexpr std::array kProfileShow = {&option::state, &option::set, &option::vars, &option::output};
constexpr std::array kProfileInit = {&option::state, &option::profile_file};
constexpr std::array kOutput = {&option::output};
constexpr std::array kServe = {&option::bind, &option::secret, &option::no_secret,
                               &option::once, &option::force,  &option::mesh};
constexpr std::array kRun = {&option::secret,
                             &option::force,
                             &option::device,
                             &option::port,
                             &option::all,
                             &option::operation,
                             &option::size,
                             &option::iterations,
                             &option::bandwidth,
                             &option::duration,
                             &option::queue_pairs,
                             &option::depth,
                             &option::rate,
                             &option::completion,
                             &option::dscp,
                             &option::expect,
                             &option::measuring_limit,
                             &option::output_or_perftest};

constexpr std::array kMesh = {
    &option::secret,    &option::hosts_from,      &option::concurrency,    &option::dry_run,
    &option::force,     &option::operation,       &option::size,           &option::iterations,
    &option::bandwidth, &option::duration,        &option::queue_pairs,    &option::depth,
    &option::rate,      &option::completion,      &option::dscp,           &option::expect,
    &option::html,      &option::measuring_limit, &option::output_or_junit};

constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();

constexpr std::array kCommands = {
    Command{.name = "plan",
            .operands = "PROFILE",
            .operands_min = 1,
            .operands_max = 1,
            .help = "Show what apply would change, why, and what it disturbs",
            .host = HostUse::reads,
            .options = kPlan,
            .run = plan},
    Command{.name = "apply",
            .operands = "PROFILE",
            .operands_max = 1,
            .help = "Change what differs, verify it, and undo everything where that fails",
            .host = HostUse::writes,
            .options = kApply,
            .run = apply},
    Command{.name = "verify",
            .operands = "PROFILE",
            .operands_min = 1,
            .operands_max = 1,
            .help = "Say what differs from the profile",
            .host = HostUse::reads,
            .asks_devices = true,
            .options = kVerify,
            .run = verify},
    Command{.name = "rollback",
            .operands = "[ID]",
            .operands_max = 1,
            .help = "Bring the host back to before the last apply, or before an entry of history",
            .host = HostUse::writes,
            .options = kRollback,
            .run = rollback},
    Command{.name = "confirm",
            .help = "Keep what apply --confirm wrote",
            .host = HostUse::writes,
            .options = kConfirm,
            .run = confirm},
    Command{.name = "history",
            .operands = "[ID]",
            .operands_max = 1,
            .help = "List what was written to this host, or show one entry",
            .host = HostUse::reads,
            .options = kOutput,
            .run = history},
    Command{.name = "snapshot",
            .operands = "[PROFILE]...",
            .operands_max = kMany,
            .help = "Write the whole state as JSON, for --state",
            .host = HostUse::reads,
            .asks_devices = true,
            .asks_with_rights = true,
            .options = kSnapshot,
            .run = snapshot},
    Command{.name = "show",
            .operands = "[PORT]",
            .operands_max = 1,
            .help = "Show the fabric side of this host, or all that is known of a port",
            .host = HostUse::reads,
            .asks_devices = true,
            .options = kShow,
            .run = show},
    Command{.name = "doctor",
            .operands = "[PROFILE]",
            .operands_max = 1,
            .help = "Find what is wrong, from the first broken link on, and what mends it",
            .host = HostUse::reads,
            .asks_devices = true,
            .asks_with_rights = true,
            .limited = true,
            .options = kDoctor,
            .run = doctor},
    Command{
        .name = "explain",
        .operands = "SETTING|FINDING|TEXT|- [DRIVER]",
        .operands_min = 1,
        .operands_max = kMany,
        .help = "Say what a setting takes, what a finding means, where an error text comes from",
        .host = HostUse::reads,
        .on_demand = true,
        .asks_devices = true,
        .limited = true,
        .options = kExplain,
        .run = explain},
    Command{.name = "profile check",
            .operands = "PROFILE...",
            .operands_min = 1,
            .operands_max = kMany,
            .help = "Check profiles without a host",
            .options = kCheck,
            .run = profile_check},
    Command{.name = "profile show",
            .operands = "PROFILE",
            .operands_min = 1,
            .operands_max = 1,
            .help = "Show what a profile comes to, and where each value comes from",
            .options = kProfileShow,
            .run = profile_show},
    Command{.name = "profile init",
            .operands = "[PORT]...",
            .operands_max = kMany,
            .help = "Write a profile that this host fulfils as it is",
            .host = HostUse::reads,
            .options = kProfileInit,
            .run = profile_init},
    Command{.name = "profile schema",
            .help = "Print the JSON Schema of profiles",
            .run = profile_schema},
    Command{.name = "probe serve",
            .help = "Be the other end of probe run, until SIGINT",
            .host = HostUse::sends,
            .options = kServe,
            .run = probe_serve},
    Command{
        .name = "probe run",
        .operands = "HOST[:PORT]",
        .operands_min = 1,
        .operands_max = 1,
        .help = "Send by RDMA to a host that serves: what works, how fast it is, and as expected",
        .host = HostUse::sends,
        .options = kRun,
        .run = probe_run},
    Command{.name = "probe mesh",
            .operands = "HOST...",
            .operands_max = kMany,
            .help = "Let the servers of many hosts probe each other, and say which stand out",
            .host = HostUse::sends,
            .options = kMesh,
            .run = probe_mesh},
    Command{.name = "completion",
            .operands = "bash|zsh|fish",
            .operands_min = 1,
            .operands_max = 1,
            .help = "Print the completion script of a shell",
            .run = completion},
    Command{.name = "help",
            .operands = "[COMMAND]",
            .operands_max = 2,
            .help = "Print what a command takes, or the list of commands",
            .run = print_help},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

}  // namespace cli

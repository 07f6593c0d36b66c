// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "cli/run/session.hpp"
#include "core/error.hpp"

namespace cli {

/// How a command uses the host. Commands that do not write are sealed before they run; those that
/// send give up their capabilities themselves, after using them.
enum class HostUse : std::uint8_t { none, reads, writes, sends };

/// One command: parsing, --help, completion, the manual and main are loops over these rows.
struct Command {
    std::string_view name{};      ///< `plan`, `profile check`
    std::string_view operands{};  ///< as --help prints them: `PROFILE`, `[PORT]`
    bool operand_required = false;
    std::size_t operands_max = 0;
    std::string_view input_operand{};  ///< the operand that is standard input where it is `-`
    std::string_view help{};
    HostUse host = HostUse::none;
    bool on_demand = false;         ///< uses the host with --here alone
    bool heals = false;             ///< writes the host with --heal
    bool goes_on = false;           ///< runs until it is interrupted
    bool asks_devices = false;      ///< reads values that need an open RDMA device
    bool asks_with_rights = false;  ///< reads values that need a capability
    bool limited = false;           ///< always runs in a child with a time limit
    bool plans = false;             ///< shows what would be written to the host
    std::span<const OptionRow* const> options{};
    /// What is wrong with the options together that their rows do not say; empty where nothing is.
    std::string (*misuse)(const Options& options) = nullptr;
    std::vector<std::string> (*operand_words)() = nullptr;  ///< what completion offers
    core::Status (*run)(Session& session) = nullptr;
};

/// Command::operands_max of a command that takes any number.
inline constexpr std::size_t kMany = 1'000'000;

/// The commands, in the order of --help. The file of cli/commands that defines one has its row,
/// its own options and what it does.
// clang-format off
#define CLI_COMMANDS(command) \
    command(plan)                \
    command(apply)               \
    command(verify)              \
    command(rollback)            \
    command(confirm)             \
    command(history)             \
    command(snapshot)            \
    command(show)                \
    command(doctor)              \
    command(watch)               \
    command(explain)             \
    command(profile_check)       \
    command(profile_show)        \
    command(profile_init)        \
    command(profile_schema)      \
    command(probe_serve)         \
    command(probe_run)           \
    command(probe_loopback)      \
    command(probe_mesh)          \
    command(completion)          \
    command(print_help)
// clang-format on

#define CLI_COMMAND(name)                \
    core::Status name(Session& session); \
    namespace command {                  \
    extern const Command name;           \
    }
CLI_COMMANDS(CLI_COMMAND)
#undef CLI_COMMAND

std::span<const Command* const> commands();

/// Null where no command has the name.
const Command* find_command(std::string_view name);

/// The section 8 page of a command, named after its first word: `rocectl-plan`; for `profile
/// check`, `rocectl-profile`.
std::string manual_page(std::string_view command);

/// The --help text of a command or of a group of commands (`profile`); with "", of the program.
std::string help(std::string_view command);

}  // namespace cli

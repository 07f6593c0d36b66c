// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cli/options.hpp"
#include "cli/run/session.hpp"
#include "core/error.hpp"

namespace cli {

/// How a command uses the host. Commands that do not write are sealed before they run; those that
/// send give up their capabilities themselves, after using them.
enum class HostUse : std::uint8_t { none, reads, writes, sends };

/// One command: parsing, --help, completion and main are loops over these rows.
struct Command {
    std::string_view name{};      ///< `plan`, `profile check`
    std::string_view operands{};  ///< as --help prints them: `PROFILE`, `[PORT]`
    std::size_t operands_min = 0;
    std::size_t operands_max = 0;
    std::string_view help{};
    HostUse host = HostUse::none;
    bool on_demand = false;         ///< uses the host with --here alone
    bool heals = false;             ///< writes the host with --heal
    bool goes_on = false;           ///< runs until it is interrupted
    bool asks_devices = false;      ///< reads values that need an open RDMA device
    bool asks_with_rights = false;  ///< reads values that need a capability
    bool limited = false;           ///< always runs in a child with a time limit
    std::span<const OptionRow* const> options{};
    core::Status (*run)(Session& session) = nullptr;
};

std::span<const Command> commands();

core::Status plan(Session& session);
core::Status apply(Session& session);
core::Status verify(Session& session);
core::Status rollback(Session& session);
core::Status confirm(Session& session);
core::Status history(Session& session);
core::Status snapshot(Session& session);
core::Status show(Session& session);
core::Status doctor(Session& session);
core::Status watch(Session& session);
core::Status explain(Session& session);
core::Status profile_check(Session& session);
core::Status profile_show(Session& session);
core::Status profile_init(Session& session);
core::Status profile_schema(Session& session);
core::Status probe_serve(Session& session);
core::Status probe_run(Session& session);
core::Status probe_loopback(Session& session);
core::Status probe_mesh(Session& session);
core::Status completion(Session& session);
core::Status print_help(Session& session);

}  // namespace cli

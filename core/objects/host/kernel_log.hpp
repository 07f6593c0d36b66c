// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A line of the kernel's log that tells of a fault.
struct LogLine {
    std::uint64_t milliseconds = 0;  ///< since the host was started
    std::string kind;                ///< of which it tells: a name of kernel_log::kinds
    std::string text;
    bool operator==(const LogLine&) const = default;
};

/// Since the host was started, as far as the kernel still has it: of each kind the first and the
/// last ones.
using KernelLog = std::vector<LogLine>;

}  // namespace core

namespace core::kernel_log {

/// A kind of line, by what all of its lines have in them.
struct Kind {
    std::string_view name{};
    std::array<std::string_view, 2> has{};  ///< both; an empty one is in every line
};
/// The kinds of lines that are looked for; a line that has several is of the first of them.
std::span<const Kind> kinds();

/// The kind of a line; empty where it tells of nothing that is looked for.
std::string_view kind_of(std::string_view line);

}  // namespace core::kernel_log

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace core {

/// What a command ends with; the same for every command (rocectl(8), EXIT STATUS).
enum class Status {
    done = 0,          ///< done, and nothing differs
    failed = 1,        ///< could not; nothing was changed
    differs = 2,       ///< differs from what was desired
    brought_back = 3,  ///< apply failed, the host was brought back, and that was verified
    left_changed = 4,  ///< apply failed and could not be undone
    usage = 64,
    invalid_input = 65,
    no_permission = 77,
};

/// Ends the command with a status; each line is one thing that was wrong. Caught once, in main.
class Error : public std::runtime_error {
public:
    Error(Status status, const std::string& line) : Error(status, std::vector<std::string>{line}) {}
    Error(Status status, std::vector<std::string> lines)
        : std::runtime_error(lines.empty() ? std::string() : lines.front()),
          status_(status),
          lines_(std::move(lines)) {}

    [[nodiscard]] Status status() const { return status_; }
    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

private:
    Status status_;
    std::vector<std::string> lines_;
};

}  // namespace core

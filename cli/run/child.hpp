// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace cli {

/// What a child process left to say.
struct Answer {
    pid_t child = 0;
    std::optional<std::string> text{};  ///< nothing: it hangs, and is left behind
};

/// Runs `work` in a child process, which dies with this one and has none of its standard files, and
/// returns what it returned; what it threw as core::Error is thrown here. Throws Error (failed)
/// where the child ended without a word.
Answer in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit);

/// Runs a whole command as in_child does, but the child has this process's standard input, and what
/// it says on standard error is said here as it comes. This process seals itself for good and can
/// do no more than that (seal_but_for_waiting).
Answer command_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit);

/// Whether a child of in_child() that was left behind has not ended.
bool is_left_behind(pid_t child);

/// Whoever listens to a child that goes on.
struct Audience {
    /// What the child writes to its standard output, as it comes.
    std::function<void(const std::string&)> hear{};
    std::function<bool()> leaves{};  ///< then the child gets SIGINT; empty: it never does
    bool patient = false;            ///< the child's time begins with the first that it writes
};

/// Runs a command as command_in_child does, but one that writes as it goes, until it is told to
/// end: there is no answer where it has written nothing for `limit`. Where nobody reads this run's
/// standard output any more, the run ends as by a write to that (SIGPIPE).
Answer watch_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                      const Audience& audience);

}  // namespace cli

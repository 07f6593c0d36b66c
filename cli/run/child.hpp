// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace cli {

/// The kernel starts no process (fork(2): EAGAIN, ENOMEM).
class NoProcess final : public core::Error {
public:
    explicit NoProcess(const std::string& why) : core::Error(core::Status::failed, why) {}
};

/// The result of a child process.
struct Answer {
    pid_t child = 0;
    std::optional<std::string> text{};  ///< nothing: it hangs and was left behind
};

/// Runs `work` in a child process and returns its result; a core::Error it throws is thrown here.
/// The child dies with this process and has none of its standard files. No text where it takes
/// longer than `limit`. `beat`, where there is one, is called several times a second meanwhile.
/// Throws NoProcess, or Error (failed) where the child ends without a result.
Answer in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                const std::function<void()>& beat = {});

/// Runs a whole command as in_child does, but with this process's standard input; the child's
/// standard error is copied to this one's as it comes. This process seals itself for good, to do no
/// more than that (seal_but_for_waiting).
Answer command_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit);

/// Whether a child that in_child() left behind is still alive.
bool is_left_behind(pid_t child);

/// The receiver of a running child's output.
struct Audience {
    /// Takes the child's standard output as it comes.
    std::function<void(const std::string&)> hear{};
    std::function<bool()> leaves{};  ///< where true, the child gets SIGINT; empty: never
    bool patient = false;            ///< the limit counts from the child's first output
};

/// Runs a command as command_in_child does, for one that writes output until it is stopped: `limit`
/// is the longest silence, after which there is no text. Where the reader of this run's standard
/// output has gone, the run ends as by SIGPIPE.
Answer watch_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                      const Audience& audience);

}  // namespace cli

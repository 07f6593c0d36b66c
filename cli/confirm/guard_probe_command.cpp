// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/guard_probe_kinds.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

namespace cli {
namespace {

constexpr std::chrono::seconds kProgramLimit{10};
constexpr std::chrono::milliseconds kProgramStep{20};

class CommandLine {
public:
    explicit CommandLine(const std::string& line)
        : good_(::wordexp(line.c_str(), &words_, WRDE_NOCMD | WRDE_UNDEF) == 0) {}
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine() {
        if (good_) ::wordfree(&words_);
    }
    [[nodiscard]] char* const* argv() const { return good_ ? words_.we_wordv : nullptr; }

private:
    wordexp_t words_ = {};
    bool good_;
};

/// Its output is not this program's; signals are as they were before this run ignored some.
int spawn(char* const* argv, pid_t& child) {
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&files, file, "/dev/null", O_RDWR, 0);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t all;
    ::sigfillset(&all);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int failed = ::posix_spawnp(&child, argv[0], &files, &attributes, argv, environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&files);
    return failed;
}

std::string ended_with(int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    if (WIFEXITED(status)) return "ended with " + std::to_string(WEXITSTATUS(status));
    return "was ended by signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

std::string command_fails(const std::string& line) {
    const CommandLine words(line);
    if (words.argv() == nullptr || words.argv()[0] == nullptr)
        return "its words cannot be told apart";
    pid_t child = 0;
    if (const int failed = spawn(words.argv(), child); failed != 0)
        return std::generic_category().message(failed);
    const auto end = std::chrono::steady_clock::now() + kProgramLimit;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (std::chrono::steady_clock::now() >= end) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            return "did not end in 10 s";
        }
        std::this_thread::sleep_for(kProgramStep);
    }
    return ended_with(status);
}

}  // namespace cli

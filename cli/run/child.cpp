// SPDX-License-Identifier: Apache-2.0
#include "cli/run/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include "cli/files/text_file.hpp"
#include "cli/seal/seal.hpp"

namespace cli {
namespace {

using core::Error;
using core::Status;
using Clock = std::chrono::steady_clock;

/// The first byte of what comes through the pipe; behind kThrown, a byte that is the status.
constexpr char kReturned = 'r';
constexpr char kThrown = 't';

[[noreturn]] void fail(const char* what) {
    throw Error(Status::failed, std::string(what) + ": " + std::generic_category().message(errno));
}

std::string outcome(const std::function<std::string()>& work) {
    try {
        return kReturned + work();
    } catch (const Error& error) {
        std::string text{kThrown, static_cast<char>(error.status())};
        for (const std::string& line : error.lines())
            text.append(line).push_back('\n');
        return text;
    } catch (const std::exception& error) {
        return std::string{kThrown, static_cast<char>(Status::failed)} + error.what() + '\n';
    }
}

/// Where a child's output goes, besides its answer; -1: nowhere.
struct Mouth {
    int errors = -1;
    int words = -1;
};

/// A caller that waits for the end of this run's output must not wait for a hanging child: it keeps
/// none of the three files. Output goes to `mouth`; with errors heard it keeps the input.
[[noreturn]] void be_child(int pipe, const Mouth& mouth, pid_t parent,
                           const std::function<std::string()>& work) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (mouth.errors < 0) ::dup2(nowhere, STDIN_FILENO);
    ::dup2(mouth.words < 0 ? nowhere : mouth.words, STDOUT_FILENO);
    ::dup2(mouth.errors < 0 ? nowhere : mouth.errors, STDERR_FILENO);
    try {
        if (::getppid() == parent) write_all(pipe, "pipe", outcome(work));
    } catch (const Error&) {
        // The parent has gone, and with it whoever wanted to know.
    }
    // What this process would do at its end (flush, look for leaks) is the parent's to do.
    ::_exit(0);
}

/// What has come; nothing where there will be no more.
std::optional<std::string> read_some(int file) {
    std::array<char, 4096> block = {};
    for (;;) {
        const ssize_t got = ::read(file, block.data(), block.size());
        if (got == 0) return std::nullopt;
        if (got > 0) return std::string(block.data(), static_cast<std::size_t>(got));
        if (errno != EINTR) return std::nullopt;
    }
}

/// What cannot be said any more is nobody's.
void say(const std::string& words) {
    try {
        write_all(STDERR_FILENO, "standard error", words);
    } catch (const Error&) {
    }
}

/// An end of a pipe, and what is done with what comes from it.
struct Ear {
    int file = -1;
    std::function<void(const std::string&)> hear{};
    bool lively = false;  ///< who speaks has not been kept
};

/// Nobody reads what this run prints any more (as in `| head -1`).
bool is_left(const struct pollfd& output) {
    return (output.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
}

[[noreturn]] void end_unread(pid_t child) {
    ::kill(child, SIGKILL);
    ::raise(SIGPIPE);  // as if it had been written to
    throw Error(Status::failed, "standard output cannot be written");
}

constexpr int kBeatEvery = 200;  // ms

/// Hears until all ears are closed; false where for so long nothing came from a lively one.
class Listening {
public:
    Listening(std::vector<Ear> ears, pid_t child, std::chrono::milliseconds limit,
              const Audience* audience, const std::function<void()>& beat)
        : ears_(std::move(ears)), child_(child), limit_(limit), audience_(audience), beat_(beat) {
        if (audience == nullptr || !audience->patient) end_ = Clock::now() + limit_;
    }

    bool to_the_end() {
        while (std::ranges::any_of(ears_, [](const Ear& ear) { return ear.file >= 0; })) {
            pass_on_the_end();
            if (beat_) beat_();
            std::vector<struct pollfd> wanted = files();
            const int time = left();
            const int slice = beat_ && (time < 0 || time > kBeatEvery) ? kBeatEvery : time;
            const int ready = ::poll(wanted.data(), wanted.size(), slice);
            if (ready == 0 && slice == time) return false;
            if (ready < 0) continue;
            for (std::size_t i = 0; i < ears_.size(); ++i)
                if (ears_[i].file >= 0 && wanted[i].revents != 0) hear(ears_[i]);
            if (audience_ != nullptr && is_left(wanted.back())) end_unread(child_);
        }
        return true;
    }

private:
    /// In milliseconds, as poll(2) takes it.
    [[nodiscard]] int left() const {
        if (!end_) return -1;
        const auto rest = std::chrono::ceil<std::chrono::milliseconds>(*end_ - Clock::now());
        return static_cast<int>(std::max<std::int64_t>(rest.count(), 0));
    }

    [[nodiscard]] std::vector<struct pollfd> files() const {
        std::vector<struct pollfd> out;
        for (const Ear& ear : ears_)
            out.push_back({.fd = ear.file, .events = POLLIN, .revents = 0});
        if (audience_ != nullptr) out.push_back({.fd = STDOUT_FILENO, .events = 0, .revents = 0});
        return out;
    }

    void hear(Ear& ear) {
        const std::optional<std::string> some = read_some(ear.file);
        if (!some) {
            ear.file = -1;
            return;
        }
        if (ear.lively) end_ = Clock::now() + limit_;
        ear.hear(*some);
    }

    /// A signal from a terminal reaches the child by itself, that of a kill(1) only this process.
    void pass_on_the_end() {
        if (audience_ == nullptr || passed_on_ || !audience_->leaves) return;
        if (!audience_->leaves()) return;
        passed_on_ = true;
        ::kill(child_, SIGINT);
    }

    std::vector<Ear> ears_;
    pid_t child_;
    std::chrono::milliseconds limit_;
    const Audience* audience_;
    const std::function<void()>& beat_;
    std::optional<Clock::time_point> end_{};
    bool passed_on_ = false;
};

std::string unpack(const std::string& text) {
    if (text.empty()) throw Error(Status::failed, "a process of this run ended without a word");
    if (text.front() == kReturned) return text.substr(1);
    std::vector<std::string> lines;
    for (std::size_t at = 2; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    throw Error(static_cast<Status>(static_cast<unsigned char>(text[1])), lines);
}

/// Both ends; none is open where there is no need.
class Pipe {
public:
    explicit Pipe(bool needed) {
        if (needed && ::pipe2(ends_.data(), O_CLOEXEC) != 0) fail("pipe");
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        for (const int end : ends_)
            if (end >= 0) ::close(end);
    }
    [[nodiscard]] int out() const { return ends_[0]; }
    [[nodiscard]] int in() const { return ends_[1]; }
    void close_in() {
        if (ends_[1] >= 0) ::close(ends_[1]);
        ends_[1] = -1;
    }

private:
    std::array<int, 2> ends_ = {-1, -1};
};

/// Children that hung. The kernel lets go of them some time.
std::vector<pid_t>& left_behind() {
    static std::vector<pid_t> children;
    return children;
}

void forget_the_ended() {
    std::erase_if(left_behind(), [](pid_t one) { return ::waitpid(one, nullptr, WNOHANG) != 0; });
}

/// Whether a child that was killed has ended in a moment: one that hangs in the kernel has not.
bool ends_soon(pid_t child) {
    for (int times = 50; times > 0; --times) {
        if (::waitpid(child, nullptr, WNOHANG) != 0) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
}

/// With a command as the child, this process is there for nothing else any more.
enum class Part : std::uint8_t { exchange, command };

Answer run_child(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                 Part part, const Audience* audience = nullptr,
                 const std::function<void()>& beat = {}) {
    Pipe answer(true);
    Pipe errors(part == Part::command);
    Pipe words(audience != nullptr);
    forget_the_ended();
    const pid_t self = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw NoProcess("fork: " + std::generic_category().message(errno));
    if (child == 0) be_child(answer.in(), {errors.in(), words.in()}, self, work);
    answer.close_in();
    errors.close_in();
    words.close_in();
    if (part == Part::command) seal_but_for_waiting(child);
    std::string text;
    std::vector<Ear> ears = {
        {.file = answer.out(), .hear = [&text](const std::string& some) { text += some; }},
        {.file = errors.out(), .hear = say}};
    if (audience != nullptr)
        ears.push_back({.file = words.out(), .hear = audience->hear, .lively = true});
    if (!Listening(std::move(ears), child, limit, audience, beat).to_the_end()) {
        ::kill(child, SIGKILL);
        if (part == Part::command || !ends_soon(child)) left_behind().push_back(child);
        return {.child = child};
    }
    ::waitpid(child, nullptr, 0);
    return {.child = child, .text = unpack(text)};
}

}  // namespace

Answer in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                const std::function<void()>& beat) {
    return run_child(work, limit, Part::exchange, nullptr, beat);
}

bool is_left_behind(pid_t child) {
    forget_the_ended();
    return std::ranges::find(left_behind(), child) != left_behind().end();
}

Answer command_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
    return run_child(work, limit, Part::command);
}

Answer watch_in_child(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                      const Audience& audience) {
    return run_child(work, limit, Part::command, &audience);
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <sstream>

#include "cli/call.hpp"
#include "cli/command.hpp"
#include "cli/files/output_file.hpp"
#include "cli/files/provenance.hpp"
#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "cli/log.hpp"
#include "cli/parse.hpp"
#include "cli/probe/active.hpp"
#include "cli/run/child.hpp"
#include "cli/run/live.hpp"
#include "cli/run/prefetched_host.hpp"
#include "cli/run/signals.hpp"
#include "cli/run/timed_host.hpp"
#include "cli/seal/capabilities.hpp"
#include "cli/seal/inherited.hpp"
#include "cli/seal/landlock.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/printable.hpp"
#include "core/doctor/examination.hpp"
#include "netlink/files/pcie.hpp"

namespace {

using core::Status;

/// A file that is opened later must not become the standard output or error of a caller that closed
/// his: what goes there fails instead.
void keep_standard_numbers() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(number, F_GETFD) < 0)                                       // NOLINT(*-vararg)
            ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // NOLINT(*-vararg)
}

/// What is freed is soon used again: given back to the kernel, each page would be asked for anew,
/// and of a large host's memory that takes longer than the use of it (mallopt(3)).
void keep_freed_memory() {
    constexpr int mebibyte = 1 << 20;
    ::mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
    ::mallopt(M_TRIM_THRESHOLD, 64 * mebibyte);
}

/// Colour is for people who look, and not for those who said they do not want it (no-color.org).
bool wants_colour() {
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
           terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// A line that is written over is for a terminal.
bool wants_progress() {
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDERR_FILENO) == 1 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

/// How wide the terminal is to which output goes; npos where it goes to a pipe or a file. Behind
/// the seal the terminal is not asked any more.
std::size_t terminal_width() {
    if (::isatty(STDOUT_FILENO) != 1) return std::string::npos;
    constexpr std::size_t least = 40;
    std::size_t columns = 80;
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {  // NOLINT(*-vararg)
        columns = size.ws_col;
    } else if (const char* text = std::getenv("COLUMNS"); text != nullptr) {
        const std::string_view digits(text);
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    }
    return std::max(columns, least);
}

bool ask(const std::string& question) {
    std::cerr << cli::printable(question) << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

/// Whether the command is about the host it runs on, and not about one in a file or about none.
bool uses_host(const cli::Command& command, const cli::Options& options) {
    return command.host != cli::HostUse::none && !options.state && !options.list &&
           (!command.on_demand || options.here);
}

cli::HostUse use_of(const cli::Command& command, const cli::Options& options) {
    if (options.status) return cli::HostUse::reads;
    return command.heals && options.heal ? cli::HostUse::writes : command.host;
}

/// How a command runs that is not this process itself, or goes on.
struct Ongoing {
    std::function<bool()> stopped{};  ///< whether it is to end
    std::function<void()> beat{};     ///< says that it lives
    bool hands_over = false;          ///< a child: what it tells is given to its parent
};

/// Opens what the seal would keep from being opened, seals the process, and runs the command.
Status run_sealed(const cli::Command& command, cli::Session& session, const Ongoing& ongoing) {
    const cli::Options& options = session.options;
    std::optional<cli::OutputFile> out;
    const bool says = options.out && ongoing.hands_over && cli::is_standard_output(*options.out);
    if (options.out && !says) out.emplace(*options.out);
    cli::Usable usable;
    const bool uses = uses_host(command, options);
    if (command.host == cli::HostUse::reads && uses)
        usable.kept = netlink::open_config_spaces(options.root);
    const bool asks_devices = command.asks_devices && uses;
    if (uses && (command.asks_devices || command.asks_with_rights)) cli::keep_rights_to_ask();
    if (asks_devices && !cli::has_landlock())
        cli::ask_devices(options.root, options.time_limit, usable.reported);
    if (command.asks_with_rights && uses)
        cli::ask_with_rights(options.root, options.time_limit,
                             core::doctor_objects({.only = options.only, .leave = options.skip}),
                             usable.reported);
    if (options.firmware && uses)
        cli::ask_firmware(options.root, options.time_limit, usable.reported);
    if (!options.active.empty() && uses)
        session.active = cli::probe_actively({.host = options.active,
                                              .secret = options.secret,
                                              .only_trusted = options.only_trusted,
                                              .colour = session.style.colour,
                                              .root = options.root});
    const cli::Seal seal =
        cli::seal(asks_devices ? cli::SealedFor::devices : cli::SealedFor::files);
    cli::log_info(text(seal));
    usable.devices = seal.allows_devices();
    usable.sealed = true;
    session.live = [&usable](const auto& root) { return cli::live_host(root, std::move(usable)); };
    session.save = [&out](const std::string& contents) {
        if (out)
            out->write(contents);
        else
            std::cout << contents;
    };
    session.files_read = cli::complete_seal;
    session.in = &std::cin;
    return command.run(session);
}

/// What of the standard files is a terminal, before a child has others.
struct Terminals {
    bool colour = wants_colour();
    bool errors = wants_progress();
    std::size_t width = terminal_width();
};

Status run(const cli::Invocation& invocation, const Terminals& terminals,
           const Ongoing& ongoing = {}) {
    if (invocation.command == nullptr) {
        std::cout << cli::fitted(invocation.text, terminals.width);
        return Status::done;
    }
    cli::start_log(invocation.options.verbosity);
    cli::Session session{.command = std::string(invocation.command->name),
                         .options = invocation.options,
                         .style = {.colour = terminals.colour,
                                   .group_ports = invocation.options.verbosity <= 0,
                                   .width = terminals.width},
                         .progress = terminals.errors && invocation.options.verbosity == 0,
                         .out = std::cout,
                         .live = [](const auto& root) { return cli::live_host(root); },
                         .ask = nullptr,
                         .missing_privilege = cli::lacking_privilege,
                         .stopped = ongoing.stopped,
                         .beat = ongoing.beat};
    if (::isatty(STDIN_FILENO) == 1) session.ask = ask;
    const bool live = invocation.command->host != cli::HostUse::none && !session.options.state;
    session.options.only_trusted =
        live && !session.options.trust_files && cli::is_root_of_machine();
    if (live && invocation.command->plans) session.session_address = cli::session_address();
    const cli::HostUse use = use_of(*invocation.command, session.options);
    if (use == cli::HostUse::sends) return invocation.command->run(session);
    // With --state, nothing of this host is written, whatever the command.
    if (use != cli::HostUse::writes || session.options.state)
        return run_sealed(*invocation.command, session, ongoing);
    // What is kept for undo is written by root alone and read by all, whatever the caller's files
    // are.
    ::umask(022);
    cli::drop_other_privilege(session.options.confirm.has_value());
    // A device that hangs must not hold up a run that writes.
    session.live = [&session, limit = session.options.time_limit](const auto& root) {
        return std::make_unique<cli::TimedHost>([root] { return cli::live_host(root); }, limit,
                                                [&session] {
                                                    if (session.beat) session.beat();
                                                });
    };
    return invocation.command->run(session);
}

core::Error hung(const cli::Call& call, const cli::Options& options, const cli::Answer& answer) {
    return {Status::failed, call.command + ": the kernel has not reported all in " +
                                std::to_string(options.time_limit.count()) + " ms; process " +
                                std::to_string(answer.child) + " is left behind"};
}

Status status_in(const std::string& text) {
    return static_cast<Status>(static_cast<unsigned char>(text.front()));
}

/// What the child writes between what it tells, so that it is known to live.
constexpr char kBeat = '\0';

void beat() {
    std::cout.flush();
    cli::write_all(STDOUT_FILENO, "standard output", {kBeat});
}

/// A command of which is reported at once what it tells.
Status run_telling(const cli::Call& call, const cli::Invocation& invocation,
                   const Terminals& terminals, cli::Audience audience) {
    const Ongoing ongoing{.stopped = audience.leaves, .beat = beat};
    audience.hear = [](std::string text) {
        std::erase(text, kBeat);
        cli::write_all(STDOUT_FILENO, "standard output", text);
    };
    const cli::Answer answer = cli::watch_in_child(
        [&] {
            const Status end =
                cli::caught(call, [&] { return run(invocation, terminals, ongoing); });
            std::cout.flush();
            return std::string(1, static_cast<char>(end));
        },
        invocation.options.time_limit, audience);
    if (!answer.text) throw hung(call, invocation.options, answer);
    return status_in(*answer.text);
}

/// One that goes on until it is told to end.
Status run_watching(const cli::Call& call, const cli::Invocation& invocation,
                    const Terminals& terminals) {
    const cli::Signals signals(cli::Signals::Of::listener);
    return run_telling(call, invocation, terminals,
                       {.leaves = [&signals] { return signals.asked_to_stop(); }});
}

/// One that writes does so in no child that ends with its parent.
Status run_healing(const cli::Invocation& invocation, const Terminals& terminals) {
    const cli::Signals signals(cli::Signals::Of::listener);
    return run(invocation, terminals, {.stopped = [&signals] { return signals.asked_to_stop(); }});
}

/// Whether it reads the standard input to its end before it asks the kernel, for which the time is.
bool reads_first(const cli::Invocation& invocation) {
    const auto& operands = invocation.options.operands;
    return invocation.command->on_demand && !operands.empty() &&
           operands.front() == cli::kStandardInput;
}

/// A driver that hangs under the routing lock takes the whole reader with it: here a child, whose
/// status and output this process gives as its own.
Status run_limited(const cli::Call& call, const cli::Invocation& invocation,
                   const Terminals& terminals) {
    const cli::Options& options = invocation.options;
    const cli::Answer answer = cli::command_in_child(
        [&] {
            std::ostringstream text;
            std::streambuf* const out = std::cout.rdbuf(text.rdbuf());
            const Status end =
                cli::caught(call, [&] { return run(invocation, terminals, {.hands_over = true}); });
            std::cout.rdbuf(out);
            return static_cast<char>(end) + text.str();
        },
        options.time_limit + options.wait.value_or(std::chrono::milliseconds(0)) +
            options.window.value_or(std::chrono::milliseconds(0)));
    if (!answer.text) throw hung(call, options, answer);
    std::cout << std::string_view(*answer.text).substr(1);
    return status_in(*answer.text);
}

}  // namespace

int main(int argc, char** argv) {
    // No name that stands on a host reaches a terminal as more than a name.
    cli::PrintableBuffer printable(*std::cout.rdbuf(), wants_colour());
    std::streambuf* const bare = std::cout.rdbuf(&printable);
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    cli::close_inherited(arguments);
    keep_freed_memory();
    keep_standard_numbers();
    // A file that grows over the caller's limit is an error of its write, and no end of the run.
    std::signal(SIGXFSZ, SIG_IGN);
    // Of whose caller ignored it, the kernel tells no end of a child: neither a probe's nor a
    // write's.
    std::signal(SIGCHLD, SIG_DFL);
    cli::start_log(0);
    cli::Call call{cli::command_in(arguments), cli::form_in(arguments)};
    const Status status = cli::caught(call, [&] {
        const cli::Invocation invocation = cli::parse(arguments);
        call.writes = invocation.command != nullptr &&
                      use_of(*invocation.command, invocation.options) == cli::HostUse::writes;
        const bool limited = invocation.command != nullptr &&
                             uses_host(*invocation.command, invocation.options) &&
                             (invocation.options.limited || invocation.command->limited);
        const Terminals terminals;
        if (!limited) return run(invocation, terminals);
        if (invocation.command->heals && invocation.options.heal)
            return run_healing(invocation, terminals);
        if (invocation.options.watch || invocation.command->goes_on)
            return run_watching(call, invocation, terminals);
        if (reads_first(invocation))
            return run_telling(call, invocation, terminals, {.patient = true});
        return run_limited(call, invocation, terminals);
    });
    const Status end = cli::flushed(call, status);
    std::cout.rdbuf(bare);
    return static_cast<int>(end);
}

// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "cli/files/output_file.hpp"
#include "cli/files/trust.hpp"
#include "cli/log.hpp"
#include "cli/parse.hpp"
#include "cli/run/live.hpp"
#include "cli/run/timed_host.hpp"
#include "cli/run/told_host.hpp"
#include "cli/seal/landlock.hpp"
#include "cli/seal/privilege.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/json.hpp"
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

/// Colour is for people who look, and not for those who said they do not want it (no-color.org).
bool wants_colour() {
    const char* no_colour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDOUT_FILENO) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
           terminal != nullptr && std::string_view(terminal) != "dumb";
}

/// A line that is written over is for a terminal, and not between lines of -v.
bool wants_progress(int verbosity) {
    const char* terminal = std::getenv("TERM");
    return ::isatty(STDERR_FILENO) == 1 && verbosity == 0 && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

bool ask(const std::string& question) {
    std::cerr << question << std::flush;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

/// Opens what the seal would keep from being opened, seals the process, and runs the command.
Status run_sealed(const cli::Command& command, cli::Session& session) {
    const cli::Options& options = session.options;
    std::optional<cli::OutputFile> out;
    if (options.out) out.emplace(*options.out);
    cli::Usable usable;
    if (command.host == cli::HostUse::reads && !options.state)
        usable.kept = netlink::open_config_spaces(options.root);
    if (command.asks_devices && !options.state && !cli::has_landlock())
        usable.told = cli::ask_devices(options.root, options.time_limit);
    const cli::Seal seal = cli::seal();
    cli::log_info(text(seal));
    usable.devices = seal.allows_devices();
    session.live = [&usable](const auto& root) { return cli::live_host(root, std::move(usable)); };
    session.save = [&out](const std::string& contents) { out->write(contents); };
    session.files_read = cli::complete_seal;
    return command.run(session);
}

Status run(const cli::Invocation& invocation) {
    if (invocation.command == nullptr) {
        std::cout << invocation.text;
        return Status::done;
    }
    cli::start_log(invocation.options.verbosity);
    cli::Session session{
        .command = std::string(invocation.command->name),
        .options = invocation.options,
        .style = {.colour = wants_colour(), .fold = invocation.options.verbosity <= 0},
        .progress = wants_progress(invocation.options.verbosity),
        .out = std::cout,
        .live = [](const auto& root) { return cli::live_host(root); },
        .ask = nullptr,
        .missing_privilege = cli::lacking_privilege};
    if (::isatty(STDIN_FILENO) == 1) session.ask = ask;
    const bool live = invocation.command->host != cli::HostUse::none && !session.options.state;
    session.options.only_trusted =
        live && !session.options.trust_files && cli::is_root_of_machine();
    // With --state, nothing of this host is written, whatever the command.
    if (invocation.command->host != cli::HostUse::writes || session.options.state)
        return run_sealed(*invocation.command, session);
    cli::drop_other_privilege();
    // A device that hangs must not hold up a run that writes.
    session.live = [limit = session.options.time_limit](const auto& root) {
        return std::make_unique<cli::TimedHost>([root] { return cli::live_host(root); }, limit);
    };
    return invocation.command->run(session);
}

Status report(const std::string& command, bool json, Status status,
              const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        cli::log_error(line);
    if (json) std::cout << cli::errors_json({command, status}, lines);
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    keep_standard_numbers();
    // What is kept for undo is written by root alone, whatever the caller lets others write.
    ::umask(022);
    cli::start_log(0);
    const std::string command = cli::command_in(arguments);
    Status status = Status::done;
    const auto failed = [&](Status why, const std::vector<std::string>& lines) {
        return report(command, cli::asks_for_json(arguments), why, lines);
    };
    try {
        status = run(cli::parse(arguments));
    } catch (const core::Error& error) {
        status = failed(error.status(), error.lines());
    } catch (const std::exception& error) {
        status = failed(Status::failed, {error.what()});
    }
    // What apply did to the host and what verify found to differ is so, whoever can read of it.
    if (!std::cout.flush()) {
        const bool stays = command == "apply" || status != Status::done;
        status = report(command, false, stays ? status : Status::failed,
                        {"standard output cannot be written"});
    }
    return static_cast<int>(status);
}

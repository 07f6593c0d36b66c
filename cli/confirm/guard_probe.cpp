// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/guard_probe.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <exception>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/confirm/guard_probe_kinds.hpp"
#include "core/error.hpp"
#include "core/model/quote.hpp"

namespace cli {
namespace {

struct ProbeKind {
    std::string_view name{};
    bool takes_argument = true;
    std::string (*fails)(const std::string& argument) = nullptr;
    std::string (*found)(const std::string& argument) = nullptr;
};

constexpr std::array kKinds = {
    ProbeKind{.name = "gateway",
              .takes_argument = false,
              .fails = gateways_fail,
              .found = default_gateways},
    ProbeKind{.name = "tcp", .fails = tcp_fails, .found = tcp_addresses},
    ProbeKind{.name = "rdma", .fails = rdma_fails, .found = rdma_addresses},
    ProbeKind{.name = "command", .fails = command_fails},
};

bool legal(std::string_view kind, const std::string& argument) {
    if (kind != "tcp") return !argument.empty();
    const std::size_t colon = argument.rfind(':');
    return colon != std::string::npos && colon != 0 && colon + 1 < argument.size() &&
           argument.find_first_not_of("0123456789", colon + 1) == std::string::npos;
}

constexpr char kWhole = '\0';

std::string does_not_hold(const GuardProbe& probe, const std::string& why) {
    return "probe " + probe.text + " does not hold: " + why;
}

/// What cannot be asked does not hold.
std::string failure_of(const GuardProbe& probe) {
    try {
        return probe.fails(probe.argument);
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// `gateway`, `tcp:HOST:PORT`, `rdma:HOST` or `command:PROGRAM ARGUMENT…`. Throws Error (usage).
GuardProbe parse_probe(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const std::string argument = colon == std::string::npos ? "" : text.substr(colon + 1);
    for (const ProbeKind& kind : kKinds) {
        if (kind.name != name) continue;
        if (kind.takes_argument ? !legal(name, argument) : colon != std::string::npos) break;
        return {.text = text, .argument = argument, .fails = kind.fails, .found = kind.found};
    }
    throw core::Error(core::Status::usage,
                      "--probe: found " + core::in_quotes(text) +
                          ", expected gateway, tcp:HOST:PORT, rdma:HOST or command:PROGRAM");
}

}  // namespace

namespace option {

const OptionRow probe{.name = "--probe",
                      .value = "PROBE",
                      .help =
                          "With --confirm: go back at once when this does not hold any more: "
                          "gateway, tcp:HOST:PORT, rdma:HOST or command:PROGRAM",
                      .repeats = true,
                      .needs = "--confirm",
                      .take = [](Options& o, const OptionRow&, const std::string& value) {
                          o.probes.push_back(parse_probe(value));
                      }};

}  // namespace option

void check_probes(std::vector<GuardProbe>& probes) {
    std::string why;
    for (GuardProbe& probe : probes) {
        try {
            if (probe.found != nullptr) probe.argument = probe.found(probe.argument);
        } catch (const core::Error& error) {
            if (error.status() != core::Status::failed) throw;
            why = does_not_hold(probe, error.what());
        }
        if (!why.empty()) break;
    }
    if (why.empty()) why = first_failure(probes);
    if (!why.empty())
        throw core::Error(core::Status::failed, why + ", before anything was written");
}

GuardProbes::~GuardProbes() {
    end();
}

void GuardProbes::ask(const std::vector<GuardProbe>& probes) {
    end();
    std::array<int, 2> ends = {};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        failure_ = "a probe cannot be asked: " + error_words(errno);
        return;
    }
    answer_ = netlink::Descriptor(ends[0]);
    const netlink::Descriptor in(ends[1]);
    child_ = ::fork();
    if (child_ < 0) failure_ = "a probe cannot be asked: " + error_words(errno);
    if (child_ != 0) return;
    // What it starts goes with it.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string text = first_failure(probes) + kWhole;
    if (::write(in.number(), text.data(), std::min<std::size_t>(text.size(), PIPE_BUF)) < 0)
        ::_exit(1);
    ::_exit(0);
}

std::optional<std::string> GuardProbes::answer() {
    std::optional<std::string> out;
    if (!failure_.empty()) {
        out = std::exchange(failure_, {});
    } else if (child_ > 0) {
        std::array<char, PIPE_BUF> text = {};
        const ssize_t got = ::read(answer_.number(), text.data(), text.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
        if (got <= 0)
            out = "a probe ended without a word";
        else
            out = std::string(text.data(), static_cast<std::size_t>(got - 1));
    }
    if (out) end();
    return out;
}

void GuardProbes::end() {
    if (child_ > 0) {
        ::kill(-child_, SIGKILL);
        ::kill(child_, SIGKILL);  // where it has no group of its own yet
        // One that hangs in the kernel is not waited for.
        for (int times = 50; times > 0 && ::waitpid(child_, nullptr, WNOHANG) == 0; --times)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    child_ = -1;
    answer_ = {};
    failure_.clear();
}

std::string first_failure(const std::vector<GuardProbe>& probes) {
    for (const GuardProbe& probe : probes)
        if (const std::string why = failure_of(probe); !why.empty())
            return does_not_hold(probe, why);
    return {};
}

std::string error_words(int code) {
    return std::generic_category().message(code);
}

}  // namespace cli

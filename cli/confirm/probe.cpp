// SPDX-License-Identifier: Apache-2.0
#include "cli/confirm/probe.hpp"

#include <array>
#include <exception>
#include <string_view>
#include <system_error>

#include "cli/confirm/probe_gateway.hpp"
#include "cli/confirm/probe_network.hpp"
#include "cli/confirm/probe_process.hpp"
#include "core/error.hpp"
#include "core/model/quote.hpp"

namespace cli {
namespace {

struct ProbeKind {
    std::string_view name{};
    bool takes_argument = true;
    std::string (*fails)(const std::string& argument) = nullptr;
    std::string (*found)() = nullptr;
};

constexpr std::array kKinds = {
    ProbeKind{.name = "gateway",
              .takes_argument = false,
              .fails = gateways_fail,
              .found = default_gateways},
    ProbeKind{.name = "tcp", .fails = tcp_fails},
    ProbeKind{.name = "rdma", .fails = rdma_fails},
    ProbeKind{.name = "command", .fails = command_fails},
};

bool legal(std::string_view kind, const std::string& argument) {
    if (kind != "tcp") return !argument.empty();
    const std::size_t colon = argument.rfind(':');
    return colon != std::string::npos && colon != 0 && colon + 1 < argument.size() &&
           argument.find_first_not_of("0123456789", colon + 1) == std::string::npos;
}

/// What cannot be asked does not hold.
std::string failure_of(const Probe& probe) {
    try {
        return probe.fails(probe.argument);
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// `gateway`, `tcp:HOST:PORT`, `rdma:HOST` or `command:PROGRAM ARGUMENT…`. Throws Error (usage).
Probe parse_probe(const std::string& text) {
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

void check_probes(std::vector<Probe>& probes) {
    for (Probe& probe : probes)
        if (probe.found != nullptr) probe.argument = probe.found();
    if (const std::string why = first_failure(probes); !why.empty())
        throw core::Error(core::Status::failed, why + ", before anything was written");
}

std::string first_failure(const std::vector<Probe>& probes) {
    for (const Probe& probe : probes)
        if (const std::string why = failure_of(probe); !why.empty())
            return "probe " + probe.text + " does not hold: " + why;
    return {};
}

std::string error_words(int code) {
    return std::generic_category().message(code);
}

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <array>

#include <algorithm>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/files/output_file.hpp"
#include "cli/files/text_file.hpp"
#include "cli/log.hpp"
#include "cli/probe/mesh_task.hpp"
#include "cli/probe/options.hpp"
#include "cli/probe/secret.hpp"
#include "cli/run/progress.hpp"
#include "cli/run/signals.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/mesh.hpp"
#include "core/error.hpp"
#include "core/probe/hosts.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/mesh.hpp"

namespace cli {
namespace {

constexpr std::array<std::string_view, 1> kHostLists = {"slurm"};
constexpr OptionRow kHostsFrom{.name = "--hosts-from",
                               .value = "WHERE",
                               .help = "The hosts are those of the Slurm job: slurm",
                               .words = kHostLists};
constexpr OptionRow kConcurrency{
    .name = "--concurrency",
    .value = "NUMBER",
    .help = "Pairs of hosts at one time, of which each host is in one (16)",
    .least = 1,
    .most = core::probe::kMostHosts / 2,
    .take = store<&Options::concurrency>};
constexpr OptionRow kDryRun{
    .name = "--dry-run",
    .help = "Say how many rounds it takes, how long and with what load, and connect to nobody"};
constexpr std::array kMeshOptions = {&option::secret,         &kHostsFrom,
                                     &kConcurrency,           &kDryRun,
                                     &option::force,          &option::operation,
                                     &option::size,           &option::iterations,
                                     &option::bandwidth,      &option::duration,
                                     &option::queue_pairs,    &option::depth,
                                     &option::rate,           &option::completion,
                                     &option::dscp,           &option::expect,
                                     &option::html,           &option::probe_time_limit,
                                     &option::output_or_junit};

core::Error unusable(const std::string& text) {
    return {core::Status::usage, "probe mesh: " + text};
}

/// What SLURM_JOB_NODELIST says (sbatch(1), OUTPUT ENVIRONMENT VARIABLES).
std::vector<std::string> hosts_of_job() {
    const char* list = std::getenv("SLURM_JOB_NODELIST");
    if (list == nullptr || *list == '\0')
        throw unusable("--hosts-from slurm: SLURM_JOB_NODELIST is not set: this is no Slurm job");
    return core::probe::expand_hosts(list);
}

std::vector<std::string> hosts_of(const Options& options) {
    std::vector<std::string> out;
    if (given_value(options, kHostsFrom)) out = hosts_of_job();
    for (const std::string& operand : options.operands) {
        const bool file = operand.starts_with('@');
        for (std::string& host : file ? core::probe::hosts_in(read_input(operand.substr(1)))
                                      : core::probe::expand_hosts(operand))
            out.push_back(std::move(host));
    }
    const std::size_t named = out.size();
    out = core::probe::without_doubles(out);
    if (out.size() != named) log_warning("hosts that are named twice take part once");
    if (out.empty()) throw unusable("HOST is missing; see rocectl probe mesh --help");
    if (out.size() < 2) throw unusable("found one host, expected two or more");
    if (out.size() > core::probe::kMostHosts)
        throw unusable("found " + std::to_string(out.size()) + " hosts, expected " +
                       std::to_string(core::probe::kMostHosts) + " at most");
    return out;
}

/// A matrix has one figure for each pair.
void check_one_shape(const core::probe::Parameters& parameters) {
    const auto check = [](const char* option, std::size_t found) {
        if (found > 1)
            throw unusable(std::string(option) + ": found " + std::to_string(found) +
                           " values, expected one: a matrix has one figure for each pair");
    };
    check("--size", parameters.sizes.size());
    check("--depth", parameters.depths.size());
    check("--completion", parameters.completions.size());
}

/// Names are looked up before the seal, one after the other.
std::vector<verbs::MeshServer> servers_of(const std::vector<std::string>& hosts) {
    std::vector<verbs::MeshServer> out;
    for (const std::string& host : hosts) {
        verbs::MeshServer server{.host = host};
        try {
            server.addresses = verbs::addresses_of(host);
        } catch (const core::Error& error) {
            server.why = error.what();
            log_warning(host + ": " + server.why);
        }
        out.push_back(std::move(server));
    }
    return out;
}

std::vector<std::uint16_t> ports_of(const std::vector<verbs::MeshServer>& servers) {
    std::vector<std::uint16_t> out;
    for (const verbs::MeshServer& server : servers)
        for (const verbs::SocketAddress& address : server.addresses)
            if (std::ranges::find(out, address.port()) == out.end()) out.push_back(address.port());
    return out;
}

/// Each pair has a connection, and the limit that most systems begin with is 1,024 files.
void allow_many_files() {
    rlimit files = {};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

constinit const Command command::probe_mesh{
    .name = "probe mesh",
    .operands = "HOST...",
    .operands_max = kMany,
    .help = "Let the servers of many hosts probe each other, and say which stand out",
    .host = HostUse::sends,
    .options = kMeshOptions,
    .run = cli::probe_mesh};

core::Status probe_mesh(Session& session) {
    const Options& options = session.options;
    const std::vector<std::string> hosts = hosts_of(options);
    check_one_shape(options.parameters);
    refuse_unfit(options, options.parameters);
    if (given_value(options, kDryRun)) {
        session.out << mesh_plan_view({session.command, core::Status::done}, options, session.style,
                                      hosts.size());
        return core::Status::done;
    }
    if (!options.secret)
        throw unusable(
            "expected --secret FILE, that of the servers, which take part with one alone");
    const std::string secret = read_secret(*options.secret, options.only_trusted);
    std::vector<verbs::MeshServer> servers = servers_of(hosts);
    std::optional<OutputFile> page;
    if (options.out) page.emplace(*options.out);
    allow_many_files();
    // It has the servers measure, and sends nothing itself.
    log_info(text(seal_but_for_sending({.peer_ports = ports_of(servers), .datagrams = false})));
    const Signals signals(Signals::Of::listener);
    Progress progress(session.progress);
    core::probe::Mesh mesh =
        verbs::MeshRun(std::move(servers),
                       {.parameters = options.parameters,
                        .at_once = options.concurrency,
                        .secret = secret,
                        .stopped = [&] { return signals.asked_to_stop(); },
                        .tell = [&](const std::string& text) { progress.say(text); },
                        .warn = log_warning,
                        .task =
                            [&](const std::string& peer, const std::optional<core::Ip>& from) {
                                return mesh_task(options, peer, from);
                            }})
            .run();
    progress.clear();
    const core::Status status =
        core::probe::is_well(mesh) ? core::Status::done : core::Status::differs;
    if (page) page->write(mesh_page({session.command, status}, mesh));
    session.out << mesh_view({session.command, status}, options, session.style, mesh);
    return status;
}

}  // namespace cli

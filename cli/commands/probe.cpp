// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>

#include <algorithm>
#include <iterator>

#include "cli/command.hpp"
#include "cli/log.hpp"
#include "cli/probe/mesh_task.hpp"
#include "cli/probe/options.hpp"
#include "cli/probe/secret.hpp"
#include "cli/run/signals.hpp"
#include "cli/run/task.hpp"
#include "cli/seal/seal.hpp"
#include "cli/views/probe.hpp"
#include "core/error.hpp"
#include "core/probe/payload.hpp"
#include "core/profile/acceptance.hpp"
#include "core/profile/profile.hpp"
#include "core/profile/resolve.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/listener.hpp"
#include "verbs/probe/loopback.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/probe/path.hpp"
#include "verbs/probe/run.hpp"
#include "verbs/probe/server.hpp"
#include "verbs/socket.hpp"

namespace cli {
namespace {

using std::chrono::milliseconds;

using core::probe::Parameters;

constexpr OptionRow kBind{
    .name = "--bind",
    .value = "ADDRESS[:PORT]",
    .help = "Be reached at this address alone, and by the RDMA device that has it (port 18516)"};
constexpr OptionRow kNoSecret{
    .name = "--no-secret",
    .help = "Serve whoever can connect: on a network of which all hosts are trusted"};
constexpr OptionRow kOnce{.name = "--once", .help = "End after one client"};
constexpr OptionRow kMesh{
    .name = "--mesh",
    .help = "Take part in a mesh: probe other servers too, where a client with the secret says so"};
constexpr std::array kServeOptions = {&kBind, &option::secret, &kNoSecret,
                                      &kOnce, &option::force,  &kMesh};

constexpr OptionRow kAllRails{
    .name = "--all",
    .help =
        "Each rail of this host to its counterpart: that of one network, else, where both hosts "
        "have as many, that in the same place",
    .take = store<&Options::parameters, &Parameters::all>};
constexpr OptionRow kManaged{
    .name = "--cm",
    .help = "Connect by rdma_cm too, and tell how long each step of it takes",
    .take = store<&Options::parameters, &Parameters::managed>};
constexpr OptionRow kPathMtu{
    .name = "--path",
    .help = "Find how long the packets may be that pass each way, whatever the ports say",
    .take = store<&Options::parameters, &Parameters::path>};
constexpr OptionRow kFlowLabels{
    .name = "--flow-labels",
    .value = "NUMBER",
    .help = "Write over so many UDP source ports, to find the one of several ways that is bad",
    .least = 2,
    .most = core::probe::kMostPairs,
    .take = store<&Options::parameters, &Parameters::flows>};
constexpr OptionRow kFunctional{.name = "--functional",
                                .help = "Do each operation once at each size, and measure nothing",
                                .take = store<&Options::parameters, &Parameters::functional>};
constexpr OptionRow kTrafficClasses{
    .name = "--classes",
    .help = "Load the path, and say by both ports' counters in which priority it travelled",
    .take = store<&Options::parameters, &Parameters::classes>};
constexpr OptionRow kProbeProfile{
    .name = "--profile",
    .value = "PROFILE",
    .help = "What RoCE is meant to be here, and by its probe section what is accepted",
    .take = store<&Options::parameters, &Parameters::profile>};
constexpr std::array kRunOptions = {&option::secret,
                                    &option::force,
                                    &option::device,
                                    &option::port,
                                    &kAllRails,
                                    &kManaged,
                                    &kPathMtu,
                                    &kFlowLabels,
                                    &option::operation,
                                    &option::size,
                                    &option::iterations,
                                    &kFunctional,
                                    &option::bandwidth,
                                    &kTrafficClasses,
                                    &kProbeProfile,
                                    &option::set,
                                    &option::vars,
                                    &option::direction,
                                    &option::duration,
                                    &option::queue_pairs,
                                    &option::depth,
                                    &option::rate,
                                    &option::completion,
                                    &option::dscp,
                                    &option::expect,
                                    &option::probe_time_limit,
                                    &option::output_or_perftest};

constexpr std::array kLoopbackOptions = {&option::force,
                                         &option::device,
                                         &option::port,
                                         &option::operation,
                                         &option::size,
                                         &option::iterations,
                                         &option::bandwidth,
                                         &option::direction,
                                         &option::duration,
                                         &option::queue_pairs,
                                         &option::depth,
                                         &option::rate,
                                         &option::completion,
                                         &option::dscp,
                                         &option::expect,
                                         &option::probe_time_limit,
                                         &option::output_or_perftest};

std::string secret_of(const Options& options) {
    const auto& file = options.secret;
    return file ? read_secret(*file, options.only_trusted) : std::string();
}

/// What calls have under way lies in memory of both sides.
void refuse_too_many_calls(const core::probe::Parameters& parameters) {
    const auto all = operations_of(parameters);
    if (std::ranges::find(all, core::probe::Operation::rpc) == all.end() &&
        std::ranges::find(all, core::probe::Operation::tcp_rpc) == all.end())
        return;
    const core::probe::CallRoom room{.size = std::ranges::max(parameters.sizes),
                                     .depth = std::max(std::ranges::max(parameters.depths), 1U)};
    if (room.depth > verbs::kMostCalls || room.bytes() > verbs::kMostRoom)
        throw core::Error(core::Status::usage,
                          "--size, --depth: found " + std::to_string(room.depth) + " calls of " +
                              std::to_string(room.size) + " bytes, expected " +
                              std::to_string(verbs::kMostCalls) + " of them and " +
                              std::to_string(verbs::kMostRoom >> 20U) +
                              " MiB together at most for rpc");
}

/// perftest has no columns for what it does not measure, nor for what several rows differ in.
void refuse_perftest(const Options& options) {
    const core::probe::Parameters& parameters = options.parameters;
    if (options.output != Output::perftest) return;
    if (uses_tcp(parameters))
        throw core::Error(core::Status::usage,
                          "-o perftest: perftest has no columns for tcp, rpc and tcp-rpc; expected "
                          "send, write or read, or another form");
    if (parameters.depths.size() > 1 || parameters.completions.size() > 1)
        throw core::Error(core::Status::usage,
                          "-o perftest: perftest has no column for --depth or --completion; "
                          "expected one value of each, or another form");
}

/// What a probe needs of root it has by now, but for memory that it may lock.
void give_up_rights(const Sending& sending = {}) {
    const rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
    ::setrlimit(RLIMIT_MEMLOCK, &all);
    log_info(text(seal_but_for_sending(sending)));
}

/// Whoever started the server has ended, and took along the pipe that its words went into: sshd
/// does so when pdsh or ssh end, and sends no signal where there is no terminal.
bool is_not_notified() {
    struct stat out = {};
    if (::fstat(STDOUT_FILENO, &out) != 0 || !S_ISFIFO(out.st_mode)) return false;
    pollfd reader = {.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return ::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0;
}

/// One client, from the end of its handshake on; what it did wrong ends nothing but itself.
void serve_one(Session& session, core::Kernel& kernel, verbs::ControlConnection& control_connection,
               verbs::Listener& listener, const verbs::MeshTasks* mesh_tasks,
               const std::function<bool()>& stopped) {
    const core::Ip own = verbs::own_end(control_connection.number()).ip();
    const std::string client = verbs::peer_end(control_connection.number()).text();
    try {
        log_info("client " + client);
        verbs::ProbeServer(control_connection, kernel,
                           {.address = own,
                            .force = session.options.parameters.force,
                            .listener = &listener,
                            .stopped = stopped,
                            .mesh_tasks = mesh_tasks})
            .run();
        log_info("client " + client + " is done");
    } catch (const std::exception& error) {
        log_warning("client " + client + ": " + error.what());
    }
}

/// What the profile that --profile names says of this host, and of what is to be measured.
struct Stated {
    std::optional<core::DesiredState> desired_values{};
    core::Acceptance acceptance{};
};

Stated read_stated(const Session& session, core::Kernel& kernel) {
    const std::string& name = session.options.parameters.profile;
    if (name.empty()) return {};
    Options options = session.options;
    options.operands = {name};
    const core::Profile profile = read_profile(options);
    const core::Variables variables = read_variables(options);
    return {.desired_values = core::resolve(profile, variables, read_inventory(kernel, profile)),
            .acceptance = core::acceptance_of(profile, variables)};
}

/// The options with what the profile accepts; the command line comes first, and its expectations
/// are added to those of the profile.
core::probe::Parameters joined(const Options& options, const core::Acceptance& acceptance) {
    core::probe::Parameters out = options.parameters;
    const auto is_given = [&](std::string_view name) {
        return std::ranges::any_of(options.given,
                                   [&](const auto& one) { return one.first == name; });
    };
    // What measures nothing is held to no figures.
    if (!out.functional)
        out.expectations.insert(out.expectations.begin(), acceptance.expect.begin(),
                                acceptance.expect.end());
    if (!is_given("--operation")) out.operations = acceptance.operations;
    out.classes = out.classes || acceptance.classes;
    if (!is_given("--size") && acceptance.size) out.sizes = {*acceptance.size};
    if (!is_given("--queue-pairs") && acceptance.queue_pairs)
        out.queue_pairs = static_cast<unsigned>(*acceptance.queue_pairs);
    if (!is_given("--depth") && acceptance.depth)
        out.depths = {static_cast<unsigned>(*acceptance.depth)};
    return out;
}

}  // namespace

constinit const Command command::probe_serve{.name = "probe serve",
                                             .help = "Be the other end of probe run, until SIGINT",
                                             .host = HostUse::sends,
                                             .options = kServeOptions,
                                             .run = cli::probe_serve};

constinit const Command command::probe_run{
    .name = "probe run",
    .operands = "HOST[:PORT]",
    .operand_required = true,
    .operands_max = 1,
    .help = "Send by RDMA to a host that serves: what works, how fast it is, and as expected",
    .host = HostUse::sends,
    .options = kRunOptions,
    .run = cli::probe_run};

constinit const Command command::probe_loopback{
    .name = "probe loopback",
    .help = "Send by RDMA from each device of this host to itself and to the others",
    .host = HostUse::sends,
    .options = kLoopbackOptions,
    .run = cli::probe_loopback};

core::Status probe_serve(Session& session) {
    const Options& options = session.options;
    if (!options.secret && !given_value(options, kNoSecret))
        throw core::Error(core::Status::usage,
                          "probe serve: expected --secret FILE, or --no-secret where all hosts of "
                          "the network are trusted");
    const bool meshes = given_value(options, kMesh).has_value();
    if (meshes && !options.secret)
        throw core::Error(core::Status::usage,
                          "probe serve: --mesh needs --secret FILE: who knows it says to whom this "
                          "host sends");
    const std::string secret = secret_of(options);
    verbs::Listener listening(verbs::listen_at(given_value(options, kBind).value_or("")), secret,
                              log_warning);
    const verbs::MeshTasks mesh_tasks = {.secret = secret,
                                         .bound = verbs::bound_address(listening.number()),
                                         .parameters = parameters_in,
                                         .debug = log_debug};
    // The servers of a mesh listen at one port, each at its own host.
    Sending sending;
    if (meshes) sending.peer_ports = {verbs::own_end(listening.number()).port()};
    give_up_rights(sending);
    const auto kernel = open_host(session);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop() || is_not_notified(); };
    session.out << "serving at " << verbs::own_end(listening.number()).text() << '\n' << std::flush;
    while (!stopped()) {
        std::optional<verbs::ControlConnection> client = listening.next(milliseconds{200});
        if (!client) continue;
        serve_one(session, *kernel, *client, listening, meshes ? &mesh_tasks : nullptr, stopped);
        if (given_value(options, kOnce)) break;
    }
    return core::Status::done;
}

core::Status probe_run(Session& session) {
    refuse_perftest(session.options);
    const std::string secret = secret_of(session.options);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    const auto kernel = open_host(session);
    const Stated stated = read_stated(session, *kernel);
    const core::probe::Parameters parameters = joined(session.options, stated.acceptance);
    refuse_too_many_calls(parameters);
    refuse_unfit(session.options, parameters);
    const core::State state = verbs::read_rails(*kernel);
    verbs::Paths found =
        verbs::paths_of(state, parameters, session.options.operands.front(), secret);
    std::vector<verbs::Path>& paths = found.all;
    verbs::set_traffic_classes(*kernel, stated.desired_values ? &*stated.desired_values : nullptr,
                               parameters, paths);
    Sending sending;
    if (uses_tcp(parameters))
        sending.peer_ports = {verbs::peer_end(paths.front().control_connection.number()).port()};
    give_up_rights(sending);
    std::vector<core::probe::PathReport> reports = verbs::run_paths(
        *kernel, paths, parameters, {.secret = secret, .stopped = stopped, .debug = log_debug});
    const bool ended = reports.size() == paths.size();
    std::ranges::move(found.lost, std::back_inserter(reports));
    const core::Status status = ended ? verbs::status_of(reports) : core::Status::differs;
    session.out << probe_view({session.command, status}, session.options.output, session.style,
                              reports);
    return status;
}

core::Status probe_loopback(Session& session) {
    const core::probe::Parameters& parameters = session.options.parameters;
    refuse_unfit(session.options, parameters);
    const Signals signals(Signals::Of::listener);
    const auto stopped = [&] { return signals.asked_to_stop(); };
    const core::State state = verbs::read_rails(*open_host(session));
    std::vector<verbs::Rail> rails;
    if (parameters.port.empty() && parameters.device.empty())
        rails = verbs::rails_in(state);
    else
        rails.push_back(verbs::rail_named(state, parameters.port, parameters.device));
    if (rails.empty())
        throw core::Error(core::Status::failed,
                          "no port has an RDMA device with a RoCE v2 GID; rocectl doctor says why");
    give_up_rights({.to_itself = true});
    const std::vector<core::probe::PathReport> reports =
        verbs::run_loopback(rails, parameters, [&session] { return open_host(session); },
                            {.stopped = stopped, .debug = log_debug, .warn = log_warning});
    const core::Status status = stopped() ? core::Status::differs : verbs::status_of(reports);
    session.out << probe_view({session.command, status}, session.options.output, session.style,
                              reports);
    return status;
}

}  // namespace cli

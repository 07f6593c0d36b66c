// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/mesh.hpp"

#include <algorithm>
#include <array>
#include <list>

#include "core/drivers/counters.hpp"
#include "core/error.hpp"
#include "verbs/probe/path.hpp"
#include "verbs/probe/run.hpp"
#include "verbs/socket.hpp"

namespace verbs {
namespace {

using core::Meter;
using core::probe::Mesh;
using core::probe::MeshResult;
using core::probe::Message;
using core::probe::Parameters;
using std::chrono::milliseconds;

constexpr milliseconds kRollLimit{10'000};
constexpr int kTurn = 100;  ///< milliseconds between two looks at the clock

/// Until one of them can go on, or the turn is over.
void await_any(const std::vector<pollfd>& awaited) {
    std::vector<pollfd> room = awaited;
    ::poll(room.data(), room.size(), kTurn);
}

constexpr std::size_t kMostRails = 32;

/// What a device counts where packets were lost on the way to it or from it.
constexpr std::array kSignsOfLoss = {Meter::out_of_sequence, Meter::sequence_naks,
                                     Meter::ack_timeouts};

bool is_loopback(const core::Ip& ip) {
    return ip.v6 ? core::text(ip) == "::1" : ip.bytes.front() == 127;
}

std::optional<core::Port> counted(core::Kernel& kernel, const std::string& port) {
    core::State state =
        kernel.read({.ports = std::vector{port},
                     .objects = core::objects_of({"mtu", "rdma.device", "rdma.counters"})});
    for (core::Port& one : state.ports)
        if (one.name == port) return std::move(one);
    return std::nullopt;
}

/// By how much the signs of loss grew; nothing where the device has no such counter.
std::optional<std::uint64_t> lost_between(const std::optional<core::Port>& before,
                                          const std::optional<core::Port>& now) {
    std::optional<std::uint64_t> out;
    if (!before || !now) return out;
    for (const Meter meter : kSignsOfLoss) {
        const auto count = core::count(*now, meter, 0);
        if (!count) continue;
        const auto earlier = core::value_of(*before, *count, 0);
        if (earlier) out = out.value_or(0) + core::grown_since(*before, *earlier, *now, *count).by;
    }
    return out;
}

Path path_in(const Message& asked, const core::State& state, const Parameters& parameters,
             const std::string& secret) {
    const std::string& peer = core::probe::word_in(asked, "peer");
    if (!asked.words.contains("from"))
        return std::move(paths_of(state, parameters, peer, secret).all.front());
    const auto from = core::parse_ip(core::probe::word_in(asked, "from"));
    if (!from) throw core::Error(core::Status::failed, "'from' is no address");
    return path_from(state, parameters, *from, peer);
}

}  // namespace

milliseconds longest_mesh_task(const Parameters& parameters) {
    constexpr milliseconds kSetUp{60'000};
    const std::size_t named = parameters.operations.size() + parameters.expectations.size();
    const std::size_t operations = named == 0 ? std::size(core::probe::kOperations) : named;
    const milliseconds each = 3 * parameters.limit + 2 * parameters.duration;
    return kSetUp + each * static_cast<int>(operations);
}

MeshRun::MeshRun(std::vector<MeshServer> servers, Settings settings)
    : servers_(std::move(servers)), settings_(std::move(settings)) {
    for (const MeshServer& server : servers_)
        mesh_.hosts.push_back({.name = server.host, .unreachable = server.why});
}

Mesh MeshRun::run() {
    const auto start = std::chrono::steady_clock::now();
    call_the_roll();
    for (std::uint32_t host = 0; host < servers_.size(); ++host)
        if (mesh_.hosts[host].unreachable.empty()) present_.push_back(host);
    agenda_ = core::probe::Agenda(present_.size(), settings_.at_once);
    if (!settings_.stopped()) measure();
    mesh_.interrupted = settings_.stopped();
    mesh_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto place = [](const MeshResult& one) { return std::tuple(one.from, one.to, one.rail); };
    std::ranges::sort(mesh_.results, {}, place);
    return std::move(mesh_);
}

/// All are asked before any is measured, so that one that is not there costs one wait.
void MeshRun::call_the_roll() {
    struct Pending {
        std::uint32_t host = 0;
        PendingConnection talk;
    };
    constexpr std::size_t kCalledAtOnce = 64;
    std::list<Pending> called;
    std::uint32_t host = 0;
    while (!settings_.stopped() && (host < servers_.size() || !called.empty())) {
        for (; host < servers_.size() && called.size() < kCalledAtOnce; ++host) {
            if (servers_[host].addresses.empty()) continue;
            called.push_back({host, PendingConnection(servers_[host].addresses, settings_.secret)});
            called.back().talk.ask({.kind = "mesh"}, kRollLimit);
        }
        settings_.tell("asking " + std::to_string(host) + " of " + std::to_string(servers_.size()) +
                       " hosts");
        std::vector<pollfd> awaited;
        for (const Pending& each : called)
            awaited.push_back(each.talk.awaited());
        await_any(awaited);
        for (auto each = called.begin(); each != called.end();) {
            bool over = false;
            try {
                if (const auto said = each->talk.go_on()) {
                    introduce(each->host, *said);
                    each->talk.close();
                    over = true;
                }
            } catch (const std::exception& error) {
                drop(each->host, error.what());
                over = true;
            }
            each = over ? called.erase(each) : std::next(each);
        }
    }
}

void MeshRun::introduce(std::uint32_t host, const Message& said) {
    if (said.kind == "failed")
        throw core::Error(core::Status::failed, core::probe::word_in(said, "text"));
    const auto address = core::parse_ip(core::probe::word_in(said, "address"));
    if (said.kind != "mesh" || !address)
        throw core::Error(core::Status::failed, "its server does not say where it is reached");
    servers_[host].reached = *address;
    servers_[host].is_bound = said.numbers.contains("bound");
    for (std::size_t i = 0; said.words.contains("rail." + std::to_string(i)); ++i) {
        const auto rail =
            core::parse_prefix(core::probe::word_in(said, "rail." + std::to_string(i)));
        if (!rail) throw core::Error(core::Status::failed, "its server names a rail that is none");
        servers_[host].rails.push_back(*rail);
    }
    mesh_.hosts[host].rails = static_cast<std::uint32_t>(servers_[host].rails.size());
}

void MeshRun::drop(std::uint32_t host, const std::string& why) {
    mesh_.hosts[host].unreachable = why;
    settings_.warn(mesh_.hosts[host].name + ": " + why);
}

void MeshRun::measure() {
    std::list<Job> jobs;
    while (!settings_.stopped() && !agenda_.is_over()) {
        while (const auto pair = agenda_.next()) {
            jobs.push_back({.pair = {.one = present_[pair->one], .other = present_[pair->other]}});
            begin(jobs.back());
        }
        settings_.tell(std::to_string(agenda_.taken() - agenda_.under_way()) + " of " +
                       std::to_string(agenda_.pairs()) + " pairs");
        std::vector<pollfd> awaited;
        for (const Job& job : jobs)
            if (job.talk) awaited.push_back(job.talk->awaited());
        if (awaited.size() == jobs.size()) await_any(awaited);
        for (auto job = jobs.begin(); job != jobs.end();) {
            if (go_on(*job)) {
                ++job;
                continue;
            }
            const auto place = [&](std::uint32_t host) {
                return static_cast<std::uint32_t>(std::ranges::lower_bound(present_, host) -
                                                  present_.begin());
            };
            for (const std::uint32_t host : {job->pair.one, job->pair.other})
                if (!mesh_.hosts[host].unreachable.empty()) agenda_.drop(place(host));
            agenda_.end({.one = place(job->pair.one), .other = place(job->pair.other)});
            job = jobs.erase(job);
        }
    }
    for (const Job& job : jobs)
        if (job.talk) job.talk->close();
}

void MeshRun::begin(Job& job) {
    job.rails = core::probe::pair_rails(servers_[from(job)].rails, servers_[to(job)].rails);
    job.rail = 0;
    tell_lost_rails(job);
    job.talk.reset();
    if (job.rails.empty() && has_rails(job)) return;  // one by the route would be none of these
    job.talk = std::make_unique<PendingConnection>(servers_[from(job)].addresses, settings_.secret);
    ask(job);
}

/// Whether both have rails, so that these are what is to be measured.
bool MeshRun::has_rails(const Job& job) const {
    return uses_rdma(settings_.parameters) && !servers_[from(job)].rails.empty() &&
           !servers_[to(job)].rails.empty();
}

/// Rails of the measuring host; those of the other come with the way back. A server bound to one
/// address has no other rail to name.
void MeshRun::tell_lost_rails(const Job& job) {
    if (!has_rails(job) || servers_[from(job)].is_bound || servers_[to(job)].is_bound) return;
    for (const std::size_t place : core::probe::without_counterpart(
             job.rails, servers_[from(job)].rails.size(), &core::probe::RailPair::here))
        mesh_.results.push_back({.from = from(job),
                                 .to = to(job),
                                 .rail = static_cast<std::uint32_t>(place),
                                 .failure = "this rail has no counterpart at the other host"});
}

/// Where the two have no rails, the host finds out what can be measured.
void MeshRun::ask(Job& job) {
    const MeshServer& here = servers_[from(job)];
    const MeshServer& there = servers_[to(job)];
    const bool by_rail = !job.rails.empty();
    const core::Ip& peer = by_rail ? there.rails[job.rails[job.rail].there].ip : there.reached;
    job.talk->ask(settings_.task(with_address(there.host, peer),
                                 by_rail ? std::optional(here.rails[job.rails[job.rail].here].ip)
                                         : std::nullopt),
                  longest_mesh_task(settings_.parameters));
}

void MeshRun::keep(const Job& job, MeshResult result) {
    result.from = from(job);
    result.to = to(job);
    result.rail = job.rails.empty() ? 0 : static_cast<std::uint32_t>(job.rails[job.rail].here);
    mesh_.results.push_back(std::move(result));
}

/// Whether there is more to do.
bool MeshRun::go_on(Job& job) {
    if (!job.talk) return next(job);
    try {
        const auto said = job.talk->go_on();
        if (!said) return true;
        if (said->kind == "failed")
            keep(job, {.failure = core::probe::word_in(*said, "text")});
        else
            keep(job, core::probe::result_in(*said));
        if (job.rail + 1 < job.rails.size()) {
            ++job.rail;
            ask(job);
            return true;
        }
        job.talk->close();
    } catch (const std::exception& error) {
        if (job.talk->is_authenticated())
            keep(job, {.failure = error.what()});
        else
            drop(from(job), error.what());
    }
    return next(job);
}

/// The other direction, where there is one.
bool MeshRun::next(Job& job) {
    const auto gone = [&](std::uint32_t host) { return !mesh_.hosts[host].unreachable.empty(); };
    if (job.back || gone(job.pair.one) || gone(job.pair.other)) return false;
    job.back = true;
    begin(job);
    return true;
}

Message introduction(core::Kernel& kernel, const MeshTasks& mesh_tasks, const core::Ip& reached) {
    Message out{.kind = "mesh", .words = {{"address", core::text(reached)}}};
    if (mesh_tasks.bound) out.numbers["bound"] = 1;
    const core::State state = read_rails(kernel);
    std::size_t place = 0;
    for (const Rail& rail : rails_in(state)) {
        if (place == kMostRails || (mesh_tasks.bound && *mesh_tasks.bound != rail.address))
            continue;
        out.words["rail." + std::to_string(place++)] =
            core::text(core::Prefix{.ip = rail.address, .length = rail.prefix_length});
    }
    if (mesh_tasks.bound || !is_loopback(reached)) return out;
    // Who asks is on this host; for others the address is another.
    for (const core::Port& port : state.ports)
        if (port.addresses)
            for (const core::Address& one : *port.addresses)
                if (!is_loopback(one.ip) && !core::is_link_local(one.ip)) {
                    out.words["address"] = core::text(one.ip);
                    return out;
                }
    return out;
}

namespace {

struct Asker {
    const Message& asked;
    core::Kernel& kernel;
    const MeshTasks& mesh_tasks;
    const std::function<bool()>& stopped;
};

MeshResult measured(const Asker& by, const Parameters& what) {
    std::vector<Path> paths;
    paths.push_back(path_in(by.asked, read_rails(by.kernel), what, by.mesh_tasks.secret));
    set_traffic_classes(by.kernel, nullptr, what, paths);
    const std::string port = paths.front().rail.port;
    const auto before = counted(by.kernel, port);
    const auto reports = run_paths(
        by.kernel, paths, what,
        {.secret = by.mesh_tasks.secret, .stopped = by.stopped, .debug = by.mesh_tasks.debug});
    if (reports.empty()) throw core::Error(core::Status::failed, "interrupted");
    MeshResult out = core::probe::result_of(reports.front());
    out.lost = lost_between(before, counted(by.kernel, port));
    return out;
}

/// Where there is no RDMA, what goes by TCP; what was expected of the rest is not met.
MeshResult measured_as_far(const Asker& by, const Parameters& what) {
    try {
        return measured(by, what);
    } catch (const NoRail& error) {
        if (!uses_tcp(what)) throw;
        MeshResult out = measured(by, without_rdma(what));
        out.fallback = error.what();
        for (const core::probe::Expectation& one : what.expectations)
            if (core::probe::is_rdma_operation(one.operation))
                out.unmet.push_back(one.text + ": not measured");
        return out;
    }
}

}  // namespace

Message run_mesh_task(const Message& asked, core::Kernel& kernel, const MeshTasks& mesh_tasks,
                      const std::function<bool()>& stopped) {
    const Parameters parameters = mesh_tasks.parameters(asked);
    MeshResult result;
    try {
        result = measured_as_far({asked, kernel, mesh_tasks, stopped}, parameters);
    } catch (const NoRail& error) {
        result.skipped = error.what();
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return core::probe::message_of(result);
}

}  // namespace verbs

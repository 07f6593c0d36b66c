// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/mesh.hpp"

#include <algorithm>
#include <list>

#include "cli/log.hpp"
#include "cli/probe/host_port.hpp"
#include "cli/probe/mesh_task.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Mesh;
using core::probe::MeshResult;
using core::probe::Message;
using std::chrono::milliseconds;

constexpr milliseconds kRollLimit{10'000};
constexpr int kTurn = 100;  ///< milliseconds between two looks at the clock

/// Until one of them can go on, or the turn is over.
void await_any(const std::vector<pollfd>& awaited) {
    std::vector<pollfd> room = awaited;
    ::poll(room.data(), room.size(), kTurn);
}

}  // namespace

milliseconds longest_mesh_task(const Measuring& measuring) {
    constexpr milliseconds kSetUp{60'000};
    const std::size_t named = measuring.operations.size() + measuring.expectations.size();
    const std::size_t operations = named == 0 ? std::size(core::probe::kOperations) : named;
    const milliseconds each = 3 * measuring.limit + 2 * measuring.duration;
    return kSetUp + each * static_cast<int>(operations);
}

MeshRun::MeshRun(std::vector<MeshServer> servers, Terms terms)
    : servers_(std::move(servers)), terms_(std::move(terms)) {
    for (const MeshServer& server : servers_)
        mesh_.hosts.push_back({.name = server.host, .unreachable = server.why});
}

Mesh MeshRun::run() {
    const auto start = std::chrono::steady_clock::now();
    call_the_roll();
    for (std::uint32_t host = 0; host < servers_.size(); ++host)
        if (mesh_.hosts[host].unreachable.empty()) present_.push_back(host);
    agenda_ = core::probe::Agenda(present_.size(), terms_.options.meshing.concurrency);
    if (!terms_.stopped()) measure();
    mesh_.interrupted = terms_.stopped();
    mesh_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto place = [](const MeshResult& one) { return std::tuple(one.from, one.to, one.rail); };
    std::ranges::sort(mesh_.results, {}, place);
    return std::move(mesh_);
}

/// All are asked before any is measured, so that one that is not there costs one wait.
void MeshRun::call_the_roll() {
    struct Called {
        std::uint32_t host = 0;
        PendingConnection talk;
    };
    constexpr std::size_t kCalledAtOnce = 64;
    std::list<Called> called;
    std::uint32_t host = 0;
    while (!terms_.stopped() && (host < servers_.size() || !called.empty())) {
        for (; host < servers_.size() && called.size() < kCalledAtOnce; ++host) {
            if (servers_[host].addresses.empty()) continue;
            called.push_back({host, PendingConnection(servers_[host].addresses, terms_.secret)});
            called.back().talk.ask({.kind = "mesh"}, kRollLimit);
        }
        terms_.tell("asking " + std::to_string(host) + " of " + std::to_string(servers_.size()) +
                    " hosts");
        std::vector<pollfd> awaited;
        for (const Called& each : called)
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
    log_warning(mesh_.hosts[host].name + ": " + why);
}

void MeshRun::measure() {
    std::list<Job> jobs;
    while (!terms_.stopped() && !agenda_.is_over()) {
        while (const auto pair = agenda_.next()) {
            jobs.push_back({.pair = {.one = present_[pair->one], .other = present_[pair->other]}});
            begin(jobs.back());
        }
        terms_.tell(std::to_string(agenda_.taken() - agenda_.under_way()) + " of " +
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
    job.talk = std::make_unique<PendingConnection>(servers_[from(job)].addresses, terms_.secret);
    ask(job);
}

/// Whether both have rails, so that these are what is to be measured.
bool MeshRun::has_rails(const Job& job) const {
    return uses_rdma(terms_.options.measuring) && !servers_[from(job)].rails.empty() &&
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
    job.talk->ask(
        mesh_task(terms_.options, with_address(there.host, peer),
                  by_rail ? std::optional(here.rails[job.rails[job.rail].here].ip) : std::nullopt),
        longest_mesh_task(terms_.options.measuring));
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

}  // namespace cli

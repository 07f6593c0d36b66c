// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/mesh_task.hpp"

#include <algorithm>
#include <array>

#include "cli/options_mesh.hpp"
#include "cli/probe/path.hpp"
#include "cli/probe/run.hpp"
#include "cli/probe/traffic_class.hpp"
#include "core/drivers/counters.hpp"
#include "core/error.hpp"
#include "core/probe/mesh.hpp"

namespace cli {
namespace {

using core::Meter;
using core::probe::MeshResult;
using core::probe::Message;

/// A message has no more than 64 values.
constexpr std::size_t kMostOptions = 48;
constexpr std::size_t kMostRails = 32;

/// What a device counts where packets were lost on the way to it or from it.
constexpr std::array kSignsOfLoss = {Meter::out_of_sequence, Meter::sequence_naks,
                                     Meter::ack_timeouts};

bool is_loopback(const core::Ip& ip) {
    return ip.v6 ? core::text(ip) == "::1" : ip.bytes.front() == 127;
}

const OptionRow* travelling(std::string_view name) {
    for (const OptionRow* row : kMeshOptions)
        if (row->travels && row->name == name) return row;
    return nullptr;
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

Path path_in(const Message& asked, const core::State& state, const Measuring& measuring,
             const std::string& secret) {
    const std::string& peer = core::probe::word_in(asked, "peer");
    if (!asked.words.contains("from"))
        return std::move(paths_of(state, measuring, peer, secret).all.front());
    const auto from = core::parse_ip(core::probe::word_in(asked, "from"));
    if (!from) throw core::Error(core::Status::failed, "'from' is no address");
    return path_from(state, measuring, *from, peer);
}

}  // namespace

Message mesh_task(const Options& options, const std::string& peer,
                  const std::optional<core::Ip>& from) {
    Message out{.kind = "measure", .words = {{"peer", peer}}};
    if (from) out.words["from"] = core::text(*from);
    std::size_t place = 0;
    for (const auto& [name, value] : options.given) {
        if (travelling(name) == nullptr) continue;
        if (place == kMostOptions)
            throw core::Error(core::Status::usage, "probe mesh: more than " +
                                                       std::to_string(kMostOptions) +
                                                       " options that say how is measured");
        std::string& word = out.words["option." + std::to_string(place++)];
        word = name;
        word += '=';
        word += value;
    }
    return out;
}

Measuring measuring_in(const Message& asked) {
    Options options;
    for (std::size_t i = 0; asked.words.contains("option." + std::to_string(i)); ++i) {
        const std::string& text = core::probe::word_in(asked, "option." + std::to_string(i));
        const std::size_t equals = std::min(text.find('='), text.size());
        const OptionRow* row = travelling(text.substr(0, equals));
        if (row == nullptr)
            throw core::Error(core::Status::failed, "this rocectl does not know the option '" +
                                                        text.substr(0, equals) + "'");
        row->take(options, text.substr(std::min(equals + 1, text.size())));
    }
    return options.measuring;
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

MeshResult measured(const Asker& by, const Measuring& what) {
    std::vector<Path> paths;
    paths.push_back(path_in(by.asked, read_rails(by.kernel), what, by.mesh_tasks.secret));
    set_traffic_classes(by.kernel, nullptr, what, paths);
    const std::string port = paths.front().rail.port;
    const auto before = counted(by.kernel, port);
    const auto reports = run_paths(by.kernel, paths, what, by.mesh_tasks.secret, by.stopped);
    if (reports.empty()) throw core::Error(core::Status::failed, "interrupted");
    MeshResult out = core::probe::result_of(reports.front());
    out.lost = lost_between(before, counted(by.kernel, port));
    return out;
}

/// Where there is no RDMA, what goes by TCP; what was expected of the rest is not met.
MeshResult measured_as_far(const Asker& by, const Measuring& what) {
    try {
        return measured(by, what);
    } catch (const NoRail& error) {
        if (!uses_tcp(what)) throw;
        MeshResult out = measured(by, without_verbs(what));
        out.fallback = error.what();
        for (const core::probe::Expectation& one : what.expectations)
            if (core::probe::is_verb(one.operation))
                out.unmet.push_back(one.text + ": not measured");
        return out;
    }
}

}  // namespace

Message run_mesh_task(const Message& asked, core::Kernel& kernel, const MeshTasks& mesh_tasks,
                      const std::function<bool()>& stopped) {
    const Measuring measuring = measuring_in(asked);
    MeshResult result;
    try {
        result = measured_as_far({asked, kernel, mesh_tasks, stopped}, measuring);
    } catch (const NoRail& error) {
        result.skipped = error.what();
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return core::probe::message_of(result);
}

}  // namespace cli

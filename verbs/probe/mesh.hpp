// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/ip.hpp"
#include "core/plan/kernel.hpp"
#include "core/probe/mesh.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/schedule.hpp"
#include "verbs/probe/pending_connection.hpp"

namespace verbs {

/// A host of a mesh.
struct MeshServer {
    std::string host{};                      ///< as the user named it
    std::vector<SocketAddress> addresses{};  ///< empty where it did not resolve
    std::string why{};                       ///< why it did not resolve
    core::Ip reached{};                      ///< where others reach it
    std::vector<core::Prefix> rails{};
    bool is_bound = false;  ///< to one address: it reports only that rail
};

/// Asks the servers of all hosts to measure each other.
class MeshRun {
public:
    struct Settings {
        core::probe::Parameters parameters{};
        std::size_t at_once = 1;  ///< pairs under way at one time
        std::string secret{};
        std::function<bool()> stopped{};
        std::function<void(const std::string&)> tell{};  ///< progress
        std::function<void(const std::string&)> warn{};
        /// The message that asks a server to measure the peer, from an address of its own.
        std::function<core::probe::Message(const std::string& peer,
                                           const std::optional<core::Ip>& from)>
            task{};
    };
    MeshRun(std::vector<MeshServer> servers, Settings settings);

    /// Failures of hosts are results; they do not throw.
    core::probe::Mesh run();

private:
    /// A request to one host to measure another, rail by rail.
    struct Job {
        core::probe::HostPair pair{};
        bool back = false;  ///< the second direction
        std::vector<core::probe::RailPair> rails{};
        std::size_t rail = 0;
        std::unique_ptr<PendingConnection> talk{};  ///< null where there is nothing to ask
    };

    void call_the_roll();
    void introduce(std::uint32_t host, const core::probe::Message& said);
    void measure();
    void begin(Job& job);
    void ask(Job& job);
    [[nodiscard]] bool has_rails(const Job& job) const;
    void tell_lost_rails(const Job& job);
    bool go_on(Job& job);
    bool next(Job& job);
    void keep(const Job& job, core::probe::MeshResult result);
    void drop(std::uint32_t host, const std::string& why);
    [[nodiscard]] std::uint32_t from(const Job& job) const {
        return job.back ? job.pair.other : job.pair.one;
    }
    [[nodiscard]] std::uint32_t to(const Job& job) const {
        return job.back ? job.pair.one : job.pair.other;
    }

    std::vector<MeshServer> servers_;
    Settings settings_;
    core::probe::Mesh mesh_{};
    std::vector<std::uint32_t>
        present_{};  ///< the hosts that take part; the agenda holds indices into it
    core::probe::Agenda agenda_{0, 1};
};

/// The maximum duration of one pair's measurement over one rail with these options.
std::chrono::milliseconds longest_mesh_task(const core::probe::Parameters& parameters);

/// The settings of a server that takes part in a mesh.
struct MeshTasks {
    std::string secret{};             ///< shared by all servers of the mesh
    std::optional<core::Ip> bound{};  ///< the only address at which it can be reached
    /// What a task asks to be measured. Throws Error.
    std::function<core::probe::Parameters(const core::probe::Message& asked)> parameters{};
    std::function<void(const std::string&)> debug = [](const std::string&) {};
};

/// This host's message before a mesh begins: its rails, and the address that reaches it.
core::probe::Message introduction(core::Kernel& kernel, const MeshTasks& mesh_tasks,
                                  const core::Ip& reached);

/// Measures the server named in the message as `probe run` does, and returns the result. Throws
/// Error for an invalid message.
core::probe::Message run_mesh_task(const core::probe::Message& asked, core::Kernel& kernel,
                                   const MeshTasks& mesh_tasks,
                                   const std::function<bool()>& stopped);

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/probe/pending_connection.hpp"
#include "core/model/ip.hpp"
#include "core/probe/mesh.hpp"
#include "core/probe/rails.hpp"
#include "core/probe/schedule.hpp"

namespace cli {

/// A host of a mesh.
struct MeshServer {
    std::string host{};                      ///< as it was named
    std::vector<SocketAddress> addresses{};  ///< none where the name has none
    std::string why{};                       ///< the same in words
    core::Ip reached{};                      ///< where others reach it
    std::vector<core::Prefix> rails{};
    bool is_bound = false;  ///< to one address, so that it names no rail but that one
};

/// Asks the servers of all hosts to measure each other, as many pairs at once as the options say.
class MeshRun {
public:
    struct Terms {
        const Options& options;
        std::string secret{};
        std::function<bool()> stopped{};
        std::function<void(const std::string&)> tell{};  ///< how far it is
    };
    MeshRun(std::vector<MeshServer> servers, Terms terms);

    /// Throws nothing for what a host does or does not.
    core::probe::Mesh run();

private:
    /// One host is asked, about all its rails one after the other.
    struct Job {
        core::probe::HostPair pair{};
        bool back = false;  ///< the second direction
        std::vector<core::probe::RailPair> rails{};
        std::size_t rail = 0;
        std::unique_ptr<PendingConnection> talk{};  ///< none where there is nothing to ask
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
    Terms terms_;
    core::probe::Mesh mesh_{};
    std::vector<std::uint32_t> present_{};  ///< hosts that take part; the agenda has their places
    core::probe::Agenda agenda_{0, 1};
};

/// The longest that one measurement of a pair by one rail can take, by the options.
std::chrono::milliseconds longest_mesh_task(const Measuring& measuring);

}  // namespace cli

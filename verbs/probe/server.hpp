// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "core/model/ip.hpp"
#include "core/plan/kernel.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/datagram.hpp"
#include "verbs/endpoint.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/listener.hpp"
#include "verbs/probe/mesh.hpp"
#include "verbs/probe/rail.hpp"
#include "verbs/rdma_cm.hpp"
#include "verbs/streams.hpp"

namespace verbs {

/// The passive side of a probe: serves one client from its handshake to its end. Requests are
/// checked against limits, failures are answered in words, and nothing is left behind.
class ProbeServer {
public:
    struct Settings {
        core::Ip address{};  ///< local address of the client's connection; selects the device
        bool force = false;  ///< even where others have
        Listener* listener = nullptr;  ///< for data connections; null: none are accepted
        std::function<bool()> stopped{};
        const MeshTasks* mesh_tasks = nullptr;  ///< null: takes part in no mesh
    };
    ProbeServer(ControlConnection& control_connection, core::Kernel& kernel, Settings settings);

    /// Serves until the client closes, is gone, or is silent for a minute.
    void run();

private:
    using Message = core::probe::Message;
    struct Task {
        std::string_view kind;
        Message (ProbeServer::*run)(const Message&);
    };
    static const Task kTasks[];  // NOLINT(*-avoid-c-arrays): its size stands where it is defined

    Message answer(const Message& message);
    Message open(const Message& message);
    Message connect(const Message& message);
    Message fill(const Message& message);
    Message receive(const Message& message);
    Message arrived(const Message& message);
    Message check(const Message& message);
    Message send(const Message& message);
    Message value(const Message& message);
    Message alive(const Message& message);
    Message counters(const Message& message);
    Message rails(const Message& message);
    Message shut(const Message& message);
    Message packet_open(const Message& message);
    Message packet_came(const Message& message);
    Message packet_send(const Message& message);
    Message packet_shut(const Message& message);
    Datagrams& datagrams();
    Message cm_listen(const Message& message);
    Message cm_accept(const Message& message);
    Message accepted(const Message& message);
    Message cm_shut(const Message& message);
    Message mesh(const Message& message);
    Message measure(const Message& message);
    const MeshTasks& mesh_tasks() const;
    Message rail(const Message& message);
    Message join(const Message& message);
    /// Reports that it is ready, does its part of the measurement within the client's limit, and
    /// returns the result with the time taken.
    Message run_work(const Message& message);
    Transport& transport(const core::probe::Measurement& what);
    void await_count(Wait& wait);
    Rail free_rail(bool force);
    [[nodiscard]] Rail freed(Rail rail, bool force) const;
    Streams& streams();
    Endpoint& endpoint();
    std::uint64_t size_in(const Message& message);
    static std::uint32_t seed_in(const Message& message);
    /// Within the client's limit, plus `longer`.
    Wait limited(const Message& message, std::chrono::milliseconds longer = {});
    void poll_client();

    ControlConnection& control_connection_;
    core::Kernel& kernel_;
    Settings settings_;
    std::optional<Rail> rail_;  ///< with the address
    std::optional<Endpoint> endpoint_;
    std::optional<Managed> managed_;
    std::optional<Datagrams> datagrams_;
    std::optional<Streams> streams_{};
    std::uint64_t openings_ = 0;  ///< of data connections; part of their tokens
    std::uint64_t room_ = 0;
    unsigned depth_ = 0;
    std::uint64_t expected_ = 0;  ///< messages the client reports as sent
};

}  // namespace verbs

// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/server.hpp"

#include <algorithm>

#include "cli/measuring.hpp"
#include "cli/probe/exchange.hpp"
#include "cli/probe/rail.hpp"
#include "core/drivers/counters.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Message;
using core::probe::number_in;
using core::probe::word_in;
using std::chrono::milliseconds;

constexpr milliseconds kIdleLimit{60'000};

/// The client wants no more of what is under way.
class Stopped : public std::exception {};

Message failure_message(const std::string& text) {
    return {.kind = "failed", .words = {{"text", text}}};
}

core::Error refused(const std::string& text) {
    return {core::Status::failed, text};
}

}  // namespace

const ProbeServer::Task ProbeServer::kTasks[] = {
    {"open", &ProbeServer::open},
    {"connect", &ProbeServer::connect},
    {"fill", &ProbeServer::fill},
    {"receive", &ProbeServer::receive},
    {"arrived", &ProbeServer::arrived},
    {"check", &ProbeServer::check},
    {"send", &ProbeServer::send},
    {"value", &ProbeServer::value},
    {"pong", &ProbeServer::pong},
    {"drain", &ProbeServer::receive_stream},
    {"shut", &ProbeServer::shut},
    {"rails", &ProbeServer::rails},
    {"alive", &ProbeServer::alive},
    {"counters", &ProbeServer::counters},
    {"cm_listen", &ProbeServer::cm_listen},
    {"cm_accept", &ProbeServer::cm_accept},
    {"cm_shut", &ProbeServer::cm_shut},
    {"pour", &ProbeServer::send_stream},
    {"packet_open", &ProbeServer::packet_open},
    {"packet_came", &ProbeServer::packet_came},
    {"packet_send", &ProbeServer::packet_send},
    {"packet_shut", &ProbeServer::packet_shut},
    {"mesh", &ProbeServer::mesh},
    {"measure", &ProbeServer::measure},
    {"rail", &ProbeServer::rail},
    {"join", &ProbeServer::join},
    {"tcp-pong", &ProbeServer::tcp_pong},
    {"tcp-drain", &ProbeServer::tcp_receive_stream},
    {"answer", &ProbeServer::answer_calls},
    {"tcp-answer", &ProbeServer::tcp_answer},
};

ProbeServer::ProbeServer(ControlConnection& control_connection, core::Kernel& kernel, Terms terms)
    : control_connection_(control_connection), kernel_(kernel), terms_(std::move(terms)) {}

void ProbeServer::run() {
    const auto start = std::chrono::steady_clock::now();
    auto notifications = start;
    while (!terms_.stopped()) {
        // In pieces, so that a signal is seen.
        std::optional<Message> message;
        try {
            message = control_connection_.receive(milliseconds{200});
        } catch (const PeerSilent&) {
            if (std::chrono::steady_clock::now() - notifications > kIdleLimit) throw;
            continue;
        }
        if (message->kind == "close") return;
        if (message->kind == "stop") continue;  // what it is about is over already
        control_connection_.send(answer(*message));
        notifications = std::chrono::steady_clock::now();
    }
}

Message ProbeServer::answer(const Message& message) {
    try {
        for (const Task& task : kTasks)
            if (task.kind == message.kind) return (this->*task.run)(message);
        return failure_message("this rocectl does not know '" + message.kind + "'");
    } catch (const NoRail& error) {
        return {.kind = "failed", .words = {{"text", error.what()}, {"lacks", "rail"}}};
    } catch (const core::Error& error) {
        return failure_message(error.what());
    } catch (const verbs::Incomplete& error) {
        return {.kind = "failed",
                .numbers = {{"status", error.status()}, {"vendor_error", error.vendor_error()}},
                .words = {{"text", error.what()}}};
    } catch (const verbs::TimeOver& error) {
        return failure_message(error.what());
    } catch (const verbs::CmFailure& error) {
        return failure_message(error.what());
    } catch (const StreamBroken& error) {
        return failure_message(error.what());
    } catch (const Stopped&) {
        return {.kind = "stopped"};
    }
}

std::uint32_t ProbeServer::seed_in(const Message& message) {
    return static_cast<std::uint32_t>(number_in(message, "seed", 0, UINT32_MAX));
}

verbs::Wait ProbeServer::limited(const Message& message, milliseconds longer) {
    return {milliseconds(number_in(message, "limit", 1, kLongestRun)) + longer,
            [this] { poll_client(); }};
}

void ProbeServer::poll_client() {
    if (terms_.stopped()) throw Stopped();
    const auto message = control_connection_.receive_now();
    if (!message) return;
    if (message->kind == "stop") throw Stopped();
    if (message->kind == "alive") {
        control_connection_.send(alive(*message));
    } else if (message->kind == "sent") {
        expected_ = number_in(*message, "messages", 1, kMostMessages);
    } else {
        throw refused("the peer sent '" + message->kind + "' while something was measured");
    }
}

verbs::Endpoint& ProbeServer::endpoint() {
    if (!endpoint_) throw refused("nothing is open");
    return *endpoint_;
}

std::uint64_t ProbeServer::size_in(const Message& message) {
    endpoint();
    return number_in(message, "size", 1, std::min(room_, kMostBytes));
}

/// Asked once a client: the queue pairs that come later are its own.
Rail ProbeServer::free_rail(bool force) {
    return freed(rail_of(read_rails(kernel_), terms_.address), force);
}

Rail ProbeServer::freed(Rail rail, bool force) const {
    if (!rail.holders.empty() && !force && !terms_.force)
        throw refused(rail.device + " has queue pairs of " + rail.holders +
                      "; --force probes beside them");
    return rail;
}

Message ProbeServer::open(const Message& message) {
    endpoint_.reset();
    if (!rail_) rail_ = free_rail(number_in(message, "force", 0, 1) == 1);
    const Rail& rail = *rail_;
    const auto pairs = static_cast<unsigned>(number_in(message, "queue_pairs", 1, kMostPairs));
    room_ = number_in(message, "room", 1, kMostRoom);
    const auto depth = static_cast<unsigned>(number_in(message, "depth", 1, kMostDepth));
    endpoint_.emplace(
        verbs::EndpointOptions{.device = rail.device,
                               .gid_index = rail.gid_index,
                               .gid = rail.gid,
                               .queue_pairs = pairs,
                               .depth = depth,
                               .room = room_,
                               .completion = completion_named(word_in(message, "completion"))});
    depth_ = depth;
    Message out{
        .kind = "opened",
        .numbers = {{"atomics", endpoint_->has_atomics() ? 1U : 0U}, {"gid_index", rail.gid_index}},
        .words = {
            {"device", rail.device}, {"port", rail.port}, {"address", core::text(rail.address)}}};
    put_address(out, endpoint_->address());
    return out;
}

Message ProbeServer::connect(const Message& message) {
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, 255));
    endpoint().connect(
        address_in(message, endpoint().queue_pairs()),
        {.traffic_class = traffic_class, .spread = number_in(message, "spread", 0, 1) == 1});
    return {.kind = "done"};
}

Message ProbeServer::alive(const Message& /*message*/) {
    Message out{.kind = "alive"};
    if (endpoint_) out.numbers["failed_pairs"] = endpoint_->failed_pairs();
    return out;
}

Message ProbeServer::counters(const Message& /*message*/) {
    const Rail rail = rail_ ? *rail_ : rail_of(read_rails(kernel_), terms_.address);
    const core::Port port = read_counters(kernel_, rail);
    Message out{.kind = "counters",
                .numbers = {{"refresh", core::refresh_ms(port.device ? port.device->driver : "")}},
                .words = {}};
    put_counts(out, core::probe::class_counts(port));
    put_packet_losses(out, core::probe::packet_losses(port));
    return out;
}

Message ProbeServer::rails(const Message& /*message*/) {
    Message out{.kind = "rails"};
    for (const Rail& rail : rails_in(read_rails(kernel_)))
        out.words["rail." + std::to_string(out.words.size())] =
            core::text(core::Prefix{.ip = rail.address, .length = rail.prefix_length});
    return out;
}

Message ProbeServer::rail(const Message& message) {
    const bool force = number_in(message, "force", 0, 1) == 1;
    Message out{.kind = "rail", .words = {{"address", core::text(terms_.address)}}};
    if (!rail_) {
        std::string unsupported_text;
        std::optional<Rail> found =
            rail_or_lack(read_rails(kernel_), terms_.address, unsupported_text);
        if (!found) {
            out.words["lack"] = unsupported_text;
            return out;
        }
        rail_ = freed(*std::move(found), force);
    }
    out.words["device"] = rail_->device;
    out.words["port"] = rail_->port;
    out.numbers["gid_index"] = rail_->gid_index;
    return out;
}

Message ProbeServer::shut(const Message& /*message*/) {
    endpoint_.reset();
    return {.kind = "done"};
}

const MeshTasks& ProbeServer::mesh_tasks() const {
    if (terms_.mesh_tasks == nullptr)
        throw refused("this server takes part in no mesh: rocectl probe serve --mesh does");
    return *terms_.mesh_tasks;
}

Message ProbeServer::mesh(const Message& /*message*/) {
    return introduction(kernel_, mesh_tasks(), terms_.address);
}

Message ProbeServer::measure(const Message& message) {
    endpoint_.reset();
    bool over = false;
    // What the client does meanwhile must not look like something that the measured server did.
    const auto stopped = [&] {
        try {
            if (!over) poll_client();
        } catch (const std::exception&) {
            over = true;
        }
        return over;
    };
    return run_mesh_task(message, kernel_, mesh_tasks(), stopped);
}

}  // namespace cli

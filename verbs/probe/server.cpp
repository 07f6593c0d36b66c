// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/server.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "core/drivers/counters.hpp"
#include "core/error.hpp"
#include "core/probe/parameters.hpp"
#include "core/probe/payload.hpp"
#include "verbs/bandwidth.hpp"
#include "verbs/latency.hpp"
#include "verbs/probe/messages.hpp"
#include "verbs/probe/rail.hpp"
#include "verbs/probe/run_parts.hpp"
#include "verbs/rpc.hpp"
#include "verbs/socket.hpp"

namespace verbs {
namespace {

using core::probe::Measurement;
using core::probe::Message;
using core::probe::number_in;
using core::probe::Operation;
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
    {"shut", &ProbeServer::shut},
    {"rails", &ProbeServer::rails},
    {"alive", &ProbeServer::alive},
    {"counters", &ProbeServer::counters},
    {"cm_listen", &ProbeServer::cm_listen},
    {"cm_accept", &ProbeServer::cm_accept},
    {"cm_shut", &ProbeServer::cm_shut},
    {"packet_open", &ProbeServer::packet_open},
    {"packet_came", &ProbeServer::packet_came},
    {"packet_send", &ProbeServer::packet_send},
    {"packet_shut", &ProbeServer::packet_shut},
    {"mesh", &ProbeServer::mesh},
    {"measure", &ProbeServer::measure},
    {"rail", &ProbeServer::rail},
    {"join", &ProbeServer::join},
    {"run", &ProbeServer::run_work},
};

ProbeServer::ProbeServer(ControlConnection& control_connection, core::Kernel& kernel,
                         Settings settings)
    : control_connection_(control_connection), kernel_(kernel), settings_(std::move(settings)) {}

void ProbeServer::run() {
    const auto start = std::chrono::steady_clock::now();
    auto heard = start;
    while (!settings_.stopped()) {
        // In pieces, so that a signal is seen.
        std::optional<Message> message;
        try {
            message = control_connection_.receive(milliseconds{200});
        } catch (const PeerSilent&) {
            if (std::chrono::steady_clock::now() - heard > kIdleLimit) throw;
            continue;
        }
        if (message->kind == "close") return;
        if (message->kind == "stop") continue;  // what it is about is over already
        control_connection_.send(answer(*message));
        heard = std::chrono::steady_clock::now();
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
    } catch (const Incomplete& error) {
        return {.kind = "failed",
                .numbers = {{"status", error.status()}, {"vendor_error", error.vendor_error()}},
                .words = {{"text", error.what()}}};
    } catch (const TimeOver& error) {
        return failure_message(error.what());
    } catch (const CmFailure& error) {
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

Wait ProbeServer::limited(const Message& message, milliseconds longer) {
    return {milliseconds(number_in(message, "limit", 1, kLongestRun)) + longer,
            [this] { poll_client(); }};
}

void ProbeServer::poll_client() {
    if (settings_.stopped()) throw Stopped();
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

Endpoint& ProbeServer::endpoint() {
    if (!endpoint_) throw refused("nothing is open");
    return *endpoint_;
}

std::uint64_t ProbeServer::size_in(const Message& message) {
    endpoint();
    return number_in(message, "size", 1, std::min(room_, core::probe::kMostBytes));
}

/// Asked once a client: the queue pairs that come later are its own.
Rail ProbeServer::free_rail(bool force) {
    return freed(rail_of(read_rails(kernel_), settings_.address), force);
}

Rail ProbeServer::freed(Rail rail, bool force) const {
    if (!rail.holders.empty() && !force && !settings_.force)
        throw refused(rail.device + " has queue pairs of " + rail.holders +
                      "; --force probes beside them");
    return rail;
}

Message ProbeServer::open(const Message& message) {
    endpoint_.reset();
    if (!rail_) rail_ = free_rail(number_in(message, "force", 0, 1) == 1);
    const Rail& rail = *rail_;
    const auto pairs =
        static_cast<unsigned>(number_in(message, "queue_pairs", 1, core::probe::kMostPairs));
    room_ = number_in(message, "room", 1, kMostRoom);
    const auto depth =
        static_cast<unsigned>(number_in(message, "depth", 1, core::probe::kMostDepth));
    endpoint_.emplace(
        EndpointOptions{.device = rail.device,
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
    const Rail rail = rail_ ? *rail_ : rail_of(read_rails(kernel_), settings_.address);
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
    Message out{.kind = "rail", .words = {{"address", core::text(settings_.address)}}};
    if (!rail_) {
        std::string unsupported_text;
        std::optional<Rail> found =
            rail_or_lack(read_rails(kernel_), settings_.address, unsupported_text);
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
    if (settings_.mesh_tasks == nullptr)
        throw refused("this server takes part in no mesh: rocectl probe serve --mesh does");
    return *settings_.mesh_tasks;
}

Message ProbeServer::mesh(const Message& /*message*/) {
    return introduction(kernel_, mesh_tasks(), settings_.address);
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

// What the serving side does of one operation at one size, with the contents looked at.

Message ProbeServer::fill(const Message& message) {
    core::probe::fill_pattern(endpoint().outgoing().first(size_in(message)), seed_in(message));
    return {.kind = "done"};
}

Message ProbeServer::receive(const Message& message) {
    std::memset(endpoint().incoming().data(), 0, endpoint().incoming().size());
    endpoint().post_receive(size_in(message));
    return {.kind = "done"};
}

Message ProbeServer::arrived(const Message& message) {
    Wait wait = limited(message);
    const ibv_wc completion = endpoint().received(wait);
    const std::uint64_t size = size_in(message);
    const auto wrong =
        core::probe::first_wrong(endpoint().incoming().first(size), seed_in(message));
    Message out{.kind = "arrived", .numbers = {{"length", completion.byte_len}}, .words = {}};
    if (wrong) out.numbers["wrong"] = *wrong;
    if ((completion.wc_flags & IBV_WC_WITH_IMM) != 0)
        out.numbers["immediate"] = ntohl(completion.imm_data);
    return out;
}

Message ProbeServer::check(const Message& message) {
    const auto wrong =
        core::probe::first_wrong(endpoint().incoming().first(size_in(message)), seed_in(message));
    Message out{.kind = "checked"};
    if (wrong) out.numbers["wrong"] = *wrong;
    return out;
}

Message ProbeServer::send(const Message& message) {
    Wait wait = limited(message);
    core::probe::fill_pattern(endpoint().outgoing().first(size_in(message)), seed_in(message));
    endpoint().post({.code = IBV_WR_SEND, .size = size_in(message)});
    endpoint().sent(wait);
    return {.kind = "done"};
}

Message ProbeServer::value(const Message& message) {
    std::uint64_t number = 0;
    if (message.numbers.contains("set")) {
        number = number_in(message, "set", 0, UINT64_MAX);
        std::memcpy(endpoint().outgoing().data(), &number, sizeof number);
    }
    std::memcpy(&number, endpoint().outgoing().data(), sizeof number);
    return {.kind = "value", .numbers = {{"number", number}}};
}

// What the serving side does to find the MTU of a path.
namespace {

std::uint32_t packet_in(const core::probe::Message& message) {
    constexpr std::uint64_t kLeastPacket = 68;
    return static_cast<std::uint32_t>(
        core::probe::number_in(message, "size", kLeastPacket, kMostPacket));
}

}  // namespace

Message ProbeServer::packet_open(const Message& message) {
    datagrams_.reset();
    if (!rail_) rail_ = free_rail(number_in(message, "force", 0, 1) == 1);
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, UINT8_MAX));
    datagrams_.emplace(rail_->address, rail_->port, number_in(message, "token", 0, UINT64_MAX),
                       traffic_class);
    return {.kind = "packet_opened",
            .numbers = {{"port", datagrams_->port()}, {"mtu", std::min(rail_->mtu, kMostPacket)}},
            .words = {{"address", core::text(rail_->address)}}};
}

Datagrams& ProbeServer::datagrams() {
    if (!datagrams_) throw core::Error(core::Status::failed, "nobody asked for datagrams");
    return *datagrams_;
}

Message ProbeServer::packet_came(const Message& message) {
    constexpr std::chrono::milliseconds kToCome{100};
    const bool came = datagrams().has_come(packet_in(message), kToCome);
    return {.kind = "packet", .numbers = {{"came", came ? 1U : 0U}}};
}

/// Only to who has sent the token to this socket: nobody else is sent anything.
Message ProbeServer::packet_send(const Message& message) {
    if (!datagrams().has_peer())
        throw core::Error(core::Status::failed, "no datagram has come from this client");
    const bool sent = datagrams().send(packet_in(message));
    return {.kind = "packet", .numbers = {{"sent", sent ? 1U : 0U}}};
}

Message ProbeServer::packet_shut(const Message& /*message*/) {
    datagrams_.reset();
    return {.kind = "done"};
}

// What the serving side does of rdma_cm.

/// Only what the client asked for is listened for, at a port that nobody else knows.
Message ProbeServer::cm_listen(const Message& message) {
    managed_.reset();
    if (!rail_) rail_ = free_rail(number_in(message, "force", 0, 1) == 1);
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, UINT8_MAX));
    const std::uint64_t token = number_in(message, "token", 0, UINT64_MAX);
    managed_.emplace(traffic_class, kManagedBytes);
    const std::uint16_t port = managed_->listen(rail_->address, token);
    return {.kind = "cm_listening",
            .numbers = {{"port", port}},
            .words = {{"address", core::text(rail_->address)}}};
}

Message ProbeServer::cm_accept(const Message& message) {
    try {
        return accepted(message);
    } catch (...) {
        // Nobody is listened for any more.
        managed_.reset();
        throw;
    }
}

Message ProbeServer::accepted(const Message& message) {
    if (!managed_) throw core::Error(core::Status::failed, "nobody asked for rdma_cm");
    const std::uint32_t seed = seed_in(message);
    Wait wait = limited(message);
    managed_->accept(wait);
    managed_->received(wait);
    Message out{.kind = "cm_done"};
    if (const auto wrong = core::probe::first_wrong(managed_->incoming(), seed))
        out.numbers["wrong"] = *wrong;
    core::probe::fill_pattern(managed_->outgoing(), seed + 1);
    managed_->send(wait);
    return out;
}

Message ProbeServer::cm_shut(const Message& /*message*/) {
    managed_.reset();
    return {.kind = "done"};
}

// What is measured together with the client.

Message ProbeServer::join(const Message& message) {
    constexpr std::uint64_t kOneByte = 255;
    streams_.reset();
    const std::uint64_t opening = openings_++;
    if (settings_.listener == nullptr)
        throw core::Error(core::Status::failed, "this server takes no data connections");
    const auto connections =
        static_cast<unsigned>(number_in(message, "connections", 1, core::probe::kMostPairs));
    const std::uint64_t room = number_in(message, "room", 1, kMostRoom);
    const auto traffic_class =
        static_cast<std::uint8_t>(number_in(message, "traffic_class", 0, kOneByte));
    const Completion completion = completion_named(core::probe::word_in(message, "completion"));
    std::vector<Key> tokens;
    for (unsigned i = 0; i < connections; ++i)
        tokens.push_back(control_connection_.token(ControlConnection::Side::client, opening, i));
    std::vector<netlink::Descriptor> sockets = settings_.listener->claimed(
        tokens, peer_end(control_connection_.number()).ip(), [this] { poll_client(); });
    for (unsigned i = 0; i < connections; ++i) {
        set_traffic_class(sockets[i].number(), traffic_class);
        const Key token = control_connection_.token(ControlConnection::Side::server, opening, i);
        ::send(sockets[i].number(), token.data(), token.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    streams_.emplace(std::move(sockets), completion, room);
    return {.kind = "joined"};
}

Streams& ProbeServer::streams() {
    if (!streams_) throw core::Error(core::Status::failed, "no data connection is open");
    return *streams_;
}

Transport& ProbeServer::transport(const Measurement& what) {
    const bool has_room = uses_tcp(what) || requests_for(what) <= depth_;
    Transport& out = uses_tcp(what) ? static_cast<Transport&>(streams()) : endpoint();
    if (!has_room || room_for(what) > out.outgoing().size())
        throw refused("what is open has less room");
    return out;
}

Message ProbeServer::run_work(const Message& message) {
    // The client is the first whose time is over: it knows how much was done.
    constexpr milliseconds kLonger{1000};
    const Measurement what = work_in(message);
    Transport& over = transport(what);
    const bool sending = what.bandwidth && sends(what, false);
    if (is_calls(what))
        prepare_calls(over, what, false);
    else if (what.bandwidth)
        prepare_stream(over, what, false);
    else
        prepare_pong(over, what);
    expected_ = 0;
    control_connection_.send({.kind = "ready"});
    Wait wait = limited(message, sending ? milliseconds{0} : kLonger);
    Message ended{.kind = "ended"};
    const CpuTime cpu_time;
    if (is_calls(what)) {
        verbs::answer(over, what, wait);
    } else if (what.bandwidth && uses_tcp(what)) {
        ended.numbers["received"] = streams().receive_all(wait);
    } else if (what.bandwidth) {
        const core::probe::Bandwidth sent =
            run_stream(over, what, {.expected = [this] { return expected_; }}, wait);
        if (sending) {
            ended.numbers["messages"] = sent.messages;
            ended.numbers["nanoseconds"] = sent.nanoseconds;
        }
    } else {
        pong(over, what, wait);
    }
    // What is one-sided comes without this side: the client says when it was all.
    const bool is_told = what.operation == Operation::read || what.operation == Operation::write;
    if (is_told && (what.bandwidth ? sends(what, true) : what.operation == Operation::read))
        await_count(wait);
    cpu_time.tell(ended);
    return ended;
}

void ProbeServer::await_count(Wait& wait) {
    // Nothing is to be done here, and the processor is the client's, where both are one host.
    for (; expected_ == 0; wait.check())
        if (control_connection_.await_some(milliseconds{5})) poll_client();
}

}  // namespace verbs

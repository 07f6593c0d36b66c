// SPDX-License-Identifier: Apache-2.0
#include "verbs/probe/path.hpp"

#include <algorithm>
#include <utility>

#include "core/checks/effective_intent.hpp"
#include "core/doctor/examination.hpp"
#include "core/error.hpp"
#include "core/model/tos.hpp"
#include "core/probe/schedule.hpp"
#include "verbs/probe/control_connection.hpp"
#include "verbs/probe/run.hpp"
#include "verbs/socket.hpp"

namespace verbs {
namespace {

using std::chrono::milliseconds;

/// By the rail that is named, else the one of the address that the route to the peer gave.
Path one_path(const core::State& state, const core::probe::Parameters& parameters,
              const std::string& host) {
    if (parameters.port.empty() && parameters.device.empty()) {
        netlink::Descriptor socket = connect_to(host);
        const core::Ip own = own_end(socket.number()).ip();
        std::string unsupported_text;
        std::optional<Rail> rail = rail_or_lack(state, own, unsupported_text);
        if (!rail && needs_rdma(parameters)) throw NoRail(unsupported_text);
        return {.control_connection =
                    ControlConnection(std::move(socket), ControlConnection::Side::client),
                .rail = rail ? *std::move(rail) : Rail{.address = own},
                .unsupported_text = std::move(unsupported_text)};
    }
    Rail rail = rail_named(state, parameters.port, parameters.device);
    netlink::Descriptor socket = connect_to(host, rail.address);
    return {
        .control_connection = ControlConnection(std::move(socket), ControlConnection::Side::client),
        .rail = std::move(rail)};
}

/// The addresses of the peer's rails, as it says.
std::vector<core::Prefix> peer_rails(const std::string& host, const std::string& secret) {
    constexpr milliseconds kAnswer{5000};
    ControlConnection control_connection(connect_to(host), ControlConnection::Side::client);
    handshake_as_client(control_connection, secret);
    control_connection.send({.kind = "rails"});
    const core::probe::Message said = control_connection.receive(kAnswer);
    control_connection.send({.kind = "close"});
    std::vector<core::Prefix> out;
    for (std::size_t i = 0; i < said.words.size(); ++i) {
        const std::string& text = core::probe::word_in(said, "rail." + std::to_string(i));
        const auto prefix = core::parse_prefix(text);
        if (!prefix)
            throw core::Error(core::Status::failed,
                              "the peer's address '" + text + "' of a rail is none");
        out.push_back(*prefix);
    }
    return out;
}

/// A rail without a counterpart has lost it, or is in a network of its own.
core::probe::PathReport lost_report(core::probe::End here, core::probe::End peer) {
    const std::string other = here.address.empty() ? "this host" : "the peer";
    return {.here = std::move(here),
            .peer = std::move(peer),
            .failure = "this rail has no counterpart at " + other,
            .advice =
                "look there, with rocectl show, for a port that is down, has lost its "
                "address or has no RDMA device; --port, with the address of the other rail, "
                "probes one rail alone"};
}

/// Each rail to its counterpart.
Paths all_paths(const core::State& state, const std::string& host, const std::string& secret) {
    const std::vector<Rail> own = rails_in(state);
    std::vector<core::Prefix> here;
    for (const Rail& rail : own)
        here.push_back({.ip = rail.address, .length = rail.prefix_length});
    const std::vector<core::Prefix> there = peer_rails(host, secret);
    const std::vector<core::probe::RailPair> pairs = core::probe::pair_rails(here, there);
    if (pairs.empty())
        throw core::Error(core::Status::failed, "no rail has a counterpart: this host has " +
                                                    std::to_string(here.size()) + ", the peer " +
                                                    std::to_string(there.size()));
    Paths out;
    for (const std::size_t place :
         core::probe::without_counterpart(pairs, own.size(), &core::probe::RailPair::here))
        out.lost.push_back(lost_report(end_of(own[place]), {}));
    for (const std::size_t place :
         core::probe::without_counterpart(pairs, there.size(), &core::probe::RailPair::there))
        out.lost.push_back(lost_report({}, {.address = core::text(there[place].ip)}));
    for (const core::probe::RailPair& pair : pairs)
        out.all.push_back(
            {.control_connection = ControlConnection(
                 connect_to(with_address(host, there[pair.there].ip), own[pair.here].address),
                 ControlConnection::Side::client),
             .rail = own[pair.here]});
    return out;
}

}  // namespace

void check_holders(const Rail& rail, const core::probe::Parameters& parameters) {
    if (!rail.holders.empty() && !parameters.force)
        throw core::Error(core::Status::failed, rail.device + " has queue pairs of " +
                                                    rail.holders + "; --force probes beside them");
}

Paths paths_of(const core::State& state, const core::probe::Parameters& parameters,
               const std::string& host, const std::string& secret) {
    if (parameters.all && !(parameters.port.empty() && parameters.device.empty()))
        throw core::Error(core::Status::usage,
                          "--all: cannot be used together with --port or --device");
    Paths out;
    if (parameters.all)
        out = all_paths(state, host, secret);
    else
        out.all.push_back(one_path(state, parameters, host));
    for (const Path& path : out.all)
        check_holders(path.rail, parameters);
    return out;
}

Path path_from(const core::State& state, const core::probe::Parameters& parameters,
               const core::Ip& own, const std::string& host) {
    Rail rail = rail_of(state, own);
    check_holders(rail, parameters);
    return {.control_connection =
                ControlConnection(connect_to(host, own), ControlConnection::Side::client),
            .rail = std::move(rail)};
}

namespace {

core::EffectiveIntent intent_of_port(const core::EffectiveIntent& usual,
                                     const core::DesiredState* desired_values,
                                     const std::string& port) {
    if (desired_values == nullptr) return usual;
    std::vector<core::Desired> own;
    for (const core::Desired& desired : desired_values->desired_values)
        if (desired.port == port) own.push_back(desired);
    return core::effective_intent(usual, own);
}

}  // namespace

void set_traffic_classes(core::Kernel& kernel, const core::DesiredState* desired_values,
                         const core::probe::Parameters& parameters, std::vector<Path>& paths) {
    core::Objects objects = core::objects_of({"mtu", "driver", "rdma.device", "rdma.gids"});
    objects.merge(core::intent_objects());
    const core::State state = kernel.read({.ports = std::nullopt, .objects = std::move(objects)});
    const core::EffectiveIntent usual =
        core::inferred_intent(core::fabric_ports(state, desired_values));
    for (Path& path : paths) {
        const core::EffectiveIntent roce = intent_of_port(usual, desired_values, path.rail.port);
        const std::uint8_t dscp = parameters.dscp.value_or(roce.dscp);
        path.traffic_class = static_cast<std::uint8_t>(core::tos_of(dscp, roce.ecn));
        path.cnp_priority = roce.cnp_priority;
        if (roce.by != core::IntentSource::guess && dscp == roce.dscp)
            path.priority = roce.priority;
    }
}

}  // namespace verbs

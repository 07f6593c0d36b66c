// SPDX-License-Identifier: Apache-2.0
#include "netlink/ip/codecs.hpp"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/model/edit.hpp"
#include "core/objects/ip/route_words.hpp"
#include "netlink/link/codecs.hpp"

namespace netlink {
namespace {

using NeighbourEdit = core::Edit<core::Neighbour>;

constexpr std::string_view kRouter = "router";

/// Empty for what a neighbour of an IP is not in.
std::string state_word(const ndmsg& header) {
    constexpr std::array kStates = {
        std::pair{NUD_INCOMPLETE, "incomplete"}, std::pair{NUD_REACHABLE, "reachable"},
        std::pair{NUD_STALE, "stale"},           std::pair{NUD_DELAY, "delay"},
        std::pair{NUD_PROBE, "probe"},           std::pair{NUD_FAILED, "failed"},
        std::pair{NUD_PERMANENT, "permanent"}};
    const auto found = std::ranges::find(kStates, int{header.ndm_state},
                                         [](const auto& state) { return state.first; });
    if (found == kStates.end()) return {};
    // Somebody else's control plane made it and keeps it (NTF_EXT_LEARNED).
    return (header.ndm_flags & NTF_EXT_LEARNED) != 0 ? "extern_learn" : found->second;
}

std::string parts_beside(const ndmsg& header, const Attributes& attributes) {
    std::string words;
    if ((header.ndm_flags & NTF_ROUTER) != 0) words = kRouter;
    const auto protocol = attributes.value<std::uint8_t>(NDA_PROTOCOL).value_or(0);
    if (protocol != 0)
        words += (words.empty() ? "proto " : ", proto ") + core::protocol_word(protocol);
    return words;
}

std::array<std::byte, 6> mac_bytes(const std::string& mac) {
    std::array<std::byte, 6> bytes{};
    for (std::size_t i = 0; i < bytes.size() && i * 3 + 2 <= mac.size(); ++i)
        bytes.at(i) = static_cast<std::byte>(std::stoul(mac.substr(i * 3, 2), nullptr, 16));
    return bytes;
}

/// The flag is one that a replacement without it clears (net/core/neighbour.c neigh_add).
bool is_router(const core::Port& port, const core::Ip& ip) {
    return std::ranges::any_of(port.neighbours_beyond, [&](const core::AddressBeyond& beyond) {
        return beyond.ip == ip && beyond.what.starts_with(kRouter);
    });
}

void send_edit(Machine& machine, const core::Port& now, const NeighbourEdit& edit) {
    const core::Ip& ip = edit.entry.ip;
    const bool remove = edit.kind == NeighbourEdit::Kind::remove;
    Message message(remove ? RTM_DELNEIGH : RTM_NEWNEIGH,
                    remove ? 0 : NLM_F_CREATE | NLM_F_REPLACE);
    ndmsg header{};
    header.ndm_family = ip.v6 ? AF_INET6 : AF_INET;
    header.ndm_ifindex = static_cast<int>(now.link->index);
    header.ndm_state = NUD_PERMANENT;
    if (!remove && is_router(now, ip)) header.ndm_flags = NTF_ROUTER;
    message.put_header(header);
    message.put_bytes(NDA_DST, bytes_of(ip));
    if (!remove) message.put_bytes(NDA_LLADDR, mac_bytes(edit.entry.mac));
    try {
        machine.route().change(message);
    } catch (const KernelError& error) {
        // Gone already, for instance with the last IPv4 address.
        if (remove && error.code == ENOENT) return;
        throw;
    }
}

}  // namespace

std::optional<NeighbourAnswer> decode_neighbour(Bytes payload) {
    const auto header = header_of<ndmsg>(payload);
    if (!header || (header->ndm_family != AF_INET && header->ndm_family != AF_INET6))
        return std::nullopt;
    if ((header->ndm_flags & NTF_PROXY) != 0) return std::nullopt;
    const auto attributes = Attributes::after<ndmsg>(payload);
    const auto ip = ip_of(attributes.find(NDA_DST).value_or(Bytes()));
    std::string state = state_word(*header);
    if (!ip || ip->v6 != (header->ndm_family == AF_INET6) || state.empty()) return std::nullopt;
    NeighbourAnswer answer;
    answer.index = static_cast<std::uint32_t>(header->ndm_ifindex);
    answer.neighbour = {.ip = *ip,
                        .mac = mac_text(attributes.find(NDA_LLADDR).value_or(Bytes())),
                        .state = std::move(state)};
    if (answer.neighbour.is_permanent()) answer.beyond = parts_beside(*header, attributes);
    return answer;
}

void read_neighbours(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const Links links = links_of(state);
    Message request(RTM_GETNEIGH);
    request.put_header(ndmsg{});
    if (links.only != 0) request.put(NDA_IFINDEX, links.only);
    const auto answers = machine.route().dump<NeighbourAnswer>(
        request, [&links](const Reply& reply) -> std::optional<NeighbourAnswer> {
            auto answer = decode_neighbour(reply.payload);
            return answer && links.find(answer->index) != nullptr ? answer : std::nullopt;
        });
    for (const auto& [index, port] : links.ports)
        port->neighbours.emplace();
    for (const NeighbourAnswer& answer : answers) {
        core::Port& port = *links.find(answer.index);
        port.neighbours->push_back(answer.neighbour);
        if (!answer.beyond.empty())
            port.neighbours_beyond.push_back({.ip = answer.neighbour.ip, .what = answer.beyond});
    }
}

void write_neighbours(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.link || !now.neighbours || !then.neighbours) throw KernelError(ENODEV);
    for (const NeighbourEdit& edit : core::neighbours::edits(*now.neighbours, *then.neighbours))
        send_edit(machine, now, edit);
}

}  // namespace netlink

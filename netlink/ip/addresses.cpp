// SPDX-License-Identifier: Apache-2.0
#include "netlink/ip/codecs.hpp"

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "core/model/edit.hpp"
#include "netlink/ip/links.hpp"

namespace netlink {
namespace {

using AddressEdit = core::Edit<core::Address>;

// Values of IFA_PROTO, since Linux 5.18 (include/uapi/linux/if_addr.h).
constexpr std::uint8_t kProtoLoopback = 1;
constexpr std::uint8_t kProtoRouter = 2;
constexpr std::uint8_t kProtoLinkLocal = 3;

/// RFC 4862: a link-local address is tentative for about a second by default, a stated one too.
constexpr std::chrono::milliseconds kTentativeTime{4000};
constexpr std::chrono::milliseconds kTentativeStep{50};

/// INFINITY_LIFE_TIME (include/net/addrconf.h), of a lifetime in seconds.
constexpr std::uint32_t kForEver = 0xffffffff;

/// What `ip address add` gives it: host for 127.0.0.0/8, link for a link-local one.
std::uint8_t scope_of(const core::Ip& ip) {
    if (!ip.v6 && ip.bytes[0] == 127) return RT_SCOPE_HOST;
    if (ip.v6 && core::is_link_local(ip)) return RT_SCOPE_LINK;
    return RT_SCOPE_UNIVERSE;
}

Message address_message(int type, int flags, std::uint32_t index, const core::Address& address) {
    Message message(type, flags);
    ifaddrmsg header{};
    header.ifa_family = address.ip.v6 ? AF_INET6 : AF_INET;
    header.ifa_prefixlen = address.prefix_length;
    header.ifa_scope = scope_of(address.ip);
    header.ifa_index = index;
    message.put_header(header);
    message.put_bytes(IFA_LOCAL, bytes_of(address.ip));
    message.put_bytes(IFA_ADDRESS, bytes_of(address.ip));
    if (type != RTM_NEWADDR) return message;
    if (address.broadcast) message.put_bytes(IFA_BROADCAST, bytes_of(*address.broadcast));
    if (address.deprecated) {
        ifa_cacheinfo life{};
        life.ifa_valid = kForEver;
        message.put(IFA_CACHEINFO, life);
    }
    return message;
}

void send_edit(Machine& machine, std::uint32_t index, const AddressEdit& edit) {
    const bool remove = edit.kind == AddressEdit::Kind::remove;
    const int flags = edit.kind == AddressEdit::Kind::add ? NLM_F_CREATE | NLM_F_EXCL
                                                          : NLM_F_CREATE | NLM_F_REPLACE;
    Message message =
        address_message(remove ? RTM_DELADDR : RTM_NEWADDR, remove ? 0 : flags, index, edit.entry);
    try {
        machine.route().change(message);
    } catch (const KernelError& error) {
        // A secondary address goes with its primary one (net.ipv4.conf.*.promote_secondaries).
        if (remove && error.code == EADDRNOTAVAIL) return;
        throw KernelError(error.code, core::text(edit.entry.ip));
    }
}

std::vector<core::Address> addresses_of(Machine& machine, std::uint32_t index) {
    std::vector<core::Address> addresses;
    for (const AddressAnswer& answer : dump_addresses(machine, index))
        addresses.push_back(answer.address);
    return addresses;
}

/// Until duplicate address detection is over, the kernel refuses routes from an IPv6 address
/// (net/ipv6/route.c, "Invalid source address"), and what it found must not pass as success.
void await_detection(Machine& machine, std::uint32_t index) {
    const auto end = std::chrono::steady_clock::now() + kTentativeTime;
    for (;;) {
        bool tentative = false;
        for (const AddressAnswer& answer : dump_addresses(machine, index)) {
            if (answer.address.by_kernel) continue;
            if ((answer.flags & IFA_F_DADFAILED) != 0)
                throw KernelError(EADDRINUSE, core::text(answer.address.ip) +
                                                  " is in use by another host (IPv6 DAD)");
            tentative = tentative || (answer.flags & IFA_F_TENTATIVE) != 0;
        }
        if (!tentative || std::chrono::steady_clock::now() >= end) return;
        std::this_thread::sleep_for(kTentativeStep);
    }
}

/// What has a lifetime goes for good: but for what a router advertisement made, which makes it
/// again.
std::string lifetime_of(const Attributes& attributes, std::uint32_t flags, bool by_router) {
    const auto life = attributes.value<ifa_cacheinfo>(IFA_CACHEINFO).value_or(ifa_cacheinfo{});
    if ((flags & IFA_F_PERMANENT) == 0) return by_router ? "" : "valid_lft";
    if (!attributes.find(IFA_CACHEINFO)) return "";
    const bool is_forever = life.ifa_prefered == kForEver || life.ifa_prefered == 0;
    return is_forever ? "" : "preferred_lft";
}

/// nodad is passed over, which counts only while the address is added.
std::string parts_beside(const ifaddrmsg& header, const Attributes& attributes,
                         std::uint32_t flags) {
    constexpr std::array kFlags = {
        std::pair{IFA_F_HOMEADDRESS, "home"}, std::pair{IFA_F_MANAGETEMPADDR, "mngtmpaddr"},
        std::pair{IFA_F_NOPREFIXROUTE, "noprefixroute"}, std::pair{IFA_F_MCAUTOJOIN, "autojoin"}};
    std::string words;
    const auto add = [&words](std::string_view word) {
        if (!words.empty()) words += ", ";
        words += word;
    };
    const auto own = attributes.find(IFA_LOCAL);
    const auto other = attributes.find(IFA_ADDRESS);
    if (own && other && !std::ranges::equal(*own, *other))
        add("peer " + core::text(ip_of(*other).value_or(core::Ip{})));
    for (const auto& [flag, word] : kFlags)
        if ((flags & static_cast<std::uint32_t>(flag)) != 0) add(word);
    if (attributes.value<std::uint32_t>(IFA_RT_PRIORITY).value_or(0) != 0) add("metric");
    if (const auto ip = ip_of(own ? *own : other.value_or(Bytes()));
        ip && header.ifa_scope != scope_of(*ip))
        add("scope");
    return words;
}

/// The label an IPv4 address has where nobody chose one is the port's name.
void add_address(core::Port& port, const AddressAnswer& answer) {
    port.addresses->push_back(answer.address);
    std::string what = answer.beyond;
    if (!answer.label.empty() && answer.label != port.name)
        what += (what.empty() ? "label " : ", label ") + answer.label;
    if (answer.address.by_kernel) what.clear();
    if (!answer.lifetime.empty()) what += (what.empty() ? "" : ", ") + answer.lifetime;
    if (!what.empty()) port.addresses_beyond.push_back({.ip = answer.address.ip, .what = what});
}

}  // namespace

std::optional<core::Ip> ip_of(Bytes bytes) {
    if (bytes.size() != 4 && bytes.size() != 16) return std::nullopt;
    core::Ip ip{.v6 = bytes.size() == 16};
    std::memcpy(ip.bytes.data(), bytes.data(), bytes.size());
    return ip;
}

Bytes bytes_of(const core::Ip& ip) {
    return std::as_bytes(std::span(ip.bytes)).first(ip.v6 ? 16 : 4);
}

std::optional<AddressAnswer> decode_address(Bytes payload) {
    const auto header = header_of<ifaddrmsg>(payload);
    if (!header || (header->ifa_family != AF_INET && header->ifa_family != AF_INET6))
        return std::nullopt;
    const auto attributes = Attributes::after<ifaddrmsg>(payload);
    // IFA_ADDRESS is the peer's where there is one; IPv6 states IFA_LOCAL only then.
    auto bytes = attributes.find(IFA_LOCAL);
    if (!bytes) bytes = attributes.find(IFA_ADDRESS);
    const auto ip = ip_of(bytes.value_or(Bytes()));
    if (!ip || ip->v6 != (header->ifa_family == AF_INET6)) return std::nullopt;

    AddressAnswer answer;
    answer.index = header->ifa_index;
    answer.flags = attributes.value<std::uint32_t>(IFA_FLAGS).value_or(header->ifa_flags);
    answer.address.ip = *ip;
    answer.address.prefix_length = header->ifa_prefixlen;
    const std::uint8_t proto = attributes.value<std::uint8_t>(IFA_PROTO).value_or(0);
    // Linux 6.1 states it for ::1 and not for 127.0.0.1.
    const core::Ip loopback{.v6 = false, .bytes = {127, 0, 0, 1}};
    const bool from_kernel =
        (proto >= kProtoLoopback && proto <= kProtoLinkLocal) || *ip == loopback;
    // What has a lifetime is SLAAC's or a DHCP client's, and could not be restored as it was.
    const bool limited = (answer.flags & IFA_F_PERMANENT) == 0;
    answer.address.duplicate = (answer.flags & IFA_F_DADFAILED) != 0;
    answer.label = attributes.text(IFA_LABEL);
    answer.beyond = parts_beside(*header, attributes, answer.flags);
    const bool link_local = ip->v6 && core::is_link_local(*ip);
    answer.address.by_kernel = from_kernel || limited || link_local;
    answer.address.by_hand = link_local && !limited && proto != kProtoLinkLocal;
    // A temporary one (RFC 8981) comes with that of the advertisement.
    const bool by_router =
        proto == kProtoRouter || (ip->v6 && (answer.flags & IFA_F_TEMPORARY) != 0);
    answer.lifetime = lifetime_of(attributes, answer.flags, by_router);
    const bool is_deprecated = (answer.flags & IFA_F_DEPRECATED) != 0;
    answer.address.deprecated = is_deprecated && !limited && answer.lifetime.empty();
    if (!ip->v6) answer.address.broadcast = ip_of(attributes.find(IFA_BROADCAST).value_or(Bytes()));
    return answer;
}

std::vector<AddressAnswer> dump_addresses(Machine& machine, std::uint32_t index) {
    Message request(RTM_GETADDR);
    ifaddrmsg header{};
    header.ifa_family = AF_UNSPEC;
    header.ifa_index = index;
    request.put_header(header);
    return machine.route().dump<AddressAnswer>(
        request, [index](const Reply& reply) -> std::optional<AddressAnswer> {
            auto answer = decode_address(reply.payload);
            // A kernel older than 4.20 does not filter.
            return answer && (index == 0 || answer->index == index) ? answer : std::nullopt;
        });
}

void write_addresses(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.link || !now.addresses || !then.addresses) throw KernelError(ENODEV);
    const std::uint32_t index = now.link->index;
    for (const AddressEdit& edit : core::addresses::edits(*now.addresses, *then.addresses))
        send_edit(machine, index, edit);
    // Removing a primary IPv4 address took its secondaries along: put back what is still wanted.
    const std::vector<core::Address> left = addresses_of(machine, index);
    for (const core::Address& address : *then.addresses) {
        const bool is_there = std::ranges::find(left, address.ip, &core::Address::ip) != left.end();
        if (!is_there && (!address.by_kernel || address.by_hand))
            send_edit(machine, index, {AddressEdit::Kind::add, address});
    }
    if (now.link->up && now.link->carrier) await_detection(machine, index);
}

void read_addresses(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const Links links = links_of(state);
    const std::vector<AddressAnswer> answers = dump_addresses(machine, links.only);
    for (const auto& [index, port] : links.ports)
        port->addresses.emplace();
    for (const AddressAnswer& answer : answers)
        if (core::Port* port = links.find(answer.index)) add_address(*port, answer);
}

}  // namespace netlink

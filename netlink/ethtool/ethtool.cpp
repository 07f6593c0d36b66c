// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/ethtool.hpp"

#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>
#include <set>

#include "netlink/ip/links.hpp"

namespace netlink {
namespace {

std::string_view text_in(Bytes bytes) {
    const auto* const start = reinterpret_cast<const char*>(bytes.data());
    return {start, strnlen(start, bytes.size())};
}

}  // namespace

Bitset::Bitset(const Attributes& bitset) {
    const bool only_set = bitset.find(ETHTOOL_A_BITSET_NOMASK).has_value();
    bitset.nested(ETHTOOL_A_BITSET_BITS).for_each([&](int type, Bytes payload) {
        if (type != ETHTOOL_A_BITSET_BITS_BIT) return;
        Bit bit{{}, only_set};
        Attributes(payload).for_each([&bit](int part, Bytes value) {
            if (part == ETHTOOL_A_BITSET_BIT_VALUE) bit.second = true;
            if (part == ETHTOOL_A_BITSET_BIT_NAME && bit.first.empty()) bit.first = text_in(value);
        });
        if (!bit.first.empty()) bits_.push_back(bit);
    });
    std::ranges::stable_sort(bits_, {}, &Bit::first);
    // std::ranges::unique is beyond clang 14 with the library of GCC 12.
    const auto same_name = [](const Bit& one, const Bit& other) {
        return one.first == other.first;
    };
    bits_.erase(std::unique(bits_.begin(), bits_.end(), same_name), bits_.end());
}

Message ethtool_message(Machine& machine, int command, int header, const std::string& port,
                        std::uint32_t flags) {
    Message message(machine.ethtool_family());
    message.put_header(genlmsghdr{
        .cmd = static_cast<std::uint8_t>(command), .version = ETHTOOL_GENL_VERSION, .reserved = 0});
    message.nest(header, [&] {
        message.put_text(ETHTOOL_A_HEADER_DEV_NAME, port);
        if (flags != 0) message.put(ETHTOOL_A_HEADER_FLAGS, flags);
    });
    return message;
}

void ask_together(Machine& machine, const core::Scope& scope, core::State& state,
                  const Question& question, const std::function<bool(core::Port&, Bytes)>& fill,
                  const std::function<void(core::Port&)>& alone) {
    constexpr std::size_t few = 16;
    std::set<const core::Port*> answered;
    if (!scope.ports && state.ports.size() > few) {
        const Links links = links_of(state);
        Message request(machine.ethtool_family());
        request.put_header(genlmsghdr{.cmd = static_cast<std::uint8_t>(question.command),
                                      .version = ETHTOOL_GENL_VERSION,
                                      .reserved = 0});
        request.nest(question.header, [&] {
            if (question.flags != 0) request.put(ETHTOOL_A_HEADER_FLAGS, question.flags);
        });
        try {
            machine.generic().dump(
                request, [&answered] { answered.clear(); },
                [&](const Reply& reply) {
                    const auto index = Attributes::after<genlmsghdr>(reply.payload)
                                           .nested(question.header)
                                           .value<std::uint32_t>(ETHTOOL_A_HEADER_DEV_INDEX);
                    core::Port* port = links.find(index.value_or(0));
                    if (port != nullptr && fill(*port, reply.payload)) answered.insert(port);
                });
        } catch (const KernelError&) {
            // One of them ended it: what it says is told to who asks for it alone.
        }
    }
    for (core::Port& port : state.ports)
        if (!answered.contains(&port)) alone(port);
}

core::Flags decode_bitset(const Attributes& bitset) {
    const Bitset set(bitset);
    return {set.bits().begin(), set.bits().end()};
}

void put_bitset(Message& request, int type, const core::Flags& now, const core::Flags& then) {
    const auto put_bit = [&](const std::string& name, bool on) {
        request.nest(ETHTOOL_A_BITSET_BITS_BIT, [&] {
            request.put_text(ETHTOOL_A_BITSET_BIT_NAME, name);
            if (on) request.put_bytes(ETHTOOL_A_BITSET_BIT_VALUE, {});
        });
    };
    request.nest(type, [&] {
        request.nest(ETHTOOL_A_BITSET_BITS, [&] {
            for (const auto& [name, on] : then) {
                const auto before = now.find(name);
                if (before == now.end() || before->second != on) put_bit(name, on);
            }
        });
    });
}

void put_changed(Message& request, int type, const std::optional<std::uint32_t>& before,
                 const std::optional<std::uint32_t>& after) {
    if (after && before != after) request.put(type, *after);
}

}  // namespace netlink

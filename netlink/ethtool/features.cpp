// SPDX-License-Identifier: Apache-2.0
#include "netlink/ethtool/features.hpp"

#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "netlink/ethtool/ethtool.hpp"

namespace netlink {
namespace {

/// Asks for the features of `then` that differ from `now`; gives back those that are not so.
core::Flags ask_for(Machine& machine, const std::string& port, const core::Flags& now,
                    const core::Flags& then) {
    Message request =
        ethtool_message(machine, ETHTOOL_MSG_FEATURES_SET, ETHTOOL_A_FEATURES_HEADER, port);
    put_bitset(request, ETHTOOL_A_FEATURES_WANTED, now, then);
    core::Flags unmet;
    machine.generic().change(
        request, [&](const Reply& reply) { unmet = decode_unmet_features(reply.payload); });
    return unmet;
}

/// What decode_bitset makes, of names that stay where they are: each port has four sets of sixty.
class BitNames {
public:
    using Bit = std::pair<std::string_view, bool>;

    explicit BitNames(const Attributes& bitset) {
        const bool only_set = bitset.find(ETHTOOL_A_BITSET_NOMASK).has_value();
        bitset.nested(ETHTOOL_A_BITSET_BITS).for_each([&](int type, Bytes payload) {
            if (type != ETHTOOL_A_BITSET_BITS_BIT) return;
            Bit bit{{}, only_set};
            Attributes(payload).for_each([&bit](int part, Bytes value) {
                if (part == ETHTOOL_A_BITSET_BIT_VALUE) bit.second = true;
                if (part == ETHTOOL_A_BITSET_BIT_NAME && bit.first.empty())
                    bit.first = text_in(value);
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
    [[nodiscard]] const std::vector<Bit>& bits() const { return bits_; }
    [[nodiscard]] bool contain(std::string_view name) const {
        return std::ranges::binary_search(bits_, name, {}, &Bit::first);
    }

private:
    static std::string_view text_in(Bytes bytes) {
        const auto* const start = reinterpret_cast<const char*>(bytes.data());
        return {start, strnlen(start, bytes.size())};
    }

    std::vector<Bit> bits_;
};

}  // namespace

std::optional<core::Features> decode_features(Bytes payload) {
    const auto attributes = Attributes::after<genlmsghdr>(payload);
    if (!attributes.find(ETHTOOL_A_FEATURES_HW)) return std::nullopt;
    const BitNames changeable(attributes.nested(ETHTOOL_A_FEATURES_HW));
    const BitNames wanted(attributes.nested(ETHTOOL_A_FEATURES_WANTED));
    const BitNames active(attributes.nested(ETHTOOL_A_FEATURES_ACTIVE));
    const BitNames never(attributes.nested(ETHTOOL_A_FEATURES_NOCHANGE));
    core::Features features;
    for (const auto& [name, can_change] : changeable.bits()) {
        const bool on = active.contain(name);
        features.active.emplace_hint(features.active.end(), name, on);
        if (!can_change || never.contain(name))
            features.fixed.emplace_hint(features.fixed.end(), name);
        else if (wanted.contain(name) != on)
            features.requested.emplace_hint(features.requested.end(), name, !on);
    }
    return features;
}

core::Flags decode_unmet_features(Bytes payload) {
    return decode_bitset(Attributes::after<genlmsghdr>(payload).nested(ETHTOOL_A_FEATURES_WANTED));
}

void read_features(Machine& machine, const core::Scope& scope, core::State& state) {
    const auto fill = [](core::Port& port, Bytes payload) {
        port.features = decode_features(payload);
        return port.features.has_value();
    };
    const auto ask = [&](core::Port& port) {
        Message request = ethtool_message(machine, ETHTOOL_MSG_FEATURES_GET,
                                          ETHTOOL_A_FEATURES_HEADER, port.name);
        machine.generic().get(request, [&](const Reply& reply) { fill(port, reply.payload); });
        if (!port.features) throw KernelError(EBADMSG, "features are not in the answer");
    };
    ask_together(
        machine, scope, state, {ETHTOOL_MSG_FEATURES_GET, ETHTOOL_A_FEATURES_HEADER}, fill,
        [&](core::Port& port) { attempt(port, {core::Object::features}, [&] { ask(port); }); });
}

void write_features(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.features || !then.features) throw KernelError(EOPNOTSUPP);
    const core::Flags unmet =
        ask_for(machine, now.name, now.features->active, then.features->active);
    if (unmet.empty()) return;
    core::Flags before;
    std::string names;
    for (const auto& [name, asked] : unmet) {
        const auto requested = now.features->requested.find(name);
        before.emplace(name,
                       requested == now.features->requested.end() ? !asked : requested->second);
        names += (names.empty() ? "" : ", ") + name + (asked ? " stays off" : " stays on");
    }
    static_cast<void>(ask_for(machine, now.name, unmet, before));
    throw KernelError(EOPNOTSUPP, names);
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/plan/kernel.hpp"
#include "netlink/transport/attributes.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {

/// The bits of a set, by their names (ETHTOOL_A_BITSET_*, net/ethtool/bitset.c): each once, in the
/// order of the names, and whether it is on; in a list without a mask those that are named are.
/// The names stay where they are in the message.
class Bitset {
public:
    using Bit = std::pair<std::string_view, bool>;

    explicit Bitset(const Attributes& bitset);
    [[nodiscard]] const std::vector<Bit>& bits() const { return bits_; }
    [[nodiscard]] bool contain(std::string_view name) const {
        return std::ranges::binary_search(bits_, name, {}, &Bit::first);
    }

private:
    std::vector<Bit> bits_;
};

/// The start of a request of the ethtool family about one port, with flags (ETHTOOL_FLAG_*).
Message ethtool_message(Machine& machine, int command, int header, const std::string& port,
                        std::uint32_t flags = 0);

/// What each port can be asked for.
struct Question {
    int command = 0;
    int header = 0;
    std::uint32_t flags = 0;  ///< ETHTOOL_FLAG_*
};
/// Reads all ports in one dump if the scope names none and there are many. The dump leaves out
/// ports whose drivers refuse (net/ethtool/netlink.c ethnl_default_dumpit). Passes each answer to
/// `fill`, which returns whether it was valid, and each port without one to `alone`.
void ask_together(Machine& machine, const core::Scope& scope, core::State& state,
                  const Question& question, const std::function<bool(core::Port&, Bytes)>& fill,
                  const std::function<void(core::Port&)>& alone);

/// The bits of a bitset that has names (Documentation/networking/ethtool-netlink.rst, "Bit sets"):
/// with a mask every bit it covers, without one the bits that are set.
core::Flags decode_bitset(const Attributes& bitset);

/// Puts the bits of `then` that differ from `now`, by name; the kernel keeps the others.
void put_bitset(Message& request, int type, const core::Flags& now, const core::Flags& then);

/// Puts what differs: the kernel keeps what is not stated.
void put_changed(Message& request, int type, const std::optional<std::uint32_t>& before,
                 const std::optional<std::uint32_t>& after);

}  // namespace netlink

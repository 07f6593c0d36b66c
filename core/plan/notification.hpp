// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/object.hpp"

namespace core {

/// A change that the kernel reported, with as much as the notification tells.
struct Notification {
    enum class What : std::uint8_t {
        written,   ///< by a process
        set_down,  ///< the port was set administratively down and lost its carrier
        gone,      ///< the port was removed
        came,      ///< a port was created
    };
    What what = What::written;
    std::string port{};              ///< empty where it concerns no port, or does not name it
    std::optional<Object> object{};  ///< for `written`
    /// For `written`: the element, such as an address, or the destination with which a route's
    /// identity begins. Empty where it is not known.
    std::string element{};
    /// Who asked for it: the port id of its netlink socket, which is its process id unless it chose
    /// another (netlink(7)); 0 where the kernel does not say.
    std::uint32_t process = 0;
    std::string program{};  ///< its name; empty where the process has ended
    /// For `set_down`: how often the port has lost its carrier, this time included.
    std::uint64_t carrier_down_count = 0;
    std::string reason{};  ///< for `came`: why the port had gone, where that is known
    bool operator==(const Notification&) const = default;
};

}  // namespace core

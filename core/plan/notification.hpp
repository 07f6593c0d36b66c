// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/object.hpp"

namespace core {

/// A change that the kernel reported, as far as the notification says what and whose.
struct Notification {
    enum class What : std::uint8_t {
        written,   ///< by a process
        set_down,  ///< the port was, by whoever may, and its carrier went with it
        gone,      ///< the port was taken away
        came,      ///< a port was made
    };
    What what = What::written;
    std::string port{};              ///< empty where it is about none, or does not say
    std::optional<Object> object{};  ///< of what was written
    /// The element of it: an address, or a route's destination as its identity begins. Empty where
    /// it is not known which.
    std::string element{};
    /// Who asked for it: the port id of its netlink socket, which is the number of the process
    /// unless it took another (netlink(7)); 0 where the kernel does not say.
    std::uint32_t process = 0;
    std::string program{};  ///< its name; empty where it has ended
    /// How often the carrier of a port that was set down has been lost, this time included.
    std::uint64_t carrier_down_count = 0;
    std::string reason{};  ///< why a port that came had gone, where that was found out
    bool operator==(const Notification&) const = default;
};

}  // namespace core

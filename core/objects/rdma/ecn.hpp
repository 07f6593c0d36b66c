// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace core {

struct Driver;
struct FileBackEnd;
struct Host;
struct Port;
struct Unsupported;
enum class Object : std::uint8_t;

/// How a device takes part in DCQCN: as notification point (it receives marked packets and sends
/// CNPs), as reaction point (it receives CNPs and slows down), and by which numbers. What the
/// interface in use does not have is absent.
struct Ecn {
    enum Number : std::uint8_t {
        cnp_dscp,
        cnp_priority,
        min_time_between_cnps,
        clamp_tgt_rate,
        clamp_tgt_rate_after_time_inc,
        rpg_time_reset,
        rpg_byte_reset,
        rpg_threshold,
        rpg_max_rate,
        rpg_ai_rate,
        rpg_hai_rate,
        rpg_gd,
        rpg_min_dec_fac,
        rpg_min_rate,
        rate_to_set_on_first_cnp,
        dce_tcp_g,
        dce_tcp_rtt,
        rate_reduce_monitor_period,
        initial_alpha_value,
        g,
        init_cr,
        init_tr,
        rtt,
        inact_th,
        number_count
    };
    /// Nothing where the device has the number and none is in force.
    struct Held {
        std::optional<std::uint32_t> value;
        bool operator==(const Held&) const = default;
    };
    /// By priority, "0" to "7".
    using Switches = std::map<std::string, bool, std::less<>>;

    std::string interface;  ///< FileBackEnd::name
    std::optional<Switches> notify{};
    std::optional<Switches> react{};
    std::optional<bool> marking{};  ///< RoCE packets are sent with ECT
    std::array<std::optional<Held>, number_count> numbers{};
    bool operator==(const Ecn&) const = default;
};

}  // namespace core

namespace core::ecn {

/// The driver's back end of congestion control (Driver::ecn) by which the port was read, or would
/// be once its directory is made; null where there is none.
const FileBackEnd* back_end_of(const Driver& driver, const Port& port);
/// Why the device has no congestion control that could be set.
std::optional<Unsupported> unsupported(const Driver& driver, const Port& port,
                                       std::string_view key);
/// What there is to say about a change: that the value read was written in the wrong base, or which
/// code points the device forgets with it.
std::optional<std::string> remarks(const Driver& driver, const Host& host, const Port& now,
                                   const Port& then);
/// On bnxt_en a commit clears the device's table of code points, so that APP comes after it.
std::optional<Object> goes_before(const Driver& driver, const std::function<Port()>& then);

}  // namespace core::ecn

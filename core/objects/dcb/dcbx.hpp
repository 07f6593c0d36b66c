// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace core {

struct Driver;
enum class Object : std::uint8_t;
struct Port;

/// DCB_CAP_DCBX_* bits (include/uapi/linux/dcbnl.h).
struct Dcbx {
    static constexpr std::uint8_t host = 0x01;
    static constexpr std::uint8_t lld_managed = 0x02;
    static constexpr std::uint8_t cee = 0x04;
    static constexpr std::uint8_t ieee = 0x08;
    static constexpr std::uint8_t fixed = 0x10;  // DCB_CAP_DCBX_STATIC
    std::uint8_t bits = 0;
    bool operator==(const Dcbx&) const = default;
};

}  // namespace core

namespace core::dcbx {

/// Why a write of ETS, PFC or APP is refused while DCBX is not the host's, or the port is a member
/// of a bond; nothing where the driver does not care.
std::optional<std::string> owned_by_agent(const Driver& driver, const Port& port);

/// What a write of ETS, PFC or APP changes beside on a driver.
std::set<Object> disturbed_by_qos(const Driver& driver);

}  // namespace core::dcbx

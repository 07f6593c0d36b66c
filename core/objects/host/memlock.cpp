// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core::memlock {

namespace {

Value with_one_blank(const Value& value) {
    return one_blank(std::get<std::string>(value));
}

constexpr std::string_view kOfService = "service:";
constexpr std::string_view kOfUser = "user:";

/// systemd.exec(5) counts bytes, limits.conf(5) kilobytes.
std::string by_hand(const Port& /*now*/, std::string_view holder, const Value& value) {
    const std::string bytes = core::text(value);
    if (holder.starts_with(kOfUser)) {
        const std::string user(holder.substr(kOfUser.size()));
        std::uint64_t counted = 0;
        const auto read = std::from_chars(bytes.data(), bytes.data() + bytes.size(), counted);
        const std::string most = read.ec == std::errc{} ? std::to_string(counted / 1024) : bytes;
        return "echo " + shell(user + " - memlock " + most) + " >/etc/security/limits.d/memlock-" +
               shell(user) + ".conf  # then log in again";
    }
    const std::string unit = shell(holder.substr(std::min(kOfService.size(), holder.size())));
    const std::string folder = "/etc/systemd/system/" + unit + ".service.d";
    return "mkdir -p " + folder +
           " && printf '[Service]\\nLimitMEMLOCK=" + (bytes == "unlimited" ? "infinity" : bytes) +
           "\\n' >" + folder + "/memlock.conf && systemctl daemon-reload && systemctl restart " +
           unit;
}

constexpr std::array<std::string_view, 2> kHolders = {"service:slurmd", "user:alice"};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr Shape kParameter = {.kind = text, .text = Text::line, .canonical = with_one_blank};

constexpr std::array kFields = {
    setting(
        "host.memlock", {.kind = named, .words = kHolders, .of = &kParameter},
        "How many bytes a service (service:NAME) or what a user starts at login (user:NAME) may "
        "lock in memory, or unlimited; RDMA locks all that it registers. Lines for * and @GROUP do "
        "not reach root, and none of limits.d reaches a service. Verified, not set.",
        get_named<&Port::memlock>, set_named<&Port::memlock>),
};

constexpr std::array kAtBoot = {
    AtBoot{"host.memlock", BootProgram::services, "$element"},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::memlock,
    .name = "memlock",
    .doc = "How much memory services and users may lock.",
    .topic = Topic::host,
    .lives = Lives::host,
    .fields = kFields,
    .read = {.by_name = true},
    .words =
        {.remedy = [](const Driver&, const Port&) -> std::string_view {
             return "of a service LimitMEMLOCK= in its unit, and restart it; of a user memlock in "
                    "/etc/security/limits.d, and log in again";
         },
         .by_hand = by_hand},
    .boot = {
        .programs = kAtBoot,
        .stays = "limits.conf and limits.d say it, which every login reads",
        .stays_of = [](std::string_view holder) { return holder.starts_with(kOfUser); },
        .unforeseen =
            "no unit says LimitMEMLOCK= of it, and what systemd's default is files do not tell"}};

}  // namespace core::memlock

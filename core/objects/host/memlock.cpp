// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/memlock.hpp"

#include <algorithm>
#include <array>

#include "core/model/access.hpp"
#include "core/objects/ip/ip_conf.hpp"
#include "core/objects/rows.hpp"

namespace core::memlock {

namespace {

Value with_one_blank(const Value& value) {
    return one_blank(std::get<std::string>(value));
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

}  // namespace

constinit const ObjectRow row = {

    .object = Object::memlock,
    .name = "memlock",
    .doc = "How much memory services and users may lock.",
    .topic = Topic::host,
    .lives = Lives::host,
    .by_name = true,
    .fields = kFields,
    .remedy = [](const Driver&, const Port&) -> std::string_view {
        return "of a service LimitMEMLOCK= in its unit, and restart it; of a user memlock in "
               "/etc/security/limits.d, and log in again";
    }};

}  // namespace core::memlock

// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <linux/devlink.h>
#include <linux/genetlink.h>

#include <cerrno>
#include <map>

namespace netlink {
namespace {

// DEVLINK_ATTR_PARAM_TYPE: numbers of include/net/netlink.h NLA_U8 to NLA_FLAG, which became
// include/uapi/linux/devlink.h DEVLINK_VAR_ATTR_TYPE_… with the same numbers.
constexpr std::uint8_t kU8 = 1;
constexpr std::uint8_t kU16 = 2;
constexpr std::uint8_t kU32Type = 3;
constexpr std::uint8_t kU64Type = 4;
constexpr std::uint8_t kString = 5;
constexpr std::uint8_t kBoolean = 6;

template <typename Number>
std::optional<std::string> number_in(const Attributes& value) {
    const auto number = value.value<Number>(DEVLINK_ATTR_PARAM_VALUE_DATA);
    return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

std::optional<std::string> text_of(std::uint8_t type, const Attributes& value) {
    switch (type) {
        case kU8: return number_in<std::uint8_t>(value);
        case kU16: return number_in<std::uint16_t>(value);
        case kU32Type: return number_in<std::uint32_t>(value);
        case kU64Type: return number_in<std::uint64_t>(value);
        case kString: return value.text(DEVLINK_ATTR_PARAM_VALUE_DATA);
        case kBoolean:
            return value.find(DEVLINK_ATTR_PARAM_VALUE_DATA) ? std::string("true") : "false";
        default: return std::nullopt;
    }
}

struct Answer {
    DevlinkHandle handle;
    core::Parameters parameter;
};

std::optional<Answer> decode_answer(Bytes payload) {
    const auto handle = decode_devlink_handle(payload);
    if (!handle) return std::nullopt;
    Answer out{.handle = *handle, .parameter = {}};
    decode_parameter(payload, out.parameter);
    return out;
}

}  // namespace

void decode_parameter(Bytes payload, core::Parameters& out) {
    const Attributes parameter = Attributes::after<genlmsghdr>(payload).nested(DEVLINK_ATTR_PARAM);
    const std::string name = parameter.text(DEVLINK_ATTR_PARAM_NAME);
    const auto type = parameter.value<std::uint8_t>(DEVLINK_ATTR_PARAM_TYPE);
    if (name.empty() || !type) return;
    // Values come in the order runtime, driverinit, permanent (net/devlink/param.c
    // devlink_nl_param_fill), so that the first of the driver's stays.
    parameter.nested(DEVLINK_ATTR_PARAM_VALUES_LIST).for_each([&](int kind, Bytes bytes) {
        const Attributes value(bytes);
        const auto mode = value.value<std::uint8_t>(DEVLINK_ATTR_PARAM_VALUE_CMODE);
        const auto text = text_of(*type, value);
        if (kind != DEVLINK_ATTR_PARAM_VALUE || !mode || !text) return;
        const bool stored = *mode == DEVLINK_PARAM_CMODE_PERMANENT;
        (stored ? out.stored : out.driver).try_emplace(name, *text);
    });
}

void read_parameters(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const auto family = machine.devlink_family();
    if (!family) return;
    Message request = devlink_request(*family, DEVLINK_CMD_PARAM_GET);
    std::map<std::string, core::Parameters> all;
    for (Answer& answer : machine.generic().dump<Answer>(
             request, [](const Reply& reply) { return decode_answer(reply.payload); })) {
        core::Parameters& one = all[answer.handle.name];
        one.stored.merge(answer.parameter.stored);
        one.driver.merge(answer.parameter.driver);
    }
    for (core::Port& port : state.ports) {
        const auto found = port.link ? all.find(port.link->pci) : all.end();
        if (found != all.end() && !port.link->pci.empty()) port.parameters = found->second;
    }
}

}  // namespace netlink

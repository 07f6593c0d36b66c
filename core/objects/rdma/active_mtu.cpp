// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/model/access.hpp"
#include "core/objects/rows.hpp"

namespace core::active_mtu {

std::optional<std::uint32_t> expected(const Driver& driver, const Port& port) {
    if (!port.active_mtu || !port.rdma_link || !port.link) return std::nullopt;
    const ActiveMtu& now = *port.active_mtu;
    if (!knows_rdma_mtu(driver, port.rdma_link->type)) return std::nullopt;
    const std::uint32_t carried = rdma_mtu(driver, port.rdma_link->type, port.link->mtu);
    if (now.bytes == 0 || now.max == 0 || carried == 0) return std::nullopt;
    return std::min(carried, now.max);
}

void lacks_verbs(Port& port) {
    port.refused[Object::active_mtu] = {.code = ENODEV,
                                        .text = "ib_uverbs is not loaded; run modprobe ib_uverbs"};
}

namespace {

std::optional<std::string> differing(const State& /*state*/, const Port& port,
                                     const Value& /*mtu*/) {
    const auto follows = expected(driver_of(port), port);
    if (!follows) return std::nullopt;
    const std::uint32_t bytes = port.active_mtu->bytes;
    if (bytes >= *follows) return std::string();  // more carries more, whatever the rule
    return "the RDMA MTU in use is " + std::to_string(bytes) + ", MTU " +
           std::to_string(port.link->mtu) + " gives " + std::to_string(*follows);
}

constexpr std::array<std::string_view, 1> kMtuOfPort = {"mtu"};
constexpr Proof kCarries = {
    .from = kMtuOfPort, .after = "carrier", .finding = &findings::rdma_mtu, .missing = differing};

using enum Shape::Kind;

constexpr std::array kFields = {
    fact("rdma.active_mtu", {.kind = number, .max = 4096}, "RDMA MTU in use, in bytes of payload.",
         get_number<&Port::active_mtu, &ActiveMtu::bytes>,
         set_number<&Port::active_mtu, &ActiveMtu::bytes>, &kCarries),
    fact("rdma.max_mtu", {.kind = number, .max = 4096},
         "Largest RDMA MTU of the device, in bytes of payload.",
         get_number<&Port::active_mtu, &ActiveMtu::max>,
         set_number<&Port::active_mtu, &ActiveMtu::max>),
};

constexpr std::array kFoundBy = {Object::link, Object::rdma_link};

}  // namespace

constinit const ObjectRow row = {.object = Object::active_mtu,
                                 .name = "active_mtu",
                                 .doc = "How much RDMA packets carry.",
                                 .topic = Topic::rdma,
                                 .lives = Lives::rdma_device,
                                 .fields = kFields,
                                 .read = {.on_demand = true, .found_by = kFoundBy}};

}  // namespace core::active_mtu

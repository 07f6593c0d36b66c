// SPDX-License-Identifier: Apache-2.0
#include "core/model/object.hpp"

#include <algorithm>
#include <array>

#include "core/object/rows.hpp"

namespace core {
namespace {

constexpr std::array kCmTouches = {Object::cm_defaults};
constexpr std::array kRdmaTouches = {Object::rdma_port, Object::cm_directory, Object::cm_defaults};
constexpr std::array kLinkTouches = {Object::addresses, Object::routes};
constexpr std::array kAddressTouches = {Object::routes};
constexpr std::array kPrivateFlagsConsults = {Object::app};
constexpr std::array kChannelsConsults = {Object::rdma_link};
constexpr std::array kPauseConsults = {Object::pfc};
constexpr std::array kEtsConsults = {Object::dcbx, Object::app};
constexpr std::array kPfcConsults = {Object::dcbx, Object::pause};
constexpr std::array kBufferConsults = {Object::link, Object::speed, Object::pause, Object::pfc};
constexpr std::array kAppConsults = {Object::dcbx};
constexpr std::array kCmConsults = {Object::rdma_link};
constexpr std::array kRouteConsults = {Object::addresses};

template <auto... Part>
void copy(const Port& from, Port& to) {
    ((to.*Part = from.*Part), ...);
}

/// The table, in the order of the enumerators; rows without `play` hold facts only.
const std::array kObjects = {
    ObjectRow{.object = Object::device,
              .name = "device",
              .doc = "Driver and firmware.",
              .copy = copy<&Port::device>},
    ObjectRow{.object = Object::ipv4,
              .name = "ipv4",
              .doc = "IPv4 behaviour of the port: ARP and where packets may come from.",
              .copy = copy<&Port::ipv4>,
              .refuses = ipv4_object::refuses,
              .play = ipv4_object::play,
              .spell = ipv4_object::spell},
    ObjectRow{.object = Object::ipv6,
              .name = "ipv6",
              .doc = "IPv6 behaviour of the port: how its addresses are made.",
              .copy = copy<&Port::ipv6>,
              .play = ipv6_object::play,
              .spell = ipv6_object::spell},
    ObjectRow{.object = Object::private_flags,
              .name = "private_flags",
              .doc = "Switches of the driver's own.",
              .copy = copy<&Port::private_flags>,
              .settle_ms = 2000,
              .consults = kPrivateFlagsConsults,
              .refuses = private_flags_object::refuses,
              .play = private_flags_object::play,
              .spell = private_flags_object::spell},
    ObjectRow{.object = Object::ring,
              .name = "ring",
              .doc = "Sizes of the receive and transmit rings.",
              .copy = copy<&Port::ring>,
              .disruption = Disruption::queues,
              .refuses = ring_object::refuses,
              .play = ring_object::play,
              .spell = ring_object::spell},
    ObjectRow{.object = Object::channels,
              .name = "channels",
              .doc = "How many queues the port has.",
              .copy = copy<&Port::channels>,
              .disruption = Disruption::queues,
              .consults = kChannelsConsults,
              .refuses = channels_object::refuses,
              .play = channels_object::play,
              .spell = channels_object::spell},
    ObjectRow{.object = Object::features,
              .name = "features",
              .doc = "Offloads.",
              .copy = copy<&Port::features>,
              .disruption = Disruption::queues,
              .refuses = features_object::refuses,
              .play = features_object::play,
              .spell = features_object::spell},
    ObjectRow{.object = Object::dcbx,
              .name = "dcbx",
              .doc = "Who owns the port's DCB state.",
              .copy = copy<&Port::dcbx>,
              .refuses = dcbx_object::refuses,
              .play = dcbx_object::play,
              .spell = dcbx_object::spell},
    ObjectRow{.object = Object::link,
              .name = "link",
              .doc = "Administrative state and MTU.",
              .copy = copy<&Port::link>,
              .settle_ms = 2000,
              .touches = kLinkTouches,
              .play = link_object::play,
              .spell = link_object::spell},
    ObjectRow{
        .object = Object::speed, .name = "speed", .doc = "Link speed.", .copy = copy<&Port::speed>},
    ObjectRow{.object = Object::pause,
              .name = "pause",
              .doc = "Link-level pause.",
              .copy = copy<&Port::pause>,
              .consults = kPauseConsults,
              .refuses = pause_object::refuses,
              .play = pause_object::play,
              .spell = pause_object::spell},
    ObjectRow{.object = Object::ets,
              .name = "ets",
              .doc = "Priorities, traffic classes and their shares.",
              .copy = copy<&Port::ets>,
              .consults = kEtsConsults,
              .refuses = ets_object::refuses,
              .play = ets_object::play,
              .spell = ets_object::spell},
    ObjectRow{.object = Object::maxrate,
              .name = "maxrate",
              .doc = "Rate limits of the traffic classes.",
              .copy = copy<&Port::maxrate>,
              .refuses = maxrate_object::refuses,
              .play = maxrate_object::play,
              .spell = maxrate_object::spell},
    ObjectRow{.object = Object::pfc,
              .name = "pfc",
              .doc = "Priority flow control.",
              .copy = copy<&Port::pfc>,
              .consults = kPfcConsults,
              .refuses = pfc_object::refuses,
              .play = pfc_object::play,
              .spell = pfc_object::spell},
    ObjectRow{.object = Object::storm_prevention,
              .name = "storm_prevention",
              .doc = "How long a port may be paused before it drops instead.",
              .copy = copy<&Port::storm_prevention>,
              .refuses = storm_prevention_object::refuses,
              .play = storm_prevention_object::play,
              .spell = storm_prevention_object::spell},
    ObjectRow{.object = Object::buffer,
              .name = "buffer",
              .doc = "Receive buffers: which one a priority is in, and their sizes.",
              .copy = copy<&Port::buffer>,
              .consults = kBufferConsults,
              .refuses = buffer_object::refuses,
              .play = buffer_object::play,
              .spell = buffer_object::spell},
    ObjectRow{.object = Object::app,
              .name = "app",
              .doc = "The APP table: DSCP and port numbers to priorities, and trust.",
              .copy = copy<&Port::app>,
              .consults = kAppConsults,
              .refuses = app_object::refuses,
              .play = app_object::play,
              .spell = app_object::spell},
    ObjectRow{.object = Object::rdma_link,
              .name = "rdma_link",
              .doc = "A software RDMA device.",
              .copy = copy<&Port::rdma>,
              .settle_ms = 2000,
              .touches = kRdmaTouches,
              .moot = rdma_link_object::moot,
              .play = rdma_link_object::play,
              .spell = rdma_link_object::spell},
    ObjectRow{.object = Object::rdma_port,
              .name = "rdma_port",
              .doc = "State and GIDs.",
              .copy = copy<&Port::rdma_port>},
    ObjectRow{.object = Object::cm_directory,
              .name = "cm_directory",
              .doc = "The rdma_cm directory of the device in configfs.",
              .copy = copy<&Port::cm_directory>,
              .touches = kCmTouches,
              .consults = kCmConsults,
              .play = cm_directory_object::play,
              .spell = cm_directory_object::spell},
    ObjectRow{.object = Object::cm_defaults,
              .name = "cm_defaults",
              .doc = "RoCE version and ToS of rdma_cm connections.",
              .copy = copy<&Port::cm>,
              .consults = kCmConsults,
              .needs = "rdma.cm_directory",
              .play = cm_defaults_object::play,
              .spell = cm_defaults_object::spell},
    ObjectRow{.object = Object::addresses,
              .name = "addresses",
              .doc = "IP addresses.",
              .copy = copy<&Port::addresses, &Port::addresses_beyond>,
              .touches = kAddressTouches,
              .play = addresses_object::play,
              .spell = addresses_object::spell},
    ObjectRow{.object = Object::routes,
              .name = "routes",
              .doc = "Routes out of the port.",
              .copy = copy<&Port::routes, &Port::routes_beyond>,
              .consults = kRouteConsults,
              .play = routes_object::play,
              .spell = routes_object::spell},
};
static_assert(kObjects.size() == kObjectCount);

}  // namespace

std::span<const ObjectRow> objects() {
    return kObjects;
}

const ObjectRow& row_of(Object object) {
    return kObjects.at(static_cast<std::size_t>(object));
}

std::optional<Object> find_object(std::string_view name) {
    const auto found = std::ranges::find(kObjects, name, &ObjectRow::name);
    return found == kObjects.end() ? std::nullopt : std::optional(found->object);
}

Disruption disruption_of(const Port& port, Object object, const std::set<std::string_view>& keys) {
    for (const Cost& cost : driver_of(port).costs)
        if (cost.object == object && (cost.key.empty() || keys.contains(cost.key)))
            return cost.disruption;
    // Taking the port down is what loses the link, on any driver.
    const bool down = keys.contains("up") && port.link && port.link->up;
    return down ? Disruption::link : row_of(object).disruption;
}

Objects reach_of(const Driver& driver, Object object) {
    Objects reach = {object};
    const ObjectRow& row = row_of(object);
    reach.insert(row.touches.begin(), row.touches.end());
    if (!row.needs.empty()) reach.insert(find_field(row.needs)->object);
    const bool qos = object == Object::ets || object == Object::pfc || object == Object::app;
    if (driver.reopens && qos) reach.insert({Object::link, Object::addresses, Object::routes});
    // ice applies all that it was ever told at each write, so one object may move the others.
    if (qos && driver.last_dscp_resets) reach.insert({Object::ets, Object::pfc});
    // Firmware that owns the buffers sizes them anew by MTU and PFC.
    if (driver.sized_buffers && (object == Object::link || object == Object::pfc))
        reach.insert(Object::buffer);
    // Whoever runs DCBX afterwards starts from the defaults.
    if (object == Object::private_flags && !driver.agent_flag.empty())
        reach.insert({Object::dcbx, Object::ets, Object::pfc});
    if (driver.pause_gives_way && reach.contains(Object::pfc)) reach.insert(Object::pause);
    return reach;
}

}  // namespace core

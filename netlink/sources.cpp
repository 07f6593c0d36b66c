// SPDX-License-Identifier: Apache-2.0
#include "netlink/sources.hpp"

#include "netlink/ethtool/coalesce.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/ethtool/fec.hpp"
#include "netlink/ethtool/flags.hpp"
#include "netlink/ethtool/link_modes.hpp"
#include "netlink/ethtool/queues.hpp"
#include "netlink/ethtool/storm_prevention.hpp"
#include "netlink/files/cm_defaults.hpp"
#include "netlink/files/ecn.hpp"
#include "netlink/files/governor.hpp"
#include "netlink/files/hugepages.hpp"
#include "netlink/files/interrupts.hpp"
#include "netlink/files/ip_conf.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/files/sysctl.hpp"
#include "netlink/files/traffic_class.hpp"
#include "netlink/ip/addresses.hpp"
#include "netlink/ip/neighbours.hpp"
#include "netlink/ip/routes.hpp"
#include "netlink/ip/rules.hpp"
#include "netlink/link/link.hpp"
#include "netlink/link/vlan.hpp"
#include "netlink/rdma/devlink.hpp"
#include "netlink/rdma/queue_pairs.hpp"
#include "netlink/rdma/rdma_link.hpp"
#include "netlink/system/daemons.hpp"
#include "netlink/system/memlock.hpp"
#include "netlink/system/modules.hpp"
#include "netlink/system/owners.hpp"

namespace netlink {
namespace {

using core::Object;

/// One exchange a port for one object.
template <Object object, auto Exchange>
void each_port(Host& host, const core::Scope& /*scope*/, core::State& state) {
    for (core::Port& port : state.ports)
        attempt(port, {object}, [&] { Exchange(host, port); });
}

/// The same of the host itself, where `state` holds nothing else.
template <Object object, auto Exchange>
void of_host(Host& host, const core::Scope& scope, core::State& state) {
    const auto named = scope.elements.find(object);
    const Names names = named == scope.elements.end() ? Names{} : named->second;
    core::Port& itself = state.ports.front();
    attempt(itself, {object}, [&] { Exchange(host, names, itself); });
}

void fill_pause(Host& host, core::Port& port) {
    port.pause = read_pause(host, port.name);
}

/// The label an IPv4 address has where nobody chose one is the port's name.
void fill_addresses(Host& host, core::Port& port) {
    std::vector<core::Address> addresses;
    for (const AddressAnswer& answer : read_addresses(host, port.link->index)) {
        addresses.push_back(answer.address);
        std::string what = answer.beyond;
        if (!answer.label.empty() && answer.label != port.name)
            what += (what.empty() ? "label " : ", label ") + answer.label;
        if (!what.empty() && !answer.address.by_kernel)
            port.addresses_beyond.push_back({.ip = answer.address.ip, .what = what});
    }
    port.addresses = std::move(addresses);
}

}  // namespace

std::vector<Source> sources() {
    return {
        {.fills = {Object::modules}, .read = of_host<Object::modules, read_modules>},
        {.fills = {Object::rdma_system}, .read = of_host<Object::rdma_system, read_rdma_system>},
        {.fills = {Object::hugepages}, .read = of_host<Object::hugepages, read_hugepages>},
        {.fills = {Object::sysctl}, .read = of_host<Object::sysctl, read_sysctl>},
        {.fills = {Object::governor}, .read = of_host<Object::governor, read_governors>},
        {.fills = {Object::irqbalance}, .read = of_host<Object::irqbalance, read_irqbalance>},
        {.fills = {Object::tuned}, .read = of_host<Object::tuned, read_tuned>},
        {.fills = {Object::memlock}, .read = of_host<Object::memlock, read_memlock>},
        {.fills = {Object::device}, .read = each_port<Object::device, read_driver>},
        {.fills = {Object::owners}, .read = read_owners},
        {.fills = {Object::devlink}, .read = read_devlink},
        {.fills = {Object::ipv4}, .read = read_ipv4},
        {.fills = {Object::ipv6}, .read = each_port<Object::ipv6, read_ipv6>},
        {.fills = {Object::private_flags},
         .read = each_port<Object::private_flags, read_private_flags>},
        {.fills = {Object::ring}, .read = each_port<Object::ring, read_ring>},
        {.fills = {Object::channels}, .read = each_port<Object::channels, read_channels>},
        {.fills = {Object::coalesce}, .read = each_port<Object::coalesce, read_coalesce>},
        {.fills = {Object::features}, .read = each_port<Object::features, read_features>},
        {.fills = {Object::speed, Object::link_modes}, .read = read_link_modes},
        {.fills = {Object::fec}, .read = each_port<Object::fec, read_fec>},
        {.fills = {Object::pause}, .read = each_port<Object::pause, fill_pause>},
        {.fills = {Object::storm_prevention},
         .read = each_port<Object::storm_prevention, read_storm_prevention>},
        {.fills = {Object::rdma_link, Object::rdma_name, Object::rdma_port,
                   Object::rdma_moderation},
         .read = read_rdma},
        {.fills = {Object::queue_pairs}, .read = each_port<Object::queue_pairs, read_queue_pairs>},
        {.fills = {Object::cm_directory, Object::cm_defaults}, .read = read_rdma_cm},
        {.fills = {Object::ecn_directory, Object::ecn}, .read = read_congestion},
        {.fills = {Object::traffic_class},
         .read = each_port<Object::traffic_class, read_traffic_class>},
        {.fills = {Object::pcie}, .read = each_port<Object::pcie, read_pcie>},
        {.fills = {Object::interrupts}, .read = each_port<Object::interrupts, read_interrupts>},
        {.fills = {Object::addresses}, .read = each_port<Object::addresses, fill_addresses>},
        {.fills = {Object::routes}, .read = each_port<Object::routes, read_routes>},
        {.fills = {Object::neighbours}, .read = each_port<Object::neighbours, read_neighbours>},
        {.fills = {Object::rules}, .read = each_port<Object::rules, read_rules>},
    };
}

std::vector<Writer> writers() {
    return {
        {.object = Object::modules, .write = write_modules},
        {.object = Object::rdma_system, .write = write_rdma_system},
        {.object = Object::hugepages, .write = write_hugepages},
        {.object = Object::sysctl, .write = write_sysctl},
        {.object = Object::governor, .write = write_governors},
        {.object = Object::devlink, .write = write_devlink},
        {.object = Object::ipv4, .write = write_ipv4},
        {.object = Object::ipv6, .write = write_ipv6},
        {.object = Object::private_flags, .write = write_private_flags},
        {.object = Object::ring, .write = write_ring},
        {.object = Object::channels, .write = write_channels},
        {.object = Object::coalesce, .write = write_coalesce},
        {.object = Object::features, .write = write_features},
        {.object = Object::link, .write = write_link},
        {.object = Object::link_modes, .write = write_link_modes},
        {.object = Object::fec, .write = write_fec},
        {.object = Object::pause, .write = write_pause},
        {.object = Object::storm_prevention, .write = write_storm_prevention},
        {.object = Object::rdma_link, .write = write_rdma_link},
        {.object = Object::rdma_name, .write = write_rdma_name},
        {.object = Object::rdma_moderation, .write = write_rdma_moderation},
        {.object = Object::cm_directory, .write = write_cm_directory},
        {.object = Object::cm_defaults, .write = write_cm_defaults},
        {.object = Object::ecn_directory, .write = write_congestion_directory},
        {.object = Object::ecn, .write = write_congestion},
        {.object = Object::traffic_class, .write = write_traffic_class},
        {.object = Object::pcie, .write = write_pcie},
        {.object = Object::interrupts, .write = write_interrupts},
        {.object = Object::addresses, .write = write_addresses},
        {.object = Object::routes, .write = write_routes},
        {.object = Object::neighbours, .write = write_neighbours},
        {.object = Object::rules, .write = write_rules},
        {.object = Object::vlan, .write = write_vlan},
    };
}

}  // namespace netlink

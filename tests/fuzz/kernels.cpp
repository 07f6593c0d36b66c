// SPDX-License-Identifier: Apache-2.0
#include <linux/ethtool.h>

#include "dcb/codecs.hpp"
#include "dcb/exchange.hpp"
#include "netlink/ethtool/codecs.hpp"
#include "netlink/ethtool/ethtool.hpp"
#include "netlink/ethtool/module.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/fwctl/firmware.hpp"
#include "netlink/ip/codecs.hpp"
#include "netlink/link/codecs.hpp"
#include "netlink/rdma/codecs.hpp"
#include "netlink/rdma/devlink.hpp"
#include "netlink/system/codecs.hpp"
#include "netlink/system/nft_rule.hpp"
#include "netlink/transport/socket.hpp"
#include "netlink/watch.hpp"
#include "tests/fuzz/targets.hpp"

namespace fuzz {
namespace {

/// Hands each message of the datagram to the decoders in memory of its own, whatever its type: a
/// decoder is never told more than that a message is there.
template <typename Decode>
void for_messages(Bytes left, const Decode& decode) {
    while (const auto header = netlink::header_of<nlmsghdr>(left)) {
        if (header->nlmsg_len < sizeof(nlmsghdr) || header->nlmsg_len > left.size()) return;
        const Bytes inner = left.subspan(sizeof(nlmsghdr), header->nlmsg_len - sizeof(nlmsghdr));
        const std::vector<std::byte> payload(inner.begin(), inner.end());
        static_cast<void>(netlink::error_in(*header, payload));
        decode(header->nlmsg_type, Bytes(payload));
        left = left.subspan(std::min(netlink::aligned(header->nlmsg_len), left.size()));
    }
}

/// No kernel has a longer prefix than the address has bits, nor one of another family.
bool can_be(const std::optional<core::Prefix>& prefix, bool v6) {
    return !prefix || (prefix->ip.v6 == v6 && prefix->length <= (v6 ? 128 : 32));
}

void route_netlink(Bytes bytes) {
    core::Port port("port");
    core::Port host(core::kHost);
    port.link.emplace();
    port.addresses.emplace();
    host.rules.emplace();
    for_messages(bytes, [&](int type, Bytes payload) {
        const auto link = netlink::decode_link(payload);
        static_cast<void>(netlink::decode_ip_conf(payload));
        if (type == RTM_NEWLINK && link) {
            port.link = link->link;
            port.vlan = link->vlan;
            port.vf = core::VirtualFunctions{.functions = netlink::decode_vfs(payload)};
        }
        const auto address = netlink::decode_address(payload);
        if (type == RTM_NEWADDR && address &&
            can_be(core::Prefix{address->address.ip, address->address.prefix_length},
                   address->address.ip.v6))
            port.addresses->push_back(address->address);
        const auto rule = netlink::decode_rule(payload);
        if (type == RTM_NEWRULE && rule && can_be(rule->rule.from, rule->rule.v6) &&
            can_be(rule->rule.to, rule->rule.v6)) {
            if (rule->beyond.empty())
                host.rules->push_back(rule->rule);
            else
                host.rules_beyond.push_back({.rule = rule->rule, .what = rule->beyond});
        }
        static_cast<void>(netlink::decode_route(payload));
        static_cast<void>(netlink::decode_notification(type, payload));
        static_cast<void>(netlink::link_of_notification(type, payload));
        port.bond = netlink::decode_bond(netlink::Attributes(payload));
        static_cast<void>(netlink::decode_neighbour(payload));
    });
    require_kept({.host = {}, .ports = {port, host}});
}

void dcb_netlink(Bytes bytes) {
    core::Port port("port");
    for_messages(bytes, [&](int /*type*/, Bytes payload) {
        const dcb::Ieee ieee = dcb::decode_ieee(payload);
        if (ieee.ets) port.ets = dcb::from_wire(*ieee.ets);
        if (ieee.maxrate) port.maxrate = dcb::from_wire(*ieee.maxrate);
        if (ieee.pfc) port.pfc = dcb::from_wire(*ieee.pfc);
        if (ieee.buffer) port.buffer = dcb::from_wire(*ieee.buffer);
        if (ieee.app) port.app = ieee.app;
        if (ieee.rewrite) port.rewrite = ieee.rewrite;
        port.peer = dcb::decode_peer(payload);
        if (const auto bits = dcb::decode_dcbx(payload)) port.dcbx = core::Dcbx{.bits = *bits};
        const auto attributes = dcb::attributes_of(payload);
        if (const auto status = attributes.value<std::uint8_t>(DCB_ATTR_IEEE))
            static_cast<void>(dcb::error_in_status(*status));
    });
    require_kept({.host = {}, .ports = {port}});
}

/// Of the memory of a module whose every page begins with these.
core::Transceiver transceiver_in(Bytes bytes) {
    netlink::ModuleMemory memory;
    for (const std::uint8_t address : std::array<std::uint8_t, 2>{0x50, 0x51})
        for (const std::uint8_t page : std::array<std::uint8_t, 5>{0, 1, 2, 3, 0x11})
            memory.put({page, page == 0 ? 0U : 128U, address}, bytes);
    return netlink::transceiver_of(memory);
}

void ethtool_netlink(Bytes bytes) {
    core::Port port("port");
    for_messages(bytes, [&](int /*type*/, Bytes payload) {
        port.channels = netlink::decode_channels(payload);
        port.coalesce = netlink::decode_coalesce(payload);
        port.ring = netlink::decode_ring(payload);
        if (auto features = netlink::decode_features(payload)) port.features = *features;
        if (auto fec = netlink::decode_fec(payload)) port.fec = *fec;
        if (auto modes = netlink::decode_link_modes(payload)) port.link_modes = *modes;
        if (auto pause = netlink::decode_pause(payload)) port.pause = *pause;
        if (auto flags = netlink::decode_private_flags(payload)) port.private_flags = *flags;
        static_cast<void>(netlink::decode_unmet_features(payload));
        static_cast<void>(netlink::decode_speed(payload));
        port.link_state = netlink::decode_link_state(payload);
        const Bytes module = netlink::decode_module_bytes(payload);
        port.transceiver = transceiver_in(module.empty() ? payload : module);
        port.statistics = netlink::decode_fec_statistics(payload);
        port.statistics->merge(netlink::decode_pause_statistics(payload));
        port.statistics->merge(netlink::decode_standard_statistics(payload));
        // As many numbers as there can be, whatever they are.
        const std::vector<std::uint64_t> values(payload.size() / ETH_GSTRING_LEN + 1);
        port.statistics->merge(netlink::decode_statistics(payload, values));
    });
    require_kept({.host = {}, .ports = {port}});
}

void rdma_netlink(Bytes bytes) {
    core::Port port("port");
    for_messages(bytes, [&](int /*type*/, Bytes payload) {
        if (auto devlink = netlink::decode_enable_roce(payload)) port.devlink = *devlink;
        if (!port.parameters) port.parameters.emplace();
        netlink::decode_parameter(payload, *port.parameters);
        if (const auto device = netlink::decode_rdma_device(payload))
            port.rdma_link =
                core::RdmaLink{.device = device->name, .type = netlink::decode_rdma_type(payload)};
        if (const auto answer = netlink::decode_rdma_port(payload)) {
            static_cast<void>(netlink::rdma_state(answer->state));
            static_cast<void>(netlink::rdma_physical_state(answer->physical_state));
        }
        static_cast<void>(netlink::decode_devlink_handle(payload));
        if (const auto device = netlink::decode_devlink_device(payload))
            port.reloads = device->reloads;
        static_cast<void>(netlink::decode_devlink_port(payload));
        if (const auto answer = netlink::decode_reporter(payload))
            port.reporters = core::Reporters{answer->reporter};
        port.versions = netlink::decode_versions(payload);
        static_cast<void>(netlink::decode_queue_pairs(payload));
        static_cast<void>(netlink::decode_queue_pair_count(payload));
        port.rdma_counters = netlink::decode_rdma_counters(payload);
        static_cast<void>(netlink::decode_cm_id_holders(payload));
        static_cast<void>(netlink::decode_rdma_system(payload));
    });
    require_kept({.host = {}, .ports = {port}});
}

void netfilter_netlink(Bytes bytes) {
    core::Port host(core::kHost);
    core::Firewall& firewall = host.firewall.emplace();
    for_messages(bytes, [&](int /*type*/, Bytes payload) {
        const auto rule = netlink::decode_nft_rule(payload);
        if (rule && rule->names_roce())
            firewall.rules = {{.family = rule->family,
                               .table = rule->table,
                               .chain = rule->chain,
                               .handle = rule->handle,
                               .protocol = rule->protocol,
                               .verdict = rule->verdict,
                               .beside = rule->beside}};
        const auto chain = netlink::decode_nft_chain(payload);
        if (chain && !chain->table.empty() && !chain->name.empty())
            firewall.chains = {{.family = chain->family,
                                .table = chain->table,
                                .name = chain->name,
                                .hook = chain->hook,
                                .accepts = "no"}};
    });
    require_kept({.host = {}, .ports = {host}});
}

void log_record(Bytes bytes) {
    core::Port host(core::kHost);
    host.kernel_log.emplace();
    if (auto line = netlink::decode_log_record(bytes)) host.kernel_log->push_back(std::move(*line));
    require_kept({.host = {}, .ports = {host}});
}

/// An answer of firmware, taken for each that there is.
void firmware_answer(Bytes bytes) {
    core::Port port("port");
    core::Fwctl& fwctl = port.fwctl.emplace();
    for (const std::string& why :
         {netlink::decode_mlx5_refusal(bytes), netlink::decode_hwrm_refusal(bytes)})
        if (!why.empty()) fwctl.refused = {{{"request", why}}};
    if (const auto on = netlink::decode_cong_status(bytes)) fwctl.notify = {{"0", *on}};
    fwctl.cc_params = netlink::decode_cong_params(bytes, netlink::CongestionPoint::reaction);
    fwctl.cc_params->merge(
        netlink::decode_cong_params(bytes, netlink::CongestionPoint::notification));
    fwctl.roce_accl = netlink::decode_roce_accl(bytes);
    fwctl.stored = netlink::decode_stored(bytes, netlink::StoredItem::roce_cc, 1);
    fwctl.stored->merge(netlink::decode_stored(bytes, netlink::StoredItem::roce_cc_ecn, 2));
    fwctl.priority_queue = netlink::decode_pri2cos(bytes);
    const netlink::CosQueues queues = netlink::decode_cos2bw(bytes, *fwctl.priority_queue);
    fwctl.queue_algorithm = queues.algorithm;
    fwctl.queue_share = queues.share;
    // read_fwctl keeps nothing of what was not answered.
    const auto forget_empty = [](auto& held) {
        if (held && held->empty()) held.reset();
    };
    forget_empty(fwctl.cc_params);
    forget_empty(fwctl.roce_accl);
    forget_empty(fwctl.stored);
    forget_empty(fwctl.priority_queue);
    forget_empty(fwctl.queue_algorithm);
    forget_empty(fwctl.queue_share);
    require_kept({.host = {}, .ports = {port}});
}

}  // namespace

std::vector<Target> of_kernels() {
    return {{"netlink", route_netlink},       {"dcb", dcb_netlink},
            {"ethtool", ethtool_netlink},     {"rdma", rdma_netlink},
            {"netfilter", netfilter_netlink}, {"log", log_record},
            {"firmware", firmware_answer}};
}

}  // namespace fuzz

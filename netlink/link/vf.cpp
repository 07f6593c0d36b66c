// SPDX-License-Identifier: Apache-2.0
#include "netlink/link/codecs.hpp"

#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "core/model/back_end.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr std::string_view kCustomer = "802.1Q";
constexpr std::string_view kProvider = "802.1ad";
/// By their numbers (include/uapi/linux/if_link.h IFLA_VF_LINK_STATE_AUTO and so on).
constexpr std::array<std::string_view, 3> kLinkStates = {"auto", "enable", "disable"};
constexpr std::uint32_t kLast = 65535;              // as many as a PCI function can have
constexpr std::uint32_t kNotReported = 0xffffffff;  // rtnl_fill_vfinfo presets -1

/// Of a switch that not every driver tells.
template <typename Switch>
std::optional<bool> switch_in(const Attributes& info, int type) {
    const auto reported = info.value<Switch>(type);
    if (!reported || reported->setting == kNotReported) return std::nullopt;
    return reported->setting != 0;
}

/// The tag is in a list of its own since Linux 4.9, with what kind of tag it is.
void decode_tag(const Attributes& info, core::VirtualFunction& out) {
    info.nested(IFLA_VF_VLAN_LIST).for_each([&out](int type, Bytes payload) {
        const auto tag = header_of<ifla_vf_vlan_info>(payload);
        if (type != IFLA_VF_VLAN_INFO || !tag || out.vlan) return;
        out.vlan = static_cast<std::uint16_t>(tag->vlan);
        out.qos = static_cast<std::uint8_t>(tag->qos);
        out.protocol = ntohs(tag->vlan_proto) == ETH_P_8021AD ? kProvider : kCustomer;
    });
}

/// The file of a virtual function in the folder that the vendor's mlx5_core makes (its
/// sriov_sysfs.c); the inbox driver makes none.
HostPath node_file(const HostPath& device, std::uint32_t number) {
    return device / "sriov" / std::to_string(number) / "node";
}

std::string end_of_link(const HostPath& link) {
    return link_text(link).filename().string();
}

/// Whether somebody uses it: its port is up, or was moved to a namespace that is not this one.
bool is_in_use(const core::VirtualDevice& device, const HostPath& way) {
    if (device.driver.empty()) return false;
    if (device.port.empty()) return true;
    const std::string flags = read_text_file(way / "net" / device.port / "flags");
    unsigned bits = 0;
    if (flags.starts_with("0x"))
        std::from_chars(flags.data() + 2, flags.data() + flags.size(), bits, 16);
    return (bits & IFF_UP) != 0;
}

/// Each has a link from the physical function (drivers/pci/iov.c pci_iov_sysfs_link).
void find_devices(const HostPath& device, core::VirtualFunctions& out) {
    for (std::uint32_t number = 0; number < out.count; ++number) {
        const HostPath way = device / ("virtfn" + std::to_string(number));
        core::VirtualDevice found{
            .function = number, .pci = end_of_link(way), .driver = end_of_link(way / "driver")};
        if (found.pci.empty()) continue;
        for (std::string& port : names_in(way / "net"))
            found.port = std::move(port);
        if (is_in_use(found, way)) out.in_use.insert(found.pci);
        out.devices.push_back(std::move(found));
    }
}

void ask(Machine& machine, std::uint32_t index, core::VirtualFunctions& out) {
    Message request(RTM_GETLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(index);
    request.put_header(header);
    request.put(IFLA_EXT_MASK, std::uint32_t{RTEXT_FILTER_VF | RTEXT_FILTER_SKIP_STATS});
    machine.route().get(request,
                        [&out](const Reply& reply) { out.functions = decode_vfs(reply.payload); });
}

std::optional<HostPath> device_of(const Machine& machine, const core::Port& port) {
    const auto path = core::path_of("/sys/class/net/{port}/device", port);
    return path ? std::optional(machine.file(*path)) : std::nullopt;
}

void put_tag(Message& request, std::uint32_t number, const core::VirtualFunction& now,
             const core::VirtualFunction& then) {
    const std::uint32_t vlan = then.vlan.value_or(now.vlan.value_or(0));
    const std::uint32_t qos = then.qos.value_or(now.qos.value_or(0));
    if (then.protocol.value_or(now.protocol.value_or("")) != kProvider) {
        request.put(IFLA_VF_VLAN, ifla_vf_vlan{.vf = number, .vlan = vlan, .qos = qos});
        return;
    }
    ifla_vf_vlan_info tag{};  // with nothing behind its end
    tag.vf = number;
    tag.vlan = vlan;
    tag.qos = qos;
    tag.vlan_proto = htons(ETH_P_8021AD);
    request.nest(IFLA_VF_VLAN_LIST, [&] { request.put(IFLA_VF_VLAN_INFO, tag); });
}

void put_mac(Message& request, std::uint32_t number, const std::string& text) {
    ifla_vf_mac mac{};
    mac.vf = number;
    for (std::size_t i = 0; i < ETH_ALEN && 3 * i + 2 <= text.size(); ++i)
        std::from_chars(&text[3 * i], &text[3 * i] + 2, mac.mac[i], 16);
    request.put(IFLA_VF_MAC, mac);
}

void put_state(Message& request, std::uint32_t number, const std::string& word) {
    const auto found = std::ranges::find(kLinkStates, word);
    if (found == kLinkStates.end()) throw KernelError(EINVAL, word);
    request.put(
        IFLA_VF_LINK_STATE,
        ifla_vf_link_state{.vf = number,
                           .link_state = static_cast<std::uint32_t>(found - kLinkStates.begin())});
}

/// Whether something is desired that is not so already; what nobody states is left as it is.
bool differs(const auto& now, const auto& then) {
    return then && now != then;
}

}  // namespace

std::map<std::uint32_t, core::VirtualFunction> decode_vfs(Bytes payload) {
    std::map<std::uint32_t, core::VirtualFunction> out;
    const auto list = Attributes::after<ifinfomsg>(payload).nested(IFLA_VFINFO_LIST);
    list.for_each([&out](int type, Bytes bytes) {
        const Attributes info(bytes);
        const auto mac = info.value<ifla_vf_mac>(IFLA_VF_MAC);
        if (type != IFLA_VF_INFO || !mac || mac->vf > kLast) return;
        core::VirtualFunction one{
            .mac = mac_text(std::as_bytes(std::span(mac->mac)).first(ETH_ALEN)),
            .spoofchk = switch_in<ifla_vf_spoofchk>(info, IFLA_VF_SPOOFCHK),
            .trust = switch_in<ifla_vf_trust>(info, IFLA_VF_TRUST)};
        decode_tag(info, one);
        if (const auto rate = info.value<ifla_vf_rate>(IFLA_VF_RATE)) {
            one.min_tx_rate = rate->min_tx_rate;
            one.max_tx_rate = rate->max_tx_rate;
        }
        const auto link = info.value<ifla_vf_link_state>(IFLA_VF_LINK_STATE);
        if (link && link->link_state < kLinkStates.size())
            one.state = kLinkStates.at(link->link_state);
        out.emplace(mac->vf, std::move(one));
    });
    return out;
}

std::optional<Message> encode_vf(std::uint32_t index, std::uint32_t number,
                                 const core::VirtualFunction& now,
                                 const core::VirtualFunction& then) {
    const bool tag = differs(now.vlan, then.vlan) || differs(now.qos, then.qos) ||
                     differs(now.protocol, then.protocol);
    const bool rate =
        differs(now.min_tx_rate, then.min_tx_rate) || differs(now.max_tx_rate, then.max_tx_rate);
    if (!tag && !rate && !differs(now.mac, then.mac) && !differs(now.spoofchk, then.spoofchk) &&
        !differs(now.trust, then.trust) && !differs(now.state, then.state))
        return std::nullopt;
    Message request(RTM_NEWLINK);
    ifinfomsg header{};
    header.ifi_family = AF_UNSPEC;
    header.ifi_index = static_cast<int>(index);
    request.put_header(header);
    const auto put = [&] {
        if (differs(now.mac, then.mac)) put_mac(request, number, *then.mac);
        if (tag) put_tag(request, number, now, then);
        if (rate)
            request.put(IFLA_VF_RATE,
                        ifla_vf_rate{
                            .vf = number,
                            .min_tx_rate = then.min_tx_rate.value_or(now.min_tx_rate.value_or(0)),
                            .max_tx_rate = then.max_tx_rate.value_or(now.max_tx_rate.value_or(0))});
        if (differs(now.spoofchk, then.spoofchk))
            request.put(IFLA_VF_SPOOFCHK,
                        ifla_vf_spoofchk{.vf = number, .setting = *then.spoofchk ? 1U : 0U});
        if (differs(now.state, then.state)) put_state(request, number, *then.state);
        if (differs(now.trust, then.trust))
            request.put(IFLA_VF_TRUST,
                        ifla_vf_trust{.vf = number, .setting = *then.trust ? 1U : 0U});
    };
    request.nest(IFLA_VFINFO_LIST, [&] { request.nest(IFLA_VF_INFO, put); });
    return request;
}

void read_vf(Machine& machine, core::Port& port) {
    const auto device = device_of(machine, port);
    if (!device || !port.link || is_veth(port) || !exists(*device / "sriov_numvfs")) return;
    core::VirtualFunctions found{.count = number_in(read_text_file(*device / "sriov_numvfs"))};
    if (exists(*device / "sriov_totalvfs"))
        found.limit = number_in(read_text_file(*device / "sriov_totalvfs"));
    found.node_guids = is_folder(*device / "sriov");
    if (found.count > 0) ask(machine, port.link->index, found);
    find_devices(*device, found);
    for (std::uint32_t number = 0; found.node_guids && number < found.count; ++number)
        if (const HostPath file = node_file(*device, number); exists(file))
            found.functions[number].node_guid = read_text_file(file);
    port.vf = std::move(found);
}

void write_vf(Machine& machine, const core::Port& now, const core::Port& then) {
    const auto device = device_of(machine, now);
    if (!device || !now.link || !now.vf || !then.vf) throw KernelError(EOPNOTSUPP);
    core::Port fresh = now;
    if (now.vf->count != then.vf->count) {
        // From one number to another the kernel answers EBUSY (drivers/pci/pci-sysfs.c
        // sriov_numvfs_store).
        if (core::vf::starts_anew(*now.vf, *then.vf))
            write_text_file(*device / "sriov_numvfs", "0");
        write_text_file(*device / "sriov_numvfs", std::to_string(then.vf->count));
        read_vf(machine, fresh);
    }
    for (const auto& [number, desired] : then.vf->functions) {
        if (number >= then.vf->count) continue;
        const core::VirtualFunction before = fresh.vf->functions[number];
        if (auto request = encode_vf(now.link->index, number, before, desired))
            machine.route().change(*request);
        if (differs(before.node_guid, desired.node_guid))
            write_text_file(node_file(*device, number), *desired.node_guid);
    }
}

}  // namespace netlink

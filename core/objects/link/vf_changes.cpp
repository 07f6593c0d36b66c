// SPDX-License-Identifier: Apache-2.0
#include "core/objects/link/vf_changes.hpp"

#include <algorithm>
#include <cerrno>
#include <map>

#include "core/model/shell.hpp"

namespace core::vf {

namespace {

using One = VirtualFunction;

bool is_guid(std::string_view guid) {
    constexpr std::size_t length = 23;  // 00:11:22:33:44:55:66:77
    if (guid.size() != length) return false;
    for (std::size_t i = 0; i < length; ++i) {
        const bool separator = i % 3 == 2;
        const bool hexadecimal =
            std::string_view("0123456789abcdef").find(guid[i]) != std::string_view::npos;
        if (separator ? guid[i] != ':' : !hexadecimal) return false;
    }
    return true;
}

bool is_multicast(std::string_view mac) {
    return mac.size() > 1 && std::string_view("13579bdf").find(mac[1]) != std::string_view::npos;
}

/// Why one is refused what it is to have. The kernel's reasons are in net/core/rtnetlink.c
/// do_setvfinfo, rtnl_set_vf_rate and handle_vf_guid.
Reason no_of(const VirtualFunctions& part, const One& before, const One& then) {
    if (then.mac != before.mac && is_multicast(then.mac.value_or("")))
        return *then.mac + " is a multicast address";
    if (then.min_tx_rate.value_or(0) > then.max_tx_rate.value_or(0) &&
        then.max_tx_rate.value_or(0) != 0)
        return "vf.min_tx_rate is above vf.max_tx_rate";
    if (then.node_guid == before.node_guid || !then.node_guid) return std::nullopt;
    if (!part.node_guids)
        return "the kernel sets GUIDs of InfiniBand ports alone, and the port's driver has no file "
               "for them";
    if (!is_guid(*then.node_guid))
        return "found '" + *then.node_guid + "', expected eight bytes as 00:11:22:33:44:55:66:77";
    return std::nullopt;
}

/// Given to a virtual machine: taking it away waits until that machine lets it go, however long
/// (drivers/vfio/vfio_main.c vfio_unregister_group_dev).
const VirtualDevice* given_away(const VirtualFunctions& part) {
    const auto found = std::ranges::find_if(part.devices, [](const VirtualDevice& device) {
        return device.driver.find("vfio") != std::string::npos;
    });
    return found == part.devices.end() ? nullptr : &*found;
}

/// What drivers give those that they make.
void fill_in(const Driver& driver, One& made) {
    const auto give = [](auto& member, const auto& value) {
        if (!member) member = value;
    };
    give(made.mac, std::string("00:00:00:00:00:00"));
    give(made.vlan, std::uint16_t{0});
    give(made.qos, std::uint8_t{0});
    give(made.protocol, std::string(kProtocols[0]));
    give(made.min_tx_rate, std::uint32_t{0});
    give(made.max_tx_rate, std::uint32_t{0});
    give(made.spoofchk, driver.vf.spoofchk);
    give(made.trust, false);
    give(made.state, std::string(kStates[0]));
}

constexpr std::array<std::string_view, 2> kSwitch = {"off", "on"};

/// What ip(8) is reported of one.
std::string spell_one(const One& before, const One& then) {
    std::string out;
    const auto add = [&out](std::string_view word, const auto& was, const auto& desired) {
        if (!desired || was == desired) return;
        out.append(" ").append(word).append(" ").append(core::text(value_of(*desired)));
    };
    const auto add_switch = [&out](std::string_view word, const auto& was, const auto& desired) {
        if (desired && was != desired)
            out.append(" ").append(word).append(" ").append(kSwitch[*desired ? 1 : 0]);
    };
    add("mac", before.mac, then.mac);
    const auto differs = [](const auto& was, const auto& desired) {
        return desired && was != desired;
    };
    if (differs(before.vlan, then.vlan) || differs(before.qos, then.qos) ||
        differs(before.protocol, then.protocol)) {
        out += " vlan " + std::to_string(then.vlan.value_or(before.vlan.value_or(0)));
        out += " qos " + std::to_string(then.qos.value_or(before.qos.value_or(0)));
        if (then.protocol.value_or(before.protocol.value_or("")) == kProtocols[1])
            out += " proto 802.1ad";
    }
    add("max_tx_rate", before.max_tx_rate, then.max_tx_rate);
    add("min_tx_rate", before.min_tx_rate, then.min_tx_rate);
    add_switch("spoofchk", before.spoofchk, then.spoofchk);
    add_switch("trust", before.trust, then.trust);
    add("state", before.state, then.state);
    return out;
}

}  // namespace

bool starts_anew(const VirtualFunctions& now, const VirtualFunctions& then) {
    return now.count != then.count && now.count > 0 && then.count > 0;
}

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    const VirtualFunctions& was = *now.vf;
    const VirtualFunctions& part = *then.vf;
    if (part.count != was.count) {
        if (was.limit && part.count > *was.limit)
            return "the device can have " + std::to_string(*was.limit) + " virtual functions";
        if (const VirtualDevice* device = given_away(was))
            return "virtual function " + std::to_string(device->function) + " (" + device->pci +
                   ") is with " + device->driver + ", for a virtual machine or a process";
    }
    for (const auto& [number, function] : part.functions) {
        const auto old = was.functions.find(number);
        const bool there = old != was.functions.end();
        const One before = there ? old->second : One{};
        if (number >= part.count) {
            if (function == before) continue;
            return "there is no virtual function " + std::to_string(number) + ": vf.count is " +
                   std::to_string(part.count) + ", and the first is 0";
        }
        if (Reason reason = no_of(was, before, function))
            return "virtual function " + std::to_string(number) + ": " + *reason;
    }
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (!now.vf || !then.vf) return Refusal{.code = EOPNOTSUPP, .text = "Operation not supported"};
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    const bool other_count = now.vf->count != then.vf->count;
    now.vf->functions = then.vf->functions;
    if (!other_count) return std::nullopt;
    now.vf->count = then.vf->count;
    std::erase_if(now.vf->functions, [&](const auto& one) { return one.first >= then.vf->count; });
    for (std::uint32_t number = 0; number < then.vf->count; ++number)
        fill_in(driver, now.vf->functions[number]);
    // Where on the bus the others will be, and who takes them, is the host's to say.
    now.vf->devices.clear();
    now.vf->in_use.clear();
    return std::nullopt;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const std::string device = "/sys/class/net/" + shell(now.name) + "/device/";
    Commands lines;
    std::map<std::uint32_t, One> before = now.vf->functions;
    if (now.vf->count != then.vf->count) {
        if (starts_anew(*now.vf, *then.vf)) lines.push_back("echo 0 > " + device + "sriov_numvfs");
        lines.push_back("echo " + std::to_string(then.vf->count) + " > " + device + "sriov_numvfs");
        before.clear();
        for (std::uint32_t number = 0; number < then.vf->count; ++number)
            fill_in(driver, before[number]);
    }
    for (const auto& [number, function] : then.vf->functions) {
        if (number >= then.vf->count) continue;
        const One& old = before[number];
        if (const std::string words = spell_one(old, function); !words.empty())
            lines.push_back("ip link set dev " + shell(now.name) + " vf " + std::to_string(number) +
                            words);
        if (function.node_guid && function.node_guid != old.node_guid)
            lines.push_back("echo " + shell(*function.node_guid) + " > " + device + "sriov/" +
                            std::to_string(number) + "/node");
    }
    return lines;
}

Reason remarks(const Driver& /*driver*/, const Host& /*host*/, const Port& now, const Port& then) {
    std::string out;
    if (starts_anew(*now.vf, *then.vf))
        out = "the kernel takes all " + std::to_string(now.vf->count) +
              " virtual functions away first, with what is configured in them";
    const auto takes_at_start = [&](const auto& one) {
        const auto old = now.vf->functions.find(one.first);
        const One before = old == now.vf->functions.end() ? One{} : old->second;
        return one.second.mac != before.mac || one.second.node_guid != before.node_guid;
    };
    if (then.vf->count > 0 && std::ranges::any_of(then.vf->functions, takes_at_start))
        out += std::string(out.empty() ? "" : "; ") +
               "a driver that has the virtual function takes its MAC address and node GUID when it "
               "starts anew: unbind it and bind it again";
    return out.empty() ? std::nullopt : Reason(out);
}

}  // namespace core::vf

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/boot/boot_configuration.hpp"

namespace core::boot {
namespace {

/// nm-settings-ifcfg-rh(5): variables, and where keyfiles say the same.
struct Variable {
    std::string_view name;
    std::string_view key;
};
constexpr std::array kVariables = {
    Variable{".DEVICE", "connection.interface-name"},
    Variable{".HWADDR", "ethernet.mac-address"},
    Variable{".MTU", "ethernet.mtu"},
    Variable{".IPV6ADDR", "ipv6.address1"},
};

std::string unquoted(std::string_view text) {
    const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
                        text.front() == text.back();
    return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// IPADDR, IPADDR0, IPADDR1: each with its own PREFIX or NETMASK.
std::string length_for(const std::string& number, const File& file) {
    for (const TextLine& line : file.lines) {
        std::string value = unquoted(line.value);
        if (line.key == ".PREFIX" + number) return value;
        if (line.key == ".NETMASK" + number) return std::to_string(length_of_mask(value));
    }
    return {};
}

}  // namespace

File keyfile_of_ifcfg(const File& file) {
    File out{.path = file.path, .refused = file.refused, .time = file.time};
    std::string type = "ethernet";
    const auto add = [&](const TextLine& line, std::string_view key, std::string value) {
        out.lines.push_back({.number = line.number,
                             .text = line.text,
                             .key = std::string(key),
                             .value = std::move(value)});
    };
    for (const TextLine& line : file.lines) {
        std::string value = unquoted(line.value);
        const auto known = std::ranges::find(kVariables, line.key, &Variable::name);
        if (known != kVariables.end()) add(line, known->key, value);
        if (line.key == ".TYPE") type = lower(value);
        if (line.key == ".VLAN" && flag_in(value).value_or(false)) type = "vlan";
        if (line.key == ".ONBOOT" && value == "no") add(line, "connection.autoconnect", "false");
        if (line.key == ".NM_CONTROLLED" && value == "no")
            add(line, "connection.autoconnect", "false");
        if (line.key == ".BOOTPROTO" && lower(value) == "dhcp") add(line, "ipv4.method", "auto");
        if (line.key.starts_with(".IPADDR")) {
            const std::string number = line.key.substr(std::string_view(".IPADDR").size());
            add(line, "ipv4.address" + number, value + '/' + length_for(number, file));
        }
    }
    out.lines.push_back({.number = 1, .text = {}, .key = "connection.type", .value = type});
    return out;
}

}  // namespace core::boot

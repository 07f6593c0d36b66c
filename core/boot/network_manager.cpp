// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <array>
#include <charconv>

#include "core/boot/boot_configuration.hpp"
#include "core/boot/match.hpp"
#include "core/model/glob.hpp"
#include "core/model/shape.hpp"

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

namespace {

using Applies = Matched::Applies;

std::string value_of(const File& file, std::string_view key) {
    const auto line = std::ranges::find(file.lines, key, &TextLine::key);
    return line == file.lines.end() ? "" : line->value;
}

/// Which kernel devices a type is of (nm-settings-nmcli(5), connection.type).
Applies by_connection_type(const Port& port, const std::string& type) {
    const std::string& kind = port.link->kind;
    if (type == "vlan" || type == "bond") return kind == type ? Applies::yes : Applies::no;
    if (type == "ethernet" || type == "802-3-ethernet")
        return kind == "vlan" || kind == "bond" ? Applies::no : Applies::yes;
    return Applies::no;
}

/// Whether it is activated on the port by itself.
Matched match_of_connection(const Port& port, const File& file) {
    if (!port.link || value_of(file, "connection.autoconnect") == "false") return {};
    if (by_connection_type(port, value_of(file, "connection.type")) == Applies::no) return {};
    const std::string name = value_of(file, "connection.interface-name");
    if (!name.empty() && name != port.name) return {};
    for (const char* key : {"ethernet.mac-address", "802-3-ethernet.mac-address"}) {
        const std::string mac = as_read(Shape::Text::mac, value_of(file, key));
        if (!mac.empty() && mac != port.link->permanent_mac && mac != port.link->mac) return {};
    }
    for (const TextLine& line : file.lines)
        if (line.key.starts_with("match."))
            return {.applies = Applies::maybe, .unsure = line.key + '=' + line.value};
    return {.applies = Applies::yes};
}

int priority_of(const File& file) {
    const std::string text = value_of(file, "connection.autoconnect-priority");
    int out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

std::uint32_t head_of(const File& file) {
    return file.lines.empty() ? 1 : file.lines.front().number;
}

void add_connection(const File& file, const std::string& unsure, BootConfiguration& out) {
    const BootSetting has{.program = BootProgram::network_manager,
                          .value = "yes",
                          .file = file.path,
                          .line = head_of(file),
                          .unsure = unsure};
    out.settings.push_back(has);
    out.settings.push_back(has);
    out.settings.back().key = "up";
    if (value_of(file, "ipv4.method") == "auto") {
        out.settings.push_back(has);
        out.settings.back().key = kByDhcp;
    }
    for (const TextLine& line : file.lines) {
        if (line.key.empty() || line.key.starts_with("connection.")) continue;
        BootSetting setting = has;
        setting.key = line.key;
        if (setting.key.starts_with("802-3-ethernet.")) setting.key = line.key.substr(6);
        if (setting.key.starts_with("ethernet.") && line.value == "0") continue;  // as it is
        setting.value = line.value;
        setting.line = line.number;
        out.settings.push_back(std::move(setting));
    }
}

/// What keeps the program off devices is in words that are not all understood here: it is a doubt
/// wherever there is something.
void uncertain_unmanaged(const BootFiles& files, BootConfiguration& out) {
    for (const File& file : in_force(source("NetworkManager.conf"), files))
        for (const TextLine& line : file.lines)
            if (line.key == "keyfile.unmanaged-devices" || line.key.ends_with(".managed"))
                for (BootSetting& setting : out.settings)
                    if (setting.program == BootProgram::network_manager)
                        setting.unsure = file.path + ':' + std::to_string(line.number) +
                                         " keeps NetworkManager off some ports: " + line.text;
}

}  // namespace

/// Of several connections, the one with the highest priority is activated; of equal ones, the most
/// recently used.
void add_network_manager(const Port& port, const BootFiles& files, BootConfiguration& out) {
    struct Candidate {
        File file{};
        std::string unsure{};
        int priority = 0;
    };
    std::vector<Candidate> all;
    std::vector<File> understood = in_force(source("keyfiles"), files);
    for (const File& file : in_force(source("ifcfg"), files))
        understood.push_back(keyfile_of_ifcfg(file));
    for (File& file : understood) {
        const Matched matched = match_of_connection(port, file);
        if (matched.applies == Applies::no) continue;
        const int priority = priority_of(file);
        all.push_back({std::move(file), matched.unsure, priority});
    }
    if (all.empty()) return;
    const int highest = std::ranges::max_element(all, {}, &Candidate::priority)->priority;
    const bool sure =
        std::ranges::all_of(all, [](const Candidate& one) { return one.unsure.empty(); });
    if (sure) std::erase_if(all, [&](const Candidate& one) { return one.priority < highest; });
    for (const Candidate& one : all) {
        std::string unsure;
        if (all.size() > 1)
            unsure = "several connections are for the port, " + one.file.path + " is one";
        if (!one.unsure.empty()) unsure = one.file.path + " may be for the port: " + one.unsure;
        add_connection(one.file, unsure, out);
    }
    uncertain_unmanaged(files, out);
}

}  // namespace core::boot

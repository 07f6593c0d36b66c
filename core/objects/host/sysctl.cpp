// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

bool leads_elsewhere(std::string_view path) {
    while (true) {
        const std::size_t slash = path.find('/');
        const std::string_view part = path.substr(0, slash);
        if (part.empty() || part == "." || part == "..") return true;
        if (slash == std::string_view::npos) return false;
        path.remove_prefix(slash + 1);
    }
}

std::string swapped(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c == '.')
            c = '/';
        else if (c == '/')
            c = '.';
    }
    return out;
}

}  // namespace

std::optional<std::string> sysctl_path(std::string_view name) {
    const std::size_t first = name.find_first_of("./");
    const bool dots = first != std::string_view::npos && name[first] == '.';
    std::string path = dots ? swapped(name) : std::string(name);
    const bool odd = std::ranges::any_of(
        path, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; });
    if (odd || leads_elsewhere(path)) return std::nullopt;
    return path;
}

std::string one_blank(std::string_view value) {
    std::string out;
    for (const char c : value) {
        const bool blank = c == ' ' || c == '\t' || c == '\n';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

std::string sysctl_name(std::string_view path) {
    return swapped(path);
}

}  // namespace core

namespace core::sysctl {

namespace {

/// A parameter that a setting holds, so that nobody states one value twice.
std::optional<std::string> owner_of(std::string_view path) {
    const std::size_t last = path.rfind('/') + 1;
    const std::string_view name = path.substr(last);
    const auto of_port = [&](std::string_view prefix) {
        if (!path.starts_with(prefix) || last <= prefix.size()) return false;
        const std::string_view port = path.substr(prefix.size(), last - 1 - prefix.size());
        return port != "all" && port != "default";
    };
    const bool joint = std::ranges::find(kJointFiles, name, &JointFile::name) != kJointFiles.end();
    if (joint && of_port("net/ipv4/conf/")) return "ip." + std::string(name);
    if (name == "addr_gen_mode" && of_port("net/ipv6/conf/")) return "ip.addr_gen_mode";
    return std::nullopt;
}

std::optional<std::string> illegal_sysctl(std::string_view name) {
    const std::optional<std::string> path = sysctl_path(name);
    if (!path) return "expected the name of a kernel parameter, such as net.core.rmem_max";
    if (*path == "vm/nr_hugepages" || *path == "vm/nr_hugepages_mempolicy")
        return "which is host.hugepages; state that";
    if (const auto owner = owner_of(*path))
        return "which is " + *owner + " of a port; state that in an entry of ports";
    return std::nullopt;
}

Value with_one_blank(const Value& value) {
    return one_blank(std::get<std::string>(value));
}

constexpr std::array<std::string_view, 2> kSysctls = {"net.core.rmem_max", "vm.swappiness"};

using enum Shape::Kind;
using Text = Shape::Text;

constexpr Shape kParameter = {.kind = text, .text = Text::line, .canonical = with_one_blank};

constexpr std::array kFields = {
    setting("host.sysctl",
            {.kind = named, .words = kSysctls, .of = &kParameter, .illegal_name = illegal_sysctl},
            "Kernel parameters by their names in sysctl(8), but for those that are settings of "
            "their own.",
            get_named<&Port::sysctl>, set_named<&Port::sysctl>),
};

bool differs(const Port& now, const std::string& name, const std::string& value) {
    const auto old = now.sysctl->find(name);
    return old == now.sysctl->end() || old->second != value;
}

Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    for (const auto& [name, value] : *then.sysctl)
        if (!now.sysctl->contains(name)) return "the host has no kernel parameter " + name;
    return std::nullopt;
}

/// What a port has in IPv4 of the host's parameters for all ports: the kernel takes the larger of
/// the two.
std::optional<Ipv4> with_all(const Sysctl& parameters, const Port& port) {
    std::optional<Ipv4> out = port.ipv4;
    if (!out) return out;
    for (const JointFile& file : kJointFiles) {
        const auto all = parameters.find("net.ipv4.conf.all." + std::string(file.name));
        if (all == parameters.end()) continue;
        const std::string& text = all->second;
        std::int32_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size())
            ((*out).*file.value).all = number;
    }
    return out;
}

Played play(const Driver& driver, State& state, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = ENOENT, .text = *reason};
    now.sysctl = then.sysctl;
    std::vector<Port> touched;
    for (Port& port : state.ports) {
        const std::optional<Ipv4> ipv4 = with_all(*now.sysctl, port);
        if (port.name == now.name || ipv4 == port.ipv4) continue;
        touched.push_back(port);
        port.ipv4 = ipv4;
    }
    return Played(std::move(touched));
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [name, value] : *then.sysctl) {
        if (!differs(now, name, value)) continue;
        std::string assignment = name;
        assignment += '=' + value;
        lines.push_back("sysctl -w " + shell(assignment));
    }
    return lines;
}

/// Not what is there on every host: a name misspelt is reported before anything is written.
bool with_module(std::string_view name) {
    constexpr std::array<std::string_view, 6> kWhole = {
        "vm/", "kernel/", "net/core/", "net/ipv4/conf/", "net/ipv6/conf/", "net/ipv6/neigh/"};
    constexpr std::array<std::string_view, 3> kFlat = {"fs", "net/ipv4", "net/ipv6"};
    const std::string path = sysctl_path(name).value_or("");
    return !path.empty() &&
           std::ranges::none_of(kWhole, [&](auto folder) { return path.starts_with(folder); }) &&
           std::ranges::find(kFlat, std::string_view(path).substr(0, path.rfind('/'))) ==
               kFlat.end();
}

constexpr std::array kAtBoot = {
    AtBoot{"host.sysctl", BootProgram::sysctl, "$element"},
};

}  // namespace

constinit const ObjectRow row = {.object = Object::sysctl,
                                 .name = "sysctl",
                                 .doc = "Kernel parameters.",
                                 .topic = Topic::host,
                                 .lives = Lives::host,
                                 .sees_others = true,
                                 .fields = kFields,
                                 .refuses = refuses,
                                 .play = play,
                                 .lifecycle = {.with_module = with_module},
                                 .read = {.by_name = true},
                                 .words = {.spell = spell},
                                 .boot = {.programs = kAtBoot}};

}  // namespace core::sysctl

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <set>

#include "core/model/access.hpp"
#include "core/model/glob.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/link/parts.hpp"
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

/// What a parameter becomes where another one is written.
enum class Becomes : std::uint8_t {
    same,      ///< the value that was written
    opposite,  ///< 0, or 1 where that is 0
    zero,
    other,  ///< what the kernel makes of it, or as it was; not predicted
};

/// `*` in the name stands for any port, `$` for what the `*` of the parameter stands for.
struct Reset {
    std::string_view name;
    Becomes becomes = Becomes::same;
};

/// What a write of a parameter does beside.
struct SideEffect {
    std::string_view name;          ///< which parameters; `*` stands for any text
    std::array<Reset, 5> resets{};  ///< those that it changes too; recorded, and restored by undo
    std::string_view lost{};        ///< what no write brings back; empty: nothing
    std::string_view when{};        ///< at which value; "on": all but 0; empty: any
    bool ends_lro = false;          ///< no port receives in large parts while it is on
    std::string_view source;        ///< the kernel's file and function
};

constexpr std::string_view kOn = "on";
constexpr std::string_view kNoIpv6 =
    "takes the IPv6 addresses, routes and neighbours of ports, and nothing brings those back that "
    "the kernel does not make anew";
constexpr std::string_view kNoRouters =
    "takes the default routes that routers advertised, until they advertise again";
constexpr std::string_view kOneWay = "stays until the next boot: the kernel takes no other value";

/// As in Linux 6.1, 6.12, 6.18 and 7.3, unless the row says otherwise. The first row that fits is
/// the parameter's.
constexpr std::array kSideEffects = {
    SideEffect{.name = "net.ipv4.ip_forward",
               .resets = {Reset{"net.ipv4.conf.all.forwarding"},
                          {"net.ipv4.conf.default.forwarding"},
                          {"net.ipv4.conf.*.forwarding"},
                          {"net.ipv4.conf.all.accept_redirects", Becomes::opposite}},
               .ends_lro = true,
               .source = "net/ipv4/devinet.c inet_forward_change"},
    SideEffect{.name = "net.ipv4.conf.all.forwarding",
               .resets = {Reset{"net.ipv4.ip_forward"},
                          {"net.ipv4.conf.default.forwarding"},
                          {"net.ipv4.conf.*.forwarding"},
                          {"net.ipv4.conf.all.accept_redirects", Becomes::opposite}},
               .ends_lro = true,
               .source = "net/ipv4/devinet.c inet_forward_change"},
    SideEffect{.name = "net.ipv4.conf.default.forwarding",
               .source = "net/ipv4/devinet.c devinet_sysctl_forward"},
    // Ports on which the parameter was never written, and that never had an IPv4 address.
    SideEffect{.name = "net.ipv4.conf.default.*",
               .resets = {Reset{"net.ipv4.conf.*.$", Becomes::other}},
               .source = "net/ipv4/devinet.c devinet_copy_dflt_conf"},
    SideEffect{.name = "net.ipv4.neigh.default.base_reachable_time",
               .resets = {Reset{"net.ipv4.neigh.default.base_reachable_time_ms", Becomes::other},
                          {"net.ipv4.neigh.*.base_reachable_time", Becomes::other},
                          {"net.ipv4.neigh.*.base_reachable_time_ms", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv4.neigh.default.retrans_time",
               .resets = {Reset{"net.ipv4.neigh.default.retrans_time_ms", Becomes::other},
                          {"net.ipv4.neigh.*.retrans_time", Becomes::other},
                          {"net.ipv4.neigh.*.retrans_time_ms", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv4.neigh.default.unres_qlen",
               .resets = {Reset{"net.ipv4.neigh.default.unres_qlen_bytes", Becomes::other},
                          {"net.ipv4.neigh.*.unres_qlen", Becomes::other},
                          {"net.ipv4.neigh.*.unres_qlen_bytes", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv4.neigh.default.*",
               .resets = {Reset{"net.ipv4.neigh.*.$", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv6.neigh.default.base_reachable_time",
               .resets = {Reset{"net.ipv6.neigh.default.base_reachable_time_ms", Becomes::other},
                          {"net.ipv6.neigh.*.base_reachable_time", Becomes::other},
                          {"net.ipv6.neigh.*.base_reachable_time_ms", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv6.neigh.default.retrans_time",
               .resets = {Reset{"net.ipv6.neigh.default.retrans_time_ms", Becomes::other},
                          {"net.ipv6.neigh.*.retrans_time", Becomes::other},
                          {"net.ipv6.neigh.*.retrans_time_ms", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv6.neigh.default.unres_qlen",
               .resets = {Reset{"net.ipv6.neigh.default.unres_qlen_bytes", Becomes::other},
                          {"net.ipv6.neigh.*.unres_qlen", Becomes::other},
                          {"net.ipv6.neigh.*.unres_qlen_bytes", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    SideEffect{.name = "net.ipv6.neigh.default.*",
               .resets = {Reset{"net.ipv6.neigh.*.$", Becomes::other}},
               .source = "net/core/neighbour.c neigh_copy_dflt_parms"},
    // One value under two names, of which this one is the coarser: what it was set to under the
    // other name is not as before when this one is.
    SideEffect{.name = "net.ipv?.neigh.*.base_reachable_time",
               .resets = {Reset{"$_ms", Becomes::other}},
               .source = "net/core/neighbour.c neigh_proc_base_reachable_time"},
    SideEffect{.name = "net.ipv?.neigh.*.retrans_time",
               .resets = {Reset{"$_ms", Becomes::other}},
               .source = "net/core/neighbour.c neigh_proc_dointvec_userhz_jiffies"},
    SideEffect{.name = "net.ipv?.neigh.*.unres_qlen",
               .resets = {Reset{"$_bytes", Becomes::other}},
               .source = "net/core/neighbour.c proc_unres_qlen"},
    SideEffect{.name = "net.ipv4.tcp_congestion_control",
               .resets = {Reset{"net.ipv4.tcp_allowed_congestion_control", Becomes::other}},
               .source = "net/ipv4/tcp_cong.c tcp_set_default_congestion_control"},
    SideEffect{
        .name = "net.ipv6.conf.all.forwarding",
        .resets = {Reset{"net.ipv6.conf.default.forwarding"}, {"net.ipv6.conf.*.forwarding"}},
        .lost = kNoRouters,
        .when = kOn,
        .source = "net/ipv6/addrconf.c addrconf_fixup_forwarding"},
    SideEffect{.name = "net.ipv6.conf.default.forwarding",
               .source = "net/ipv6/addrconf.c addrconf_fixup_forwarding"},
    SideEffect{.name = "net.ipv6.conf.*.forwarding",
               .lost = kNoRouters,
               .when = kOn,
               .source = "net/ipv6/addrconf.c addrconf_fixup_forwarding"},
    SideEffect{.name = "net.ipv6.conf.all.ignore_routes_with_linkdown",
               .resets = {Reset{"net.ipv6.conf.default.ignore_routes_with_linkdown"},
                          {"net.ipv6.conf.*.ignore_routes_with_linkdown"}},
               .source = "net/ipv6/addrconf.c addrconf_fixup_linkdown"},
    // Since Linux 6.17.
    SideEffect{.name = "net.ipv6.conf.all.force_forwarding",
               .resets = {Reset{"net.ipv6.conf.*.force_forwarding"}},
               .source = "net/ipv6/addrconf.c addrconf_force_forward_change"},
    // Whatever the value: where all had another, a port's own may have been this one.
    SideEffect{
        .name = "net.ipv6.conf.all.disable_ipv6",
        .resets = {Reset{"net.ipv6.conf.default.disable_ipv6"}, {"net.ipv6.conf.*.disable_ipv6"}},
        .lost = kNoIpv6,
        .source = "net/ipv6/addrconf.c addrconf_disable_ipv6"},
    SideEffect{.name = "net.ipv6.conf.default.disable_ipv6",
               .source = "net/ipv6/addrconf.c addrconf_disable_ipv6"},
    SideEffect{.name = "net.ipv6.conf.*.disable_ipv6",
               .lost = kNoIpv6,
               .when = kOn,
               .source = "net/ipv6/addrconf.c dev_disable_change"},
    SideEffect{
        .name = "net.ipv6.conf.all.addr_gen_mode",
        .resets = {Reset{"net.ipv6.conf.default.addr_gen_mode"}, {"net.ipv6.conf.*.addr_gen_mode"}},
        .lost = "gives ports link-local addresses made in the new way, which stay",
        .source = "net/ipv6/addrconf.c addrconf_sysctl_addr_gen_mode"},
    SideEffect{.name = "net.ipv6.conf.*.stable_secret",
               .lost = "cannot be unset, and addresses are made from it from then on",
               .source = "net/ipv6/addrconf.c addrconf_sysctl_stable_secret"},
    SideEffect{.name = "net.netfilter.nf_hooks_lwtunnel",
               .lost = kOneWay,
               .when = kOn,
               .source = "net/netfilter/nf_hooks_lwtunnel.c nf_hooks_lwtunnel_set"},
    SideEffect{.name = "kernel.unprivileged_bpf_disabled",
               .lost = kOneWay,
               .when = "1",
               .source = "kernel/bpf/syscall.c bpf_unpriv_handler"},
    SideEffect{.name = "kernel.kexec_load_disabled",
               .lost = kOneWay,
               .when = kOn,
               .source = "kernel/kexec_core.c kexec_core_sysctls"},
    SideEffect{.name = "kernel.modules_disabled",
               .lost = kOneWay,
               .when = kOn,
               .source = "kernel/sysctl.c kern_table"},
    SideEffect{.name = "kernel.yama.ptrace_scope",
               .lost = kOneWay,
               .when = "3",
               .source = "security/yama/yama_lsm.c yama_dointvec_minmax"},
    // Two units of one limit: the kernel refuses 0, and gives it where the other is written.
    SideEffect{.name = "vm.dirty_bytes",
               .resets = {Reset{"vm.dirty_ratio", Becomes::zero}},
               .source = "mm/page-writeback.c dirty_bytes_handler"},
    SideEffect{.name = "vm.dirty_ratio",
               .resets = {Reset{"vm.dirty_bytes", Becomes::zero}},
               .source = "mm/page-writeback.c dirty_ratio_handler"},
    SideEffect{.name = "vm.dirty_background_bytes",
               .resets = {Reset{"vm.dirty_background_ratio", Becomes::zero}},
               .source = "mm/page-writeback.c dirty_background_bytes_handler"},
    SideEffect{.name = "vm.dirty_background_ratio",
               .resets = {Reset{"vm.dirty_background_bytes", Becomes::zero}},
               .source = "mm/page-writeback.c dirty_background_ratio_handler"},
    SideEffect{.name = "vm.overcommit_kbytes",
               .resets = {Reset{"vm.overcommit_ratio", Becomes::zero}},
               .source = "mm/util.c overcommit_kbytes_handler"},
    SideEffect{.name = "vm.overcommit_ratio",
               .resets = {Reset{"vm.overcommit_kbytes", Becomes::zero}},
               .source = "mm/util.c overcommit_ratio_handler"},
};

/// With dots between the parts, however somebody spelled it.
std::string plain_name(std::string_view spelled) {
    return sysctl_name(sysctl_path(spelled).value_or(""));
}

/// Those of the parameter, or null.
const SideEffect* side_effect_of(const std::string& name) {
    const auto found = std::ranges::find_if(
        kSideEffects, [&](const SideEffect& effect) { return glob_matches(effect.name, name); });
    return found == kSideEffects.end() ? nullptr : &*found;
}

/// The pattern of a reset, for this parameter.
std::string pattern_of(const Reset& reset, const SideEffect& effect, const std::string& name) {
    const std::size_t place = reset.name.find('$');
    if (place == std::string_view::npos) return std::string(reset.name);
    // A `*` at the end stands for what is behind the rest; where `$` comes first, for all.
    const std::string_view stands_for =
        place == 0 ? std::string_view(name) : std::string_view(name).substr(effect.name.find('*'));
    std::string out(reset.name.substr(0, place));
    out += stands_for;
    out += reset.name.substr(place + 1);
    return out;
}

/// Whether a pattern fits, `*` being a port.
bool fits(const std::string& pattern, std::string_view name) {
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos) return pattern == name;
    const std::string_view behind = std::string_view(pattern).substr(star + 1);
    if (name.size() < star + behind.size() || name.substr(0, star) != pattern.substr(0, star) ||
        !name.ends_with(behind))
        return false;
    const std::string_view port = name.substr(star, name.size() - star - behind.size());
    return port.find('.') == std::string_view::npos && port != "all" && port != "default";
}

std::string becomes(Becomes how, const std::string& held, const std::string& value) {
    switch (how) {
        case Becomes::same: return value;
        case Becomes::opposite: return value == "0" ? "1" : "0";
        case Becomes::zero: return "0";
        case Becomes::other: break;
    }
    return held;
}

/// The side effects of a write, where it has some that are parameters.
const SideEffect* resets_of(const std::string& name) {
    const SideEffect* effect = side_effect_of(name);
    return effect == nullptr || effect->resets.front().name.empty() ? nullptr : effect;
}

/// Writes one parameter as the kernel does.
void set_with_others(Sysctl& parameters, const std::string& spelled, const std::string& value) {
    parameters.insert_or_assign(spelled, value);
    const std::string name = plain_name(spelled);
    const SideEffect* effect = resets_of(name);
    if (effect == nullptr) return;
    for (const Reset& reset : effect->resets) {
        if (reset.name.empty()) continue;
        const std::string pattern = pattern_of(reset, *effect, name);
        for (auto& [other, held] : parameters)
            if (other != spelled && fits(pattern, plain_name(other)))
                held = becomes(reset.becomes, held, value);
    }
}

std::vector<std::string> resets(std::string_view spelled) {
    std::vector<std::string> out;
    const std::string name = plain_name(spelled);
    const SideEffect* effect = resets_of(name);
    if (effect == nullptr) return out;
    for (const Reset& reset : effect->resets)
        if (!reset.name.empty()) out.push_back(pattern_of(reset, *effect, name));
    return out;
}

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
    if (!path || path->find('*') != std::string::npos)
        return "expected the name of a kernel parameter, such as net.core.rmem_max";
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

bool is_lost_at(const SideEffect& effect, const std::string& value) {
    if (effect.lost.empty()) return false;
    return effect.when.empty() || (effect.when == kOn ? value != "0" : value == effect.when);
}

std::vector<std::string> lost_for_good(const Port& /*was*/, const Port& before, const Port& after) {
    std::vector<std::string> out;
    if (!before.sysctl || !after.sysctl) return out;
    // What another write sets is a part of what that one does.
    std::set<std::string, std::less<>> by_others;
    const auto changed = writes(*before.sysctl, *after.sysctl);
    for (const auto& [name, value] : changed) {
        for (const std::string& pattern : resets(name))
            for (const auto& [other, its] : changed)
                if (fits(pattern, plain_name(other))) by_others.insert(other);
    }
    for (const auto& [name, value] : changed) {
        const SideEffect* effect = side_effect_of(plain_name(name));
        if (effect == nullptr || !is_lost_at(*effect, value) || by_others.contains(name)) continue;
        std::string text = name;
        text.append("=").append(value).append(" ").append(effect->lost);
        out.push_back(text.append(" (").append(effect->source).append(")"));
    }
    return out;
}

using Writes = std::vector<std::pair<std::string, std::string>>;

/// net/core/dev.c dev_disable_lro, which net/ipv4/devinet.c inet_forward_change calls.
std::optional<std::string> ends_lro(const Writes& writes) {
    for (const auto& [name, value] : writes) {
        const SideEffect* effect = side_effect_of(plain_name(name));
        if (effect != nullptr && effect->ends_lro && value != "0") return name;
    }
    return std::nullopt;
}

std::optional<std::string> remarks(const Driver& /*driver*/, const Host& /*host*/, const Port& now,
                                   const Port& then) {
    const auto name = ends_lro(writes(*now.sysctl, *then.sysctl));
    if (!name) return std::nullopt;
    return *name +
           " turns large receive offload off on every port that has it on; rollback turns it on "
           "again where the profile states a feature of the port";
}

bool has_lro(const Port& port) {
    if (!port.features) return false;
    const auto lro = port.features->active.find("rx-lro");
    return lro != port.features->active.end() && lro->second &&
           !port.features->fixed.contains("rx-lro");
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

/// Whether IPv6 goes off on the port (net/ipv6/addrconf.c addrconf_disable_change).
bool goes_without_ipv6(const Writes& writes, const std::string& port) {
    return std::ranges::any_of(writes, [&](const auto& write) {
        const std::string& name = write.first;
        return write.second != "0" &&
               (name == "net.ipv6.conf.all.disable_ipv6" ||
                name == sysctl_name("net/ipv6/conf/" + port + "/disable_ipv6"));
    });
}

Played play(const Driver& driver, State& state, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = ENOENT, .text = *reason};
    const auto written = writes(*now.sysctl, *then.sysctl);
    for (const auto& [name, value] : written)
        set_with_others(*now.sysctl, name, value);
    const bool without_lro = ends_lro(written).has_value();
    std::vector<Port> touched;
    for (Port& port : state.ports) {
        const std::optional<Ipv4> ipv4 = with_all(*now.sysctl, port);
        const bool without_ipv6 = goes_without_ipv6(written, port.name);
        const bool loses_lro = without_lro && has_lro(port);
        if (port.name == now.name || (ipv4 == port.ipv4 && !without_ipv6 && !loses_lro)) continue;
        touched.push_back(port);
        port.ipv4 = ipv4;
        if (without_ipv6) link::lose_ipv6(port);
        if (loses_lro) port.features->active["rx-lro"] = false;
    }
    return Played(std::move(touched));
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [name, value] : writes(*now.sysctl, *then.sysctl)) {
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

/// Where the name of one port begins in a path below /proc/sys; 0 where there is none.
std::size_t place_of_port(std::string_view path) {
    constexpr std::array<std::string_view, 5> kFolders = {
        "net/ipv4/conf/", "net/ipv4/neigh/", "net/ipv6/conf/", "net/ipv6/neigh/", "net/mpls/conf/"};
    for (const std::string_view folder : kFolders) {
        const std::size_t end = path.find('/', folder.size());
        if (!path.starts_with(folder) || end == std::string_view::npos) continue;
        const std::string_view port = path.substr(folder.size(), end - folder.size());
        return port == "all" || port == "default" ? 0 : folder.size();
    }
    return 0;
}

std::optional<std::string> port_in(std::string_view name) {
    const std::string path = sysctl_path(name).value_or("");
    const std::size_t place = place_of_port(path);
    if (place == 0) return std::nullopt;
    return path.substr(place, path.find('/', place) - place);
}

std::string about(std::string_view name, std::string_view port) {
    std::string path = sysctl_path(name).value_or("");
    const std::size_t place = place_of_port(path);
    if (place == 0) return std::string(name);
    const bool with_slashes = path == name;
    path.replace(place, path.find('/', place) - place, port);
    return with_slashes ? path : sysctl_name(path);
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
                                 .lifecycle = {.with_module = with_module,
                                               .resets = resets,
                                               .port_in = port_in,
                                               .about = about,
                                               .lost_for_good = lost_for_good},
                                 .read = {.by_name = true},
                                 .words = {.remarks = remarks, .spell = spell},
                                 .boot = {.programs = kAtBoot}};

bool sets_others(std::string_view name) {
    return resets_of(plain_name(name)) != nullptr;
}

std::vector<std::pair<std::string, std::string>> writes(const Sysctl& now, const Sysctl& then) {
    std::vector<std::pair<std::string, std::string>> out;
    std::set<std::string> zero;
    for (const auto& [name, value] : then) {
        if (const auto old = now.find(name); old != now.end() && old->second == value) continue;
        out.emplace_back(name, value);
        const SideEffect* effect = value == "0" ? nullptr : resets_of(plain_name(name));
        if (effect != nullptr && effect->resets.front().becomes == Becomes::zero)
            zero.emplace(effect->resets.front().name);
    }
    std::erase_if(out, [&](const auto& write) {
        return write.second == "0" && zero.contains(plain_name(write.first));
    });
    // The one of std::ranges is not taken by clang 14.
    std::stable_partition(out.begin(), out.end(),
                          [](const auto& write) { return sets_others(write.first); });
    return out;
}

}  // namespace core::sysctl

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"
#include "core/objects/ip/ip_conf.hpp"

// What belongs to the host and to no port of it. A profile states these keys in its "host".

namespace core {
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

std::optional<std::string> illegal_pool(std::string_view name) {
    if (parse_huge_page_pool(name)) return std::nullopt;
    return "expected default, a page size such as 2M or 1G, or one of a node such as 1G/node0";
}

Value with_one_blank(const Value& value) {
    return one_blank(std::get<std::string>(value));
}

/// The kernel's own spelling (scripts/Makefile.lib: KBUILD_MODNAME).
Value with_underscores(const Value& value) {
    std::string name = std::get<std::string>(value);
    std::ranges::replace(name, '-', '_');
    return name;
}

Got get_modules(const Port& port) {
    if (!port.modules) return std::nullopt;
    Elements elements;
    for (const std::string& name : *port.modules)
        elements.emplace(name, name);
    return elements;
}
void set_modules(Port& port, const Elements& elements) {
    port.modules.emplace();
    for (const auto& [name, value] : elements)
        port.modules->insert(std::get<std::string>(value));
}

template <auto Part>
Got get_plain(const Port& port) {
    if (!(port.*Part)) return std::nullopt;
    return one(*(port.*Part));
}
template <auto Part>
void set_plain(Port& port, const Elements& elements) {
    using Held = typename std::remove_reference_t<decltype(port.*Part)>::value_type;
    port.*Part = plain<Held>(elements);
}

/// None where tuned does not run.
Got get_tuned(const Port& port) {
    if (!port.tuned) return std::nullopt;
    return port.tuned->empty() ? Elements{} : one(*port.tuned);
}

/// The governor of all policies; nothing where they have different ones.
Got get_governor(const Port& port) {
    if (!port.governors) return std::nullopt;
    const auto differs = [&](const auto& policy) {
        return policy.second != port.governors->begin()->second;
    };
    if (port.governors->empty() || std::ranges::any_of(*port.governors, differs)) return Elements{};
    return one(port.governors->begin()->second);
}
void set_governor(Port& port, const Elements& elements) {
    Governors& governors = part_of<&Port::governors>(port);
    if (elements.empty()) return;
    governors.try_emplace("policy0");  // there is no CPU without one
    for (auto& [policy, governor] : governors)
        governor = plain<std::string>(elements);
}

using enum Shape::Kind;
using Text = Shape::Text;

constexpr std::array<std::string_view, 2> kNetnsModes = {"shared", "exclusive"};
constexpr std::array<std::string_view, 2> kSysctls = {"net.core.rmem_max", "vm.swappiness"};
constexpr std::array<std::string_view, 2> kPools = {"default", "1G"};
constexpr std::array<std::string_view, 2> kPolicies = {"policy0", "policy1"};
constexpr std::array<std::string_view, 2> kHolders = {"service:slurmd", "user:alice"};
constexpr Shape kParameter = {.kind = text, .text = Text::line, .canonical = with_one_blank};
constexpr Shape kPages = {.kind = number, .max = kU32};
constexpr Shape kWord = {.kind = text, .text = Text::name};

const std::array kRows = {
    setting("host.modules", Object::modules,
            {.kind = items, .text = Text::name, .canonical = with_underscores},
            "Kernel modules that are loaded; one that is built in counts. What a module needs is "
            "loaded with it, and stays when it goes.",
            get_modules, set_modules),
    setting("host.rdma.netns_mode", Object::rdma_system, {.kind = word, .words = kNetnsModes},
            "Whether every network namespace sees every RDMA device (shared) or each its own "
            "(exclusive).",
            get_plain<&Port::netns_mode>, set_plain<&Port::netns_mode>),
    setting("host.hugepages", Object::hugepages,
            {.kind = named,
             .words = kPools,
             .of = &kPages,
             .bare = "default",
             .illegal_name = illegal_pool},
            "Huge pages in the kernel's pools, by size (default, 2M, 1G), or by size and node "
            "(1G/node0).",
            get_named<&Port::hugepages>, set_named<&Port::hugepages>),
    setting("host.sysctl", Object::sysctl,
            {.kind = named, .words = kSysctls, .of = &kParameter, .illegal_name = illegal_sysctl},
            "Kernel parameters by their names in sysctl(8), but for those that are settings of "
            "their own.",
            get_named<&Port::sysctl>, set_named<&Port::sysctl>),
    setting("host.cpu.governor", Object::governor, kWord,
            "The cpufreq governor of all CPUs, such as performance.", get_governor, set_governor),
    kept("host.cpu.governors", Object::governor, {.kind = named, .words = kPolicies, .of = &kWord},
         "The cpufreq governor of each policy.", get_named<&Port::governors>,
         set_named<&Port::governors>),
    setting("host.irqbalance", Object::irqbalance, {.kind = flag},
            "Whether irqbalance runs, which moves interrupts away from where they were put. "
            "Verified, not set.",
            get_plain<&Port::irqbalance>, set_plain<&Port::irqbalance>),
    setting("host.tuned", Object::tuned, kWord, "The active profile of tuned. Verified, not set.",
            get_tuned, set_plain<&Port::tuned>),
    setting(
        "host.memlock", Object::memlock, {.kind = named, .words = kHolders, .of = &kParameter},
        "How many bytes a service (service:NAME) or what a user starts at login (user:NAME) may "
        "lock in memory, or unlimited; RDMA locks all that it registers. Verified, not set.",
        get_named<&Port::memlock>, set_named<&Port::memlock>),
};

}  // namespace

std::span<const Field> host_fields() {
    return kRows;
}

}  // namespace core

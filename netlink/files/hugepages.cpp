// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <cerrno>
#include <charconv>

#include "netlink/files/text_file.hpp"

// Documentation/admin-guide/mm/hugetlbpage.rst

namespace netlink {
namespace {

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

HostPath folder_of(const Machine& machine, const std::optional<unsigned>& node) {
    if (!node) return machine.file("/sys/kernel/mm/hugepages");
    return machine.file("/sys/devices/system/node") / ("node" + std::to_string(*node)) /
           "hugepages";
}

HostPath pool_path(const Machine& machine, const std::string& name) {
    const auto pool = core::parse_huge_page_pool(name);
    if (!pool) throw KernelError(EINVAL, "'" + name + "' is no pool of huge pages");
    if (pool->size == 0) {
        if (pool->node) throw KernelError(EINVAL, name + ": a node's pages are stated by size");
        return machine.file("/proc/sys/vm/nr_hugepages");
    }
    return folder_of(machine, pool->node) / ("hugepages-" + std::to_string(pool->size) + "kB") /
           "nr_hugepages";
}

/// The pools of the host, or of one node: hugepages-2048kB.
void list(const Machine& machine, const std::optional<unsigned>& node, Names& names) {
    constexpr std::string_view prefix = "hugepages-";
    for (std::string& name : names_in(folder_of(machine, node))) {
        if (!name.starts_with(prefix) || !name.ends_with("kB")) continue;
        name = name.substr(prefix.size(), name.size() - prefix.size() - 2);
        if (const auto kilobytes = number_of(name))
            names.insert(core::huge_page_size(*kilobytes) +
                         (node ? "/node" + std::to_string(*node) : ""));
    }
}

Names all_pools(const Machine& machine) {
    Names names = {"default"};
    list(machine, std::nullopt, names);
    for (const std::string& name : names_in(machine.file("/sys/devices/system/node"))) {
        const auto node = name.starts_with("node") ? number_of(name.substr(4)) : std::nullopt;
        if (node) list(machine, static_cast<unsigned>(*node), names);
    }
    return names;
}

}  // namespace

void read_hugepages(Machine& machine, const Names& names, core::Port& itself) {
    if (!exists(machine.file("/sys/kernel/mm/hugepages")))
        throw KernelError(EOPNOTSUPP, "the kernel has no huge pages");
    core::HugePages pools;
    for (const std::string& name : names.empty() ? all_pools(machine) : names) {
        try {
            const HostPath path = pool_path(machine, name);
            const std::string text = read_text_file(path);
            const auto count = number_of(text);
            if (!count) throw KernelError(EBADMSG, path.string() + " reads '" + text + "'");
            pools[name] = *count;
        } catch (const KernelError& error) {
            if (error.code != ENOENT) throw;
        }
    }
    itself.hugepages = std::move(pools);
}

void write_hugepages(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.hugepages || !then.hugepages) throw KernelError(ENODEV);
    for (const auto& [name, count] : *then.hugepages) {
        const auto old = now.hugepages->find(name);
        if (old == now.hugepages->end() || old->second != count)
            write_text_file(pool_path(machine, name), std::to_string(count));
    }
}

}  // namespace netlink

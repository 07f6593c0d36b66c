// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rows.hpp"

namespace core {
namespace {

bool differs(const Port& now, const std::string& pool, std::uint64_t count) {
    const auto old = now.hugepages->find(pool);
    return old == now.hugepages->end() || old->second != count;
}

std::string known(const HugePages& pools) {
    std::string out;
    for (const auto& [pool, count] : pools)
        out += (out.empty() ? "" : ", ") + pool;
    return out;
}

std::string path_of(const std::string& name) {
    const std::optional<HugePagePool> pool = parse_huge_page_pool(name);
    if (!pool) return name;
    if (pool->size == 0 && !pool->node) return "/proc/sys/vm/nr_hugepages";
    const std::string directory =
        pool->node ? "/sys/devices/system/node/node" + std::to_string(*pool->node) + "/hugepages"
                   : "/sys/kernel/mm/hugepages";
    return directory + "/hugepages-" + std::to_string(pool->size) + "kB/nr_hugepages";
}

std::string both_stated(const std::string& whole, const std::string& part) {
    return whole + " are those of all nodes, and " + part + " is stated too";
}

/// The pages of the whole host are those of its nodes, so a write of one moves the other.
Reason refuses(const Driver& /*driver*/, const Port& now, const Port& then) {
    for (const auto& [name, count] : *then.hugepages) {
        if (!differs(now, name, count)) continue;
        if (!now.hugepages->contains(name))
            return "the host has no huge pages " + name + ", expected one of " +
                   known(*now.hugepages);
        const auto pool = parse_huge_page_pool(name);
        for (const auto& [other, other_count] : *then.hugepages) {
            const auto beside = parse_huge_page_pool(other);
            const bool part = pool && beside && !pool->node && beside->node &&
                              beside->size == pool->size && differs(now, other, other_count);
            if (part) return both_stated(name, other);
        }
    }
    return std::nullopt;
}

/// How many the kernel finds room for it alone can say; what is read back decides.
Played play(const Driver& driver, Port& now, const Port& then) {
    if (const Reason reason = refuses(driver, now, then))
        return Refusal{.code = 0, .text = *reason};
    now.hugepages = then.hugepages;
    return std::nullopt;
}

Commands spell(const Driver& /*driver*/, const Port& now, const Port& then) {
    Commands lines;
    for (const auto& [name, count] : *then.hugepages) {
        if (!differs(now, name, count)) continue;
        const std::string value = std::to_string(count);
        lines.push_back(name == "default" ? "sysctl -w vm.nr_hugepages=" + value
                                          : "echo " + value + " > " + path_of(name));
    }
    return lines;
}

}  // namespace

constinit const ObjectRow hugepages_row = {.object = Object::hugepages,
                                           .name = "hugepages",
                                           .doc = "The kernel's pools of huge pages.",
                                           .of_host = true,
                                           .copy = copy<&Port::hugepages>,
                                           .refuses = refuses,
                                           .play = play,
                                           .spell = spell};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/parts.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/model/access.hpp"
#include "core/model/shell.hpp"
#include "core/objects/ip/parts.hpp"
#include "core/objects/rows.hpp"

namespace core {
namespace {

struct Unit {
    char letter;
    std::uint64_t kilobytes;
};
constexpr std::array kUnits = {Unit{'G', 1'048'576}, Unit{'M', 1024}, Unit{'K', 1}};
constexpr std::uint64_t kLargestPage = 1'048'576;  // of a unit

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool plain = text.size() == 1 || !text.starts_with('0');
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || !plain)
        return std::nullopt;
    return number;
}

}  // namespace

std::optional<HugePagePool> parse_huge_page_pool(std::string_view name) {
    constexpr std::string_view at_node = "/node";
    HugePagePool pool;
    const std::size_t slash = name.find('/');
    if (slash != std::string_view::npos) {
        if (!name.substr(slash).starts_with(at_node)) return std::nullopt;
        const auto node = number_of(name.substr(slash + at_node.size()));
        if (!node || *node > UINT16_MAX) return std::nullopt;
        pool.node = static_cast<unsigned>(*node);
    }
    const std::string_view size = name.substr(0, slash);
    if (size == "default") return pool;
    const auto unit = std::ranges::find(kUnits, size.empty() ? '\0' : size.back(), &Unit::letter);
    if (unit == kUnits.end()) return std::nullopt;
    const auto count = number_of(size.substr(0, size.size() - 1));
    if (!count || *count == 0 || *count > kLargestPage) return std::nullopt;
    pool.size = *count * unit->kilobytes;
    return huge_page_size(pool.size) == size ? std::optional(pool) : std::nullopt;
}

std::string huge_page_size(std::uint64_t kilobytes) {
    for (const Unit& unit : kUnits)
        if (kilobytes % unit.kilobytes == 0)
            return std::to_string(kilobytes / unit.kilobytes) + unit.letter;
    return {};
}

}  // namespace core

namespace core::hugepages {

namespace {

std::optional<std::string> illegal_pool(std::string_view name) {
    if (parse_huge_page_pool(name)) return std::nullopt;
    return "expected default, a page size such as 2M or 1G, or one of a node such as 1G/node0";
}

constexpr std::array<std::string_view, 2> kPools = {"default", "1G"};

using enum Shape::Kind;

constexpr Shape kPages = {.kind = number, .max = kU32};

constexpr std::array kFields = {
    setting("host.hugepages",
            {.kind = named,
             .words = kPools,
             .of = &kPages,
             .bare = "default",
             .illegal_name = illegal_pool},
            "Huge pages in the kernel's pools, by size (default, 2M, 1G), or by size and node "
            "(1G/node0).",
            get_named<&Port::hugepages>, set_named<&Port::hugepages>),
};

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
Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
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
                                          : "echo " + value + " > " + shell(path_of(name)));
    }
    return lines;
}

// Documentation/admin-guide/mm/hugetlbpage.rst: nr_hugepages is of the default size.
constexpr std::array kAtBoot = {
    AtBoot{.setting = "host.hugepages",
           .program = BootProgram::sysctl,
           .key = "vm/nr_hugepages",
           .element = "default"},
};

}  // namespace

constinit const ObjectRow row = {
    .object = Object::hugepages,
    .name = "hugepages",
    .doc = "The kernel's pools of huge pages.",
    .topic = Topic::host,
    .lives = Lives::host,
    .fields = kFields,
    .refuses = refuses,
    .play = play,
    .words = {.spell = spell},
    .boot = {
        .programs = kAtBoot,
        .unforeseen =
            "the kernel's command line may state huge pages, which no file that is read tells"}};

}  // namespace core::hugepages

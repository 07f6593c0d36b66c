// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/rdma_limit.hpp"

#include <charconv>
#include <map>
#include <sstream>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// `hca_object of mlx5_0`, and its number; what has no limit is "max" and not there.
std::map<std::string, std::uint64_t> numbers_in(std::string_view text) {
    std::map<std::string, std::uint64_t> out;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string device;
        words >> device;
        for (std::string word; words >> word;) {
            const std::size_t sign = word.find('=');
            if (sign == std::string::npos) continue;
            std::uint64_t number = 0;
            const char* const end = word.data() + word.size();
            const auto read = std::from_chars(word.data() + sign + 1, end, number);
            if (read.ec == std::errc() && read.ptr == end)
                out.emplace(word.substr(0, sign).append(" of ").append(device), number);
        }
    }
    return out;
}

double part(std::uint64_t used, std::uint64_t limit) {
    return limit == 0 ? 1 : static_cast<double>(used) / static_cast<double>(limit);
}

/// The path of the second hierarchy, the only one with the controller where both are in use.
std::string unified(std::string_view groups) {
    std::istringstream lines{std::string(groups)};
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("0::/")) return line.substr(4);
    return {};
}

}  // namespace

void add_rdma_limit(std::string_view limits, std::string_view used, core::Process& process) {
    const auto has = numbers_in(used);
    for (const auto& [object, limit] : numbers_in(limits)) {
        const auto known = has.find(object);
        const std::uint64_t held = known == has.end() ? 0 : known->second;
        if (!process.rdma_object.empty() &&
            part(held, limit) <= part(process.rdma_used, process.rdma_limit))
            continue;
        process.rdma_object = object;
        process.rdma_used = held;
        process.rdma_limit = limit;
    }
}

void read_rdma_limit(const Machine& machine, std::string_view groups, core::Process& process) {
    const std::filesystem::path root = machine.file("/sys/fs/cgroup");
    for (std::filesystem::path group = unified(groups); !group.empty();
         group = group.parent_path()) {
        const std::string limits = read_if_there(root / group / "rdma.max").value_or("");
        if (!limits.empty())
            add_rdma_limit(limits, read_if_there(root / group / "rdma.current").value_or(""),
                           process);
    }
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "core/objects/host/variable.hpp"

#include <algorithm>

#include "core/model/letters.hpp"
#include "core/model/shell.hpp"

namespace core {
namespace {

Value without_blanks(const Value& value) {
    const auto& text = std::get<std::string>(value);
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos) return std::string();
    return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool is_of_variable(char c) {
    return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/// The text in an address of sed between slashes, as itself; an `e` in it would run a command.
std::string for_sed(const std::string& text) {
    constexpr std::string_view means_more = R"(\/.*[]^$)";
    std::string out;
    for (const char c : text) {
        if (means_more.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

constinit const Shape kVariable = {
    .kind = Shape::Kind::text, .text = Shape::Text::line, .canonical = without_blanks};

std::optional<std::string> illegal_variable(std::string_view name, std::string_view prefix,
                                            std::string_view such_as) {
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        std::ranges::all_of(name, is_of_variable))
        return std::nullopt;
    return "expected a name that begins with " + std::string(prefix) + ", such as " +
           std::string(such_as);
}

namespace {

// NCCL puts the value into the address handle as it stands (src/transport/net_ib, ncclIbRtrQp);
// NCCL_IB_FIFO_TC is for its flow control messages, which have the class of the data where it is
// not set, and 0 where none is. UCX does the same with a value that is not auto
// (src/uct/ib/base/ib_iface.c), which stands for 106.
constexpr std::array kLibraries = {
    Library{.name = "nccl",
            .key = "host.nccl",
            .path = "/etc/nccl.conf",
            .traffic_class = "NCCL_IB_TC",
            .control_class = "NCCL_IB_FIFO_TC",
            .service_level = "NCCL_IB_SL",
            .devices = "NCCL_IB_HCA",
            .devices_head = "="},
    Library{.name = "ucx",
            .key = "host.ucx",
            .path = "/etc/ucx/ucx.conf",
            .traffic_class = "UCX_IB_TRAFFIC_CLASS",
            .service_level = "UCX_IB_SL",
            .devices = "UCX_NET_DEVICES"},
};

}  // namespace

std::span<const Library> libraries() {
    return kLibraries;
}

Commands variable_edits(const std::map<std::string, std::string, std::less<>>& now,
                        const std::map<std::string, std::string, std::less<>>& then,
                        const std::string& path) {
    const auto removed = [&](const std::string& name) {
        return "sed -i " + shell("/^" + for_sed(name) + "=/d") + ' ' + path;
    };
    Commands lines;
    for (const auto& [name, value] : now)
        if (!then.contains(name)) lines.push_back(removed(name));
    for (const auto& [name, value] : then) {
        const auto old = now.find(name);
        if (old != now.end() && old->second == value) continue;
        if (old != now.end()) lines.push_back(removed(name));
        std::string line = name;
        line += '=' + value;
        line = "echo " + shell(line);
        line += " >> ";
        lines.push_back(line + path);
    }
    return lines;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/checks/variables.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace core {

std::vector<StatedVariable> stated_variables(const Evidence& evidence) {
    const Port& host = *find_port(*evidence.state, kHost);
    std::vector<StatedVariable> out;
    for (const ProcessVariable& variable : *host.environments)
        out.push_back({.who = variable.program + " (" + std::to_string(variable.process) + ')',
                       .name = variable.name,
                       .value = variable.value});
    if (host.nccl)
        for (const auto& [name, value] : *host.nccl)
            out.push_back({.who = "/etc/nccl.conf", .name = name, .value = value});
    if (host.ucx)
        for (const auto& [name, value] : *host.ucx)
            out.push_back({.who = "/etc/ucx/ucx.conf", .name = name, .value = value});
    return out;
}

std::optional<unsigned> stated_number(const StatedVariable& stated) {
    std::string_view digits = stated.value;
    int base = 10;
    if (stated.name.starts_with("NCCL_") && digits.starts_with('0') && digits.size() > 1) {
        const bool hexadecimal = digits[1] == 'x' || digits[1] == 'X';
        base = hexadecimal ? 16 : 8;
        digits.remove_prefix(hexadecimal ? 2 : 1);
    }
    unsigned number = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number, base);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return number;
}

bool is_list_of_devices(const std::string& name) {
    return name == "NCCL_IB_HCA" || name == "UCX_NET_DEVICES";
}

Devices devices_in(const StatedVariable& stated) {
    Devices out{.whole = stated.name == "UCX_NET_DEVICES"};
    std::string_view rest = stated.value;
    for (; rest.starts_with('^') || rest.starts_with('='); rest.remove_prefix(1))
        (rest.front() == '^' ? out.not_these : out.whole) = true;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view one = rest.substr(0, end);
        if (!one.empty()) out.names.emplace_back(one.substr(0, one.find(':')));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

bool names(const Devices& devices, const std::string& device) {
    return std::ranges::any_of(devices.names, [&](const std::string& name) {
        return devices.whole ? device == name : device.starts_with(name);
    });
}

bool uses(const std::vector<StatedVariable>& all, const std::string& who,
          const std::string& device) {
    return std::ranges::none_of(all, [&](const StatedVariable& one) {
        if (one.who != who || !is_list_of_devices(one.name) || one.value == "all") return false;
        const Devices devices = devices_in(one);
        return names(devices, device) == devices.not_these;
    });
}

}  // namespace core

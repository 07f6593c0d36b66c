// SPDX-License-Identifier: Apache-2.0
#include "core/model/cpus.hpp"

#include <charconv>

namespace core {
namespace {

constexpr unsigned kMost = 8192;

std::optional<unsigned> cpu_in(std::string_view text) {
    unsigned cpu = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || cpu >= kMost)
        return std::nullopt;
    return cpu;
}

}  // namespace

std::optional<Cpus> parse_cpus(std::string_view text) {
    Cpus cpus;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view part = text.substr(0, comma);
        const std::size_t dash = part.find('-');
        const auto first = cpu_in(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : cpu_in(part.substr(dash + 1));
        if (!first || !last || *first > *last) return std::nullopt;
        for (unsigned cpu = *first; cpu <= *last; ++cpu)
            cpus.insert(cpu);
        if (comma == std::string_view::npos) return cpus;
        text.remove_prefix(comma + 1);
    }
}

std::string text(const Cpus& cpus) {
    std::string out;
    for (auto at = cpus.begin(); at != cpus.end();) {
        const unsigned first = *at;
        unsigned last = first;
        while (++at != cpus.end() && *at == last + 1)
            last = *at;
        if (!out.empty()) out += ',';
        out += std::to_string(first);
        if (last > first) out += "-" + std::to_string(last);
    }
    return out;
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/probe/hosts.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include "core/error.hpp"
#include "core/model/letters.hpp"
#include "core/model/quote.hpp"

namespace core::probe {
namespace {

using HostNames = std::vector<std::string>;

[[noreturn]] void refuse_list(std::string_view item, std::string_view why) {
    throw Error(Status::usage,
                "found " + in_quotes(item) +
                    ", expected hosts such as node[01-03,7],gpu-1: " + std::string(why));
}

void hold_to_most(std::string_view item, std::size_t number) {
    if (number > kMostHosts)
        refuse_list(item, "more than " + std::to_string(kMostHosts) + " hosts");
}

std::uint64_t digits_in(std::string_view item, std::string_view digits) {
    constexpr std::size_t kMostDigits = 18;
    std::uint64_t out = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (digits.empty() || digits.size() > kMostDigits || error != std::errc() ||
        rest != digits.data() + digits.size())
        refuse_list(item, "'" + std::string(digits) + "' is no number");
    return out;
}

/// `01-03` or `7`, each number as wide as the first.
void add_range(HostNames& out, std::string_view item, std::string_view range) {
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
    const std::uint64_t first = digits_in(item, low);
    const std::uint64_t last = digits_in(item, high);
    if (last < first) refuse_list(item, "'" + std::string(range) + "' goes backwards");
    hold_to_most(item, last - first + 1 + out.size());
    for (std::uint64_t each = first; each <= last; ++each) {
        std::string text = std::to_string(each);
        if (text.size() < low.size()) text.insert(0, low.size() - text.size(), '0');
        out.push_back(std::move(text));
    }
}

/// What stands between two brackets.
HostNames numbers_in(std::string_view item, std::string_view ranges) {
    HostNames out;
    for (std::size_t from = 0; from <= ranges.size();) {
        const std::size_t end = std::min(ranges.find(',', from), ranges.size());
        add_range(out, item, ranges.substr(from, end - from));
        from = end + 1;
    }
    return out;
}

/// Each name so far with each ending.
HostNames joined(std::string_view item, const HostNames& starts, const HostNames& ends) {
    hold_to_most(item, starts.size() * ends.size());
    HostNames out;
    for (const std::string& start : starts)
        for (const std::string& end : ends)
            out.push_back(start + end);
    return out;
}

bool is_of_name(char c) {
    return is_letter_or_digit(c) || std::string_view(".-_:%").find(c) != std::string_view::npos;
}

/// The names of one item: `rack[1-2]n[01-04]`.
HostNames names_of_item(std::string_view item) {
    HostNames out{""};
    for (std::size_t at = 0; at < item.size();) {
        if (item[at] != '[') {
            if (!is_of_name(item[at])) refuse_list(item, "a name has letters, digits, . - _ and :");
            for (std::string& name : out)
                name += item[at];
            ++at;
            continue;
        }
        const std::size_t end = item.find(']', at);
        if (end == std::string_view::npos) refuse_list(item, "']' is missing");
        const std::string_view inside = item.substr(at + 1, end - at - 1);
        if (inside.find(':') != std::string_view::npos) {
            if (at != 0) refuse_list(item, "an address in brackets stands first");
            if (!std::ranges::all_of(inside, is_of_name)) refuse_list(item, "this is no address");
            out = {std::string(item.substr(0, end + 1))};
        } else {
            out = joined(item, out, numbers_in(item, inside));
        }
        at = end + 1;
    }
    return out;
}

/// Where the item that begins here ends: at a comma that is not in brackets.
std::size_t end_of_item(std::string_view list, std::size_t from) {
    bool inside = false;
    for (std::size_t at = from; at < list.size(); ++at) {
        if (list[at] == '[') inside = true;
        if (list[at] == ']') inside = false;
        if (list[at] == ',' && !inside) return at;
    }
    return list.size();
}

}  // namespace

HostNames expand_hosts(std::string_view list) {
    HostNames out;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t end = end_of_item(list, from);
        const std::string_view item = list.substr(from, end - from);
        if (item.empty()) refuse_list(list, "a name is empty");
        for (std::string& name : names_of_item(item))
            out.push_back(std::move(name));
        hold_to_most(list, out.size());
        from = end + 1;
    }
    return out;
}

HostNames hosts_in(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    HostNames out;
    std::size_t number = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        std::string_view line = text.substr(from, end - from);
        line = line.substr(0, line.find('#'));
        ++number;
        while (!line.empty()) {
            const std::size_t stop = std::min(line.find_first_of(kBlanks), line.size());
            std::string_view item = line.substr(0, stop);
            while (item.ends_with(','))
                item.remove_suffix(1);
            if (!item.empty()) try {
                    for (std::string& name : expand_hosts(item))
                        out.push_back(std::move(name));
                    hold_to_most("the file", out.size());
                } catch (const Error& error) {
                    throw Error(Status::usage,
                                "line " + std::to_string(number) + ": " + error.what());
                }
            line.remove_prefix(std::min(stop + 1, line.size()));
        }
        from = end + 1;
    }
    return out;
}

HostNames without_doubles(const HostNames& hosts) {
    std::set<std::string> seen;
    HostNames out;
    for (const std::string& host : hosts)
        if (seen.insert(host).second) out.push_back(host);
    return out;
}

}  // namespace core::probe

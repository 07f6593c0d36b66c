// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "core/model/access.hpp"
#include "core/model/back_end.hpp"
#include "core/objects/rows.hpp"

// What there is to say about a change of the congestion control: a value that somebody wrote in
// the wrong base, and what a commit takes from the device.

namespace core::ecn {
namespace {

std::string number_text(const Value& value) {
    const auto* number = std::get_if<std::uint64_t>(&value);
    return number == nullptr ? std::string() : std::to_string(*number);
}

/// What the kernel makes of decimal digits where it reads hexadecimal.
std::uint64_t misread(const std::string& decimal) {
    std::uint64_t number = 0;
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), number, 16);
    return number;
}

std::string mistaken(std::string_view key, const Value& found, const std::string& decimal) {
    std::string out(key);
    out += " reads " + number_text(found);
    out += ", which is 0x" + decimal;
    out += ": somebody wrote " + decimal;
    out += " to a file that the kernel reads as hexadecimal";
    return out;
}

/// Code points that netlink lists and that a commit clears from the device for good.
Reason forgotten(const FileBackEnd& back_end, const Port& now, const Port& then) {
    std::string lost;
    const std::vector<FileWrite> writes = file_writes(back_end, now, then);
    const auto written = [&](unsigned dscp) {
        std::array<char, 8> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), dscp, 16).ptr;
        const std::string text = "0x" + std::string(digits.data(), end);
        return std::ranges::any_of(writes, [&](const FileWrite& write) {
            return write.path.ends_with("_dscp") && write.text == text;
        });
    };
    for (const AppEntry& entry : now.app ? now.app->entries : std::set<AppEntry>{})
        if (entry.selector == AppEntry::dscp && !written(entry.protocol))
            lost += (lost.empty() ? "" : ", ") + std::to_string(entry.protocol);
    if (lost.empty() || back_end.roce_dscp.empty()) return std::nullopt;
    return "with this the driver clears the device's table of code points and puts back those of "
           "RoCE and of CNPs alone: DSCP " +
           lost + " stays listed and is without effect until it is removed and added again";
}

}  // namespace

std::optional<std::string> remarks(const Driver& driver, const Host& /*host*/, const Port& now,
                                   const Port& then) {
    const FileBackEnd* back_end = back_end_of(driver, now);
    if (back_end == nullptr) return std::nullopt;
    if (Reason reason = forgotten(*back_end, now, then)) return reason;
    if (!back_end->hexadecimal) return std::nullopt;
    for (const ValueFile& file : back_end->files) {
        const Field& field = *find_field(file.key);
        const auto found = element_of(now, field, "");
        const auto desired = element_of(then, field, "");
        if (!found || !desired || *found == *desired) continue;
        const std::string decimal = number_text(*desired);
        if (*found == Value(misread(decimal))) return mistaken(file.key, *found, decimal);
    }
    return std::nullopt;
}

}  // namespace core::ecn

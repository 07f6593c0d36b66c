// SPDX-License-Identifier: Apache-2.0
#include "cli/views/clock_text.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <utility>

#include "core/checks/growth.hpp"
#include "core/model/nearest.hpp"

namespace cli {
namespace {

std::string local(std::int64_t time, const char* form) {
    const auto seconds = static_cast<std::time_t>(time);
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    std::array<char, 64> text{};
    return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

}  // namespace

std::int64_t seconds_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

std::string ClockText::at(std::int64_t time) {
    std::string day = local(time, "%Y-%m-%d");
    const bool same = day == day_;
    day_ = std::move(day);
    return same ? local(time, "%H:%M:%S") : day_ + local(time, " %H:%M:%S");
}

std::string lasted(double seconds) {
    return core::duration_text(seconds > 1 ? static_cast<double>(core::nearest(seconds))
                                           : std::max(seconds, 0.001));
}

}  // namespace cli

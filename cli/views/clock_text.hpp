// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace cli {

std::int64_t seconds_since_1970();

/// The local time in front of what happens: `12:00:01`, with the day where that is another than
/// before.
class ClockText {
public:
    std::string at(std::int64_t time);

private:
    std::string day_{};
};

/// `3 s`: in whole seconds where there are any.
std::string lasted(double seconds);

}  // namespace cli

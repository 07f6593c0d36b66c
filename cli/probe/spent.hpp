// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "cli/probe/exchange.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// Processor time of this side, and the wall's, from here on.
class Spent {
public:
    /// With what the other side says at the end.
    [[nodiscard]] core::probe::ProcessorShare share(const core::probe::Message& ended) const {
        const auto wall = std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
        if (wall <= 0) return {};
        return {
            .here = static_cast<double>(processor_time() - before_) / wall,
            .peer = static_cast<double>(core::probe::number_in(ended, "processor", 0, UINT32_MAX)) /
                    wall};
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    std::uint64_t before_ = processor_time();
};

}  // namespace cli

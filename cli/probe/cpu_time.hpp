// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "cli/probe/exchange.hpp"
#include "core/probe/report.hpp"

namespace cli {

/// CPU time and wall time since construction, in microseconds.
class CpuTime {
public:
    /// CPU time as a share of wall time on each side. Each side uses its own clock, since the side
    /// that waits starts earlier.
    [[nodiscard]] core::probe::ProcessorShare share(const core::probe::Message& ended) const {
        const auto reported = [&ended](const char* name) {
            return static_cast<double>(core::probe::number_in(ended, name, 0, UINT32_MAX));
        };
        const auto part = [](double of, double in) { return in <= 0 ? 0 : of / in; };
        return {.here = part(static_cast<double>(processor_time() - before_), wall()),
                .peer = part(reported("processor"), reported("elapsed"))};
    }
    void tell(core::probe::Message& ended) const {
        ended.numbers["processor"] = processor_time() - before_;
        ended.numbers["elapsed"] = static_cast<std::uint64_t>(wall());
    }

private:
    [[nodiscard]] double wall() const {
        return std::chrono::duration<double, std::micro>(Clock::now() - start_).count();
    }
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
    std::uint64_t before_ = processor_time();
};

}  // namespace cli

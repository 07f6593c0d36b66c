// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plan/plan.hpp"

namespace core {

/// One value that rocectl writes and somebody else writes back.
struct Overwritten {
    std::string port{};
    std::string name{};   ///< `mtu`, `dscp.map 26`
    double seconds = 0;   ///< from the first write that was in vain until now
    unsigned writes = 0;  ///< that were in vain in this time
};

/// Counts what was written in vain, so that two programs do not write against each other for ever.
class FlapGuard {
public:
    /// What was written so often in vain in so many seconds, and differs again: three times in ten
    /// minutes, or six in a day, as by a job that runs every hour.
    struct Bound {
        unsigned writes = 0;
        double within = 0;
    };
    static constexpr std::array kBounds = {Bound{3, 600}, Bound{6, 86'400}};

    void wrote(const std::vector<Step>& steps, double seconds);
    /// The port was lost and is back: what was written to it before was not in vain.
    void lost(const std::string& port);
    /// The value of the steps about which there is no hope; nothing where there is none.
    [[nodiscard]] std::optional<Overwritten> hopeless(const std::vector<Step>& steps,
                                                      double seconds) const;

private:
    std::map<std::pair<std::string, std::string>, std::vector<double>> writes_{};
};

}  // namespace core

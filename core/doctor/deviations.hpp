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

/// One thing that is not as the profile states: a value that a write would fix, or a finding for
/// which verify is not satisfied.
struct Deviation {
    std::string port{};
    std::string name{};                ///< `mtu`, `dscp.map 26`; else the finding's id
    std::optional<Change> change{};    ///< a write that would fix it
    std::optional<Object> object{};    ///< written by that change
    std::optional<Finding> finding{};  ///< where no change would fix it
};

/// All that keeps a plan from being satisfied.
std::vector<Deviation> deviations(const Plan& plan);

/// What a reading tells beside the one before.
struct DeviationChange {
    enum class Kind : std::uint8_t {
        over,
        refused_optional,  ///< still differs and is left so: it is optional
        changed,
        appeared,
    };
    Kind kind = Kind::appeared;
    Deviation deviation{};
    double held = 0;  ///< how long it lasted, in seconds, when over
};

/// What deviates from a profile, from reading to reading.
class Deviations {
public:
    /// What is new in a plan that was made of these desired values so many seconds after the first.
    /// What deviated and is desired no more, because its port has gone or nobody knows its index,
    /// still does.
    std::vector<DeviationChange> tell(const DesiredState& desired_values, const Plan& plan,
                                      double seconds);
    [[nodiscard]] bool any() const { return !standing_.empty(); }
    [[nodiscard]] std::size_t count() const { return standing_.size(); }
    /// Whether one of them is known to differ, and not only not known to hold.
    [[nodiscard]] bool any_known() const;
    /// Whether a write would fix one of them.
    [[nodiscard]] bool any_fixable() const;

private:
    struct Standing {
        Deviation deviation{};
        double since = 0;
        bool desired = false;  ///< and not only needed for something that is
    };
    std::vector<Standing> standing_{};
};

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

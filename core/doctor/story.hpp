// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/doctor/comparison.hpp"
#include "core/doctor/diagnosis.hpp"

namespace core {

/// One finding on one port while a host is watched, from first to last.
struct Episode {
    const FindingRow* row = nullptr;
    std::string port{};
    Verdict verdict = Verdict::warn;
    std::string text{};     ///< what was found last
    std::string fix{};      ///< the commands, with && between them, or in words what does
    std::string follows{};  ///< the id of the cause that it is explained by; empty: it is one
    bool there = false;     ///< it was found, and has not been looked for in vain since
    unsigned times = 0;     ///< that it appeared
    double since = 0;       ///< when it appeared last, in seconds of the watch
    double held = 0;        ///< how long it was there, in seconds
};

/// Something that a reading tells beside the one before.
struct Event {
    enum class Kind : std::uint8_t {
        changed,  ///< a value is not what it was
        well,     ///< what was found is no more
        found,
    };
    Kind kind = Kind::changed;
    Difference difference{};  ///< of what changed
    Episode episode{};        ///< of what was found or is well
};

/// What happens to a host, from reading to reading.
class Story {
public:
    /// The events of a reading, `seconds` after the first: changed values, ended findings, new
    /// findings. A finding that cannot be checked now keeps its state. A finding whose number keeps
    /// growing is reported once.
    std::vector<Event> tell(const State& now, const Diagnosis& diagnosis, double seconds);

    /// Every finding that there was, in the order in which they appeared, as of so many seconds.
    [[nodiscard]] std::vector<Episode> episodes(double seconds) const;

private:
    using Place = std::pair<std::string_view, std::string>;
    void tell_changes(const State& now, const std::vector<std::string>& fabric,
                      std::vector<Event>& out);
    void tell_wells(const Examination& examination, double seconds, std::vector<Event>& out);
    void tell_found(const Check& check, const State& now, const std::string& follows,
                    double seconds, std::vector<Event>& out);

    State before_{};
    std::vector<std::string> fabric_{};  ///< its ports, before
    bool began_ = false;
    std::vector<Episode> episodes_{};
    std::map<Place, std::size_t> places_{};
};

}  // namespace core

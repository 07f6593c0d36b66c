// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/files/journal.hpp"
#include "cli/files/lock.hpp"
#include "cli/run/task.hpp"
#include "core/doctor/deviations.hpp"
#include "netlink/transport/host_path.hpp"

namespace cli {

/// The lock's holder, unless it is this process.
std::optional<Holder> other_holder(const netlink::Root& root);

/// Other runs of rocectl that write during a watch, from the journal. Runs with the watch's own
/// desired values, and runs that brought the host back, do not count.
class OtherRuns {
public:
    OtherRuns(const netlink::Root& root, std::string digest);
    /// Reads new entries of the journal.
    void read();
    /// Counts a reading of the host, and reads new entries of the journal.
    void read_on() {
        ++readings_;
        read();
    }
    /// One line for each run that wrote one of these values since the watch began, or since the
    /// reading before the last: `apply gpu-rail wrote it as entry 18, by root`.
    enum class Since : std::uint8_t { beginning, lately };
    [[nodiscard]] std::vector<std::string> writers_of(const std::vector<core::Step>& steps,
                                                      Since since) const;

private:
    struct Other {
        core::JournalEntry entry{};
        unsigned reading = 0;
    };
    Journal journal_;
    std::string digest_;
    std::uint64_t last_ = 0;
    unsigned readings_ = 0;
    std::vector<Other> others_{};
};

/// The result of an attempt to write back what differs.
struct Healed {
    enum class What : std::uint8_t {
        nothing,  ///< nothing had to be written
        healed,
        not_now,     ///< the lines say why; it is retried
        never_more,  ///< the lines say why
    };
    What what = What::nothing;
    core::Report report{};  ///< on what was written
    std::vector<std::string> lines{};
    bool wrote = false;                        ///< the host was written, with success or not
    bool news = true;                          ///< the lines differ from the last ones
    bool soon = false;                         ///< it is retried without a change of the host
    core::Status status = core::Status::done;  ///< exit status of the watch
    std::optional<core::Overwritten> overwritten{};
};

/// Writes back what differs from a profile, as apply does: under the lock, recorded in the journal,
/// verified, undone on failure. Not written: what costs more than --allow permits, what keeps being
/// overwritten, and what another run of rocectl wrote.
class Healing {
public:
    /// `digest` is that of the watch's desired values at its start; `runs` outlives this.
    Healing(const Session& session, std::string digest, OtherRuns& runs);

    /// Whether no port has appeared or vanished since the last call.
    using AtRest = std::function<bool()>;
    /// Reads the host again and writes back what differs. `seen` is the plan that showed the
    /// difference, `seconds` the time since the watch began. Where `at_rest` is false after that
    /// reading, nothing is written, and the result asks to retry soon.
    Healed heal(const core::Plan& seen, double seconds, const AtRest& at_rest);
    /// The port vanished and came back, which reset what was written to it: no flapping.
    void was_lost(const std::string& port) { flap_guard_.lost(port); }
    /// The host is as desired: from here on a reason not to heal is news again.
    void is_as_desired() { said_.clear(); }

private:
    Healed write(const core::Plan& seen, const AtRest& at_rest);
    Healed reported(core::Report report);
    Healed not_now(std::vector<std::string> lines, bool soon = false);
    [[nodiscard]] bool is_new(const std::vector<std::string>& lines);

    Session session_;
    std::string digest_;
    OtherRuns& runs_;
    core::FlapGuard flap_guard_{};
    std::vector<std::string> said_{};
};

}  // namespace cli

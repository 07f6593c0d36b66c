// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/files/journal.hpp"
#include "cli/files/lock.hpp"
#include "cli/run/task.hpp"
#include "core/watch/flap_guard.hpp"

namespace cli {

/// Who has the lock, where that is not this process.
std::optional<Holder> other_holder(const std::filesystem::path& root);

/// The runs of rocectl that write while a watch goes on, by the journal: but those of its own
/// desired values, and those that brought the host back.
class OtherRuns {
public:
    OtherRuns(const std::filesystem::path& root, std::string digest);
    /// Looks into the journal again.
    void read();
    /// Counts one more reading of the host, and looks into the journal again.
    void read_on() {
        ++readings_;
        read();
    }
    /// A line for each that wrote one of these values since the watch began, or since the reading
    /// before the last: `apply gpu-rail wrote it as entry 18, by root`.
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

/// What became of an attempt to write back what differs.
struct Healed {
    enum class What : std::uint8_t {
        nothing,  ///< there was nothing to write after all
        healed,
        not_now,     ///< the lines say why; it is tried again
        never_more,  ///< the lines say why
    };
    What what = What::nothing;
    core::Report report{};  ///< of what was written
    std::vector<std::string> lines{};
    bool wrote = false;                        ///< the host was written, whatever came of it
    bool news = true;                          ///< the lines are others than before
    bool soon = false;                         ///< it is tried again without any change of the host
    core::Status status = core::Status::done;  ///< that the watch ends with
    std::optional<core::Overwritten> overwritten{};
};

/// Writes back what differs from a profile, as apply does: under the lock, kept in the journal,
/// verified, undone where that fails. What costs more than --allow says, and what was written in
/// vain or by somebody's command, is not written.
class Healing {
public:
    /// `digest` is of the desired values that the watch began with.
    Healing(const Session& session, std::string digest);

    /// Whether no port went or came since this was asked last.
    using AtRest = std::function<bool()>;
    /// Reads the host again and writes back what differs. `seen` is the plan in which it differed,
    /// `seconds` the time since the watch began. Where `at_rest` says after that reading that a
    /// port went or came, nothing is written, and it is to be tried again soon.
    Healed heal(const core::Plan& seen, double seconds, const AtRest& at_rest);
    /// The port was lost and is back, and what was written to it is gone without anybody's will.
    void was_lost(const std::string& port) { flap_guard_.lost(port); }
    /// The host is as desired: why something was not healed is reported anew from here on.
    void is_as_desired() { said_.clear(); }
    /// What other runs of rocectl have written.
    [[nodiscard]] OtherRuns& others() { return runs_; }

private:
    Healed write(const core::Plan& seen, const AtRest& at_rest);
    Healed reported(core::Report report);
    Healed not_now(std::vector<std::string> lines, bool soon = false);
    [[nodiscard]] bool is_new(const std::vector<std::string>& lines);

    Session session_;
    std::string digest_;
    OtherRuns runs_;
    core::FlapGuard flap_guard_{};
    std::vector<std::string> said_{};
};

}  // namespace cli

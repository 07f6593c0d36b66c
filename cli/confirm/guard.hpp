// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "cli/files/lock.hpp"
#include "cli/run/session.hpp"
#include "cli/run/standby.hpp"

namespace cli {

/// A process that undoes an entry of the journal when the apply is not confirmed in time, a probe
/// stops holding, or the apply is killed or stops: core::guard says when. It outlives this process,
/// its terminal and its session, and takes along what it needs: the entry, the lock, its file.
class Guard final : public Standby {
public:
    /// Starts the guard, before the first write. Throws Error (failed) where it does not start, or
    /// cannot open the files that going back takes, or would end with its caller and that is not
    /// allowed.
    Guard(Session& session, const Lock& lock, std::uint64_t entry);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() override;

    void beat() override;
    [[nodiscard]] bool is_gone() const override;
    void arm() override;
    void dismiss() override;
    void take_over() override;

private:
    void say(char word) const;

    Session& session_;
    int line_ = -1;
    std::chrono::steady_clock::time_point last_beat_{};
};

/// The guard of --confirm; valid as long as the session and the lock, which is null where nothing
/// will be written. Empty without that option.
StandsBy guard_of(Session& session, const Lock* lock);

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/run/session.hpp"
#include "cli/run/standby.hpp"

namespace cli {

/// A process that undoes an entry of the journal when the apply is not confirmed in time, a probe
/// stops holding, or the apply is killed. It outlives this process, its terminal and its session.
class Guard final : public Standby {
public:
    /// Starts the guard, before the first write. Throws Error (failed) where it does not start.
    Guard(const Session& session, std::uint64_t entry);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    /// Without arm() or dismiss() before, the guard undoes the apply.
    ~Guard() override;

    /// The apply is done: the time to confirm starts.
    void arm() override;
    void dismiss() override;

private:
    void say(char word) const;

    int line_ = -1;
};

/// The guard of --confirm; valid as long as the session. Empty without that option.
StandsBy guard_of(const Session& session);

}  // namespace cli

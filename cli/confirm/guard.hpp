// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/run/session.hpp"
#include "cli/run/standby.hpp"

namespace cli {

/// A process that undoes an entry of the journal unless the apply is confirmed in time,
/// or when a probe does not hold any more, or when the apply is killed. It outlives this process,
/// its terminal and its session.
class Guard final : public Standby {
public:
    /// Starts it, before the first write. Throws Error (failed) where it does not come up.
    Guard(const Session& session, std::uint64_t entry);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    /// Without a word before, the guard undoes the apply.
    ~Guard() override;

    /// The apply is done: from now the time runs.
    void arm() override;
    void dismiss() override;

private:
    void say(char word) const;

    int line_ = -1;
};

/// The guard of --confirm, for as long as the session is there; empty without that option.
StandsBy guard_of(const Session& session);

}  // namespace cli

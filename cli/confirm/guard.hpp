// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cli/run/session.hpp"

namespace cli {

/// A process that undoes an entry of the journal unless the apply is confirmed in time,
/// or when a probe does not hold any more, or when the apply is killed. It outlives this process,
/// its terminal and its session.
class Guard {
public:
    /// Starts it, before the first write. Throws Error (failed) where it does not come up.
    Guard(const Session& session, std::uint64_t entry);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    /// Without a word before, the guard undoes the apply.
    ~Guard();

    /// The apply is done: from now the time runs.
    void arm();
    /// The apply went back by itself, or failed to: nothing is to be confirmed.
    void dismiss();

private:
    void say(char word) const;

    int line_ = -1;
};

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace cli {

/// Stands by during a run, to undo what it wrote.
class Standby {
public:
    /// Without arm() or dismiss() before, the writes are undone.
    virtual ~Standby() = default;
    /// All is written: confirmation is awaited from now on.
    virtual void arm() = 0;
    /// The run rolled back by itself, or failed to: there is nothing to confirm.
    virtual void dismiss() = 0;
};

/// Starts the standby for an entry of the journal, before its first write. Throws Error (failed)
/// where it cannot start. Empty: the run needs no confirmation.
using StandsBy = std::function<std::unique_ptr<Standby>(std::uint64_t entry)>;

}  // namespace cli

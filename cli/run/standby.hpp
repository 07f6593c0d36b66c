// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace cli {

/// Stands by during a run, to undo what it wrote.
class Standby {
public:
    /// Without arm(), dismiss() or take_over() before, the writes are undone.
    virtual ~Standby() = default;
    /// The run goes on: without this for a while, the writes are undone.
    virtual void beat() = 0;
    /// Whether it is gone, so that nothing would be undone.
    [[nodiscard]] virtual bool is_gone() const = 0;
    /// All is written: confirmation is awaited from now on.
    virtual void arm() = 0;
    /// The run rolled back by itself: there is nothing to confirm.
    virtual void dismiss() = 0;
    /// The run could not roll back as a whole: it is tried from now on.
    virtual void take_over() = 0;
};

/// Starts the standby for an entry of the journal, before its first write. Throws Error (failed)
/// where it cannot start. Empty: the run needs no confirmation.
using StandsBy = std::function<std::unique_ptr<Standby>(std::uint64_t entry)>;

}  // namespace cli

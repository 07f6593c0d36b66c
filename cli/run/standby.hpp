// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace cli {

/// Who stands by while a run writes, to undo what it wrote.
class Standby {
public:
    /// Without a word before, what was written is undone.
    virtual ~Standby() = default;
    /// All is written: from now on somebody has to confirm it.
    virtual void arm() = 0;
    /// The run went back by itself, or failed to: nothing is to be confirmed.
    virtual void dismiss() = 0;
};

/// Has one stand by for the entry of the journal, before its first write. Throws Error (failed)
/// where that cannot be; empty: nobody has to confirm the run.
using StandsBy = std::function<std::unique_ptr<Standby>(std::uint64_t entry)>;

}  // namespace cli

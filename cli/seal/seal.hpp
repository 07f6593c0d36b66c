// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cli {

/// Which barriers to try; tests leave one out.
struct Barriers {
    bool landlock = true;
    bool filter = true;
};

/// What holds in a sealed process.
struct Seal {
    int landlock = 0;     ///< version of its interface; 0: the kernel has none, or refused
    bool filter = false;  ///< of system calls

    /// Whether RDMA devices can be opened: a filter alone cannot tell them from other files.
    [[nodiscard]] bool allows_devices() const { return landlock > 0 || !filter; }
};

/// Gives up for good what this process could change the host with: its capabilities, but for the
/// right to read files of others; new ones by running a program; opening files for writing. What
/// the kernel has no means for is left out. Open files stay what they are.
Seal seal(Barriers barriers = {});

/// Gives up the right to read files of others too, once the user's files are read.
void complete_seal();

/// As a line of the log.
std::string text(const Seal& seal);

}  // namespace cli

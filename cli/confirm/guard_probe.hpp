// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "netlink/transport/descriptor.hpp"

namespace cli {

namespace option {
extern const OptionRow probe;  ///< --probe of apply, beside the kinds of probes
}

/// Probes that are asked by a process of their own, which nobody waits for.
class GuardProbes {
public:
    GuardProbes() = default;
    GuardProbes(const GuardProbes&) = delete;
    GuardProbes& operator=(const GuardProbes&) = delete;
    ~GuardProbes();

    /// Starts to ask; what was asked before is given up.
    void ask(const std::vector<GuardProbe>& probes);
    /// Whether there is an answer yet: empty where all hold, else why not. Probes that cannot be
    /// asked do not hold.
    std::optional<std::string> answer();
    /// Readable when there is an answer; -1 where nothing is asked.
    [[nodiscard]] int file() const { return answer_.number(); }
    void end();

private:
    netlink::Descriptor answer_{};
    pid_t child_ = -1;
    std::string failure_{};
};

/// Determines the probes' arguments, which stay fixed from then on, and checks each once. Throws
/// KernelError, and Error (failed) where one does not hold now.
void check_probes(std::vector<GuardProbe>& probes);

/// The system's text of an errno.
std::string error_words(int code);

/// Why the first failing probe fails; empty where all hold.
std::string first_failure(const std::vector<GuardProbe>& probes);

}  // namespace cli

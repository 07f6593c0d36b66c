// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cli {

/// Something that the user chose to hold while an apply waits to be confirmed.
struct Probe {
    std::string text{};      ///< as it was given: `tcp:10.0.0.1:22`
    std::string argument{};  ///< what follows the kind
    /// Why it does not hold; empty where it does. Takes a few seconds at most.
    std::string (*fails)(const std::string& argument) = nullptr;
    /// Finds on the host, before the apply, what the probe is about (the default gateways): its
    /// argument from then on. Null where the user names it. Throws KernelError.
    std::string (*found)() = nullptr;
};

/// `gateway`, `tcp:HOST:PORT`, `rdma:HOST` or `command:PROGRAM ARGUMENT…`. Throws Error (usage).
Probe parse_probe(const std::string& text);

/// Finds what the probes are about; whatever becomes of it later, they are about that. Throws
/// KernelError.
void find_subjects(std::vector<Probe>& probes);

/// What the system calls an errno.
std::string error_words(int code);

/// Why the first one that does not hold does not; empty where all do.
std::string first_failure(const std::vector<Probe>& probes);

}  // namespace cli

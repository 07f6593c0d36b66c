// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "core/model/object.hpp"

namespace netlink {

/// The kernel's no: errno and its words, both kept to the end.
struct KernelError : std::runtime_error {
    /// The words of errno alone.
    explicit KernelError(int error_code);
    /// The words of errno and what the kernel (its extended acknowledgement) or the caller adds.
    KernelError(int error_code, const std::string& detail);
    int code = 0;  ///< errno; 0 where the no comes from the device as an own status
};

core::Refusal refusal(const KernelError& error);

/// Runs one exchange for one port; the kernel's no becomes the port's refusal of these objects.
template <typename Exchange>
void attempt(core::Port& port, const core::Objects& objects, const Exchange& exchange) {
    try {
        exchange();
    } catch (const KernelError& error) {
        for (const core::Object object : objects)
            port.refused[object] = refusal(error);
    }
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

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

/// What an exchange with the kernel that is often refused returns: its no, or nothing. Of many
/// ports, throwing each no takes as long as asking.
using Refused = std::optional<KernelError>;

/// Runs one exchange for one port; the kernel's no, thrown or returned, becomes the port's refusal
/// of these objects.
template <typename Exchange>
void attempt(core::Port& port, const core::Objects& objects, const Exchange& exchange) {
    const auto refuse = [&](const KernelError& error) {
        for (const core::Object object : objects)
            port.refused[object] = refusal(error);
    };
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Exchange>>)
            exchange();
        else if (const Refused no = exchange())
            refuse(*no);
    } catch (const KernelError& error) {
        refuse(error);
    }
}

}  // namespace netlink

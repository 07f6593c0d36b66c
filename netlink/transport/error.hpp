// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "core/model/object.hpp"

namespace netlink {

/// A refusal by the kernel: errno and its text, which messages show together.
struct KernelError : std::runtime_error {
    /// With the text of errno only.
    explicit KernelError(int error_code);
    /// With the text of errno and what the kernel (its extended acknowledgement) or the caller
    /// adds.
    KernelError(int error_code, const std::string& detail);
    int code = 0;  ///< errno; 0 where a device refused with a status of its own
};

core::Refusal refusal(const KernelError& error);

/// The result of an exchange that the kernel often refuses: the error, or nothing. With many ports,
/// throwing each refusal would take as long as asking.
using Refused = std::optional<KernelError>;

/// Runs an exchange for one port and records a KernelError that it throws or returns as the port's
/// refusal of these objects.
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

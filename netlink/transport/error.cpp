// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/error.hpp"

#include <cstring>

namespace netlink {
namespace {

std::string words(int code, const std::string& detail) {
    if (code == 0) return detail;
    // Not strerror: its words follow the locale.
    const char* description = strerrordesc_np(code);
    std::string text =
        description == nullptr ? "Unknown error " + std::to_string(code) : std::string(description);
    if (!detail.empty()) text += ": " + detail;
    return text;
}

}  // namespace

KernelError::KernelError(int error_code) : KernelError(error_code, std::string()) {}

KernelError::KernelError(int error_code, const std::string& detail)
    : std::runtime_error(words(error_code, detail)), code(error_code) {}

core::Refusal refusal(const KernelError& error) {
    return {.code = error.code, .text = error.what()};
}

}  // namespace netlink

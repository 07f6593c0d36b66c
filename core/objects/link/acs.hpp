// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

namespace core {

/// Which bridges between the port's PCI Express function and memory send what one device writes to
/// another up to the root: Access Control Services (PCI Express Base Specification 7.7.11).
struct Acs {
    bool redirects = false;           ///< one of them does
    std::set<std::string> bridges{};  ///< PCI addresses of those that do
    bool operator==(const Acs&) const = default;
};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "netlink/transport/descriptor.hpp"

#include <unistd.h>

#include <utility>

namespace netlink {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}

}  // namespace netlink

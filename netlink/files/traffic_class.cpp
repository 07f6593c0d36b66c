// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <cerrno>

#include "netlink/files/back_end.hpp"

namespace netlink {

void read_traffic_class(Machine& machine, core::Port& port) {
    const auto found = find_back_end(machine, core::driver_of(port).traffic_class.back_ends, port);
    if (found.back_end != nullptr) read_back_end(machine, *found.back_end, port);
}

void write_traffic_class(Machine& machine, const core::Port& now, const core::Port& then) {
    const auto found = find_back_end(machine, core::driver_of(now).traffic_class.back_ends, now);
    if (found.back_end == nullptr) throw KernelError(EOPNOTSUPP);
    write_back_end(machine, *found.back_end, now, then);
}

}  // namespace netlink

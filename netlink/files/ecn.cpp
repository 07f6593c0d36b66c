// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <cerrno>

#include "netlink/files/back_end.hpp"

namespace netlink {
namespace {

using core::Object;

void read_one(Machine& machine, const core::Objects& wanted, core::Port& port) {
    const FoundBackEnd found = find_back_end(machine, core::driver_of(port).ecn.back_ends, port);
    if (found.back_end == nullptr) return;
    if (found.back_end->made) port.ecn_directory = found.made;
    if (!wanted.contains(Object::ecn)) return;
    if (!found.made) {
        port.unknown.insert(Object::ecn);
        return;
    }
    core::Port read = port;
    read.ecn = core::Ecn{.interface = std::string(found.back_end->name)};
    read_back_end(machine, *found.back_end, read);
    port.ecn = std::move(read.ecn);
}

const core::FileBackEnd& found_for(const core::Port& port) {
    const core::FileBackEnd* back_end = core::ecn::back_end_of(core::driver_of(port), port);
    if (back_end == nullptr) throw KernelError(EOPNOTSUPP);
    return *back_end;
}

/// The device's directory in a configfs of its driver; nothing where there is none.
const core::FileBackEnd* made_for(const Machine& machine, const core::Port& port) {
    for (const core::FileBackEnd& back_end : core::driver_of(port).ecn.back_ends) {
        const auto directory = back_end.made ? core::directory_of(back_end, port) : std::nullopt;
        if (directory && is_folder(machine.file(*directory))) return &back_end;
    }
    return nullptr;
}

}  // namespace

bool take_ecn_directory(Machine& machine, const core::Port& port) {
    const core::FileBackEnd* back_end = made_for(machine, port);
    if (back_end != nullptr) make_back_end(machine, *back_end, port, false);
    return back_end != nullptr;
}

void make_ecn_directory(Machine& machine, const core::Port& port) {
    for (const core::FileBackEnd& back_end : core::driver_of(port).ecn.back_ends)
        if (back_end.made) make_back_end(machine, back_end, port, true);
}

void read_ecn(Machine& machine, const core::Scope& scope, core::State& state) {
    const core::Objects& wanted = scope.objects;
    core::Objects fills;
    for (const Object object : {Object::ecn_directory, Object::ecn})
        if (wanted.contains(object)) fills.insert(object);
    for (core::Port& port : state.ports)
        attempt(port, fills, [&] { read_one(machine, wanted, port); });
}

void write_ecn_directory(Machine& machine, const core::Port& now, const core::Port& then) {
    make_back_end(machine, found_for(now), now, then.ecn_directory.value_or(false));
}

void write_ecn(Machine& machine, const core::Port& now, const core::Port& then) {
    write_back_end(machine, found_for(now), now, then);
}

}  // namespace netlink

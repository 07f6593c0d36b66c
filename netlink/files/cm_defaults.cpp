// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <cerrno>
#include <charconv>
#include "core/model/back_end.hpp"
#include "core/objects/rdma/parts.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

HostPath of_port(const Machine& machine, const core::Port& port) {
    return cm_folder(machine, port) / "ports" / std::to_string(port.rdma_link->port);
}

core::CmDefaults read_defaults(const HostPath& folder) {
    core::CmDefaults defaults;
    defaults.mode = read_text_file(folder / "default_roce_mode");
    const std::string tos = read_text_file(folder / "default_roce_tos");
    const auto parsed = std::from_chars(tos.data(), tos.data() + tos.size(), defaults.tos);
    if (parsed.ec != std::errc() || parsed.ptr != tos.data() + tos.size())
        throw KernelError(EBADMSG, "default_roce_tos reads '" + tos + "'");
    return defaults;
}

}  // namespace

void read_rdma_cm(Machine& machine, const core::Scope& scope, core::State& state) {
    const core::Objects& wanted = scope.objects;
    const bool missing = module_is_missing(machine);
    const bool seen = sees_configfs(machine);
    for (core::Port& port : state.ports) {
        const bool device = core::rdma_link::has_device(port);
        if (missing) {
            if (device) port.cm_directory = false;
            // A device that a plan makes needs the module as well.
            port.refused[core::Object::cm_defaults] = core::cm_directory::no_module();
            continue;
        }
        if (!seen) port.unknown.insert(core::Object::cm_directory);
        if (!device) continue;
        const HostPath folder = cm_folder(machine, port);
        port.cm_directory = is_folder(folder);
        if (!wanted.contains(core::Object::cm_defaults)) continue;
        if (*port.cm_directory)
            attempt(port, {core::Object::cm_defaults},
                    [&] { port.cm_defaults = read_defaults(of_port(machine, port)); });
        else
            port.unknown.insert(core::Object::cm_defaults);
    }
}

void write_cm_defaults(Machine& machine, const core::Port& now, const core::Port& then) {
    const HostPath folder = of_port(machine, now);
    if (!then.cm_defaults) throw KernelError(ENOENT, folder.string());
    if (!now.cm_defaults || now.cm_defaults->mode != then.cm_defaults->mode)
        write_text_file(folder / "default_roce_mode", then.cm_defaults->mode);
    if (!now.cm_defaults || now.cm_defaults->tos != then.cm_defaults->tos)
        write_text_file(folder / "default_roce_tos", std::to_string(then.cm_defaults->tos));
}

}  // namespace netlink

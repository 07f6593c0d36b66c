// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <dlfcn.h>
#include <libkmod.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "netlink/files/loaded_modules.hpp"

namespace netlink {
namespace {

/// The functions of libkmod that are used here. Not linked: it brings a compressor or two and
/// libcrypto, and only a host's modules need it.
struct Library {
    decltype(&kmod_new) open = nullptr;
    decltype(&kmod_unref) close = nullptr;
    decltype(&kmod_module_new_from_name) module = nullptr;
    decltype(&kmod_module_unref) release = nullptr;
    decltype(&kmod_module_probe_insert_module) insert = nullptr;
    decltype(&kmod_module_remove_module) remove = nullptr;
};

template <typename Function>
void find(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr) throw KernelError(ENOSYS, std::string("libkmod has no ") + name);
}

const Library& library() {
    static const Library loaded = [] {
        void* handle = dlopen("libkmod.so.2", RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr)
            throw KernelError(ENOSYS, "libkmod is not installed, and loads the modules");
        Library found;
        find(handle, "kmod_new", found.open);
        find(handle, "kmod_unref", found.close);
        find(handle, "kmod_module_new_from_name", found.module);
        find(handle, "kmod_module_unref", found.release);
        find(handle, "kmod_module_probe_insert_module", found.insert);
        find(handle, "kmod_module_remove_module", found.remove);
        return found;
    }();
    return loaded;
}

using Context = std::unique_ptr<kmod_ctx, kmod_ctx* (*)(kmod_ctx*)>;
using Module = std::unique_ptr<kmod_module, kmod_module* (*)(kmod_module*)>;

Module find_module(const Context& context, const std::string& name) {
    kmod_module* module = nullptr;
    const int error = library().module(context.get(), name.c_str(), &module);
    if (error < 0) throw KernelError(-error, "module " + name);
    return {module, library().release};
}

std::string lacking(int error) {
    return error == -EPERM && geteuid() != 0 ? " takes CAP_SYS_MODULE" : "";
}

/// Called with a command that modprobe.d has in a module's place (install, modprobe.d(5)), which
/// libkmod would give to a shell itself (libkmod-module.c command_do): notes it, and runs nothing.
int refuse_command(kmod_module* /*module*/, const char* command, void* noted) {
    *static_cast<std::string*>(noted) = command;
    return -EPERM;
}

void load(const Context& context, const std::string& name) {
    const Module module = find_module(context, name);
    std::string command;
    const int error = library().insert(module.get(), KMOD_PROBE_APPLY_BLACKLIST, nullptr,
                                       refuse_command, &command, nullptr);
    if (error < 0 && !command.empty())
        throw KernelError(EPERM, "modprobe.d has a command to load module " + name + ", '" +
                                     command + "', and no other program is run");
    if (error == KMOD_PROBE_APPLY_BLACKLIST)
        throw KernelError(EPERM, "module " + name + " is blacklisted in modprobe.d");
    if (error == -ENOENT) throw KernelError(ENOENT, "this kernel has no module " + name);
    if (error < 0) throw KernelError(-error, "loading module " + name + lacking(error));
}

int unload(const Context& context, const std::string& name) {
    return library().remove(find_module(context, name).get(), O_NONBLOCK);
}

/// One that another of them needs goes after it (delete_module(2): EWOULDBLOCK), whatever their
/// names are.
void unload(const Context& context, Names names) {
    while (!names.empty()) {
        const std::size_t before = names.size();
        int error = 0;
        std::string held;
        for (auto name = names.begin(); name != names.end();) {
            const int no = unload(context, *name);
            if (no < 0) {
                error = no;
                held = *name;
            }
            name = no < 0 ? std::next(name) : names.erase(name);
        }
        if (names.size() == before)
            throw KernelError(-error, "removing module " + held + lacking(error));
    }
}

}  // namespace

void read_modules(Machine& machine, const Names& names, core::Port& itself) {
    const Names loaded = loaded_modules(machine);
    core::Modules modules;
    if (names.empty()) modules.insert(loaded.begin(), loaded.end());
    for (const std::string& name : names)
        if (loaded.contains(name) || is_built_in(machine, name)) modules.insert(name);
    itself.modules = std::move(modules);
}

void write_modules(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.modules || !then.modules) throw KernelError(ENODEV);
    if (machine.rooted()) throw KernelError(EOPNOTSUPP, "modules are the running kernel's");
    const Context context(library().open(nullptr, nullptr), library().close);
    if (!context) throw KernelError(ENOMEM, "libkmod");
    Names going;
    for (const std::string& name : *now.modules)
        if (!then.modules->contains(name)) going.insert(name);
    unload(context, std::move(going));
    for (const std::string& name : *then.modules)
        if (!now.modules->contains(name)) load(context, name);
}

}  // namespace netlink

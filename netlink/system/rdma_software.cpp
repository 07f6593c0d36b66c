// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>

#include "core/model/driver.hpp"
#include "netlink/files/loaded_modules.hpp"
#include "netlink/files/text_file.hpp"
#include "netlink/rdma/codecs.hpp"

namespace netlink {
namespace {

namespace fs = std::filesystem;

std::string underscored(std::string name) {
    std::ranges::replace(name, '-', '_');
    return name;
}

Names sorted_names(const HostPath& folder) {
    const std::vector<std::string> names = names_in(folder);
    return {names.begin(), names.end()};
}

/// Of files with one name in several folders the first counts (modprobe.d(5)).
Names kept_by_files(const Machine& machine) {
    Names seen;
    Names kept;
    for (const char* folder : {"/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d",
                               "/usr/lib/modprobe.d", "/lib/modprobe.d"})
        for (const std::string& name : sorted_names(machine.file(folder)))
            if (name.ends_with(".conf") && seen.insert(name).second)
                kept.merge(kept_from_loading(text_of(machine.file(folder) / name)));
    return kept;
}

/// modprobe.blacklist= of the kernel's command line (modprobe(8)).
Names kept_by_command_line(const Machine& machine) {
    constexpr std::string_view option = "modprobe.blacklist=";
    Names kept;
    std::istringstream words(text_of(machine.file("/proc/cmdline")));
    for (std::string word; words >> word;) {
        if (!word.starts_with(option)) continue;
        std::istringstream list(word.substr(option.size()));
        for (std::string name; std::getline(list, name, ',');)
            kept.insert(underscored(name));
    }
    return kept;
}

/// The names of the modules that modules.dep lists; nothing where there is no such file.
std::optional<Names> on_disk(const Machine& machine) {
    utsname names{};
    uname(&names);
    const HostPath path = machine.file("/lib/modules") / names.release / "modules.dep";
    if (!exists(path)) return std::nullopt;
    std::istringstream list(text_of(path));
    Names out;
    for (std::string line; std::getline(list, line);) {
        const std::string file = line.substr(0, line.find(':'));
        const std::string name = file.substr(file.rfind('/') + 1);
        out.insert(underscored(name.substr(0, name.find(".ko"))));
    }
    return out;
}

/// Every module that RDMA takes on some host.
Names modules_of_rdma() {
    using namespace core::rdma_software;
    Names out;
    for (const std::string_view name : {kCore, kVerbs, kCm, kUserCm})
        out.emplace(name);
    for (const core::rdma_link::SoftDriver& driver : core::rdma_link::kSoftDrivers)
        out.emplace(driver.module);
    for (const core::Driver* driver : core::drivers())
        if (!driver->rdma_software.module.empty()) out.emplace(driver->rdma_software.module);
    return out;
}

void fill_modules(const Machine& machine, core::RdmaSoftware& software) {
    // A kernel without modules has all that it has built in, and does not say what.
    if (!exists(machine.file("/proc/modules"))) return;
    const Names loaded = loaded_modules(machine);
    const std::optional<Names> files = on_disk(machine);
    Names kept = kept_by_files(machine);
    kept.merge(kept_by_command_line(machine));
    for (const std::string& name : modules_of_rdma()) {
        std::string& state = software.modules[name];
        if (loaded.contains(name))
            state = "loaded";
        else if (is_built_in(machine, name))
            state = "built in";
        else if (!files)
            state = "not loaded";
        else if (!files->contains(name))
            state = "not on disk";
        else
            state = kept.contains(name) ? "blacklisted" : "on disk";
    }
}

/// What a module was loaded with is in a file of its own where its mode is not 0
/// (include/linux/moduleparam.h).
void fill_parameters(const Machine& machine, core::RdmaSoftware& software) {
    for (const core::Driver* driver : core::drivers()) {
        const std::string module(driver->rdma_software.module);
        for (const std::string_view name : driver->rdma_software.parameters)
            if (const auto value =
                    read_if_there(machine.file("/sys/module/" + module) / "parameters" / name))
                software.parameters.emplace(module + ' ' + std::string(name), *value);
    }
}

/// Where distributions have libraries (rdma-core's VERBS_PROVIDER_DIR is LIBDIR/libibverbs).
std::vector<fs::path> library_folders(const Machine& machine) {
    std::vector<fs::path> out;
    for (const char* folder : {"/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"}) {
        out.emplace_back(folder);
        for (const std::string& name : sorted_names(machine.file(folder)))
            if (name.find("-linux-") != std::string::npos) out.push_back(fs::path(folder) / name);
    }
    return out;
}

/// The first file below the folders whose name begins with `start`; kNone without one.
std::string file_below(const Machine& machine, const std::vector<fs::path>& folders,
                       const fs::path& inside, const std::string& start) {
    for (const fs::path& folder : folders)
        for (const std::string& name : sorted_names(machine.file(folder / inside)))
            if (name.starts_with(start)) return (folder / inside / name).string();
    return std::string(core::rdma_software::kNone);
}

/// The library for the driver of the RDMA device's function, or for a soft device; empty where no
/// row knows.
std::string provider_of(const Machine& machine, const std::string& device) {
    // Libraries of soft devices have the name of their type (rdma-core, providers/rxe and siw).
    if (std::string soft = soft_type_in_sysfs(machine, device); !soft.empty()) return soft;
    const HostPath folder = machine.file("/sys/class/infiniband") / device;
    const std::string driver = link_text(folder / "device" / "driver").filename().string();
    return std::string(core::driver_named(driver).rdma_software.provider);
}

void fill_providers(const Machine& machine, core::RdmaSoftware& software) {
    using namespace core::rdma_software;
    const std::vector<fs::path> folders = library_folders(machine);
    software.providers[std::string(kLibrary)] = file_below(machine, folders, {}, "libibverbs.so.1");
    for (const std::string& device : sorted_names(machine.file("/sys/class/infiniband"))) {
        const std::string provider = provider_of(machine, device);
        if (provider.empty()) continue;
        software.providers[device] =
            file_below(machine, folders, "libibverbs", "lib" + provider + "-rdmav");
    }
}

std::string octal(mode_t mode) {
    constexpr std::array<unsigned, 4> shifts = {9, 6, 3, 0};
    std::string out;
    for (const unsigned shift : shifts)
        out += static_cast<char>('0' + ((mode >> shift) & 7U));
    return out;
}

core::DeviceNode node(const Machine& machine, const std::string& name) {
    core::DeviceNode out;
    out.name = name;
    const HostPath path = machine.file("/dev/infiniband") / name;
    const auto file = status_of(path);
    if (!file) {
        out.refused = KernelError(errno).what();
        return out;
    }
    out.mode = octal(file->st_mode);
    out.owner = std::to_string(file->st_uid) + ':' + std::to_string(file->st_gid);
    if (machine.rooted()) return out;
    const Descriptor opened = open_host_file(path, O_RDWR);
    if (opened.number() < 0) out.refused = KernelError(errno).what();
    return out;
}

void fill_nodes(Machine& machine, core::RdmaSoftware& software) {
    const auto own = machine.rooted() ? std::nullopt : own_verbs_nodes(machine);
    for (const std::string& name : sorted_names(machine.file("/sys/class/infiniband_verbs")))
        if (name.starts_with("uverbs") && (!own || own->contains(name)))
            software.nodes.push_back(node(machine, name));
    if (exists(machine.file("/sys/class/misc/rdma_cm")))
        software.nodes.push_back(node(machine, "rdma_cm"));
}

}  // namespace

Names kept_from_loading(std::string_view text) {
    Names kept;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string what;
        std::string name;
        std::string command;
        words >> what >> name >> command;
        const bool does_nothing = command.ends_with("/true") || command.ends_with("/false") ||
                                  command == "true" || command == "false" || command == ":";
        if ((what == "blacklist" && !name.empty()) || (what == "install" && does_nothing))
            kept.insert(underscored(name));
    }
    return kept;
}

void read_rdma_software(Machine& machine, const Names& /*names*/, core::Port& itself) {
    core::RdmaSoftware software;
    fill_modules(machine, software);
    fill_parameters(machine, software);
    fill_providers(machine, software);
    fill_nodes(machine, software);
    itself.rdma_software = std::move(software);
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "core/boot/lines.hpp"
#include "core/model/driver.hpp"
#include "core/model/shape.hpp"
#include "core/objects/link/managers.hpp"
#include "netlink/system/socket_owner.hpp"

namespace netlink {
namespace {

std::vector<HostPath> files_in(const HostPath& folder, std::string_view ending) {
    std::vector<std::string> names = names_in(folder);
    std::ranges::sort(names);
    std::vector<HostPath> out;
    for (const std::string& name : names)
        if (name.ends_with(ending)) out.push_back(folder / name);
    return out;
}

/// The value behind `key=` in a line of its own; empty where there is none.
std::string value_of(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        if (line.starts_with(key) && line.substr(key.size()).starts_with('='))
            return std::string(line.substr(key.size() + 1));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return {};
}

/// Whether this process sees all that run: in the first namespace (include/linux/proc_ns.h
/// PROC_PID_INIT_INO, Linux 6.1 to 7.3), and in another its own.
bool sees_all_processes(const Machine& machine) {
    return link_text(machine.file("/proc/self/ns/pid")) == "pid:[4026531836]";
}

bool lldpad_is_roots(const Machine& machine, std::uint32_t inode) {
    if (const auto owner = owner_of_socket(machine, inode)) return *owner == 0;
    return root_runs(machine, "lldpad") || !sees_all_processes(machine);
}

/// A daemon has one abstract socket as long as it runs (lldpad: config.c, CLIF_IF). Anybody can
/// have one of this name as long as it does not; the daemon is root's.
bool lldpad_runs(const Machine& machine) {
    constexpr std::string_view name = " @/com/intel/lldpad";
    std::istringstream sockets(text_of(machine.file("/proc/net/unix")));
    for (std::string line; std::getline(sockets, line);) {
        const std::size_t end = line.find(name);
        if (end == std::string::npos) continue;
        const std::string inode = line.substr(line.rfind(' ', end - 1) + 1);
        if (machine.rooted() || lldpad_is_roots(machine, static_cast<std::uint32_t>(std::strtoul(
                                                             inode.c_str(), nullptr, 10))))
            return true;
    }
    return false;
}

/// A daemon's folder with a file for each link, named by its index.
class FilesOfLinks {
public:
    /// Asked once which there are: a host may have a thousand links, and none of them managed.
    explicit FilesOfLinks(HostPath folder) : folder_(std::move(folder)) {
        for (std::string& name : names_in(folder_))
            there_.insert(std::move(name));
    }
    [[nodiscard]] HostPath path_of(const core::Port& port) const {
        return folder_ / std::to_string(port.link->index);
    }
    [[nodiscard]] std::string of(const core::Port& port) const {
        return there_.contains(std::to_string(port.link->index)) ? text_of(path_of(port))
                                                                 : std::string();
    }

private:
    HostPath folder_;
    std::set<std::string> there_{};
};

struct Keyfile {
    HostPath path;
    std::string text;
};

std::vector<Keyfile> keyfiles(const Machine& machine) {
    const core::boot::Source& source = core::boot::source("keyfiles");
    std::vector<Keyfile> out;
    for (const std::string_view folder : source.folders)
        for (const HostPath& path : files_in(machine.file(std::string(folder)), source.ending))
            out.push_back({path, text_of(path)});
    return out;
}

void find_network_manager(const std::vector<Keyfile>& all, const FilesOfLinks& devices,
                          core::Port& port) {
    for (const Keyfile& file : all)
        if (is_keyfile_of(file.text, port)) (*port.owners)["NetworkManager"] = file.path.string();
    if (value_of(devices.of(port), "managed") == "true")
        (*port.owners)["NetworkManager"] = devices.path_of(port).string();
}

void find_networkd(const FilesOfLinks& links, core::Port& port) {
    const std::string text = links.of(port);
    const std::string state = value_of(text, "ADMIN_STATE");
    if (text.empty() || state == "unmanaged" || state == "linger") return;
    const std::string file = value_of(text, "NETWORK_FILE");
    (*port.owners)["systemd-networkd"] = file.empty() ? links.path_of(port).string() : file;
}

/// What the vendor's configuration file beside the rule says, as NAME=VALUE words (README.TXT of
/// Broadcom's bnxt_re, bnxt_re_conf package to program DCB); empty: it has none.
std::string configured(const Machine& machine, const core::Driver& driver) {
    const std::string path = "/etc/" + std::string(driver.rdma_software.module) + '/' +
                             std::string(driver.rdma_software.module) + ".conf";
    std::string out;
    std::istringstream lines(text_of(machine.file(path)));
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> words = core::words_in(line);
        if (!words.empty() && !words.front().starts_with('#') &&
            words.front().find('=') != std::string::npos)
            out += ' ' + words.front();
    }
    return out.empty() ? out : "; " + path + ':' + out;
}

/// The file of udev rules that a driver's package brings: they run its set-up script whenever the
/// RDMA device appears. Empty: there is none.
std::string rules_of(const Machine& machine, const core::Driver& driver) {
    if (driver.owners.udev_rules.empty()) return {};
    for (const char* folder : {"/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d"})
        for (const HostPath& path : files_in(machine.file(folder), ".rules"))
            if (path.filename().find(driver.owners.udev_rules) != std::string::npos &&
                text_of(path).find(driver.rdma_software.module) != std::string::npos)
                return path.string() + configured(machine, driver);
    return {};
}

/// Whether the first line of the file is the one with which the operator begins its rules
/// (nic-configuration-operator, pkg/udev/manager.go UdevRulesHeader).
bool is_of_nic_configuration(const HostPath& path) {
    return text_of(path).starts_with("# Auto-generated by nic-configuration-operator\n");
}

/// Where the daemon of nic-configuration-operator was seen, which tells of no template for the QoS
/// of NICs: rules for the names of devices (NicInterfaceNameTemplate) that it wrote, or what the
/// kubelet keeps of its pod (/var/log/pods/NAMESPACE_POD_UID, Kubernetes pkg/kubelet/kuberuntime
/// BuildPodLogsDirectory; the DaemonSet is nic-configuration-daemon in the operator's chart).
std::string nic_configuration(const Machine& machine) {
    for (const char* name :
         {"10-nic-net-interface-naming.rules", "10-nic-rdma-interface-naming.rules"})
        if (const HostPath path = machine.file("/etc/udev/rules.d") / name;
            is_of_nic_configuration(path))
            return path.string();
    const HostPath pods = machine.file("/var/log/pods");
    for (const std::string& pod : names_in(pods))
        if (pod.find("_nic-configuration-daemon-") != std::string::npos)
            // Without the pod's namespace, name and UID, which tell whose host it is.
            return (pods / "*_nic-configuration-daemon-*").string();
    return {};
}

/// The file that has doRoCE.sh run when the driver starts, and the line that does (doRoCE.sh 0.98).
std::string doroce(const Machine& machine) {
    for (const char* name : {"/etc/infiniband/post-start-hook.sh", "/etc/rc.d/rc.local"}) {
        const HostPath path = machine.file(name);
        std::istringstream lines(text_of(path));
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("/usr/bin/doRoCE.sh")) return path.string() + ": " + line;
    }
    return {};
}

/// The daemon of the operator keeps what it applied in this file (sriov-network-operator,
/// pkg/consts: SriovConfBasePath).
std::string operator_file(const Machine& machine) {
    for (const HostPath& path : files_in(machine.file("/etc/sriov-operator/pci"), ""))
        return path.string();
    return {};
}

}  // namespace

bool is_keyfile_of(std::string_view text, const core::Port& port) {
    const std::vector<core::boot::TextLine> lines =
        core::boot::logical_lines(core::boot::Form::sections, text);
    return std::ranges::any_of(lines, [&](const core::boot::TextLine& line) {
        if (line.key == "connection.interface-name") return line.value == port.name;
        return line.key.ends_with(".mac-address") && port.link &&
               core::as_read(core::Shape::Text::mac, line.value) == port.link->mac;
    });
}

void read_owners(Machine& machine, const core::Scope& /*scope*/, core::State& state) {
    const bool lldpad = lldpad_runs(machine);
    const std::vector<Keyfile> files = keyfiles(machine);
    const FilesOfLinks devices(machine.file("/run/NetworkManager/devices"));
    const FilesOfLinks links(machine.file("/run/systemd/netif/links"));
    std::map<const core::Driver*, std::string> rules;
    const std::string by_operator = operator_file(machine);
    const std::array beside = {std::pair{"nic-configuration-operator", nic_configuration(machine)},
                               std::pair{"doRoCE", doroce(machine)}};
    for (core::Port& port : state.ports) {
        port.owners.emplace();
        if (!port.link) continue;
        if (lldpad) (*port.owners)["lldpad"] = "it runs";
        find_network_manager(files, devices, port);
        find_networkd(links, port);
        const core::Driver& driver = core::driver_of(port);
        const auto [rule, fresh] = rules.try_emplace(&driver);
        if (fresh) rule->second = rules_of(machine, driver);
        if (!rule->second.empty()) (*port.owners)["udev rule"] = rule->second;
        for (const auto& [name, seen] : beside)
            if (!seen.empty() &&
                core::find_manager(name)->rdma_module == driver.rdma_software.module)
                (*port.owners)[name] = seen;
        if (!by_operator.empty() && by_operator.ends_with("/" + port.link->pci))
            (*port.owners)["sriov-network-operator"] = by_operator;
    }
}

}  // namespace netlink

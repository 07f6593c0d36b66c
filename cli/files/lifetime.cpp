// SPDX-License-Identifier: Apache-2.0
#include "cli/files/lifetime.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "cli/files/provenance.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using End = Lifetime::End;

// The namespaces that the kernel starts with, as their links are read (include/linux/proc_ns.h,
// PROC_PID_INIT_INO and PROC_CGROUP_INIT_INO).
constexpr std::string_view kFirstPidNamespace = "pid:[4026531836]";
constexpr std::string_view kFirstCgroupNamespace = "cgroup:[4026531835]";

/// Control groups of containers, as runc, crun, conmon, containerd, CRI-O, the kubelet, LXC and
/// systemd-nspawn name them.
constexpr std::array<std::string_view, 9> kOfContainers = {
    "docker",      "libpod", "crio",          "cri-containerd", "kubepods",
    "lxc.payload", "lxc",    "machine.slice", "nerdctl"};

/// The parts of all paths of a process in the hierarchies.
std::vector<std::string> cgroups_of(const netlink::HostPath& file) {
    std::vector<std::string> out;
    std::istringstream lines(text_of(file));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t path = line.find(":/");
        if (path == std::string::npos) continue;
        for (const fs::path& part : fs::path(line.substr(path + 1)))
            if (part != "/") out.push_back(part.string());
    }
    return out;
}

/// `docker-1f2e.scope`, `docker`, `kubepods-burstable.slice`.
bool is_of_container(const std::string& part) {
    return std::ranges::any_of(kOfContainers, [&part](std::string_view name) {
        if (!part.starts_with(name) || part.ends_with(".service")) return false;
        const std::string_view rest = std::string_view(part).substr(name.size());
        return rest.empty() || rest.front() == '-' || rest.front() == '.';
    });
}

/// The files of logind.conf(5), those that count more later.
std::vector<netlink::HostPath> logind_files(const netlink::Root& root) {
    constexpr std::array<std::string_view, 4> folders = {"usr/lib/systemd", "usr/local/lib/systemd",
                                                         "run/systemd", "etc/systemd"};
    std::vector<netlink::HostPath> out;
    for (const std::string_view folder : folders)
        out.push_back(root / folder / "logind.conf");
    std::map<std::string, netlink::HostPath> dropped_in;  // of one name the last folder's
    for (const std::string_view folder : folders) {
        const netlink::HostPath there = root / folder / "logind.conf.d";
        for (const std::string& name : names_in(there))
            if (name.ends_with(".conf")) dropped_in[name] = there / name;
    }
    for (const auto& [name, path] : dropped_in)
        out.push_back(path);
    return out;
}

/// A setting of logind.conf(5); empty where none says it.
std::string logind_setting(const netlink::Root& root, std::string_view key) {
    std::string out;
    for (const netlink::HostPath& path : logind_files(root)) {
        std::istringstream file(text_of(path));
        for (std::string line; std::getline(file, line);) {
            std::erase_if(line, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
            if (line.starts_with(std::string(key) + '=')) out = line.substr(key.size() + 1);
        }
    }
    return out;
}

/// Debian and Fedora build systemd so that it is off unless stated. Root's processes are left,
/// unless KillExcludeUsers says otherwise (logind.conf(5)); other lists of users are not looked at.
bool ends_sessions(const netlink::Root& root, const std::vector<std::string>& parts) {
    constexpr std::array<std::string_view, 5> yes = {"yes", "true", "on", "1", "y"};
    if (std::ranges::find(yes, logind_setting(root, "KillUserProcesses")) == yes.end())
        return false;
    const bool of_root = std::ranges::find(parts, "user-0.slice") != parts.end();
    return !of_root || !logind_setting(root, "KillExcludeUsers").empty();
}

}  // namespace

Lifetime lifetime_of_left_behind(const netlink::Root& root) {
    const netlink::HostPath spaces = root / "proc/self/ns";
    if (!status_of(spaces / "pid", netlink::AtEnd::stay))
        return {.end = End::surely, .in = "a place that /proc does not tell"};
    if (link_text(spaces / "pid") != kFirstPidNamespace)
        return {.end = End::surely, .in = "a PID namespace of its own, as a container has"};
    const fs::path cgroups = link_text(spaces / "cgroup");
    if (!cgroups.empty() && cgroups != kFirstCgroupNamespace)
        return {.end = End::surely, .in = "a cgroup namespace of its own, as a container has"};
    const std::vector<std::string> parts = cgroups_of(root / "proc/self/cgroup");
    if (const auto found = std::ranges::find_if(parts, is_of_container); found != parts.end())
        return {.end = End::surely, .in = *found + ", which is a container's"};
    if (const std::string service = own_service(root); !service.empty())
        return {.end = End::may, .in = service, .of_systemd = true};
    const auto session = std::ranges::find_if(parts, [](const std::string& part) {
        return part.starts_with("session-") && part.ends_with(".scope");
    });
    if (session != parts.end() && ends_sessions(root, parts))
        return {.end = End::surely,
                .in = *session + ", whose processes logind ends (KillUserProcesses)",
                .of_systemd = true};
    return {};
}

std::string remote_file_system(netlink::HostPath path) {
    struct Kind {
        std::uint32_t magic;
        std::string_view name;
    };
    // Those not in linux/magic.h are in fs/fuse/inode.c, and of file systems out of the tree.
    constexpr std::array<Kind, 10> kinds = {{{NFS_SUPER_MAGIC, "NFS"},
                                             {SMB_SUPER_MAGIC, "SMB"},
                                             {CIFS_SUPER_MAGIC, "SMB"},
                                             {SMB2_SUPER_MAGIC, "SMB"},
                                             {CEPH_SUPER_MAGIC, "Ceph"},
                                             {AFS_FS_MAGIC, "AFS"},
                                             {0x65735546, "FUSE"},
                                             {0x0BD00BD0, "Lustre"},
                                             {0x19830326, "BeeGFS"},
                                             {0x47504653, "GPFS"}}};
    netlink::Descriptor file = open_host_file(path, O_PATH);
    while (file.number() < 0 && path.inside().has_relative_path()) {
        path = path.parent_path();
        file = open_host_file(path, O_PATH);
    }
    struct statfs system {};
    if (::fstatfs(file.number(), &system) != 0) return {};
    const auto magic = static_cast<std::uint32_t>(system.f_type);
    const auto* const found = std::ranges::find(kinds, magic, &Kind::magic);
    return found == kinds.end() ? "" : std::string(found->name);
}

namespace {

constexpr std::size_t kStack = std::size_t{1} << 19U;

/// A stack that is locked grows no further than locked memory may (mm/mmap.c, acct_stack_growth):
/// it has its size before.
void take_stack() {
    std::array<char, kStack> room;
    constexpr std::size_t page = 4096;
    for (std::size_t at = room.size(); at >= page; at -= page)
        *const_cast<volatile char*>(&room.at(at - 1)) = 0;
}

}  // namespace

void stay_in_memory(const netlink::Root& root) {
    constexpr std::string_view never = "-1000";
    struct rlimit stack {};
    if (::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur >= 4 * kStack) take_stack();
    static_cast<void>(::mlockall(MCL_CURRENT));
    const netlink::Descriptor score =
        open_host_file(root / "proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    static_cast<void>(::write(score.number(), never.data(), never.size()));
}

void lift_limits() {
    // More stack would only take room from all else.
    constexpr rlim_t stack = rlim_t{8} << 20U;
    const auto lift = [](auto resource, rlim_t wanted) {
        struct rlimit limit {};
        if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur >= wanted) return;
        const struct rlimit lifted = {.rlim_cur = wanted,
                                      .rlim_max = std::max(wanted, limit.rlim_max)};
        if (::setrlimit(resource, &lifted) == 0) return;
        limit.rlim_cur = std::min(wanted, limit.rlim_max);
        ::setrlimit(resource, &limit);
    };
    for (const auto resource :
         {RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_MEMLOCK, RLIMIT_NPROC})
        lift(resource, RLIM_INFINITY);
    lift(RLIMIT_STACK, stack);
}

bool is_stopped(const netlink::Root& root, long process) {
    const std::string text = text_of(root / "proc" / std::to_string(process) / "stat");
    const std::string line = text.substr(0, text.find('\n'));
    // The name, in parentheses, may hold any.
    const std::size_t end = line.rfind(')');
    return end != std::string::npos && line.substr(end).starts_with(") T");
}

bool is_in_unit(const netlink::Root& root, long process, const std::string& unit) {
    const std::vector<std::string> parts =
        cgroups_of(root / "proc" / std::to_string(process) / "cgroup");
    return std::ranges::find(parts, unit) != parts.end();
}

}  // namespace cli

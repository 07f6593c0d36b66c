// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <vector>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr std::string_view kService = "service:";
constexpr std::string_view kUser = "user:";
constexpr std::uint64_t kKilobyte = 1024;

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

/// As pam_limits takes them: of kilobytes.
std::string bytes_of(const std::string& value) {
    if (value == "unlimited" || value == "infinity" || value == "-1") return "unlimited";
    return std::to_string(std::strtoull(value.c_str(), nullptr, 10) * kKilobyte);
}

/// systemd's own tree: all of cgroup v2, or beside the controllers of v1 (systemd,
/// src/basic/cgroup-util.c cg_get_path).
HostPath system_slice(const Machine& machine) {
    for (const char* const tree : {"unified/", "systemd/"}) {
        HostPath path = machine.file(std::string("/sys/fs/cgroup/") + tree + "system.slice");
        if (is_folder(path)) return path;
    }
    return machine.file("/sys/fs/cgroup/system.slice");
}

/// Nothing where the service does not run.
std::optional<std::string> of_service(const Machine& machine, const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos)
        throw KernelError(EINVAL, "'" + name + "' is no name of a service");
    std::istringstream processes(
        text_of(system_slice(machine) / (name + ".service") / "cgroup.procs"));
    unsigned process = 0;
    if (!(processes >> process)) return std::nullopt;
    return memlock_in_limits(text_of(machine.file("/proc") / std::to_string(process) / "limits"));
}

/// The groups that /etc/group lists the user in.
Names groups_of(const Machine& machine, const std::string& user) {
    Names groups;
    std::istringstream in(text_of(machine.file("/etc/group")));
    for (std::string line; std::getline(in, line);) {
        const std::string members = "," + line.substr(line.rfind(':') + 1) + ",";
        if (members.find("," + user + ",") != std::string::npos)
            groups.insert(line.substr(0, line.find(':')));
    }
    return groups;
}

std::optional<std::string> of_user(const Machine& machine, const std::string& user) {
    const HostPath folder = machine.file("/etc/security/limits.d");
    std::vector<std::string> names = names_in(folder);
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(".conf"); });
    std::ranges::sort(names);
    std::string text = text_of(machine.file("/etc/security/limits.conf")) + '\n';
    for (const std::string& name : names)
        text += text_of(folder / name) + '\n';
    return memlock_in_conf(text, user, groups_of(machine, user));
}

Names services(const Machine& machine) {
    constexpr std::string_view suffix = ".service";
    Names names;
    for (const std::string& name : names_in(system_slice(machine))) {
        if (name.ends_with(suffix))
            names.insert(std::string(kService) + name.substr(0, name.size() - suffix.size()));
    }
    return names;
}

/// Where systemd runs (sd_booted(3)) its tree is mounted, but for who has a sysfs of his own, as
/// `ip netns exec` gives each program: no service is to be seen there.
void expect_services(const Machine& machine) {
    const auto tree = machine.file("/sys/fs/cgroup");
    if (!exists(machine.file("/run/systemd/system"))) return;
    if (names_in(tree).empty()) throw KernelError(ENOENT, tree.string() + " is not mounted");
}

std::optional<std::string> limit_of(const Machine& machine, const std::string& holder) {
    if (holder.starts_with(kService)) return of_service(machine, holder.substr(kService.size()));
    if (holder.starts_with(kUser)) return of_user(machine, holder.substr(kUser.size()));
    return std::nullopt;
}

}  // namespace

std::optional<std::string> memlock_in_limits(std::string_view text) {
    constexpr std::string_view heading = "Max locked memory";
    const std::size_t at = text.find(heading);
    if (at == std::string_view::npos) return std::nullopt;
    std::istringstream in(std::string(text.substr(at + heading.size())));
    std::string soft;
    if (!(in >> soft)) return std::nullopt;
    return soft;
}

std::optional<std::string> memlock_in_conf(std::string_view text, const std::string& user,
                                           const Names& groups) {
    std::istringstream in{std::string(text)};
    std::optional<std::string> limit;
    int rank = -1;  // a user's own line wins over a group's, and that over everybody's
    for (std::string line; std::getline(in, line);) {
        const std::vector<std::string> words = words_of(line);
        if (words.size() != 4 || words[2] != "memlock" || words[1] == "hard") continue;
        const std::string& domain = words[0];
        int about = -1;
        // limits.conf(5): neither what is for everybody nor what is for a group reaches root.
        if (domain == "*" && user != "root") about = 0;
        if (domain.starts_with('@') && user != "root" && groups.contains(domain.substr(1)))
            about = 1;
        if (domain == user) about = 2;
        if (about < rank || about < 0) continue;
        rank = about;
        limit = bytes_of(words[3]);
    }
    return limit;
}

void read_memlock(Machine& machine, const Names& names, core::Port& itself) {
    const auto is_service = [](const std::string& name) { return name.starts_with(kService); };
    if (names.empty() || std::ranges::any_of(names, is_service)) expect_services(machine);
    itself.memlock.emplace();
    for (const std::string& holder : names.empty() ? services(machine) : names)
        if (const auto limit = limit_of(machine, holder)) (*itself.memlock)[holder] = *limit;
}

}  // namespace netlink

// SPDX-License-Identifier: Apache-2.0
#include "cli/files/provenance.hpp"

#include <nettle/sha2.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <sstream>

namespace cli {
namespace {

std::string first_line(const netlink::HostPath& path) {
    const std::string text = text_of(path);
    return text.substr(0, text.find('\n'));
}

/// The value of the variable in an environment as the kernel shows it (proc_pid_environ(5)).
std::string_view variable_in(std::string_view environment, std::string_view name) {
    while (!environment.empty()) {
        const std::string_view one = environment.substr(0, environment.find('\0'));
        if (one.starts_with(name) && one.substr(name.size()).starts_with('='))
            return one.substr(name.size() + 1);
        environment.remove_prefix(std::min(environment.size(), one.size() + 1));
    }
    return {};
}

/// The process that started it; 0 where that is not told (proc_pid_status(5), PPid).
int parent_of(int process) {
    const std::string status = netlink::text_of("/proc/" + std::to_string(process) + "/status");
    constexpr std::string_view heading = "\nPPid:\t";
    const std::size_t at = status.find(heading);
    int parent = 0;
    if (at != std::string::npos)
        std::from_chars(status.data() + at + heading.size(), status.data() + status.size(), parent);
    return parent;
}

}  // namespace

std::string address_in_connection(std::string_view connection) {
    for (int words = 0; words < 2; ++words) {
        const std::size_t blank = connection.find(' ');
        if (blank == std::string_view::npos) return {};
        connection.remove_prefix(blank + 1);
    }
    return std::string(connection.substr(0, connection.find_first_of(" %")));
}

std::string session_address() {
    if (const char* own = std::getenv("SSH_CONNECTION"); own != nullptr)
        return address_in_connection(own);
    constexpr int most = 16;
    int process = ::getppid();
    for (int i = 0; i < most && process > 1; ++i, process = parent_of(process)) {
        const std::string environment =
            netlink::text_of("/proc/" + std::to_string(process) + "/environ");
        if (const auto found = variable_in(environment, "SSH_CONNECTION"); !found.empty())
            return address_in_connection(found);
    }
    return {};
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text = {};
    const std::size_t length =
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text.data(), length};
}

std::string user_name() {
    constexpr auto none = static_cast<uid_t>(-1);  // nobody logged in: a service, a container
    uid_t user = none;
    const std::string login = first_line("/proc/self/loginuid");
    std::from_chars(login.data(), login.data() + login.size(), user);
    if (user == none) user = ::getuid();
    const passwd* entry = ::getpwuid(user);  // one thread: nobody else asks
    return entry == nullptr ? std::to_string(user) : std::string(entry->pw_name);
}

std::string boot_id(const netlink::Root& root) {
    return first_line(root / "proc/sys/kernel/random/boot_id");
}

std::uint64_t network_namespace() {
    constexpr int cookie_option = 71;  // SO_NETNS_COOKIE, which older headers lack
    const int number = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (number < 0) return 0;
    std::uint64_t cookie = 0;
    socklen_t size = sizeof(cookie);
    if (::getsockopt(number, SOL_SOCKET, cookie_option, &cookie, &size) != 0) cookie = 0;
    ::close(number);
    return cookie;
}

std::string own_service(const netlink::Root& root) {
    // A line each for version 2 and for the hierarchies of version 1, of which systemd has one.
    std::istringstream file(text_of(root / "proc/self/cgroup"));
    constexpr std::string_view ending = ".service";
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("0::") && line.find(":name=systemd:") == std::string::npos) continue;
        const std::size_t end = (line + '/').find(std::string(ending) + '/');
        if (end == std::string::npos) continue;
        const std::size_t start = line.rfind('/', end) + 1;
        return line.substr(start, end - start).append(ending);
    }
    return {};
}

std::string sha256(std::string_view text) {
    sha256_ctx context = {};
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest = {};
    ::nettle_sha256_init(&context);
    ::nettle_sha256_update(&context, text.size(),
                           reinterpret_cast<const std::uint8_t*>(text.data()));
    ::nettle_sha256_digest(&context, digest.size(), digest.data());
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : digest) {
        out += digits[byte >> 4U];
        out += digits[byte & 0xFU];
    }
    return out;
}

}  // namespace cli

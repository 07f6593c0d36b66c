// SPDX-License-Identifier: Apache-2.0
#include "cli/files/provenance.hpp"

#include <nettle/sha2.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <sstream>

namespace cli {
namespace {

std::string first_line(const netlink::HostPath& path) {
    const std::string text = text_of(path);
    return text.substr(0, text.find('\n'));
}

}  // namespace

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

// SPDX-License-Identifier: Apache-2.0
#include "tests/sealed/before.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace sealed {
namespace {

pid_t waiting_process() {
    const pid_t self = getpid();
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == self)
        pause();
    _exit(0);
}

sockaddr_un named(const std::string& name) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    std::memcpy(address.sun_path, name.data(), name.size());
    return address;
}

int listen_at(const sockaddr_un& address) {
    const int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    REQUIRE(bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
    return made;
}

}  // namespace

Before::Before() {
    std::string name = "/tmp/rocectl-sealed-XXXXXX";
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    there = folder / "there";
    fresh = folder / "fresh";
    std::ofstream(there) << "contents";
    std::filesystem::create_directory(folder / "a");
    file = open(there.c_str(), O_RDONLY | O_CLOEXEC);
    screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    REQUIRE((grantpt(screen) == 0 && unlockpt(screen) == 0));
    terminal = open(ptsname(screen), O_RDWR | O_NOCTTY | O_CLOEXEC);
    datagrams = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    tcp = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address = named(folder / "socket");
    listener = listen_at(address);
    abstract = named(std::string(1, '\0') + name);
    abstract_listener = listen_at(abstract);
    for (const int opened : {file, screen, terminal, datagrams, tcp, listener, abstract_listener})
        REQUIRE(opened > STDERR_FILENO);
    victim = waiting_process();
}

Before::~Before() {
    kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
    for (const int opened : {file, screen, terminal, datagrams, tcp, listener, abstract_listener})
        close(opened);
    std::filesystem::remove_all(folder);
}

void Before::enter_session() const {
    setsid();
    ioctl(terminal, TIOCSCTTY, 0);
    dup2(datagrams, STDIN_FILENO);
}

int errno_of(const std::function<void()>& close, const std::function<long()>& act) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(10);
        close();
        errno = 0;
        const long result = act();
        _exit(result < 0 ? errno : 0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace sealed

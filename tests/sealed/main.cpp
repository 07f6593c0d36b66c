// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

namespace {

bool put(const char* path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    return static_cast<bool>(file.flush());
}

/// What is tried here must not reach the host where it is not refused. Why that cannot be, or
/// nothing.
std::string leave_the_host() {
    const std::string user = std::to_string(geteuid());
    const std::string group = std::to_string(getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWNS) != 0)
        return std::string("no user and network namespace: ") + std::strerror(errno);
    const bool mapped = put("/proc/self/setgroups", "deny") &&
                        put("/proc/self/uid_map", "0 " + user + " 1") &&
                        put("/proc/self/gid_map", "0 " + group + " 1");
    return mapped ? "" : "no root in the user namespace";
}

}  // namespace

int main(int argc, char** argv) {
    if (const std::string why = leave_the_host(); !why.empty()) {
        std::cout << "skip: " << why << '\n';
        return 77;
    }
    return doctest::Context(argc, argv).run();
}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <sys/un.h>

#include <filesystem>
#include <functional>
#include <string>

namespace sealed {

/// What is there before a process is sealed, and what it could lead to.
struct Before {
    Before();
    Before(const Before&) = delete;
    Before& operator=(const Before&) = delete;
    ~Before();
    /// Makes the terminal that of this process, and gives it a socket for standard input.
    void enter_session() const;

    std::filesystem::path folder{};
    std::string there{};  ///< a file
    std::string fresh{};  ///< the name of none
    int file = -1;        ///< `there`, open for reading
    int screen = -1;      ///< of the terminal
    int terminal = -1;
    int datagrams = -1;      ///< a UNIX socket that is not connected
    int listener = -1;       ///< of root
    sockaddr_un address{};   ///< of the listener
    sockaddr_un abstract{};  ///< the same of one without a file
    int abstract_listener = -1;
    int tcp = -1;      ///< not connected
    pid_t victim = 0;  ///< a process that waits to be killed
};

/// The errno with which a process of its own ends that is sealed by `close` and does `act`; 0 where
/// it was done, -1 where the process was killed.
int errno_of(const std::function<void()>& close, const std::function<long()>& act);

}  // namespace sealed

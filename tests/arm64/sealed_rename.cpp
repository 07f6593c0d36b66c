// SPDX-License-Identifier: Apache-2.0
// What ./inside has to see: a process that is sealed, and then does what a sealed one may not.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "cli/seal/seal.hpp"

int main() {
    const cli::Seal seal = cli::seal(cli::SealedFor::files);
    if (!seal.filter) return 1;
    ::close(::openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC));
    ::close(::openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC));
    std::rename("/nonexistent/here", "/nonexistent/there");
    return 0;
}

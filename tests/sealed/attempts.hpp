// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tests/sealed/before.hpp"

namespace sealed {

constexpr int kSame = -2;

/// Something that is tried, and what it is answered.
struct Attempt {
    const char* what = "";
    int code = 0;  ///< errno; 0: it is done, since reading takes it
    long (*act)(const Before& before) = nullptr;
    int with_devices = kSame;  ///< where RDMA devices may be asked
};

/// Asks the terminal for its settings by one of the requests there are for it.
long ask(int terminal, unsigned long request);

/// TCGETS2 of asm-generic/ioctls.h.
constexpr unsigned long kTcgets2 = 0x802c542a;

/// What a process with user id 0 and no capability can do to its host, and what reading takes.
std::vector<Attempt> attempts();

}  // namespace sealed

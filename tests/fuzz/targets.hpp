// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/state.hpp"

/// What libFuzzer feeds with bytes (tests/fuzz/run), and what reads the kept ones again
/// (replay.cpp).
namespace fuzz {

using Bytes = std::span<const std::byte>;

/// One way in by which bytes of others come. An exception but core::Error is a crash.
struct Target {
    std::string_view name;  ///< and of its file in tests/fuzz/corpus
    void (*run)(Bytes bytes) = nullptr;
};

/// What people and rocectl write into files.
std::vector<Target> of_files();
/// What a kernel answers.
std::vector<Target> of_kernels();
/// What stands in a host's own files, and in those that a kernel has.
std::vector<Target> of_machines();
/// What is looked for words in, and what words are made of.
std::vector<Target> of_words();

/// All of these.
std::vector<Target> all_targets();

/// The same bytes.
std::string text_of(Bytes bytes);

/// Ends the process, as libFuzzer wants it, where the claim does not hold.
void require(bool holds, const char* claim);

/// That what was observed is the same on the other side of a pipe.
void require_kept(const core::State& state);

}  // namespace fuzz

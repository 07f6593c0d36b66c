// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>

#include "tests/framework/packed.hpp"
#include "tests/fuzz/targets.hpp"

// replay [TARGET...]: every kept input of each target, or of all, through the code as any compiler
// builds it, without libFuzzer. An input that breaks a claim ends the process, and has been named.

namespace {

namespace fs = std::filesystem;

/// The input that is read, for whoever reads the end of a run that died.
std::string current;

void name_input(int signal) {
    static_cast<void>(!write(STDERR_FILENO, current.data(), current.size()));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// How many inputs there were; 0 where none are kept of the target.
std::size_t replay(const fuzz::Target& target) {
    const fs::path kept = fs::path(ROCECTL_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
    if (!fs::exists(kept)) return 0;
    const auto inputs = packed::sections(kept);
    for (const auto& [name, bytes] : inputs) {
        current = std::string(target.name) + '/' + name + '\n';
        target.run(std::as_bytes(std::span(bytes)));
    }
    return inputs.size();
}

}  // namespace

int main(int count, char** arguments) {
    for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
        std::signal(signal, name_input);
    const std::set<std::string_view> wanted(arguments + 1, arguments + count);
    std::size_t passed = 0;
    std::size_t failed = 0;
    for (const fuzz::Target& target : fuzz::all_targets()) {
        if (!wanted.empty() && !wanted.contains(target.name)) continue;
        const std::size_t inputs = replay(target);
        std::cout << (inputs > 0 ? "ok" : "not ok") << " fuzz " << target.name << ": " << inputs
                  << " inputs" << std::endl;
        ++(inputs > 0 ? passed : failed);
    }
    std::cout << passed << " passed, " << failed << " failed, 0 skipped\n";
    return failed == 0 && passed > 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>

#include "tests/fuzz/targets.hpp"

// replay [TARGET...]: every kept input of each target, or of all, through the code as any compiler
// builds it, without libFuzzer. An input that breaks a claim ends the process, and has been named.

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The input that is read, for whoever reads the end of a run that died.
std::string current;

void name_input(int signal) {
    static_cast<void>(!write(STDERR_FILENO, current.data(), current.size()));
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// How many inputs there were; 0 where the target has no folder.
std::size_t replay(const fuzz::Target& target) {
    const fs::path kept = fs::path(ROCECTL_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
    std::size_t count = 0;
    if (!fs::is_directory(kept)) return count;
    for (const fs::directory_entry& entry : fs::directory_iterator(kept)) {
        const std::string bytes = contents(entry.path());
        current = std::string(target.name) + '/' + entry.path().filename().string() + '\n';
        target.run(std::as_bytes(std::span(bytes)));
        ++count;
    }
    return count;
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

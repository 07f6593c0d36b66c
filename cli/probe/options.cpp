// SPDX-License-Identifier: Apache-2.0
#include "cli/probe/options.hpp"

#include <sys/stat.h>

#include <array>

#include "cli/files/text_file.hpp"
#include "cli/files/trust.hpp"
#include "core/error.hpp"

namespace cli {
namespace {

using core::probe::Measuring;
using core::probe::Operation;

constexpr std::size_t kShortestSecret = 16;

/// What of it a run does.
struct Doings {
    bool verbs = false;
    bool streams = false;    ///< of verbs or TCP
    bool calls = false;      ///< by RDMA or TCP
    bool bandwidth = false;  ///< of what streams
    bool requests = false;   ///< bandwidth of verbs, with requests under way
    bool classes = false;
    bool figures = false;  ///< anything beside what works
};

Doings doings_of(const Measuring& measuring) {
    Doings out{.classes = measuring.classes, .figures = !measuring.functional};
    for (const Operation one : operations_of(measuring)) {
        const bool verb = core::probe::is_verb(one);
        const bool stream = verb || one == Operation::tcp;
        out.verbs = out.verbs || verb;
        out.streams = out.streams || stream;
        out.calls = out.calls || !stream;
        out.bandwidth = out.bandwidth || (stream && wants_bandwidth(measuring, one));
        out.requests = out.requests || (verb && wants_bandwidth(measuring, one));
    }
    out.bandwidth = out.bandwidth && out.figures;
    out.requests = out.requests && out.figures;
    return out;
}

constexpr const char* kFigures = "a run without --functional, which measures nothing";
constexpr const char* kLoad =
    "--bandwidth, --classes, --direction or a bandwidth in --expect beside it";

/// What an option takes, and its words where that is not there.
struct Need {
    std::string_view option;
    bool (*has)(const Doings& of);
    const char* expected;
};
constexpr std::array kNeeds = {
    Need{"--bandwidth", [](const Doings& of) { return of.streams; },
         "send, write, read or tcp among the operations"},
    Need{"--bandwidth", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--direction", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--direction", [](const Doings& of) { return of.verbs; },
         "send, write or read among the operations"},
    Need{"--iterations", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--size", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--expect", [](const Doings& of) { return of.figures; }, kFigures},
    Need{"--queue-pairs", [](const Doings& of) { return of.bandwidth; },
         "--bandwidth, --direction or a bandwidth in --expect beside it"},
    Need{"--duration", [](const Doings& of) { return of.bandwidth || of.classes; }, kLoad},
    Need{"--rate", [](const Doings& of) { return of.bandwidth || of.classes; }, kLoad},
    Need{"--depth",
         [](const Doings& of) { return of.requests || of.classes || (of.calls && of.figures); },
         "--bandwidth, --classes, a bandwidth in --expect, or rpc beside it"},
};

[[noreturn]] void refuse(std::string_view option, const char* expected) {
    throw core::Error(
        core::Status::usage,
        std::string(option) + ": nothing that is asked for has it; expected " + expected);
}

}  // namespace

void refuse_unfit(const Options& options, const Measuring& measuring) {
    const Doings doings = doings_of(measuring);
    for (const auto& [name, value] : options.given)
        for (const Need& need : kNeeds)
            if (need.option == name && !need.has(doings)) refuse(need.option, need.expected);
    // A profile can ask for this too.
    if (measuring.classes && !doings.verbs)
        refuse("--classes", "send, write or read among the operations");
    if (measuring.functional && !uses_rdma(measuring))
        refuse("--functional", "send, write, read or rpc among the operations");
    for (const auto& [name, value] : options.given)
        if ((name == "--set" || name == "--vars") && measuring.profile.empty())
            refuse(name, "--profile beside it");
}

std::string read_secret(const std::string& file, bool only_trusted) {
    const netlink::Descriptor opened = only_trusted ? open_trusted(file) : open_to_read(file);
    struct stat status = {};
    if (::fstat(opened.number(), &status) != 0) throw failure(file);
    if ((status.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH)) != 0)
        throw core::Error(core::Status::invalid_input,
                          file + ": others can read or write it: chmod 600 " + file);
    std::string text = read_rest(opened.number(), file);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    if (text.size() < kShortestSecret)
        throw core::Error(core::Status::invalid_input,
                          file + ": found " + std::to_string(text.size()) +
                              " bytes, a secret has 16 or more: openssl rand -hex 32 makes one");
    return text;
}

}  // namespace cli

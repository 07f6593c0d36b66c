// SPDX-License-Identifier: Apache-2.0
#include "cli/files/output_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <utility>

#include "cli/files/owner.hpp"
#include "cli/files/path_walk.hpp"
#include "cli/files/text_file.hpp"
#include "cli/seal/seal.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using netlink::Descriptor;

core::Error cannot(const fs::path& path, int code) {
    errno = code;
    return failure(path);
}

/// Where the contents are to go, no stranger's link followed.
Reached place_of(const fs::path& path) {
    const auto visit = [&](const Passed& passed) {
        if (!S_ISLNK(passed.status.st_mode) || is_callers(passed.status.st_uid)) return;
        throw core::Error(core::Status::failed,
                          path.string() + ": its link " + passed.path.string() + " is owner " +
                              std::to_string(passed.status.st_uid) +
                              "'s, who would choose what is written; expected root's or the "
                              "caller's");
    };
    Reached end = go(path, visit, core::Status::failed);
    if (S_ISDIR(end.status.st_mode)) throw cannot(path, EISDIR);
    if (end.file.number() >= 0 && !end.held && !S_ISREG(end.status.st_mode) &&
        !is_callers(end.status.st_uid))
        throw core::Error(core::Status::failed,
                          path.string() + ": is " + kind_text(end.status) + " of owner " +
                              std::to_string(end.status.st_uid) +
                              "'s, who would get what is written; expected root's or the "
                              "caller's");
    return end;
}

/// Which nobody can guess, and make a file of before.
std::string random_word() {
    std::uint64_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
        throw core::Error(core::Status::failed, "the kernel has no random numbers");
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < 2 * sizeof number; ++i, number >>= 4U)
        out += digits[number & 0xFU];
    return out;
}

/// Who may read what was there may read what comes in its place, and nobody else.
void take_over_rights(int file, const struct stat& before) {
    if (!is_callers(before.st_uid)) return;
    const bool given = ::fchown(file, before.st_uid, before.st_gid) == 0;
    ::fchmod(file, before.st_mode & (given ? 0777U : 0707U));
}

/// The child: one word renames the file, and the end of the line without one removes it.
[[noreturn]] void serve(int line, int folder, const std::string& fresh, const std::string& name) {
    try {
        seal_but_for_naming();
    } catch (const core::Error&) {
        _exit(1);  // the command learns that the file was not renamed
    }
    char word = 0;
    ssize_t got = 0;
    do
        got = ::read(line, &word, 1);
    while (got < 0 && errno == EINTR);
    int answer = 0;
    if (got == 1 && ::renameat(folder, fresh.c_str(), folder, name.c_str()) != 0) answer = errno;
    if (got != 1 || answer != 0) ::unlinkat(folder, fresh.c_str(), 0);
    if (got == 1) static_cast<void>(!::write(line, &answer, sizeof(answer)));
    _exit(0);
}

}  // namespace

bool is_standard_output(const fs::path& path) {
    const Reached end = place_of(path);
    return end.held && end.name == std::to_string(STDOUT_FILENO);
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
    const Reached end = place_of(path_);
    if (end.held || (end.file.number() >= 0 && !S_ISREG(end.status.st_mode))) {
        file_ = reopened(end, O_WRONLY);
        if (file_.number() < 0) throw failure(path_);
        return;
    }
    const std::string fresh = create_beside(end);
    if (end.file.number() >= 0) take_over_rights(file_.number(), end.status);
    start_child(end.folder, fresh, end.name);
}

std::string OutputFile::create_beside(const Reached& end) {
    constexpr int most = 16;
    for (int tries = 0; tries < most; ++tries) {
        std::string fresh = end.name + "." + random_word();
        file_ = Descriptor(::openat(end.folder.number(), fresh.c_str(),  // NOLINT(*-vararg)
                                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
        if (file_.number() >= 0) return fresh;
        if (errno != EEXIST) break;
    }
    throw failure(path_);
}

void OutputFile::start_child(const Descriptor& folder, const std::string& fresh,
                             const std::string& name) {
    std::array<int, 2> ends{};
    const bool paired = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0;
    // What ends the command from a terminal must leave somebody to clean up.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    child_ = paired ? fork() : -1;
    if (child_ == 0) {
        close(ends[0]);
        serve(ends[1], folder.number(), fresh, name);
    }
    const int code = errno;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (paired) close(ends[1]);
    if (child_ < 0) {
        ::unlinkat(folder.number(), fresh.c_str(), 0);
        errno = code;
        throw failure(path_);
    }
    line_ = Descriptor(ends[0]);
}

OutputFile::~OutputFile() {
    line_ = Descriptor();
    if (child_ > 0) waitpid(child_, nullptr, 0);
}

void OutputFile::write(const std::string& contents) {
    write_over(file_.number(), path_, contents);
    if (child_ < 0) return;
    int answer = EPIPE;
    const bool asked = ::send(line_.number(), "!", 1, MSG_NOSIGNAL) == 1;
    if (!asked || recv(line_.number(), &answer, sizeof(answer), MSG_WAITALL) != sizeof(answer))
        answer = EPIPE;
    if (answer == 0) return;
    errno = answer;
    throw failure(path_);
}

}  // namespace cli

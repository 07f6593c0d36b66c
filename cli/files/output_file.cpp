// SPDX-License-Identifier: Apache-2.0
#include "cli/files/output_file.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "cli/files/text_file.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;
using netlink::Descriptor;

/// Said of the file that the user named, not of the one beside it.
Descriptor open_for_writing(const fs::path& path, int flags, const fs::path& shown) {
    const int opened = open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0644);  // NOLINT(*-vararg)
    if (opened < 0) throw failure(shown);
    return Descriptor(opened);
}

/// The child: one word renames the file, and the end of the line without one removes it.
[[noreturn]] void serve(int line, const fs::path& fresh, const fs::path& path) {
    char word = 0;
    ssize_t got = 0;
    do
        got = read(line, &word, 1);
    while (got < 0 && errno == EINTR);
    int answer = 0;
    if (got == 1 && std::rename(fresh.c_str(), path.c_str()) != 0) answer = errno;
    if (got != 1 || answer != 0) unlink(fresh.c_str());
    if (got == 1) static_cast<void>(!::write(line, &answer, sizeof(answer)));
    _exit(0);
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
    check_writable(path_);
    if (!replaceable(path_)) {
        file_ = open_for_writing(path_, 0, path_);
        return;
    }
    const fs::path fresh = path_.string() + "." + std::to_string(getpid());
    file_ = open_for_writing(fresh, O_CREAT | O_EXCL, path_);
    start_child(fresh);
}

void OutputFile::start_child(const fs::path& fresh) {
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
        serve(ends[1], fresh, path_);
    }
    const int code = errno;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (paired) close(ends[1]);
    if (child_ < 0) {
        unlink(fresh.c_str());
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

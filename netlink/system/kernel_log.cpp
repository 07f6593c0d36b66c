// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <map>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// Of each kind that many first lines and as many last ones are kept.
constexpr std::size_t kMost = 4;
/// No log has more records than its buffer has bytes (CONFIG_LOG_BUF_SHIFT is 25 at most).
constexpr std::size_t kRecords = std::size_t{1} << 20U;

/// The number up to the separator, which is taken off with it.
std::optional<std::uint64_t> taken_number(std::string_view& text, char separator) {
    const std::size_t end = text.find(separator);
    if (end == std::string_view::npos) return std::nullopt;
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + end, number);
    if (read.ec != std::errc{} || read.ptr != text.data() + end) return std::nullopt;
    text.remove_prefix(end + 1);
    return number;
}

/// The first ones and the last ones of a kind.
void keep(std::map<std::string, core::KernelLog>& kinds, core::LogLine line) {
    core::KernelLog& lines = kinds[line.kind];
    if (lines.size() == 2 * kMost) lines.erase(lines.begin() + kMost);
    lines.push_back(std::move(line));
}

}  // namespace

std::optional<core::LogLine> decode_log_record(Bytes record) {
    std::string_view text(reinterpret_cast<const char*>(record.data()), record.size());
    const auto priority = taken_number(text, ',');
    const auto sequence = priority ? taken_number(text, ',') : std::nullopt;
    const auto time = sequence ? taken_number(text, ',') : std::nullopt;
    const std::size_t start = text.find(';');
    // The facility is above the three bits of the level; 0 is the kernel's (LOG_KERN).
    constexpr std::uint64_t levels = 8;
    if (!time || start == std::string_view::npos || *priority >= levels) return std::nullopt;
    text.remove_prefix(start + 1);
    // What follows in further lines is of programs: SUBSYSTEM=, DEVICE=.
    text = text.substr(0, text.find('\n'));
    const std::string_view kind = core::kernel_log::kind_of(text);
    if (kind.empty()) return std::nullopt;
    constexpr std::uint64_t microseconds = 1000;
    return core::LogLine{
        .milliseconds = *time / microseconds, .kind = std::string(kind), .text = std::string(text)};
}

void read_kernel_log(Machine& machine, const Names& /*names*/, core::Port& itself) {
    if (machine.rooted()) throw KernelError(EOPNOTSUPP, "the log is the running kernel's");
    constexpr const char* path = "/dev/kmsg";
    const Descriptor log(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // NOLINT(*-vararg)
    if (log.number() < 0) throw file_error(errno, path);
    std::map<std::string, core::KernelLog> kinds;
    // No record is longer (kernel/printk/internal.h, PRINTK_MESSAGE_MAX).
    std::array<std::byte, 8192> record{};
    for (std::size_t left = kRecords; left > 0; --left) {
        const ssize_t length = ::read(log.number(), record.data(), record.size());
        if (length < 0 && errno == EPIPE) continue;  // the kernel has written over what was next
        if (length < 0 && errno != EAGAIN) throw file_error(errno, path);
        if (length <= 0) break;
        if (auto line =
                decode_log_record(Bytes(record).subspan(0, static_cast<std::size_t>(length))))
            keep(kinds, std::move(*line));
    }
    core::KernelLog& lines = itself.kernel_log.emplace();
    for (const auto& [kind, of_kind] : kinds)
        lines.insert(lines.end(), of_kind.begin(), of_kind.end());
}

}  // namespace netlink

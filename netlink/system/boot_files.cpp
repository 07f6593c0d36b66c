// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "core/boot/outcome.hpp"
#include "core/boot/program.hpp"
#include "netlink/files/loaded_modules.hpp"
#include "netlink/transport/descriptor.hpp"

namespace netlink {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20U;
/// Hosts have some hundred of them, with some hundred lines that are kept.
constexpr std::size_t kMostFiles = 4096;
constexpr std::size_t kMostLines = 65536;

std::string words_for(int code) {
    return std::generic_category().message(code);
}

/// The names in a folder, sorted; none where there is no folder.
std::vector<std::string> names_in_folder(const HostPath& folder) {
    int failure = 0;
    std::vector<std::string> out = names_in(folder, &failure);
    if (out.size() > kMostFiles) throw KernelError(E2BIG, folder.string());
    if (failure != 0 && failure != ENOENT && failure != ENOTDIR)
        throw KernelError(failure, folder.string());
    std::ranges::sort(out);
    return out;
}

/// The text of a file; `refused` says why there is none. A link to /dev/null is an empty file, by
/// which one of the same name is hidden (systemd.unit(5)).
std::string text_of(const HostPath& path, std::string& refused) {
    const Descriptor file = open_host_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    struct stat status {};
    // A link that leads nowhere says nothing, to all of them (systemd, src/sysctl/sysctl.c,
    // parse_file; Debian has such a one in sysctl.d where there is no sysctl.conf).
    if (file.number() < 0 && errno == ENOENT) return {};
    if (file.number() < 0 || fstat(file.number(), &status) != 0) {
        refused = words_for(errno);
        return {};
    }
    constexpr dev_t null_device = 0x103;
    if (S_ISCHR(status.st_mode) && status.st_rdev == null_device) return {};
    if (!S_ISREG(status.st_mode)) {
        refused = "is no file";
        return {};
    }
    // There are hundreds, and most are small. One byte more shows the end, or that the file grew.
    std::string text(std::min(static_cast<std::size_t>(status.st_size), kLargestFile) + 1, '\0');
    std::size_t done = 0;
    while (done <= kLargestFile) {
        if (done == text.size()) text.resize(std::min(2 * done, kLargestFile + 1));
        const ssize_t length = ::read(file.number(), text.data() + done, text.size() - done);
        if (length < 0) refused = words_for(errno);
        if (length <= 0) break;
        done += static_cast<std::size_t>(length);
    }
    if (done > kLargestFile) refused = words_for(EFBIG);
    text.resize(refused.empty() ? done : 0);
    return text;
}

/// NetworkManager leaves out what others may read (nms-keyfile-utils.c,
/// nms_keyfile_utils_check_file_permissions_stat).
bool is_open_to_others(const HostPath& path) {
    const auto status = status_of(path);
    constexpr mode_t others = 077;
    return status && (status->st_mode & others) != 0;
}

bool can_be_run(const HostPath& path) {
    const auto status = status_of(path);
    constexpr mode_t by_any = 0111;
    return status && S_ISREG(status->st_mode) && (status->st_mode & by_any) != 0;
}

bool is_masked(const HostPath& path) {
    return link_text(path) == "/dev/null";
}

std::uint64_t time_of(const HostPath& path) {
    const auto status = status_of(path);
    return status && status->st_mtim.tv_sec > 0 ? static_cast<std::uint64_t>(status->st_mtim.tv_sec)
                                                : 0;
}

class Lines {
public:
    explicit Lines(const Machine& machine) : machine_(machine) {}

    /// The files of the source in the folder, and those that add to them.
    void take_folder(const core::boot::Source& source, const std::string& folder) {
        for (const std::string& name : names_in_folder(machine_.file(folder))) {
            const std::string path = joined(folder, name);
            if (source.is_taken(name) && !is_folder(machine_.file(path))) take_file(source, path);
            if (adds_to_one(source, name) || (source.sparse && name == "service.d"))
                take_added(source, path);
        }
    }

    /// Who is wanted by what is started, and who is masked.
    void take_wanted(const core::boot::Source& source, const std::string& folder) {
        for (const std::string& name : names_in_folder(machine_.file(folder))) {
            const std::string path = joined(folder, name);
            if (core::boot::is_of_interest(name) && is_masked(machine_.file(path))) mask(path);
            if (!name.ends_with(source.ending)) continue;
            for (const std::string& unit : names_in_folder(machine_.file(path)))
                if (core::boot::is_of_interest(unit))
                    lines_.push_back({.file = joined(path, unit)});
        }
    }

    core::BootFiles all() { return std::move(lines_); }

    /// Of a source that is sparse. A unit of rocectl's has its own.
    void take_sparse(const core::boot::Source& source) {
        core::BootFiles others;
        std::swap(others, lines_);
        for (const std::string_view folder : source.folders)
            take_folder(source, std::string(folder));
        std::set<std::string, std::less<>> telling;
        for (const core::BootLine& line : lines_)
            if (line.line != 0 && !line.text.starts_with('['))
                telling.emplace(core::boot::unit_of(line.file));
        std::erase_if(lines_, [&](const core::BootLine& line) {
            const std::string_view unit = core::boot::unit_of(line.file);
            return !telling.contains(unit) || unit.starts_with("rocectl");
        });
        std::ranges::move(lines_, std::back_inserter(others));
        lines_ = std::move(others);
    }

private:
    static std::string joined(std::string folder, std::string_view name) {
        return std::move(folder.append("/").append(name));
    }

    /// A unit of rocectl's own is there as a file already.
    void mask(const std::string& path) {
        const auto known = std::ranges::find_if(lines_, [&](const core::BootLine& line) {
            return line.file == path && line.line == 0;
        });
        core::BootLine& line =
            known == lines_.end() ? lines_.emplace_back(core::BootLine{.file = path}) : *known;
        line.refused = core::boot::kMasked;
    }

    static bool adds_to_one(const core::boot::Source& source, std::string_view folder) {
        return !source.drop_in.empty() && folder.ends_with(source.drop_in) &&
               source.is_taken(folder.substr(0, folder.size() - source.drop_in.size()));
    }

    void take_added(const core::boot::Source& source, const std::string& folder) {
        for (const std::string& name : names_in_folder(machine_.file(folder)))
            if (name.ends_with(".conf")) take_file(source, joined(folder, name));
    }

    void take_file(const core::boot::Source& source, const std::string& path) {
        if (++files_ > kMostFiles) throw KernelError(E2BIG, path);
        if (source.form == core::boot::Form::scripts && !can_be_run(machine_.file(path))) return;
        std::string refused;
        std::string text;
        const HostPath file = machine_.file(path);
        if (source.form == core::boot::Form::sections || source.form == core::boot::Form::words)
            text = text_of(file, refused);
        if (source.of_root && refused.empty() && is_open_to_others(file))
            refused = "NetworkManager leaves it out, since others than root may read it";
        core::BootFiles kept = core::boot::kept_lines(source, path, text);
        kept.front().refused = refused;
        leave_out_built_in(kept);
        if (source.timed) kept.front().time = time_of(file);
        if (lines_.size() + kept.size() > kMostLines) throw KernelError(E2BIG, path);
        std::ranges::move(kept, std::back_inserter(lines_));
    }

    /// Nothing keeps out what the kernel has anyway.
    void leave_out_built_in(core::BootFiles& lines) const {
        std::erase_if(lines, [&](const core::BootLine& line) {
            if (line.file.find("/modprobe.d/") == std::string::npos) return false;
            const std::string module = core::boot::module_kept_out(line.text);
            return !module.empty() && is_built_in(machine_, module);
        });
    }

    const Machine& machine_;
    core::BootFiles lines_;
    std::size_t files_ = 0;
};

}  // namespace

void read_boot_files(Machine& machine, const Names& /*names*/, core::Port& itself) {
    Lines lines(machine);
    for (const core::boot::Source& source : core::boot::sources()) {
        if (source.sparse) {
            lines.take_sparse(source);
            continue;
        }
        for (const std::string_view folder : source.folders) {
            if (source.form == core::boot::Form::wants)
                lines.take_wanted(source, std::string(folder));
            else
                lines.take_folder(source, std::string(folder));
        }
    }
    itself.boot_files = lines.all();
}

}  // namespace netlink

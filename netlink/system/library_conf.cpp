// SPDX-License-Identifier: Apache-2.0
#include "netlink/system/codecs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "netlink/files/text_file.hpp"
#include "netlink/transport/path_walk.hpp"

namespace netlink {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// A line of the file, and what it sets.
struct Line {
    std::string text{};
    std::string name{};  ///< empty where it sets nothing
    std::string value{};
    bool in_section = false;
};

Line of_nccl(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (text.starts_with('#') || equals == std::string::npos) return {.text = text};
    return {.text = text, .name = text.substr(0, equals), .value = text.substr(equals + 1)};
}

/// A comment begins with a semicolon after a blank, or stands alone after `;` or `#`.
Line of_ucx(const std::string& text) {
    const std::string_view line = trimmed(text);
    const std::size_t equals = line.find_first_of("=:");
    if (line.empty() || line.front() == ';' || line.front() == '#' || line.front() == '[' ||
        equals == std::string_view::npos)
        return {.text = text};
    std::string_view value = line.substr(equals + 1);
    for (std::size_t at = value.find(';'); at != std::string_view::npos;
         at = value.find(';', at + 1))
        if (at > 0 && kBlanks.find(value[at - 1]) != std::string_view::npos) {
            value = value.substr(0, at);
            break;
        }
    return {.text = text,
            .name = std::string(trimmed(line.substr(0, equals))),
            .value = std::string(trimmed(value))};
}

/// How a library reads its file.
struct Form {
    std::string_view path;
    Line (*parse)(const std::string& text);
    bool first_counts;  ///< of several lines for one variable, else the last
    bool is_ini;        ///< has sections, and a line that begins with a blank goes on with a value
};

constexpr Form kNccl = {
    .path = "/etc/nccl.conf", .parse = of_nccl, .first_counts = true, .is_ini = false};
constexpr Form kUcx = {
    .path = "/etc/ucx/ucx.conf", .parse = of_ucx, .first_counts = false, .is_ini = true};

/// What a line says after the one before: UCX takes an indented one for the whole value of the
/// variable before it (src/ucs/config/ini.c, INI_ALLOW_MULTILINE).
Line after(const Form& form, const std::string& text, const std::string& name) {
    const std::string_view said = trimmed(text);
    const bool goes_on = form.is_ini && !name.empty() && !said.empty() && said.front() != ';' &&
                         said.front() != '#' &&
                         kBlanks.find(text.front()) != std::string_view::npos;
    if (!goes_on) return form.parse(text);
    return {.text = text, .name = name, .value = std::string(said)};
}

std::string rest_of(const Descriptor& file, const HostPath& path) {
    std::string text;
    std::array<char, 4096> block{};
    for (;;) {
        const ssize_t got = ::read(file.number(), block.data(), block.size());
        if (got < 0) throw file_error(errno, path);
        if (got == 0) return text;
        text.append(block.data(), static_cast<std::size_t>(got));
    }
}

std::vector<Line> lines_of(const Machine& machine, const Form& form) {
    const HostPath path = machine.file(form.path);
    std::vector<Line> out;
    // Not text_of: what cannot be read must not be replaced.
    const Descriptor opened = open_host_file(path, O_RDONLY);
    if (opened.number() < 0 && errno != ENOENT) throw file_error(errno, path);
    std::istringstream file(opened.number() < 0 ? std::string() : rest_of(opened, path));
    bool in_section = false;
    std::string name;  // of the variable before, in the same section
    for (std::string text; std::getline(file, text);) {
        Line line = after(form, text, name);
        const bool begins = form.is_ini && line.name.empty() && trimmed(text).starts_with('[');
        in_section = in_section || begins;
        if (begins || !line.name.empty()) name = line.name;
        line.in_section = in_section;
        out.push_back(std::move(line));
    }
    return out;
}

Variables read(const Machine& machine, const Form& form, const Names& desired) {
    Variables out;
    const std::vector<Line> lines = lines_of(machine, form);
    for (const Line& line : lines) {
        if (line.name.empty() || line.in_section) continue;
        if (form.first_counts)
            out.emplace(line.name, line.value);
        else
            out[line.name] = line.value;
    }
    for (const Line& line : lines)
        if (line.in_section && (out.contains(line.name) || desired.contains(line.name)))
            throw KernelError(EINVAL, std::string(form.path) + " sets " + line.name +
                                          " in a section too, which counts on some hosts alone");
    return out;
}

/// The file in the place of the one that is there, with its owner and mode, and never half of it.
void replace(const HostPath& path, const std::string& text) {
    const Reached there = walk(path, nullptr);
    if (there.error != 0) throw file_error(there.error, path);
    const int folder = there.folder.number();
    const std::string fresh = there.name + ".rocectl";
    const std::string shown = there.path.string() + ".rocectl";
    const struct stat& old = there.status;
    const bool exists = there.file.number() >= 0;
    ::unlinkat(folder, fresh.c_str(), 0);  // of a run that was killed here
    {
        const Descriptor file(::openat(folder, fresh.c_str(),  // NOLINT(*-vararg)
                                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
        if (file.number() < 0) throw file_error(errno, shown);
        const auto length = static_cast<ssize_t>(text.size());
        const bool whole = ::write(file.number(), text.data(), text.size()) == length &&
                           (!exists || (::fchown(file.number(), old.st_uid, old.st_gid) == 0 &&
                                        ::fchmod(file.number(), old.st_mode & 07777U) == 0)) &&
                           ::fsync(file.number()) == 0;
        if (!whole) {
            const KernelError error = file_error(errno, shown);
            ::unlinkat(folder, fresh.c_str(), 0);
            throw KernelError(error);
        }
    }
    if (::renameat(folder, fresh.c_str(), folder, there.name.c_str()) != 0)
        throw file_error(errno, there.path);
}

/// Changes the lines of what is to change, and adds those that are new at the end of what counts
/// for every host; all else stays as it is. A file that then says nothing is taken away.
void write(Machine& machine, const Form& form, const Variables& now, const Variables& then) {
    const auto changes = [&](const std::string& name) {
        const auto old = now.find(name), fresh = then.find(name);
        if (old == now.end() || fresh == then.end())
            return (old == now.end()) != (fresh == then.end());
        return old->second != fresh->second;
    };
    std::string head, tail;
    bool says = false;
    for (const Line& line : lines_of(machine, form)) {
        if (!line.in_section && !line.name.empty() && changes(line.name)) continue;
        says = says || !trimmed(line.text).empty();
        (line.in_section ? tail : head) += line.text + '\n';
    }
    for (const auto& [name, value] : then) {
        if (!changes(name)) continue;
        says = true;
        head += name;
        head += '=' + value + '\n';
    }
    const HostPath path = machine.file(form.path);
    if (!says) {
        if (!remove_file(path) && errno != ENOENT) throw file_error(errno, path);
        return;
    }
    replace(path, head + tail);
}

}  // namespace

void read_nccl(Machine& machine, const Names& names, core::Port& itself) {
    itself.nccl = read(machine, kNccl, names);
}

void write_nccl(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.nccl || !then.nccl) throw KernelError(ENODEV);
    write(machine, kNccl, *now.nccl, *then.nccl);
}

void read_ucx(Machine& machine, const Names& names, core::Port& itself) {
    itself.ucx = read(machine, kUcx, names);
}

void write_ucx(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!now.ucx || !then.ucx) throw KernelError(ENODEV);
    write(machine, kUcx, *now.ucx, *then.ucx);
}

}  // namespace netlink

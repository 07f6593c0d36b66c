// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/boot/program.hpp"
#include "core/model/words.hpp"

namespace core::boot {

/// A line that says something, with the lines that a backslash adds to it.
struct TextLine {
    std::uint32_t number = 0;
    std::string text{};
    std::string key{};    ///< `Section.name`, or the first word; empty for the head of a section
    std::string value{};  ///< what stands behind it
};

/// Comments and empty lines are left out.
std::vector<TextLine> logical_lines(Form form, std::string_view text);

/// A file that is in force, as it was read.
struct File {
    std::string path{};
    std::vector<TextLine> lines{};
    std::string refused{};
    std::uint64_t time = 0;
};
/// `/etc/sysctl.d/90-rdma.conf` is `90-rdma.conf`.
std::string_view base_name(std::string_view path);

/// The name of the unit that a file states or adds to: `slurmd.service` of
/// `/etc/systemd/system/slurmd.service.d/10-limits.conf`.
std::string_view unit_of(std::string_view path);

/// The files of the source that no file of the same name hides, by name: the order in which their
/// programs read them.
std::vector<File> in_force(const Source& source, const BootFiles& lines);
/// The drop-in files of the source that add to the file of this name.
std::vector<File> drop_ins(const Source& source, std::string_view name, const BootFiles& lines);

/// A word for yes or no, as systemd (src/basic/parse-util.c, parse_boolean) and the kernel's
/// modules take it.
std::optional<bool> flag_in(std::string_view text);
/// systemd.syntax(7): a size in bytes, with K, M, G and T of 1024. Text that is no size is returned
/// unchanged.
std::string bytes_in(const std::string& text);
std::string_view trimmed(std::string_view text);

}  // namespace core::boot

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/value.hpp"

namespace core {

struct Port;
struct Driver;

/// What a driver accepts for one element of a setting that is a collection of numbers.
struct ElementRange {
    std::string_view element;
    std::uint32_t max = 0;
    std::uint32_t min = 0;
};

/// One file of a back end and the setting whose value it holds. Two entries with the same file name
/// are one switch for two settings.
struct ValueFile {
    std::string_view key;
    std::string_view name;  ///< below the folder; '*' stands for the element
    /// A file that reads 1 while the value is not in force. Writing 1 to it puts the value out of
    /// force.
    std::string_view off{};
    bool again = false;     ///< write it before every commit, as the driver forgets it otherwise
    bool may_hide = false;  ///< the device has and reports no such value while ecn is off
    /// The value follows this prefix on a line of its own; no such line means no value.
    std::string_view prefix{};
    std::string_view none{};         ///< what to write to remove the value
    std::string_view unless_file{};  ///< a file ...
    /// ... in which this line means that the device refuses every value.
    std::string_view unless_line{};
    /// There is no file, as firmware decides: the firmware's name for it.
    std::string_view firmware{};
    /// The elements that the driver has a file for, with what it accepts; empty: those of the
    /// field, with all that its shape admits.
    std::span<const ElementRange> ranges{};
};

/// A driver's sysfs, configfs or debugfs interface to an object. The codec reads and writes by this
/// table, `-o commands` prints from it, and a state file plays it.
struct FileBackEnd {
    std::string_view name;
    /// The path; {port}, {pci} and {rdma} stand for the port's own names, {rdma_port} for its
    /// number in the RDMA device.
    std::string_view folder;
    std::string_view root;     ///< exists wherever the kernel has the interface
    bool made = false;         ///< somebody has to make the device's directory in `root`
    bool hexadecimal = false;  ///< the kernel reads numbers as hexadecimal
    /// A file to write 1 to after all others. It reports what the device holds, while the others
    /// report only what was written.
    std::string_view commit{};
    std::string_view roce_dscp{};  ///< Files that take ...
    /// ... DSCP and priority of RoCE from the APP table before every commit, because a commit
    /// clears the device's table of code points, which netlink goes on listing.
    std::string_view roce_priority{};
    std::span<const ValueFile> files{};
};

/// The pattern with the port's names filled in. Nothing where the port lacks such a name, or the
/// name contains a slash or is a dot name that would lead out of the directory.
std::optional<std::string> path_of(std::string_view pattern, const Port& port);

/// The directory to make for the port's RDMA device in `root`.
std::optional<std::string> directory_of(const FileBackEnd& back_end, const Port& port);

struct FileWrite {
    std::string path;
    std::string text;
    bool operator==(const FileWrite&) const = default;
};

/// The files to write, in order and with the commit last, to get from `now` to `then`; empty where
/// nothing differs. The live host and `-o commands` both use it.
std::vector<FileWrite> file_writes(const FileBackEnd& back_end, const Port& now, const Port& then);

/// Changes `now` to what the port holds after the writes that lead to `then`. A setting that shares
/// a file with a written one gets the same value.
void play_files(const FileBackEnd& back_end, Port& now, const Port& then);

/// The name of the file for one element.
std::string file_name(const ValueFile& file, std::string_view element);

/// The value that a file's text spells: decimal, or hexadecimal after 0x; Enabled and Disabled, or
/// ECT and Not-ECT, for flags. Nothing where the text is not a value of the field `key`.
std::optional<Value> value_in(std::string_view key, std::string_view text);

/// The rest of the first line that starts with the prefix; empty without such a line.
std::string after_prefix(std::string_view text, std::string_view prefix);

/// What the report in the commit file has for the file of this name: the word after `... (name) :`,
/// or in the vendor's later drivers after `name=`. Nothing where the report does not name it.
std::optional<std::string> reported_by(std::string_view report, std::string_view name);
/// Whether the report comes from the vendor's later drivers, whose files all report what the device
/// holds, not just what was written.
[[nodiscard]] bool is_later_form(std::string_view report);
/// Whether a line of the text equals `line`, blanks around it ignored.
[[nodiscard]] bool has_line(std::string_view text, std::string_view line);

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/value.hpp"

namespace core {

struct Port;
struct Driver;

/// One file of a back end, and the setting whose value is in it. Two files of one name are one
/// switch for both settings.
struct ValueFile {
    std::string_view key;
    std::string_view name;   ///< below the folder; '*' stands for the element
    std::string_view off{};  ///< file that reads 1 while the value is not in force, and takes 1 to
                             ///< make it so
    bool again = false;      ///< every commit takes it, as the driver forgets it else
    bool may_hide = false;   ///< the device has no such value, and tells none, while ecn is off
    std::string_view prefix{};  ///< of the one line that tells the value; without it there is none
    std::string_view none{};    ///< what takes the value away
    std::string_view unless_file{};  ///< a file in which ...
    std::string_view unless_line{};  ///< ... this line says that the device refuses every value
    std::string_view firmware{};     ///< there is no file, since the firmware decides: by what
};

/// One way to an object that the kernel offers as files: the driver table's data for the codec of
/// files, for `-o commands` and for what a state file plays.
struct FileBackEnd {
    std::string_view name;
    std::string_view folder;       ///< {port}, {pci} and {rdma} stand for the port's own names
    std::string_view root;         ///< what is there wherever the interface is
    bool made = false;             ///< the device's directory in `root` is for somebody to make
    bool hexadecimal = false;      ///< numbers are read as hexadecimal by the kernel
    std::string_view commit{};     ///< file that takes 1 once all is written, and tells what the
                                   ///< device holds; the others tell only what was written
    std::string_view roce_dscp{};  ///< files that ...
    std::string_view roce_priority{};  ///< ... take what RoCE has in the APP table, with every
                                       ///< commit: it clears the device's table of code points,
                                       ///< and netlink goes on listing them
    std::span<const ValueFile> files{};
};

/// The path with the port's names in it; nothing where the port has no such name, or one that
/// would lead out of its directory.
std::optional<std::string> path_of(std::string_view pattern, const Port& port);

/// The directory that has to be made for the port's device.
std::optional<std::string> directory_of(const FileBackEnd& back_end, const Port& port);

struct FileWrite {
    std::string path;
    std::string text;
    bool operator==(const FileWrite&) const = default;
};

/// What to write one after the other to get from `now` to `then`, the commit last; nothing where
/// nothing differs. One function for the live host and for `-o commands`.
std::vector<FileWrite> file_writes(const FileBackEnd& back_end, const Port& now, const Port& then);

/// Makes `now` what the port holds once the files are written that lead to `then`. A setting that
/// shares a file with one that is written gets its value.
void play_files(const FileBackEnd& back_end, Port& now, const Port& then);

/// Name of the file of one element.
std::string file_name(const ValueFile& file, std::string_view element);

/// The value in the text of a file, decimal, or hexadecimal after 0x; Enabled and Disabled are on
/// and off, and so are ECT and Not-ECT. Nothing where the text is no value.
std::optional<Value> value_in(std::string_view key, std::string_view text);

/// The rest of the line that starts with the prefix; empty where no line does.
std::string after_prefix(std::string_view text, std::string_view prefix);

/// The value that the commit file's report has for the file of this name: the word after
/// `... (name) :`, or after `name=` as the vendor's later drivers have it. Nothing where the report
/// does not name the file.
std::optional<std::string> reported_by(std::string_view report, std::string_view name);
/// Whether the commit file's report is of the vendor's later drivers, in which each file tells what
/// the device holds, and not only what was written.
[[nodiscard]] bool is_later_form(std::string_view report);
/// Whether a line of the text is this one, but for blanks.
[[nodiscard]] bool has_line(std::string_view text, std::string_view line);

}  // namespace core

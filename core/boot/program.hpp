// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/model/at_boot.hpp"
#include "core/objects/host/parts.hpp"

/// What programs set at boot, as their files say.
namespace core::boot {

/// How the lines of a file are read.
enum class Form : std::uint8_t {
    sections,  ///< `[Section]` and `key = value`: systemd's and NetworkManager's
    words,     ///< words in a line, the first of them says what about
    presence,  ///< that the file is there is all
    scripts,   ///< that a file is there which can be run is all
    wants,     ///< a folder of units that something wants or requires, and units that are masked
};

/// Files of one kind that are read at boot: a program's, or those that show which programs run.
struct Source {
    std::string_view name;
    /// Where they are; a file hides those of the same name in the folders behind its own.
    std::span<const std::string_view> folders;
    std::string_view ending{};   ///< of their names
    std::string_view drop_in{};  ///< of folders beside them whose files add to them; empty: none
    Form form = Form::sections;
    std::span<const std::string_view> keys{};  ///< beside those of the table: what is kept of them
    bool hides = true;                         ///< else files of one name in two folders are two
    bool timed = false;                        ///< when they were written counts
    bool of_root = false;          ///< its program leaves out those that others may read
    std::string_view beginning{};  ///< of their names
    bool sparse = false;  ///< of names of which no line is kept in any folder nothing is kept

    [[nodiscard]] bool is_taken(std::string_view file) const {
        return file.starts_with(beginning) && file.ends_with(ending);
    }
};

/// A program that sets something at boot.
struct Program {
    BootProgram program{};
    std::string_view name;
    const Source* source = nullptr;
    std::string_view
        service{};            ///< that has to be enabled; empty: it runs on every host of systemd
    bool late = false;        ///< it may come after rocectl.service
    bool takes_over = false;  ///< it takes away addresses and routes that it was not told of
};

std::span<const Program> programs();
const Program& program_of(BootProgram program);

/// All files that programs read at boot.
std::span<const Source> sources();
const Source& source(std::string_view name);

/// Whether it matters that the unit is started.
[[nodiscard]] bool is_of_interest(std::string_view unit);
/// BootLine::refused of a unit that is a link to /dev/null (systemd.unit(5)).
inline constexpr std::string_view kMasked = "masked";

/// The lines of a file's text that say what is set at boot, behind a line for the file itself. Such
/// files hold secrets too, so that nothing else leaves this function.
BootFiles kept_lines(const Source& source, const std::string& file, std::string_view text);

}  // namespace core::boot

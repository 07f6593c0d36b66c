// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// How text looks, which is on one line whatever stands in it; without colour no more is done to
/// it.
struct Style {
    bool colour = false;
    bool group_ports = true;                ///< ports that differ in nothing are reported as one
    std::size_t width = std::string::npos;  ///< of the terminal; npos: a pipe or file, never folded

    [[nodiscard]] std::string bold(std::string_view text) const { return paint("\x1b[1m", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return paint("\x1b[2m", text); }
    [[nodiscard]] std::string bad(std::string_view text) const { return paint("\x1b[31m", text); }
    [[nodiscard]] std::string good(std::string_view text) const { return paint("\x1b[32m", text); }

    /// A sequence that the functions above make. It has a mark in it that nobody knew before this
    /// process, so that no name on a host can be one; a terminal gets it without.
    struct Sequence {
        std::size_t size = 0;             ///< with its mark; 0: none is there
        std::string_view for_terminal{};  ///< of ECMA-48
    };
    /// The sequence with which the text begins; its size is 0 where the text begins with none.
    static Sequence sequence_at(std::string_view text);

private:
    /// `sequence` is that for a terminal.
    [[nodiscard]] std::string paint(std::string_view sequence, std::string_view text) const;
};

using Row = std::vector<std::string>;

/// Rows with their columns aligned, each line after `indent`; no blanks at the ends of lines. Where
/// they are wider than `most`, the widest columns are narrowed, and their cells go on below.
std::string table(const std::vector<Row>& given, std::string_view indent = "",
                  std::size_t most = std::string::npos);
/// Rows of figures, of which none is folded that fits a line: columns that do not fit beside others
/// stand in a table of their own below, behind the first `keys` columns again.
std::string figures(const std::vector<Row>& rows, std::size_t keys, std::size_t most);
/// The items on lines of up to `most` columns, each after `indent`, `separator` between them.
std::string wrapped(const std::vector<std::string>& items, std::string_view separator,
                    std::string_view indent, std::size_t most);

/// What a line to be pasted into a shell begins with. No other line begins so.
constexpr std::string_view kPaste = "    $ ";
/// The lines folded at blanks where they are wider than `most`, and gone on below the last column
/// that begins in the left half. A line to paste is as it is.
std::string fitted(const std::string& text, std::size_t most);

/// The rows, with one row for several that follow each other, differ in nothing but a number at the
/// end of this column and count up by one there: `dscp.map 8-15`.
std::vector<Row> grouped(const std::vector<Row>& rows, std::size_t column);

/// `1 port`, `2 ports`.
std::string count(std::size_t number, std::string_view noun);

}  // namespace cli

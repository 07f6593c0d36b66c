// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// The text as a value between quotes of an XML 1.0 document or as text of one. Characters that XML
/// has no place for are question marks, what is no UTF-8 is replaced as in the JSON documents.
std::string xml(std::string_view text);

/// The text between the quotes of a label of Prometheus' text format, on one line: what is obeyed
/// is reported as `on_one_line` has it, and its backslashes are doubled.
std::string label(std::string_view text);

/// The text as code in a line of Markdown (CommonMark 6.1): nothing in it is markup or a mention.
std::string markdown_code(std::string_view text);
/// Lines as a block of code of Markdown (CommonMark 4.5), which none of them ends.
std::string markdown_block(std::string_view text);

/// The line of a command to be pasted, which begins as no other line does and is never folded.
std::string paste_line(const std::string& command);
/// A part of a text: a line for a shell, or words.
struct Piece {
    bool command = false;
    std::string text{};
};
/// `dcb pfc show dev PORT, and the same at the switch`, `the value in the profile, and rocectl
/// apply`: the commands in a text and what is said around them, in its order.
std::vector<Piece> pieces_of(const std::string& text);

/// The text in the one line of a monitoring plugin, where `|` would begin the numbers.
std::string plugin_text(std::string_view text);

}  // namespace cli

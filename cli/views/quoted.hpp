// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// The text as a value between quotes of an XML 1.0 document or as text of one. Characters that XML
/// has no place for are question marks, what is no UTF-8 is replaced as in the JSON documents.
std::string xml(std::string_view text);

/// The text as an attribute between double quotes or as text of an HTML page: what would be markup
/// is shown, and so is what would turn the direction of writing or be obeyed (`printable`).
std::string html(std::string_view text);

/// JSON as the text of an HTML page's script element, which nothing in it ends.
std::string script_data(std::string_view json);

/// The text between the quotes of a label of Prometheus' text format, on one line: what is obeyed
/// is reported as `on_one_line` has it, and its backslashes are doubled.
std::string label(std::string_view text);

/// The text as code in a line of Markdown (CommonMark 6.1): nothing in it is markup or a mention.
std::string markdown_code(std::string_view text);
/// Lines as a block of code of Markdown (CommonMark 4.5), which none of them ends.
std::string markdown_block(std::string_view text);

/// The text in the one line of a monitoring plugin, where `|` would begin the numbers.
std::string plugin_text(std::string_view text);

}  // namespace cli

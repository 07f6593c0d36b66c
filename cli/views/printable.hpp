// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace cli {

/// The text as a terminal shows it, which obeys none of it: control characters (C0 but the ends of
/// lines, DEL, C1), marks that turn the direction of writing, each as `\u001b`, which inside a text
/// of JSON is the same character, and bytes that are no UTF-8 as `\x9b`.
std::string printable(std::string_view text);

/// The text as `printable` has it, but with the ends of lines as `\u000a`, so that a name cannot
/// make lines of its own.
std::string on_one_line(std::string_view text);

/// Hands on what is written to it as `printable` has it, the colours of Style where `colour`.
class PrintableBuffer : public std::streambuf {
public:
    /// Where there are colours, those of processes that are begun later pass as well. What runs at
    /// each start lies together ("hot"), here and elsewhere: less of the binary is mapped.
    [[gnu::hot]] PrintableBuffer(std::streambuf& under, bool colour);

protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int_type overflow(int_type byte) override;
    [[gnu::hot]] int sync() override { return under_.pubsync(); }

private:
    std::streambuf& under_;
    bool colour_;
};

}  // namespace cli

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <random>
#include <sstream>

#include "cli/views/markdown.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/quoted.hpp"
#include "cli/views/text.hpp"
#include "core/model/finding_names.hpp"
#include "tests/unit/words_of_others.hpp"

namespace printable_test {

using namespace core;

// A terminal obeys escape sequences (ECMA-48) wherever they stand: in the name of a port, of a
// process, in the words of a kernel or a firmware.

namespace {

/// Erases the line, goes up, ends a line, and says something in green.
const std::string kHostile =
    "\x1b[2K\x1b[A\r\n\x1b[32mas desired\x1b[0m\x7f\xc2\x9b"
    "2K\xe2\x80\xae\x9b";

bool is_obeyed(const std::string& text) {
    return std::ranges::any_of(text,
                               [](char c) {
                                   const auto byte = static_cast<unsigned char>(c);
                                   return (byte < 0x20 && c != '\n') || byte == 0x7f;
                               }) ||
           text.find("\xc2\x9b") != std::string::npos ||
           text.find("\xe2\x80\xae") != std::string::npos;
}

/// What reaches a terminal.
std::string shown(const std::string& text, bool colour) {
    std::ostringstream terminal;
    cli::PrintableBuffer buffer(*terminal.rdbuf(), colour);
    std::ostream out(&buffer);
    out << text << '\n';
    return terminal.str();
}

/// What people are shown of a host on which `word` is in every text that is not rocectl's.
std::vector<std::string> screens(const std::string& word, const cli::Style& style) {
    words_of_others::World world(word);
    const Plan& plan = world.plan;
    std::vector<std::string> out{cli::plan_text(plan, style),
                                 cli::unmanaged_text(plan, world.desired_values, style),
                                 cli::verify_text(plan, world.desired_values, style),
                                 cli::show_text(world.state, style),
                                 cli::port_text(world.state.ports[0], style),
                                 cli::unchanged_text(world.report, style),
                                 cli::plan_markdown(word, plan, style)};
    for (const Status status : {Status::done, Status::brought_back, Status::left_changed}) {
        world.report.status = status;
        out.push_back(cli::report_text(world.report, style));
        out.push_back(cli::rollback_text(world.report, word, style));
    }
    return out;
}

}  // namespace

TEST_CASE("printable: what a terminal obeys is shown, the rest is as it is") {
    CHECK(cli::printable("gr\xc3\xbc\xc3\x9f \xe2\x86\x92 9000\n") ==
          "gr\xc3\xbc\xc3\x9f \xe2\x86\x92 9000\n");
    CHECK(cli::printable("\x1b[2K\r\t\x7f\xc2\x9b") == R"(\u001b[2K\u000d\u0009\u007f\u009b)");
    CHECK(cli::printable("a\x9b\xff\xc3") == R"(a\x9b\xff\xc3)");
    CHECK(cli::printable("\xc1\x9b\xe0\x80\x9b\xed\xa0\x80\xf4\x90\x80\x80") ==
          R"(\xc1\x9b\xe0\x80\x9b\xed\xa0\x80\xf4\x90\x80\x80)");
    CHECK(cli::printable("\xe2\x80\xae") == R"(\u202e)");
    CHECK(cli::printable("\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f") == R"(\u061c\u200e\u200f)");
    CHECK(cli::on_one_line("two\nlines") == R"(two\u000alines)");
}

TEST_CASE("printable: however plain and other text follow each other, the terminal gets the same") {
    std::mt19937 random(1);
    const std::array<std::string, 7> pieces = {"plain ", "\n",     "gr\xc3\xbc\xc3\x9f", "\x1b[2K",
                                               "\xc3",   "\x7f\t", "\xe2\x80\xae"};
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (auto left = random() % 8; left > 0; --left)
            text += pieces.at(random() % pieces.size());
        INFO(text);
        CHECK(shown(text, false) == cli::printable(text) + '\n');
    }
}

TEST_CASE("printable: a terminal that takes no more is reported of, wherever that is") {
    struct Full : std::stringbuf {
        std::streamsize left = 0;
        std::streamsize xsputn(const char* text, std::streamsize size) override {
            const std::streamsize taken = std::min(size, left);
            left -= taken;
            return std::stringbuf::xsputn(text, taken);
        }
    };
    const std::string text = "plain\n\x1b[2Kgr\xc3\xbc\xc3\x9f plain\n\x7f";
    const auto whole = static_cast<std::streamsize>(cli::printable(text).size());
    for (std::streamsize room = 0; room <= whole; ++room) {
        Full terminal;
        terminal.left = room;
        cli::PrintableBuffer buffer(terminal, false);
        std::ostream out(&buffer);
        out << text;
        CHECK(out.good() == (room == whole));
        CHECK(terminal.str() == cli::printable(text).substr(0, static_cast<std::size_t>(room)));
    }
}

TEST_CASE("printable: of sequences only the colours pass, and those only where there are colours") {
    const cli::Style style{.colour = true};
    const std::string coloured =
        style.bad("a") + style.good("b") + style.bold("c") + style.faint("d");
    CHECK(shown(coloured, true) ==
          "\x1b[31ma\x1b[0m\x1b[32mb\x1b[0m\x1b[1mc\x1b[0m\x1b[2md\x1b[0m\n");
    CHECK_FALSE(is_obeyed(shown(coloured, false)));
    CHECK(shown("\x1b[2K\x1b[8m", true) == "\\u001b[2K\\u001b[8m\n");
    // A name that has one in it is a name.
    CHECK(shown(style.good("a\x1b[31mb") + "\x1b[0m", true) ==
          "\x1b[32ma\\u001b[31mb\x1b[0m\\u001b[0m\n");
}

// CommonMark 6.1: code ends at as many backticks as it began with.
TEST_CASE("markdown: code and blocks end where they are to, whatever stands in them") {
    CHECK(cli::markdown_code("") == "");
    CHECK(cli::markdown_code("*9000*") == "`*9000*`");
    CHECK(cli::markdown_code("a|b") == "`a|b`");
    CHECK(cli::markdown_code("a``b") == "```a``b```");
    CHECK(cli::markdown_code("`") == "`` ` ``");
    CHECK(cli::markdown_code("two\nlines") == "`two\\u000alines`");
    CHECK(cli::markdown_block("a\n```\nb") == "````text\na\n```\nb\n````\n");
}

TEST_CASE("law: on every screen a hostile name is a name, and makes no line of its own") {
    const std::vector<std::string> tame = screens("name", {});
    const std::vector<std::string> hostile = screens(kHostile, {});
    REQUIRE(tame.size() == hostile.size());
    for (std::size_t i = 0; i < tame.size(); ++i) {
        INFO(tame[i], "\n", hostile[i]);
        const std::string screen = shown(hostile[i], false);
        CHECK_FALSE(is_obeyed(screen));
        CHECK(std::ranges::count(screen, '\n') == std::ranges::count(tame[i], '\n') + 1);
    }
}

}  // namespace printable_test

// SPDX-License-Identifier: Apache-2.0
// The pages of the manual: what of them is generated, and that they name only what is there.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/driver_reference.hpp"
#include "cli/files/text_file.hpp"
#include "cli/manual.hpp"
#include "cli/reference.hpp"
#include "core/objects/host/parts.hpp"

namespace manual_pages_test {

namespace {

const std::string kManual = ROCECTL_SOURCE_DIR "/man/";

/// man(7) writes a hyphen that can be copied as \-.
std::string plain(const std::string& text) {
    return std::regex_replace(text, std::regex(R"re(\\-)re"), "-");
}

/// What a page has between the marks, which is to be there once.
struct Part {
    std::string text;
    std::size_t first = 0;
    std::size_t length = 0;

    std::string held() const { return text.substr(first, length); }
};

Part part_of(const std::string& file, const std::string& from) {
    const std::string begin = ".\\\" Generated from the " + from + "; see CONTRIBUTING.md.\n";
    Part out{.text = cli::read_file(file)};
    const std::size_t start = out.text.find(begin);
    REQUIRE(start != std::string::npos);
    REQUIRE(out.text.find(begin, start + 1) == std::string::npos);
    out.first = start + begin.size();
    const std::size_t stop = out.text.find(".\\\" End of what is generated.\n", start);
    REQUIRE(stop != std::string::npos);
    out.length = stop - out.first;
    return out;
}

/// Checks what a page has between the marks, or writes it anew.
void hold_generated(const std::string& file, const std::string& from, const std::string& tables) {
    CAPTURE(file);
    Part part = part_of(file, from);
    if (std::getenv("ROCECTL_REGENERATE") != nullptr)
        std::ofstream(file) << part.text.replace(part.first, part.length, tables);
    else
        CHECK(part.held() == tables);
}

const std::string kCommandRows = "rows of commands";
const std::string kOptionRows = "rows of options, but for what follows \"By hand\"";

std::string page_file(const std::string& page) {
    return kManual + page + ".8";
}

/// Checks OPTIONS of a page of section 8, or writes it anew.
void hold_options(const std::string& page) {
    const std::string shared = part_of(page_file("rocectl"), kOptionRows).held();
    const std::string before = part_of(page_file(page), kOptionRows).held();
    hold_generated(page_file(page), kOptionRows, cli::manual_options(page, before, shared));
}

/// The titles of a page's sections.
std::set<std::string> sections_of(const std::string& text) {
    const std::regex form(R"re(\n\.SH "?([A-Z ]+)"?(?=\n))re");
    std::set<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
        out.insert((*at)[1]);
    return out;
}

/// Where a line names the command before an option: behind `rocectl`, or as the word in front of
/// it.
std::size_t place_of(const std::string& before, const cli::Command& command) {
    const std::string name = std::string(command.name) + ' ';
    const std::size_t called = before.rfind("rocectl " + name);
    if (called != std::string::npos) return called + 1;
    if (!before.ends_with(name)) return 0;
    const bool whole = before.size() == name.size() ||
                       std::string_view(" \"(").find(before[before.size() - name.size() - 1]) !=
                           std::string_view::npos;
    return whole ? before.size() : 0;
}

/// The command of which a line names an option at `at`; none where it names none before.
const cli::Command* command_before(const std::string& line, std::size_t at) {
    const std::string before = line.substr(0, at);
    const cli::Command* out = nullptr;
    std::size_t found = 0;
    for (const cli::Command* const command : cli::commands())
        if (const std::size_t place = place_of(before, *command); place > found) {
            out = command;
            found = place;
        }
    return out;
}

bool takes(const cli::Command& command, const std::string& option) {
    return std::ranges::any_of(command.options,
                               [&](const cli::OptionRow* row) { return row->name == option; });
}

/// Whether a line of a page may name the option: one of its command, of the page's, or of every
/// command; in rocectl(8) that of any.
bool may_name(const std::string& page, const cli::Command* command, const std::string& option) {
    const auto common = cli::common_options();
    if (option == "--help" || option == "--version" ||
        std::ranges::find(common, option, &cli::OptionRow::name) != common.end())
        return true;
    if (command != nullptr) return takes(*command, option);
    return std::ranges::any_of(cli::commands(), [&](const cli::Command* each) {
        return (page == "rocectl" || cli::manual_page(each->name) == page) && takes(*each, option);
    });
}

}  // namespace

TEST_CASE("law: whoever reads the host can say how long it may take") {
    for (const cli::Command* const command : cli::commands()) {
        INFO(command->name);
        // The journal is in files of rocectl alone: no driver hangs there.
        if (command->host == cli::HostUse::reads && command->name != "history")
            CHECK(takes(*command, "--time-limit"));
    }
}

TEST_CASE("rocectl(8): SAFETY names each variable of others' environments that is kept") {
    const std::string text = cli::read_file(page_file("rocectl"));
    const std::size_t start = text.find("of which only variables that begin with");
    const std::size_t end = text.find("are kept", start);
    REQUIRE(end != std::string::npos);
    const std::string said = text.substr(start, end - start);
    for (std::string_view name : core::environments::kKept) {
        CAPTURE(name);
        if (name.ends_with('=')) name.remove_suffix(1);
        CHECK(said.find(name) != std::string::npos);
    }
}

TEST_CASE("rocectl(8): SAFETY names each command that can read in a process of its own") {
    const std::string text = cli::read_file(page_file("rocectl"));
    const std::size_t start = text.find("waits as long as it has to;");
    const std::size_t always = text.find("\nalways, and", start);
    const std::size_t end = text.find("run in a process of their own", start);
    REQUIRE(always < end);
    REQUIRE(end != std::string::npos);
    for (const cli::Command* const command : cli::commands()) {
        INFO(command->name);
        if (command->host != cli::HostUse::reads || !takes(*command, "--time-limit")) continue;
        const std::size_t named = text.find(command->name, command->limited ? start : always);
        CHECK(named < (command->limited ? always : end));
    }
}

TEST_CASE("rocectl(8): the findings are those of the catalogue, in rocectl-checks(7)") {
    hold_generated(kManual + "rocectl-checks.7", "catalogue of findings", cli::manual_findings());
}

TEST_CASE("rocectl-drivers(7): the families are those of the rows, and each fact has its source") {
    hold_generated(kManual + "rocectl-drivers.7", "rows of drivers", cli::manual_drivers());
    const auto texts = [](const core::Driver& driver) {
        std::map<std::string, std::string> out;
        for (const core::DriverTopic& topic : core::topics_of(driver))
            out[topic.name] = topic.text;
        return out;
    };
    // Without facts, or about what no source tells.
    const std::set<std::string> bare = {"DCB", "buffers", "limits of rate", "cannot be read"};
    const std::map<std::string, std::string> silent = texts(core::Driver{.name = "x", .doc = "x"});
    for (const core::Driver* const driver : core::drivers()) {
        CAPTURE(driver->name);
        CHECK_FALSE(driver->folder.empty());
        CHECK_FALSE(driver->read_in.empty());
        for (const core::DriverTopic& topic : core::topics_of(*driver)) {
            CAPTURE(topic.name);
            CAPTURE(topic.text);
            const auto at = silent.find(topic.name);
            const bool own = at == silent.end() || at->second != topic.text;
            const bool known = topic.text.find("not known") == std::string::npos;
            CHECK((!own || !known || bare.contains(topic.name) || !topic.source.empty()));
        }
    }
}

TEST_CASE("rocectl-drivers(7): what is asked of a family before it is bought is answered there") {
    for (const core::Driver* const driver : core::drivers()) {
        if (driver->dcb_operations.empty()) continue;
        CAPTURE(driver->name);
        std::set<std::string> names;
        for (const core::DriverTopic& topic : core::topics_of(*driver))
            names.insert(topic.name);
        for (const char* name :
             {"devices", "DCB", "trust and map", "ETS", "PFC", "buffers", "limits of rate", "pause",
              "RDMA device", "counters", "disruption", "cannot be read"}) {
            CAPTURE(name);
            CHECK(names.contains(name));
        }
        for (const char* name : {"congestion control", "ToS of RDMA", "RDMA MTU"}) {
            CAPTURE(name);
            CHECK(names.contains(name) == driver->rdma_port.no_roce.empty());
        }
    }
}

TEST_CASE("rocectl(8): the findings, commands and options are those of the rows, a page for each") {
    hold_generated(page_file("rocectl"), kCommandRows, cli::manual_commands());
    hold_options("rocectl");
    for (const std::string& page : cli::manual_pages()) {
        CAPTURE(page);
        hold_generated(page_file(page), kCommandRows, cli::manual_head(page));
        hold_options(page);
    }
}

TEST_CASE(
    "manual: every page of a command has the sections that a reader looks for, in their order") {
    const std::vector<std::string> pages = cli::manual_pages();
    for (const std::string& page : pages) {
        CAPTURE(page);
        const std::string text = cli::read_file(page_file(page));
        std::size_t last = 0;
        for (const char* section : {".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS",
                                    ".SH EXAMPLES", ".SH \"SEE ALSO\""}) {
            CAPTURE(section);
            const std::size_t at = text.find(std::string(section) + '\n');
            REQUIRE(at != std::string::npos);
            CHECK(at > last);
            last = at;
        }
        CHECK(text.find("\n.BR rocectl (8)", last) != std::string::npos);
    }
    for (const auto& file : std::filesystem::directory_iterator(kManual)) {
        CAPTURE(file.path());
        const bool of_commands = file.path().extension() == ".8" && file.path().stem() != "rocectl";
        CHECK((!of_commands || std::ranges::count(pages, file.path().stem().string()) == 1));
    }
}

TEST_CASE("manual: every page and section that a page names is there") {
    const std::regex named(
        R"re((?:\b([A-Z][A-Z ]+) (?:in|of)\n)?\.BR (rocectl[a-z-]*) \(([0-9])\))re");
    const std::regex comment(R"re(\.\\".*\n)re");
    const std::regex here(R"re(\b[Ss]ee ([A-Z][A-Z ]{3,})(?=[.,;:)\n]))re");
    for (const auto& file : std::filesystem::directory_iterator(kManual)) {
        const std::string text =
            std::regex_replace(plain(cli::read_file(file.path())), comment, "");
        CAPTURE(file.path());
        for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
            const std::string page = kManual + (*at)[2].str() + '.' + (*at)[3].str();
            CAPTURE(at->str());
            REQUIRE(std::filesystem::exists(page));
            if ((*at)[1].matched) CHECK(sections_of(cli::read_file(page)).contains((*at)[1]));
        }
        for (std::sregex_iterator at(text.begin(), text.end(), here), end; at != end; ++at) {
            CAPTURE(at->str());
            CHECK(sections_of(text).contains((*at)[1]));
        }
    }
}

TEST_CASE(
    "manual: a page names no option that its commands do not take, nor another's in its name") {
    // Of systemd-run, srun and mpirun.
    const std::set<std::string> others = {"--scope", "--ntasks-per-node", "--map-by"};
    const std::regex option(R"re((?:^|[^-\w])(--[a-z][a-z-]*))re");
    for (const auto& file : std::filesystem::directory_iterator(kManual)) {
        const bool of_commands = file.path().extension() == ".8";
        std::istringstream lines(plain(cli::read_file(file.path())));
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(file.path());
            CAPTURE(line);
            for (std::sregex_iterator at(line.begin(), line.end(), option), end; at != end; ++at) {
                const cli::Command* const command =
                    command_before(line, static_cast<std::size_t>(at->position(1)));
                if ((!of_commands && command == nullptr) || others.contains((*at)[1])) continue;
                CHECK(may_name(file.path().stem(), command, (*at)[1]));
            }
        }
    }
}

TEST_CASE("rocectl(8): has every exit status") {
    const std::string text = cli::read_file(page_file("rocectl"));
    for (const char* status : {"0", "1", "2", "3", "4", "64", "65", "77"}) {
        CAPTURE(status);
        CHECK(text.find(".TP\n.B " + std::string(status) + "\n") != std::string::npos);
    }
}

}  // namespace manual_pages_test

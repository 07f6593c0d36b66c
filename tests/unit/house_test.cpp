// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/objects/rows.hpp"
#include "tests/unit/wire.hpp"

// What CONTRIBUTING.md promises of every object: who adds one and forgets a part of it reads here
// which. What an object needs is found by its name, in no list.

namespace house_test {

namespace {

namespace fs = std::filesystem;
using core::Field;
using core::ObjectRow;

const fs::path kRoot = ROCECTL_SOURCE_DIR;

std::string contents(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The files below a folder, by what they hold: read once, since the laws ask for each object.
const std::map<fs::path, std::string>& files_below(std::string_view folder,
                                                   std::string_view extension) {
    static std::map<fs::path, std::map<fs::path, std::string>> known;
    const auto [place, is_new] =
        known.try_emplace(fs::path(folder) / ("*" + std::string(extension)));
    std::map<fs::path, std::string>& found = place->second;
    if (!is_new) return found;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
        if (entry.is_regular_file() && entry.path().extension() == extension)
            found.emplace(entry.path().lexically_relative(kRoot), contents(entry.path()));
    return found;
}

/// The file below a folder that is called as the object is.
std::vector<fs::path> called(const std::string& name, std::string_view folder) {
    std::vector<fs::path> found;
    for (const auto& [path, text] : files_below(folder, ".cpp"))
        if (path.stem() == name) found.push_back(path);
    return found;
}

bool says(const std::string& text, const std::string& pattern) {
    static std::map<std::string, std::regex> known;
    return std::regex_search(text, known.try_emplace(pattern, pattern).first->second);
}

/// The lines of the list of codecs that name the object, or a list of objects that does.
std::vector<std::string> lines_of(const std::string& name) {
    std::vector<std::string> out;
    std::istringstream list(contents(kRoot / "cli/run/codecs.cpp"));
    std::string lists = "(?!)";
    for (std::string line; std::getline(list, line);) {
        std::smatch found;
        if (std::regex_search(line, found, std::regex(R"(constexpr std::array (kOf\w+) = \{)")) &&
            says(line, "\\b" + name + "\\b"))
            lists += "|" + found[1].str();
        if (says(line, "<" + name + ",|\\.object = " + name + ",|\\b(" + lists + ")\\b"))
            out.push_back(line);
    }
    return out;
}

using Codecs = std::map<std::string, std::set<fs::path>>;

/// The files that hold what the list of codecs reads and writes each object with: one of its name,
/// where there is one, else those that it shares.
Codecs gathered_codecs() {
    std::map<fs::path, std::string> sources;
    for (const char* layer : {"netlink", "dcb", "verbs"})
        sources.insert(files_below(layer, ".cpp").begin(), files_below(layer, ".cpp").end());
    const std::regex form(R"((netlink|dcb|verbs)::((read|fill|write)_\w+))");
    Codecs out;
    for (const ObjectRow* row : core::objects()) {
        const std::string name(row->name);
        for (const std::string& line : lines_of(name))
            for (std::sregex_iterator at(line.begin(), line.end(), form), end; at != end; ++at)
                for (const auto& [path, text] : sources)
                    if (*path.begin() == (*at)[1].str() &&
                        text.find("\nvoid " + (*at)[2].str() + "(") != std::string::npos)
                        out[name].insert(path);
        std::set<fs::path> own;
        for (const fs::path& path : out[name])
            if (path.stem() == name) own.insert(path);
        if (!own.empty()) out[name] = own;
    }
    return out;
}

const Codecs& codecs() {
    static const Codecs known = gathered_codecs();
    return known;
}

/// Whether the codec decodes what a kernel sends, or reads files and asks by other calls.
bool speaks_netlink(const fs::path& codec) {
    return std::regex_search(contents(kRoot / codec), std::regex(R"(\b(Attributes|Message)\b)"));
}

/// A test case whose title starts with what it is about: `ring, channels: what …`.
struct Case {
    std::vector<std::string> about;
    std::string text;
};

std::vector<Case> cases_in(const std::string& text) {
    const std::regex form(R"re(TEST_CASE\(\s*"([a-z0-9_, ]+): )re");
    std::vector<Case> out;
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at) {
        const auto start = static_cast<std::size_t>(at->position());
        Case found{.about = {}, .text = text.substr(start, text.find("\n}\n", start) - start)};
        const std::string title = (*at)[1];
        const std::regex word("[a-z0-9_]+");
        for (std::sregex_iterator name(title.begin(), title.end(), word); name != end; ++name)
            found.about.push_back(name->str());
        out.push_back(std::move(found));
    }
    return out;
}

/// The test cases about an object, of the tests that hand captures to decoders or of all.
std::vector<std::string> cases_about(const std::string& object, bool with_captures) {
    static std::map<fs::path, std::vector<Case>> known;
    if (known.empty())
        for (const auto& [path, text] : files_below("tests/unit", ".cpp"))
            known.emplace(path, cases_in(text));
    std::vector<std::string> out;
    for (const auto& [path, text] : files_below("tests/unit", ".cpp")) {
        if (with_captures && text.find("\"tests/unit/wire.hpp\"") == std::string::npos) continue;
        for (const Case& found : known.at(path))
            if (std::ranges::find(found.about, object) != found.about.end())
                out.push_back(found.text);
    }
    return out;
}

/// Whether the text names a capture that is there: `"link-port"`, or `"6.1/ethtool-rings"`.
bool names_capture(const std::string& text) {
    const std::regex form(R"re("([a-z0-9./-]+)")re");
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
        if (wire::any_kernel_has((*at)[1].str().substr((*at)[1].str().find('/') + 1))) return true;
    return false;
}

/// Whether a kernel is asked for the object in the lab, or in a network namespace.
bool met_in_lab(const ObjectRow& row) {
    std::string text;
    for (const auto& [path, scenario] : files_below("tests/lab/scenarios", ""))
        text += scenario;
    for (const auto& [path, test] : files_below("tests/netns", ".cpp"))
        text += test;
    const auto named = [&text](std::string name) {
        name = std::regex_replace(name, std::regex(R"(\.)"), R"(\.)");
        return std::regex_search(text, std::regex("\\b" + name + "\\b"));
    };
    return fs::exists(kRoot / "tests/lab/scenarios" / row.name) ||
           named("Object::" + std::string(row.name)) ||
           std::ranges::any_of(row.fields, [&](const Field& field) {
               const std::string key(core::key_in_place(field));
               return named(std::string(field.key)) ||
                      (key.find('.') != std::string::npos && named(key));
           });
}

/// man(7) writes a hyphen that can be copied as \-, and a backslash as \e.
std::string as_printed(const std::string& roff) {
    return std::regex_replace(roff, std::regex(R"(\\-)"), "-");
}

/// What rocectl-profile(5) says of a key, from its tag to the next one; empty where it has none.
std::string words_of(const std::string& manual, std::string_view key) {
    const std::string tag = ".TP\n.B " + std::string(key) + "\n";
    const std::size_t start = manual.find(tag);
    if (start == std::string::npos) return {};
    const std::size_t from = start + tag.size();
    return manual.substr(
        from, std::min(manual.find("\n.TP\n", from), manual.find("\n.SH ", from)) - from);
}

}  // namespace

TEST_CASE("house: the name of a type is one in its namespace, whatever includes what") {
    // Two of them are one to the linker: a template's code for the one runs with the other.
    const std::regex opens(R"re((?:inline )?namespace ?([a-z0-9_:]*) ?\{)re");
    const std::regex defines(
        R"re((?:(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: :[^;]*)?(?: \{[^;]*)?|using (\w+) =.*))re");
    std::map<std::string, std::pair<fs::path, std::string>> known;  // with an alias's line
    for (const char* layer : {"core", "netlink", "dcb", "verbs", "cli"})
        for (const char* extension : {".cpp", ".hpp"})
            for (const auto& [path, text] : files_below(layer, extension)) {
                std::vector<std::string> namespaces;
                std::istringstream lines(text);
                for (std::string line; std::getline(lines, line);) {
                    std::smatch found;
                    if (std::regex_match(line, found, opens)) {
                        namespaces.push_back(found[1]);
                    } else if (line.starts_with("}  // namespace") && !namespaces.empty()) {
                        namespaces.pop_back();
                    } else if (std::regex_match(line, found, defines) &&
                               std::ranges::find(namespaces, "") == namespaces.end()) {
                        std::string name;
                        for (const std::string& outer : namespaces)
                            name += outer + "::";
                        name += found[1].matched ? found[1].str() : found[2].str();
                        const std::string alias = found[2].matched ? line : "";
                        const auto [other, is_new] = known.emplace(name, std::pair(path, alias));
                        INFO(name, " is defined in ", path.string(), " and in ",
                             other->second.first.string());
                        // The same alias twice is one.
                        CHECK((is_new || (!alias.empty() && other->second.second == alias)));
                    }
                }
            }
    CHECK(known.size() > 400);
}

TEST_CASE("house: every object has a room of its own, with the row and the fields in it") {
    for (const ObjectRow* row : core::objects()) {
        const std::string name(row->name);
        INFO("core/objects: ", name);
        const std::vector<fs::path> rooms = called(name, "core/objects");
        REQUIRE(rooms.size() == 1);
        CHECK(contents(kRoot / rooms[0]).find("constinit const ObjectRow row") !=
              std::string::npos);
        CHECK_FALSE(row->fields.empty());
    }
}

TEST_CASE("house: every object has a codec with its name, or shares one") {
    const Codecs& all = codecs();
    for (const auto& [name, files] : all) {
        INFO("no line for ", name, " in cli/run/codecs.cpp, or none of the functions it names is");
        INFO("in netlink/*/", name, ".cpp, dcb/", name, ".cpp or the codec of another object");
        CHECK(std::ranges::any_of(files, [&, &name = name](const fs::path& file) {
            return file.stem() == name || std::ranges::any_of(all, [&](const auto& other) {
                       return other.first != name && other.second.contains(file);
                   });
        }));
    }
}

TEST_CASE("house: a row whose play has a name for the state says that it sees others") {
    // Who has no name for it cannot look at it, and what is refused once is not asked again there.
    for (const ObjectRow* row : core::objects()) {
        if (row->play == nullptr) continue;
        INFO(row->name);
        std::string own;
        for (const auto& [path, text] : files_below("core/objects", ".cpp"))
            if (text.find("namespace core::" + std::string(row->name) + " {") != std::string::npos)
                own += text;
        const bool plays = says(own, "Played play\\(");
        const bool named = says(own, "Played play\\([^)]*State& [a-z]");
        CHECK((row->sees_others || !plays || !named));
        CHECK((!row->sees_others || named));
    }
}

TEST_CASE(
    "house: an object is named in its room, its codec, a driver, a check or an intent alone") {
    // What else a loop must know of it is a column of its row. In the model `Object::object` is
    // what the list of objects is expanded with.
    const std::regex where(
        R"((core/(objects|drivers|checks)|netlink|dcb)/.*|core/profile/roce_intent.*|cli/run/codecs\.cpp)");
    const std::regex named(R"(\bObject::(?!object\b)[a-z_]+|\busing enum [a-z:]*\bObject;)");
    for (const char* layer : {"core", "netlink", "dcb", "verbs", "cli"})
        for (const char* extension : {".cpp", ".hpp"})
            for (const auto& [path, text] : files_below(layer, extension)) {
                if (text.find("Object") == std::string::npos) continue;  // regexes are slow
                if (std::regex_match(path.string(), where)) continue;
                std::smatch found;
                const bool names = std::regex_search(text, found, named);
                CHECK_MESSAGE(!names, path.string(), ": ", found.str());
            }
}

TEST_CASE("house: what a driver does is said in its family's room alone") {
    for (const char* layer : {"core", "netlink", "dcb", "verbs", "cli"})
        for (const char* extension : {".cpp", ".hpp"})
            for (const auto& [path, text] : files_below(layer, extension)) {
                if (path.string().starts_with("core/drivers/")) continue;
                for (const core::Driver* driver : core::drivers().first(core::drivers().size() - 1))
                    CHECK_MESSAGE(
                        text.find('"' + std::string(driver->name) + '"') == std::string::npos,
                        path.string(), ": ", driver->name);
            }
}

TEST_CASE("house: every codec is tested with a kernel's bytes, or against a kernel") {
    const Codecs& all = codecs();
    for (const ObjectRow* row : core::objects()) {
        const std::string name(row->name);
        INFO(name, ": no test case \"", name, ": …\" in tests/unit");
        if (std::ranges::any_of(all.at(name), speaks_netlink)) {
            INFO("that names a capture of tests/wire");
            CHECK(std::ranges::any_of(cases_about(name, true), names_capture));
        } else {
            INFO("and neither tests/lab nor tests/netns names it");
            CHECK((!cases_about(name, false).empty() || met_in_lab(*row)));
        }
    }
}

TEST_CASE("house: every parser of a file, and every decoder of what a kernel answers, is fuzzed") {
    const std::string fuzzed =
        contents(kRoot / "tests/fuzz/files.cpp") + contents(kRoot / "tests/fuzz/kernels.cpp");
    const std::regex ways_in(
        R"((decode_\w+)\((netlink::)?Bytes |((load|parse)_\w+)\((const Source& source|std::string_view text, const std::string& file)[,)])");
    std::set<std::string> names;
    for (const char* layer : {"netlink", "dcb", "core"})
        for (const auto& [path, text] : files_below(layer, ".hpp"))
            for (std::sregex_iterator at(text.begin(), text.end(), ways_in), end; at != end; ++at)
                names.insert((*at)[1].matched ? (*at)[1] : (*at)[3]);
    CHECK(names.erase("parse_tree") == 1);  // with which every other parser begins
    CHECK(names.size() > 20);
    for (const std::string& name : names) {
        INFO(name);
        CHECK(fuzzed.find(name + '(') != std::string::npos);
    }
}

TEST_CASE("house: the manual has words for every field, and an example of every setting") {
    const std::string manual = as_printed(contents(kRoot / "man/rocectl-profile.5"));
    for (const ObjectRow* row : core::objects())
        for (const Field& field : row->fields) {
            INFO(row->name, ": ", field.key);
            const std::string words = words_of(manual, field.key);
            CHECK(words.find(field.doc) != std::string::npos);
            if (field.use != Field::Use::setting) continue;
            const std::string_view outermost = field.key.substr(0, field.key.find('.'));
            CHECK(words.find("\n\\fB\"" + std::string(outermost)) != std::string::npos);
        }
}

}  // namespace house_test

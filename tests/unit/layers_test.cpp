// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cli/files/text_file.hpp"
#include "cli/run/codecs.hpp"

namespace layers_test {

namespace {

namespace fs = std::filesystem;

/// The directions of the layers: what each may include beside itself.
const std::map<std::string, std::set<std::string>> kMay = {
    {"core", {}},
    {"netlink", {"core"}},
    {"dcb", {"netlink", "core"}},
    {"verbs", {"netlink", "core"}},
    {"cli", {"dcb", "verbs", "netlink", "core"}}};

std::vector<std::string> included(const fs::path& file, const std::regex& form) {
    const std::string text = cli::read_file(file);
    std::vector<std::string> names;
    for (std::sregex_iterator at(text.begin(), text.end(), form), end; at != end; ++at)
        names.push_back((*at)[1]);
    return names;
}

std::vector<fs::path> files_of(const std::string& layer) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(ROCECTL_SOURCE_DIR "/" + layer))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
            files.push_back(entry.path());
    return files;
}

/// `core/objects` of core/objects/dcb/pfc.cpp. At the root of cli stand what all its folders know
/// (options, log) and what knows all of them (main, help): as one folder they could not be below
/// and above the others. So a file there has a folder of its own, together with those that go on
/// with it: `cli/options` of cli/options.cpp.
std::string folder_of(const std::string& file) {
    const std::size_t first = file.find('/');
    const std::size_t second = file.find('/', first + 1);
    if (second != std::string::npos) return file.substr(0, second);
    if (file.starts_with("cli/")) return file.substr(0, file.find_first_of("_.", first));
    return file.substr(0, first);
}

/// The folders that each folder of a layer includes something of, with one include that shows it.
using Folders = std::map<std::string, std::map<std::string, std::string>>;

Folders folders_of(const std::string& layer) {
    const std::regex own("#include \"(" + layer + "/[a-z0-9_/.]+)\"");
    Folders out;
    for (const fs::path& file : files_of(layer)) {
        const std::string name = file.lexically_relative(ROCECTL_SOURCE_DIR).string();
        for (const std::string& header : included(file, own)) {
            // A port is made of the parts of all objects, and so of the list of them.
            if (name == "core/model/state.hpp" && header == "core/objects/list.hpp") continue;
            if (folder_of(name) != folder_of(header))
                out[folder_of(name)].emplace(folder_of(header), name + " includes " + header);
        }
    }
    return out;
}

/// The includes that lead from the folder over others back to it, as few as there are; empty where
/// none do.
std::string cycle_from(const std::string& start, const Folders& folders) {
    std::map<std::string, std::string> ways = {{start, ""}};
    std::vector<std::string> left = {start};
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto found = folders.find(left[i]);
        if (found == folders.end()) continue;
        for (const auto& [folder, include] : found->second) {
            const std::string way = ways.at(left[i]) + "\n  " + include;
            if (folder == start) return way;
            if (ways.emplace(folder, way).second) left.push_back(folder);
        }
    }
    return {};
}

}  // namespace

TEST_CASE("layers: no folder includes another one that includes it") {
    for (const char* layer : {"core", "netlink", "dcb", "verbs", "cli"}) {
        const Folders folders = folders_of(layer);
        for (const auto& [folder, others] : folders)
            CHECK_MESSAGE(cycle_from(folder, folders).empty(), folder, ":",
                          cycle_from(folder, folders));
    }
}

TEST_CASE("layers: each includes only what is below it") {
    const std::regex own("#include \"([a-z]+)/");
    for (const auto& [layer, may] : kMay) {
        REQUIRE(!files_of(layer).empty());
        for (const fs::path& file : files_of(layer))
            for (const std::string& other : included(file, own)) {
                CAPTURE(file);
                CAPTURE(other);
                CHECK((other == layer || may.contains(other)));
            }
    }
}

TEST_CASE("layers: core knows no socket, file, clock, environment, log or print") {
    // What computes; <chrono> for its durations, <arpa/inet.h> for the text of addresses.
    const std::regex computes(
        "algorithm|array|bit|bitset|charconv|compare|concepts|cstddef|cstdint|cerrno|cmath|deque|"
        "exception|functional|initializer_list|iterator|limits|map|memory|new|numeric|optional|"
        "ranges|set|span|stdexcept|string|string_view|tuple|type_traits|"
        "unordered_map|unordered_set|utility|variant|vector|"
        "chrono|nlohmann/json(_fwd)?.hpp|arpa/inet.h|fnmatch.h");
    const std::regex system("#include <([A-Za-z0-9_/.]+)>");
    const std::regex outside("\\b([a-z]+_clock|get_?env|random_device|s?rand)\\b");
    for (const fs::path& file : files_of("core")) {
        CAPTURE(file);
        for (const std::string& header : included(file, system)) {
            CAPTURE(header);
            CHECK(std::regex_match(header, computes));
        }
        CHECK(included(file, outside) == std::vector<std::string>{});
    }
}

TEST_CASE("layers: one cli file knows the option parser, one the log") {
    std::set<std::string> parsers;
    std::set<std::string> logs;
    const std::regex form("#include <(CLI|spdlog)/");
    for (const fs::path& file : files_of("cli"))
        for (const std::string& header : included(file, form))
            (header == "CLI" ? parsers : logs).insert(file.filename().string());
    CHECK(parsers == std::set<std::string>{"parse.cpp"});
    CHECK(logs == std::set<std::string>{"log.cpp"});
}

TEST_CASE("layers: in cli, files are opened in one folder, which asks whose they are") {
    // Elsewhere only what is the kernel's: /dev, and /proc below the root.
    const std::regex opens(
        R"re(\b[io]?fstream\b|\bfopen\(|\b(read|open)_file\(|\bopen(at)?\(("|[a-z_.]+\.c_str))re");
    const std::regex device(R"re(open\(\s*"/dev/(null|infiniband)")re");
    for (const fs::path& file : files_of("cli")) {
        const std::string name = file.string().substr(std::string(ROCECTL_SOURCE_DIR "/").size());
        if (name.starts_with("cli/files/")) continue;
        const std::string text = std::regex_replace(cli::read_file(file), device, "");
        CHECK_MESSAGE(!std::regex_search(text, opens), name);
    }
}

TEST_CASE("layers: a file of the host is opened in one place, below the root it has") {
    // By a path that is a text, as which --root is left by `..` and by links.
    const std::regex by_text(
        R"re(\b[io]?fstream\b|\b(fopen|opendir)\(|\bdirectory_iterator\b|\b(fs|filesystem)::(exists|is_[a-z]+|status|symlink_status|read_symlink|canonical|weakly_canonical|remove|remove_all|rename|create_[a-z]+|copy[a-z_]*|permissions|file_size|last_write_time)\b|\b(open|creat|l?stat|statfs|access|readlink|unlink|rename|mkdir|rmdir|chmod|l?chown|truncate|l?getxattr)\([a-z_.>:-]+c_str\(\))re");
    // By a name in a folder that is open.
    const std::regex by_name(
        R"re(\b(openat|fstatat|faccessat|readlinkat|unlinkat|renameat|mkdirat|linkat|symlinkat)\()re");
    const std::set<std::string> one_place = {"netlink/transport/host_path.cpp",
                                             "netlink/transport/path_walk.cpp"};
    const std::set<std::string> in_open_folders = {
        "netlink/system/library_conf.cpp", "cli/files/own.cpp", "cli/files/output_file.cpp"};
    // The list of who may write an open file has no call of its own for O_PATH: by /proc/self/fd.
    const std::string of_open = "cli/files/owner.cpp";
    for (const char* layer : {"netlink", "dcb", "verbs", "cli"})
        for (const fs::path& file : files_of(layer)) {
            const std::string name = file.lexically_relative(ROCECTL_SOURCE_DIR).string();
            if (one_place.contains(name)) continue;
            const std::string text = cli::read_file(file);
            CHECK_MESSAGE((name == of_open || !std::regex_search(text, by_text)), name);
            CHECK_MESSAGE((in_open_folders.contains(name) || !std::regex_search(text, by_name)),
                          name);
        }
}

TEST_CASE("layers: in cli, what opens files and what seals know none of its other rooms") {
    const std::regex other("#include \"(cli/[a-z_/]+)");
    const std::vector<std::pair<std::string, std::regex>> rooms = {
        {"cli/seal", std::regex("cli/seal/.*")},
        {"cli/files", std::regex("cli/(files|seal)/.*|cli/log")}};
    for (const auto& [room, may] : rooms)
        for (const fs::path& file : files_of(room))
            for (const std::string& header : included(file, other)) {
                CAPTURE(file);
                CAPTURE(header);
                CHECK(std::regex_match(header, may));
            }
}

TEST_CASE("layers: nothing of std::ranges that clang 14 does not take with GCC 12's library") {
    // Each instantiates view_interface of subrange, which that clang cannot.
    const std::regex beyond(
        R"(std::(views::|ranges::(unique|remove|remove_if|rotate|shift_left|shift_right|search|)"
        R"(search_n|find_end|partition|stable_partition|equal_range|subrange)\())");
    for (const char* layer : {"core", "netlink", "dcb", "verbs", "cli"})
        for (const fs::path& file : files_of(layer)) {
            CAPTURE(file);
            CHECK_FALSE(std::regex_search(cli::read_file(file), beyond));
        }
}

TEST_CASE("layers: how a file is written is known below what a profile means") {
    const std::regex profile("#include \"(core/profile/[a-z_/]+)");
    for (const char* folder : {"core/json", "core/model", "core/objects", "core/plan"})
        for (const fs::path& file : files_of(folder)) {
            CAPTURE(file);
            CHECK(included(file, profile).empty());
        }
}

TEST_CASE(
    "layers: what is read fills every object once, and every object that has play is written") {
    std::map<core::Object, int> filled, written;
    for (const netlink::Codec& codec : cli::codecs()) {
        INFO("the codec of ", core::row_of(codec.object).name);
        CHECK((codec.read != nullptr) == !codec.fills.empty());
        for (const core::Object object : codec.fills)
            ++filled[object];
        if (codec.write != nullptr) ++written[codec.object];
    }
    // These come with the links that every scope begins with (netlink/link/read_links).
    for (const core::Object object :
         {core::Object::link, core::Object::vlan, core::Object::bond, core::Object::bond_members})
        ++filled[object];
    for (const core::ObjectRow* row : core::objects()) {
        INFO("cli/run/codecs.cpp: ", row->name);
        CHECK(filled[row->object] == 1);
        CHECK(written[row->object] == (row->play != nullptr ? 1 : 0));
    }
}

}  // namespace layers_test

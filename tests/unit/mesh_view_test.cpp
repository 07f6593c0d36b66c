// SPDX-License-Identifier: Apache-2.0
// What a mesh says: text, JSON, page; and what travels to whoever measures.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/files/text_file.hpp"
#include "cli/parse.hpp"
#include "cli/probe/mesh_task.hpp"
#include "cli/views/mesh.hpp"
#include "core/error.hpp"

namespace mesh_view_test {

using namespace core::probe;

namespace {

/// A fabric with leaves of 16 hosts, where one host is slow, one leaf too, one pair loses packets
/// and one fails.
Mesh fabric(std::uint32_t hosts) {
    Mesh out{.seconds = 12};
    for (std::uint32_t host = 0; host < hosts; ++host)
        out.hosts.push_back(
            {.name = "rack" + std::to_string(host / 16) + "-node" + std::to_string(host % 16),
             .rails = 1});
    for (std::uint32_t from = 0; from < hosts; ++from)
        for (std::uint32_t to = 0; to < hosts; ++to) {
            if (from == to) continue;
            const bool slow = from == 5 || to == 5;
            const bool leaf = from / 16 != to / 16 && (from / 16 == 2 || to / 16 == 2);
            const std::uint64_t scatter = (from * 7919 + to * 104729) % 400;
            const std::uint64_t p50 = (from / 16 == to / 16 ? 2200U : 3100U) + scatter +
                                      (slow ? 6000U : 0U) + (leaf ? 2500U : 0U);
            MeshResult result{.from = from,
                              .to = to,
                              .trials = {{.operation = Operation::write,
                                          .p50 = p50,
                                          .p99 = p50 * 2,
                                          .bandwidth = (leaf ? 40'000'000'000U : 97'000'000'000U) +
                                                       scatter * 1'000'000}},
                              .lost = from == 9 && to == 3 ? 41U : 0U};
            if (from == 7 && to == 1) {
                result.trials.clear();
                result.failure = "send: 1025 bytes pass, 2047 bytes do not";
            }
            out.results.push_back(result);
        }
    return out;
}

/// A folder that goes with it.
class Folder {
public:
    Folder() {
        std::string form = (std::filesystem::temp_directory_path() / "mesh-XXXXXX").string();
        if (::mkdtemp(form.data()) != nullptr) path_ = form;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_{};
};

std::size_t times(const std::string& text, const std::string& what) {
    std::size_t out = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++out;
    return out;
}

std::string page_of(const Mesh& mesh) {
    return cli::mesh_page({"probe mesh", core::Status::differs}, mesh);
}

/// The document that the page draws.
nlohmann::json document_in(const std::string& page) {
    const std::string begin = "id=\"document\">";
    const std::size_t at = page.find(begin) + begin.size();
    return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

cli::Options options_of(const std::vector<std::string>& arguments) {
    return cli::parse(arguments).options;
}

}  // namespace

TEST_CASE("mesh: options that say how is measured travel, and are held to the same bounds") {
    const cli::Options options = options_of({"probe",
                                             "mesh",
                                             "a",
                                             "b",
                                             "--operation",
                                             "write,read",
                                             "--iterations=20",
                                             "--bandwidth",
                                             "--rate",
                                             "3Gb/s",
                                             "--expect",
                                             "write.p99<10us",
                                             "--expect=read.max<1s",
                                             "--time-limit",
                                             "3s",
                                             "--secret",
                                             "file",
                                             "--concurrency",
                                             "4",
                                             "-o",
                                             "json",
                                             "--dscp",
                                             "0"});
    const Message asked = cli::mesh_task(options, "10.0.0.2:18516", std::nullopt);
    CHECK(asked.words.at("peer") == "10.0.0.2:18516");
    CHECK_FALSE(asked.words.contains("from"));
    for (const auto& [name, word] : asked.words) {
        CHECK(word.find("secret") == std::string::npos);
        CHECK(word.find("concurrency") == std::string::npos);
    }
    const core::probe::Parameters there = cli::parameters_in(parse_message(bytes_of(asked)));
    CHECK(there.operations == options.parameters.operations);
    CHECK(there.iterations == 20);
    CHECK(there.bandwidth);
    CHECK(there.bits_a_second == 3'000'000'000);
    CHECK(there.expectations.size() == 2);
    CHECK(there.limit == std::chrono::seconds(3));
    CHECK(there.dscp == 0);
    for (const char* option :
         {"--secret=/etc/shadow", "--html=/etc/passwd", "--bind=::", "--mesh", "--iterations=1",
          "--time-limit=11m", "--duration=2h", "--root=/", "--size=99999999999", "", "="}) {
        CAPTURE(option);
        CHECK_THROWS_AS(cli::parameters_in({.kind = "measure", .words = {{"option.0", option}}}),
                        core::Error);
    }
}

TEST_CASE("mesh: what stands out is named in text, JSON and page alike") {
    const Mesh mesh = fabric(64);
    const std::string text = cli::mesh_text(mesh, {});
    const std::string page = page_of(mesh);
    const auto json =
        nlohmann::json::parse(cli::mesh_json({"probe mesh", core::Status::differs}, mesh));
    CHECK(json.at("pairs").size() == 64U * 63U);
    for (const auto& finding : json.at("findings")) {
        const auto said = finding.at("text").get<std::string>();
        CHECK(text.find(said) != std::string::npos);
        CHECK(page.find(said) != std::string::npos);
    }
    CHECK(json.at("findings")[0].at("where") == "host");
    CHECK(json.at("findings")[1].at("where") == "leaf");
    CHECK(json.at("findings")[1].at("hosts").size() == 16);
    CHECK(text.find("rack0-node5: write p50") != std::string::npos);
    CHECK(text.find("rack0-node9 to rack0-node3: loss 41 where 0 is usual") != std::string::npos);
    CHECK(text.find("rack0-node7 to rack0-node1: send: 1025 bytes pass") != std::string::npos);
    // A line for each of the slowest, none longer than a screen is wide.
    CHECK(times(text, "\n") < 110);
}

TEST_CASE("mesh: of few hosts the text is a matrix") {
    Mesh mesh = fabric(4);
    mesh.results[1].trials.clear();
    mesh.results[1].skipped = "eth0: has no RDMA device";
    mesh.hosts.push_back({.name = "away", .unreachable = "no answer in 5 s"});
    const std::string text = cli::mesh_text(mesh, {});
    CHECK(text.find("write p50, us") != std::string::npos);
    CHECK(text.find("from rack0-node0") != std::string::npos);
    CHECK(text.find("skip") != std::string::npos);
    CHECK(text.find("  away: no answer in 5 s\n") != std::string::npos);
    CHECK(text.find("  1 measurement: eth0: has no RDMA device\n") != std::string::npos);
}

TEST_CASE("mesh: a page of 128 hosts is small, and one of 1,024 has blocks") {
    const std::string page = page_of(fabric(128));
    CHECK(page.size() < 2'000'000);
    const auto pictures = document_in(page).at("page").at("pictures");
    CHECK(pictures.size() == 3);
    CHECK(pictures[0].at("cells").get<std::string>().size() == 128U * 128U);
    CHECK(pictures[0].at("cells").get<std::string>()[7 * 128 + 1] == '3');
    CHECK(page.find("src=") == std::string::npos);
    CHECK(page.find("href=\"http") == std::string::npos);
    CHECK(page.find("default-src 'none'") != std::string::npos);
    const cli::Picture picture =
        cli::picture_of(fabric(520), {.of = Measure::Of::p50, .operation = Operation::write}, 256);
    CHECK(picture.block == 3);
    CHECK(picture.side == 174);
    CHECK(picture.at(1, 50) == cli::Cell::outlier);
}

namespace {

struct Opened {
    std::string page{};
    std::string console{};
};

/// What a browser makes of a page; nothing where there is none.
std::optional<Opened> opened(const std::string& page) {
    const Folder folder;
    const std::string at = folder.path().string();
    std::ofstream(at + "/page.html") << page;
    const std::string run =
        "browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) "
        "|| exit 77; cd " +
        at +
        "; timeout 120 \"$browser\" --headless=new --no-sandbox --disable-gpu "
        "--enable-logging=stderr --log-level=0 --user-data-dir=browser --dump-dom "
        "\"file://$PWD/page.html\" >dom 2>said; grep CONSOLE said >console; exit 0";
    if (std::system(run.c_str()) != 0) return std::nullopt;
    return Opened{cli::read_file(at + "/dom"), cli::read_file(at + "/console")};
}

}  // namespace

TEST_CASE("mesh: a browser opens the page of 128 hosts, and finds no error") {
    Mesh mesh = fabric(128);
    mesh.hosts[3].name = "<script>document.title=1</script>";
    const auto seen = opened(page_of(mesh));
    if (!seen) {
        MESSAGE("skipped: no chromium");
        return;
    }
    CHECK(seen->console.empty());
    CHECK(seen->page.find("data-ready=\"3\"") != std::string::npos);
    CHECK(times(seen->page, "<svg ") == 3);
    CHECK(seen->page.find("<title>rocectl probe mesh: 128 hosts</title>") != std::string::npos);
    if (const char* folder = std::getenv("ROCECTL_PAGES")) {
        std::ofstream(std::string(folder) + "/mesh128.html") << page_of(fabric(128));
        std::ofstream(std::string(folder) + "/mesh12.html") << page_of(fabric(12));
    }
}

TEST_CASE("mesh: names and texts of others are shown in the page, and obeyed nowhere") {
    Mesh mesh = fabric(20);
    const std::string hostile = "</script><img src=x onerror=alert(1)>&\"'\u202e\x1b[31m\xff";
    mesh.hosts[3].name = hostile;
    mesh.hosts.push_back({.name = hostile, .unreachable = hostile});
    mesh.results[0].failure = hostile;
    mesh.results[1].skipped = hostile;
    mesh.results[2].unmet = {hostile};
    for (const Mesh& one : {mesh, [&] {
                                Mesh few = fabric(4);
                                few.hosts[3].name = hostile;
                                return few;
                            }()}) {
        const std::string page = page_of(one);
        CHECK(page.find("<img") == std::string::npos);
        CHECK(times(page, "</script>") == 2);
        CHECK(page.find('\x1b') == std::string::npos);
        CHECK(page.find("\u202e") == std::string::npos);
        CHECK(page.find('\xff') == std::string::npos);
        const std::string junit = cli::mesh_junit(one);
        CHECK(junit.find("<img") == std::string::npos);
        CHECK(nlohmann::json::parse(cli::mesh_json({"probe mesh", core::Status::differs}, one))
                  .is_object());
    }
}

}  // namespace mesh_view_test

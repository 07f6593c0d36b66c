// SPDX-License-Identifier: Apache-2.0
#include "core/checks/catalogue.hpp"
#include "core/checks/evidence.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "cli/files/text_file.hpp"
#include "core/model/driver.hpp"
#include "core/model/field.hpp"

namespace check_test {

using namespace core;

namespace {

/// A port on which no check fails.
Port sound() {
    Port port("a");
    port.device = Device{.driver = "generic", .firmware = {}};
    port.link = Link{.up = true, .mtu = 9000};
    port.pause = Pause{};
    port.ets = Ets{.traffic_class = {0, 1, 2, 3, 4, 5, 6, 7},
                   .algorithm = {2, 0, 0, 2},
                   .bandwidth = {50, 0, 0, 50}};
    port.pfc = Pfc{.priorities = 1U << 3U};
    port.app = App{.entries = {{AppEntry::dscp, 26, 3}}, .trust = {{AppEntry::dscp}}};
    port.rdma_link = RdmaLink{.device = "rxe0", .index = 0, .type = "rxe"};
    port.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 106};
    port.routes = {Route{.to = *parse_prefix("10.0.0.0/8"), .via = parse_ip("10.0.0.1")}};
    port.rules = {Rule{.from = parse_network("10.0.0.1"), .table = 101}};
    return port;
}

std::set<std::string_view> failing(const Port& port, const char* driver = "generic") {
    std::set<std::string_view> out;
    for (const FindingRow* row : catalogue())
        if (const auto faults = examine(*row, {.driver = &driver_named(driver), .now = &port}))
            if (!faults->empty()) out.insert(row->id);
    return out;
}

using Ids = std::set<std::string_view>;

}  // namespace

TEST_CASE("findings: every row has an id of its own, a why, and a place in the manual") {
    const std::regex spelled("[a-z]+(-[a-z]+)*");
    const std::regex place(R"((rocectl(?:-[a-z]+)?)\((5|7|8)\), ([A-Z ]+))");
    std::set<std::string_view> ids;
    for (const FindingRow* row : catalogue()) {
        INFO(row->id);
        CHECK(ids.insert(row->id).second);
        CHECK(std::regex_match(std::string(row->id), spelled));
        CHECK(find_finding(row->id) == row);
        CHECK(row->why.ends_with('.'));
        CHECK_FALSE(row->remedy.ends_with('.'));
        std::cmatch parts;
        REQUIRE(std::regex_match(row->manual.begin(), row->manual.end(), parts, place));
        const std::string page = parts[1].str() + '.' + parts[2].str();
        const std::string text = cli::read_file(ROCECTL_SOURCE_DIR "/man/" + page);
        const std::string section = parts[3];
        CHECK((text.find(".SH " + section + "\n") != std::string::npos ||
               text.find(".SH \"" + section + "\"\n") != std::string::npos));
    }
    CHECK(find_finding("no-such-finding") == nullptr);
}

TEST_CASE("findings: a row that finds by itself says what it needs, and what fixes it") {
    for (const FindingRow* row : catalogue()) {
        INFO(row->id);
        if (row->run == nullptr) continue;
        CHECK_FALSE(row->remedy.empty());
        CHECK((!row->needs.keys.empty() || !row->needs.desired.empty() ||
               !row->needs.meters.empty() || !row->needs.beside.empty()));
        for (const std::string_view key : row->needs.keys)
            CHECK(find_field(key) != nullptr);
        for (const std::string_view key : row->needs.desired) {
            REQUIRE(find_field(key) != nullptr);
            CHECK(find_field(key)->use == Field::Use::setting);
        }
    }
}

TEST_CASE("findings: no id is the key of a setting or of the intent, which explain is asked for") {
    for (const FindingRow* row : catalogue()) {
        INFO(row->id);
        const Field* field = find_field(row->id);
        CHECK((field == nullptr || field->use != Field::Use::setting));
        CHECK(row->id != "roce");
    }
}

TEST_CASE(
    "findings: every name that finding_names.hpp declares is in the catalogue, and is its id") {
    const std::string text = cli::read_file(ROCECTL_SOURCE_DIR "/core/model/finding_names.hpp");
    const std::regex declared("extern const FindingRow ([a-z_]+);");
    std::size_t count = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at) {
        std::string id = (*at)[1];
        std::ranges::replace(id, '_', '-');
        INFO(id);
        CHECK(find_finding(id) != nullptr);
        ++count;
    }
    CHECK(count > 20);
}

TEST_CASE("findings: no source makes an id of its own") {
    // A row is made in core/checks; elsewhere an id is a name, and no row is made on the way.
    const std::regex made(R"(FindingRow\s*(\w+\s*)?[{(]|\bid = "[a-z])");
    namespace fs = std::filesystem;
    for (const char* layer : {"core", "netlink", "dcb", "verbs", "cli"})
        for (const auto& file :
             fs::recursive_directory_iterator(ROCECTL_SOURCE_DIR "/" + std::string(layer))) {
            const fs::path& path = file.path();
            if (path.extension() != ".cpp" && path.extension() != ".hpp") continue;
            if (path.parent_path().filename() == "checks" || path.stem() == "finding_row") continue;
            CAPTURE(path);
            CHECK_FALSE(std::regex_search(cli::read_file(path), made));
        }
}

TEST_CASE(
    "findings: what a row needs and is not known makes it say nothing, not that all is well") {
    Port port = sound();
    port.pause->rx = true;
    const FindingRow& row = *find_finding("pfc-with-rx-pause");
    const Driver& driver = driver_named("generic");
    CHECK(examine(row, {.driver = &driver, .now = &port}).value().size() == 1);
    port.unknown = {Object::pfc};
    CHECK_FALSE(examine(row, {.driver = &driver, .now = &port}).has_value());
    port.unknown.clear();
    port.refused[Object::pause] = {.code = 1, .text = "no"};
    CHECK_FALSE(examine(row, {.driver = &driver, .now = &port}).has_value());
    port.refused.clear();
    port.pfc.reset();
    CHECK_FALSE(examine(row, {.driver = &driver, .now = &port}).has_value());
    CHECK_FALSE(examine(row, {.driver = &driver}).has_value());
    for (const FindingRow* each : catalogue())
        CHECK_FALSE(examine(*each, {.driver = &driver}).has_value());
}

TEST_CASE("checks: each speaks on what it is about, and on nothing else") {
    CHECK(failing(sound()).empty());
    Port port = sound();
    port.pause->rx = true;
    CHECK(failing(port) == Ids{"pfc-with-rx-pause"});
    port.pfc->priorities = 0;
    CHECK(failing(port).empty());
    port = sound();
    port.pause->tx = true;
    CHECK(failing(port) == Ids{"pfc-with-tx-pause"});
    port = sound();
    port.pfc->priorities = 0xff;
    CHECK(failing(port) == Ids{"pfc-on-all"});
    port = sound();
    port.ets->bandwidth[0] = 49;
    CHECK(failing(port) == Ids{"ets-shares"});
    port = sound();
    port.ets->bandwidth[1] = 10;  // a strict class
    CHECK(failing(port) == Ids{"ets-shares"});
    port = sound();
    port.app->trust = {{AppEntry::pcp}};
    CHECK(failing(port) == Ids{"dscp-not-trusted"});
    port = sound();
    port.app->entries.insert({AppEntry::dgram, 4791, 5});
    CHECK(failing(port) == Ids{"udp-lossy"});
    port = sound();
    port.app->entries.insert({AppEntry::dgram, 4791, 3});
    CHECK(failing(port).empty());
    port = sound();
    port.cm_defaults->tos = 107;
    CHECK(failing(port) == Ids{"tos-congested"});
    port = sound();
    port.link->mtu = 1000;
    CHECK(failing(port) == Ids{"mtu-small"});
    port = sound();
    port.link->mtu = 4096;
    CHECK(failing(port) == Ids{"mtu-headers"});
    CHECK(failing(port, "ice") == Ids{"mtu-headers"});  // of a soft device
    port.rdma_link->type.clear();
    CHECK(failing(port, "ice").empty());
    port = sound();
    port.routes->front().source = parse_ip("2001:db8::1");
    CHECK(failing(port) == Ids{"route-family"});
    port = sound();
    port.ets->traffic_class = {0, 0, 0, 3, 3};
    CHECK(failing(port) == Ids{"lossless-shared"});
    port.pfc->priorities = 0x18;
    CHECK(failing(port).empty());
    port = sound();
    port.addresses = {{.ip = *parse_ip("10.1.0.0"), .prefix_length = 24}};
    CHECK(failing(port) == Ids{"network-address"});
    port.addresses->front().prefix_length = 31;
    CHECK(failing(port).empty());
    port.addresses = {{.ip = *parse_ip("10.0.0.1"), .prefix_length = 24}};
    CHECK(failing(port) == Ids{"own-gateway"});
}

TEST_CASE("checks: buffers that may be firmware's are unknown, unless somebody states them so") {
    Port port = sound();
    port.buffer = Buffer{.size = {262144}, .total = 524032};
    CHECK(failing(port) == Ids{"buffer-shared"});
    const FindingRow& row = *find_finding("buffer-shared");
    const Driver& driver = driver_named("mlx5_core");
    CHECK_FALSE(examine(row, {.driver = &driver, .now = &port}).has_value());
    const std::vector<Desired> desired_values = {
        {.field = find_field("buffer.of_priority"), .value = Value(Numbers(kPriorities, 0))}};
    CHECK(examine(row, {.driver = &driver, .now = &port, .desired_values = desired_values})
              .value()
              .size() == 1);
    port.buffer->of_priority[3] = 1;
    CHECK(examine(row, {.driver = &driver, .now = &port}).value().empty());
}

TEST_CASE("checks: a ToS is lossless by the map, or by what the NIC does without an entry") {
    Port port = sound();
    port.app->entries = {{AppEntry::dscp, 26, 4}};
    CHECK(failing(port) == Ids{"tos-lossy"});
    port.app->entries.clear();
    CHECK(failing(port) == Ids{"tos-lossy"});
    CHECK(failing(port, "mlx5_core").empty());         // DSCP 26 / 8 is 3
    CHECK(failing(port, "hns3") == Ids{"tos-lossy"});  // which gives it 0
    port.cm_defaults->tos = 40 << 2U;
    CHECK(failing(port, "mlx5_core") == Ids{"tos-lossy"});
}

}  // namespace check_test

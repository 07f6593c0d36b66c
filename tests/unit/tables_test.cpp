// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "core/objects/ip/records.hpp"
#include "tests/unit/hosts.hpp"

namespace tables_test {

using namespace core;

TEST_CASE("fields: every row has a key of its own, a sentence, and legal samples") {
    std::set<std::string_view> keys;
    for (const Field& field : fields()) {
        INFO(field.key);
        CHECK(keys.insert(field.key).second);
        CHECK(field.doc.ends_with('.'));
        CHECK(find_field(field.key) == &field);
        CHECK_FALSE(admits(field.shape).empty());
        for (const Value& sample : samples(field.shape))
            CHECK_FALSE(illegal(field.shape, sample));
    }
    CHECK(find_field("no.such") == nullptr);
}

TEST_CASE("fields: what is set reads back, and changes no other setting") {
    for (const Driver* const driver : drivers())
        for (const Field& field : fields()) {
            if (field.object == Object::addresses && field.key != "addresses")
                continue;  // they mark, and do not make
            const bool follows =
                field.key == "dscp.trust" && driver->app.trust == Driver::App::Trust::by_map;
            for (const Value& sample : samples(field.shape)) {
                INFO(driver->name, " ", field.key, " ", text(sample));
                Port port = hosts::port(std::string(driver->name));
                port.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 104};
                std::string element;
                if (is_keyed(field.shape)) element = sample_keys(field.shape).back();
                if (field.shape.kind == Shape::Kind::items) element = identity(field.shape, sample);
                // The part may be one that only other drivers have.
                if (!field.get(port)) set_element(port, field, element, sample);
                if (!field.get(port)) continue;  // the driver has another key in its place
                const Port before = port;
                set_element(port, field, element, sample);
                if (!follows)
                    CHECK(element_of(port, field, element) == canonical(field.shape, sample));
                const bool renames = field.key == "driver";  // other rows read it
                const bool shows = field.key == "rdma.device" || field.key == "dcbx.capability";
                if (renames || shows) continue;
                for (const std::string& key : differences(before, port)) {
                    if (key == "dscp.trust" && field.object == Object::app) continue;
                    if (key == "rdma.name" && field.key == "rdma.link") continue;
                    if (key == "addresses_kept") continue;             // of addresses
                    if (field.object == Object::ipv4) continue;        // own, all, and the larger
                    if (field.object == Object::governor) continue;    // of each, and of all
                    if (field.object == Object::interrupts) continue;  // each, and all alike
                    CHECK(key == field.key);
                }
            }
        }
}

TEST_CASE("fields: an absent part is absent, and so is every field of it") {
    const Port port("ens1f0");
    for (const Field& field : fields())
        CHECK_FALSE(field.get(port).has_value());
}

TEST_CASE("fields: two different values are told apart by differences") {
    const auto reported_apart = [](const Field& field, const Driver& driver) {
        Port left = hosts::port(std::string(driver.name));
        left.app->trust = {AppEntry::pcp};
        Port right = left;
        const auto some = samples(field.shape);
        std::string element;
        if (is_keyed(field.shape)) element = sample_keys(field.shape).back();
        if (field.shape.kind == Shape::Kind::items) element = identity(field.shape, some[0]);
        set_element(left, field, element, some[0]);
        set_element(right, field, element, some[1]);
        const auto keys = differences(left, right);
        return std::ranges::find(keys, field.key) != keys.end();
    };
    for (const Field& field : fields()) {
        if (field.use != Field::Use::setting) continue;
        INFO(field.key);
        CHECK(std::ranges::any_of(
            drivers(), [&](const Driver* driver) { return reported_apart(field, *driver); }));
    }
}

TEST_CASE("objects: every object with a setting can be played, spelled and undone") {
    std::set<std::string_view> names;
    for (const ObjectRow* const each : objects()) {
        const ObjectRow& row = *each;
        INFO(row.name);
        CHECK(names.insert(row.name).second);
        CHECK(row.doc.ends_with('.'));
        CHECK(&row_of(row.object) == &row);
        CHECK(find_object(row.name) == row.object);
        const bool has_setting = std::ranges::any_of(fields(), [&](const Field& field) {
            return field.object == row.object && field.use == Field::Use::setting;
        });
        CHECK((row.play == nullptr) == (row.words.spell == nullptr));
        // What rocectl only reads, somebody else sets.
        CHECK(has_setting == (row.play != nullptr || row.words.remedy != nullptr));
        for (const Driver* const driver : drivers())
            CHECK(reach_of(*driver, row.object).contains(row.object));
    }
}

TEST_CASE("drivers: names are unique, and one answers for the rest") {
    std::set<std::string_view> names;
    for (const Driver* const row : drivers()) {
        const Driver& driver = *row;
        CHECK(names.insert(driver.name).second);
        CHECK(driver.doc.ends_with('.'));
        CHECK(&driver_named(driver.name) == &driver);
    }
    CHECK(driver_named("e1000e").name == "generic");
    CHECK(title_of(driver_named("e1000e")) == "unknown driver");
    CHECK(title_of(driver_named("mlx5_core")) == "mlx5_core");
}

TEST_CASE("drivers: the RDMA MTU follows the netdev MTU as each driver computes it") {
    CHECK(rdma_mtu(driver_named("mlx5_core"), "", 1500) == 1024);
    CHECK(rdma_mtu(driver_named("mlx5_core"), "", 4191) == 2048);
    CHECK(rdma_mtu(driver_named("mlx5_core"), "", 4192) == 4096);
    CHECK(rdma_mtu(driver_named("ice"), "", 4096) == 4096);
    CHECK(rdma_mtu(driver_named("generic"), "rxe", 4176) == 4096);
    CHECK(rdma_mtu(driver_named("generic"), "rxe", 4175) == 2048);
    CHECK(rdma_mtu(driver_named("generic"), "siw", 4096) == 4096);
    CHECK(rdma_mtu(driver_named("mlx5_core"), "", 200) == 0);
}

TEST_CASE("shapes: what is illegal is named with what would be accepted") {
    const auto why = [](const std::string& key, const Value& value) {
        return illegal(find_field(key)->shape, value).value_or("");
    };
    CHECK(why("pfc.priorities", Numbers{9}) == "found 9, expected 0..7");
    CHECK(why("mtu", std::uint64_t{67}) == "found 67, expected 68..65535");
    CHECK(why("dcbx.mode", std::string("nic")) == "found 'nic', expected one of host, firmware");
    CHECK(why("pfc.priorities", Numbers{3, 3}) == "found the same number twice");
    CHECK(why("ets.bandwidth", Numbers{50, 50}) == "found 2 numbers, expected 8");
    CHECK(why("addresses", std::string("10.0.0.1")) ==
          "found '10.0.0.1', expected a list of ADDRESS/LENGTH");
    CHECK(why("routes", Record{{"to", "10.0.0.1/8"}}) ==
          "to: found '10.0.0.1/8', which has host bits set; the network is 10.0.0.0/8");
    CHECK(why("routes", Record{{"via", "10.0.0.1"}}) == "'to' is missing");
    CHECK(why("pfc.storm_prevention", std::string("0")) ==
          "found '0', expected one of off, auto or 1..65534");
    CHECK(why("up", std::uint64_t{1}) == "found 1, expected true or false");
    CHECK(why("rdma.link", Record{{"type", "rxe"}, {"name", "../rxe0"}}) ==
          "name: found '../rxe0', expected a device name");
}

TEST_CASE("shapes: what is illegal is not said again at any length") {
    constexpr std::size_t length = 1U << 14U;
    const std::string endless(length, '\n');
    std::size_t refused = 0;
    for (const Field& field : fields()) {
        INFO(field.key);
        std::vector<Value> values = {endless, Words(length, endless.substr(0, 4)),
                                     Numbers(length, 7)};
        for (const RecordPart& part : field.shape.parts)
            values.emplace_back(Record{{std::string(part.name), endless}});
        values.emplace_back(Record{{endless, endless}});
        for (const Value& value : values) {
            const auto why = illegal(field.shape, value);
            if (!why) continue;
            ++refused;
            CHECK(why->size() < 2000);
        }
    }
    CHECK(refused > 300);
}

TEST_CASE("routes: what is not stated gets what ip route gives it") {
    const Shape& shape = find_field("routes")->shape;
    CHECK(identity(shape, Record{{"to", "10.0.0.0/8"}}) == "10.0.0.0/8 main 0");
    CHECK(identity(shape, Record{{"to", "2001:db8::/32"}}) == "2001:db8::/32 main 1024");
    CHECK(identity(shape,
                   Record{{"to", "10.0.0.0/8"}, {"table", "101"}, {"metric", std::uint64_t{5}}}) ==
          "10.0.0.0/8 101 5");
    const auto full =
        std::get<Record>(canonical(shape, Record{{"to", "10.0.0.0/8"}, {"via", "192.0.2.1"}}));
    CHECK(std::get<std::string>(full.at("scope")) == "global");
    CHECK(std::get<std::string>(full.at("protocol")) == "static");
    const auto link = std::get<Record>(canonical(shape, Record{{"to", "10.0.0.0/8"}}));
    CHECK(std::get<std::string>(link.at("scope")) == "link");
}

TEST_CASE(
    "addresses: text is spelled one way, and host bits are cleared where a network is asked") {
    CHECK(text(*parse_prefix("2001:DB8:0::1/64")) == "2001:db8::1/64");
    CHECK(text(network(*parse_prefix("192.168.100.77/26"))) == "192.168.100.64/26");
    CHECK(text(network(*parse_prefix("192.168.100.77/0"))) == "0.0.0.0/0");
    CHECK(contains(*parse_prefix("10.0.0.0/8"), *parse_ip("10.255.0.1")));
    CHECK_FALSE(contains(*parse_prefix("10.0.0.0/8"), *parse_ip("11.0.0.1")));
    CHECK_FALSE(contains(*parse_prefix("::/0"), *parse_ip("11.0.0.1")));
    for (const char* bad : {"10.0.0.1", "10.0.0.1/33", "10.0.0/8", "10.0.0.1/", "10.0.0.1/-1",
                            "10.0.0.1/8 ", "::1/129", "/8", ""})
        CHECK_FALSE(parse_prefix(bad));
}

}  // namespace tables_test

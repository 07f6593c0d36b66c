// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/json/plan_json.hpp"
#include "core/plan/undo.hpp"
#include "tests/unit/hosts.hpp"

namespace journal_test {

using namespace core;

namespace {

JournalEntry entry_of(std::uint64_t id, std::vector<Desired> undo_profile,
                      std::vector<Subject> subjects = {}) {
    JournalEntry entry{.id = id, .command = "apply", .subjects = std::move(subjects)};
    entry.undo_profile.ports = {"ens1f0"};
    entry.undo_profile.desired_values = std::move(undo_profile);
    return entry;
}

State host_with(const std::string& name, const std::string& pci, const std::string& mac) {
    State state = hosts::host("mlx5_core");
    state.ports[0].name = name;
    state.ports[0].link->pci = pci;
    state.ports[0].link->mac = mac;
    return state;
}

}  // namespace

TEST_CASE("journal: every value that undo may have to bring back survives the file") {
    for (const Field& field : fields()) {
        if (!is_restored(field)) continue;
        for (const Value& sample : samples(field.shape)) {
            for (const std::string& key : sample_keys(field.shape)) {
                INFO(field.key, " ", key, " ", text(sample));
                std::string element = key;
                if (field.shape.kind == Shape::Kind::items) element = identity(field.shape, sample);
                Desired there{
                    .port = "ens1f0", .field = &field, .element = element, .value = sample};
                Desired gone{.port = "ens1f0", .field = &field, .element = element};
                const JournalEntry written = entry_of(1, {there, gone});
                const JournalEntry read = parse_entry(first_line(written).dump() + '\n', "f");
                REQUIRE(read.undo_profile.desired_values.size() == 2);
                CHECK(read.undo_profile.desired_values[0].field == &field);
                CHECK(read.undo_profile.desired_values[0].element == element);
                CHECK(read.undo_profile.desired_values[0].value == canonical(field.shape, sample));
                CHECK_FALSE(read.undo_profile.desired_values[1].value);
                CHECK(read.undo_profile.ports == written.undo_profile.ports);
            }
        }
    }
}

TEST_CASE("journal: a run reads back as it happened, and a torn last line does not count") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values = hosts::lossless("mlx5_core");
    const Plan plan = hosts::plan(kernel, desired_values);
    JournalEntry entry{.id = 7,
                       .command = "apply",
                       .subject = "p.json",
                       .digest = "00",
                       .time = "2026-01-01T00:00:00Z",
                       .user = "root",
                       .host = {.name = "n", .kernel = "6.1"},
                       .boot = "b",
                       .subjects = subjects_of(plan, undo_profile(plan)),
                       .undo_profile = undo_profile(plan),
                       .steps = plan.steps};
    std::string file = first_line(entry).dump() + '\n';
    file += writing_line(plan.steps[0], false).dump() + '\n';
    file += outcome_line({.step = plan.steps[0]}).dump() + '\n';
    file += writing_line(plan.steps[1], false).dump() + '\n';
    const JournalEntry read = parse_entry(file + R"({"outcome": "appl)", "f");
    CHECK(read.id == 7);
    CHECK(read.host == entry.host);
    CHECK(read.subjects == entry.subjects);
    CHECK(read.steps.size() == plan.steps.size());
    REQUIRE(read.attempts.size() == 2);
    CHECK(read.attempts[0].result == Outcome::Result::applied);
    CHECK_FALSE(read.attempts[1].result);
    CHECK(is_open(read));
    CHECK(state_text(read) == "unfinished");
    const Undo back = undo_of({read});
    CHECK(back.force == Force{{plan.steps[1].port, plan.steps[1].object}});
    CHECK_FALSE(
        is_open(parse_entry(file + end_line(Status::brought_back, "t").dump() + '\n', "f")));
    CHECK(is_open(parse_entry(file + end_line(Status::left_changed, "t").dump() + '\n', "f")));
    CHECK_FALSE(is_open(parse_entry(file + mark_line("rolled_back_by", 8).dump() + '\n', "f")));
    const auto marked = [&](const char* mark, std::uint64_t by) {
        return state_text(parse_entry(file + mark_line(mark, by).dump() + '\n', "f"));
    };
    CHECK(marked("rolled_back_by", 8) == "rolled back by 8");
    CHECK(marked("rolled_back_by", 0) == "rolled back");
    CHECK(marked("completed_by", 0) == "completed");
    CHECK_THROWS_AS(parse_entry("{\"broken\n" + file, "f"), Error);
    CHECK_THROWS_AS(parse_entry("", "f"), Error);
}

TEST_CASE("journal: an entry is in force again when its rollback was undone without it") {
    std::vector<JournalEntry> all;
    const auto begin = [&](std::uint64_t id, const char* command) {
        all.push_back(entry_of(id, {}));
        all.back().command = command;
    };
    const auto undone = [&] {
        core::note_what_is_back(all);
        std::vector<std::uint64_t> by;
        for (const JournalEntry& entry : all)
            by.push_back(entry.rolled_back_by.value_or(0));
        return by;
    };
    using By = std::vector<std::uint64_t>;
    begin(1, "apply");
    begin(2, "apply");
    CHECK(core::last_to_undo(all) == 2);
    begin(3, "rollback");  // before 1
    all[0].rollbacks = all[1].rollbacks = {3};
    CHECK(undone() == By{3, 3, 0});
    CHECK(core::last_to_undo(all) == 1);
    begin(4, "rollback");  // before 2: what 1 wrote is there again
    all[1].rollbacks = {3, 4};
    all[2].rollbacks = {4};
    CHECK(undone() == By{0, 4, 4, 0});
    CHECK(core::last_to_undo(all) == 2);
    begin(5, "rollback");  // before 4: as 3 left it
    all[3].rollbacks = {5};
    CHECK(undone() == By{3, 3, 0, 5, 0});
    CHECK(core::last_to_undo(all) == 1);
    CHECK_FALSE(core::last_to_undo({}));
}

TEST_CASE("journal: the oldest of the recorded values wins, whatever came after it") {
    const Value mtu_1500 = std::uint64_t{1500};
    const Value mtu_4200 = std::uint64_t{4200};
    const Undo back =
        undo_of({entry_of(1, {hosts::desired("mtu", mtu_1500)}),
                 entry_of(2, {hosts::desired("mtu", mtu_4200), hosts::desired("pause.rx", true)})});
    REQUIRE(back.undo_profile.desired_values.size() == 2);
    CHECK(back.undo_profile.desired_values[0].value == mtu_1500);
    CHECK(back.undo_profile.desired_values[1].field->key == "pause.rx");
}

TEST_CASE("journal: a port that was renamed is found by PCI address and MAC") {
    const Subject subject{.name = "ens1f0", .pci = "0000:17:00.0", .mac = "02:00:00:00:00:01"};
    Undo back = undo_of({entry_of(1, {hosts::desired("mtu", std::uint64_t{1500})}, {subject})});
    Undo same = back;
    find_again(same, host_with("ens1f0", subject.pci, subject.mac));
    CHECK(same.undo_profile.desired_values[0].port == "ens1f0");
    CHECK(same.undo_profile.findings.empty());
    Undo renamed = back;
    find_again(renamed, host_with("fabric0", subject.pci, subject.mac));
    CHECK(renamed.undo_profile.desired_values[0].port == "fabric0");
    CHECK(renamed.undo_profile.ports == std::vector<std::string>{"fabric0"});
    Undo other = back;
    find_again(other, host_with("ens1f0", "0000:99:00.0", subject.mac));
    REQUIRE(other.undo_profile.findings.size() == 1);
    CHECK(other.undo_profile.findings[0].id == "other-port");
    Undo gone = back;
    find_again(gone, State{});
    REQUIRE(gone.undo_profile.findings.size() == 1);
    CHECK(gone.undo_profile.findings[0].id == "gone");
}

TEST_CASE("journal: what goes back is the device's, and another of its name gets nothing") {
    Link link;
    link.pci = "0000:17:00.0";
    link.mac = "02:00:00:00:00:01";
    link.permanent_mac = "06:00:00:00:00:01";
    const auto host = [](const char* name, const Link& of) {
        State state;
        state.ports.emplace_back(name).link = of;
        return state;
    };
    const State before = host("ens1f0", link);
    const Plan plan{.steps = {{.port = "ens1f0", .object = Object::link}}, .before = before};
    DesiredState old = hosts::desired_values({hosts::desired("mtu", std::uint64_t{1500})});
    old.ports = {"ens1f0"};
    old.desired_values[0].port = "ens1f0";
    const std::vector<Subject> subjects = subjects_of(plan, old);
    CHECK(subjects == std::vector<Subject>{{.name = "ens1f0",
                                            .pci = link.pci,
                                            .mac = link.mac,
                                            .permanent_mac = link.permanent_mac}});
    const JournalEntry entry{
        .id = 1, .command = "apply", .subjects = subjects, .undo_profile = old};
    /// Which port the value goes to; the finding's id where none does.
    const auto goes_to = [&](const State& now, const JournalEntry& of) {
        Undo undo = undo_of({of});
        find_again(undo, now);
        const auto& left = undo.undo_profile;
        if (!left.findings.empty()) {
            CHECK(left.desired_values.empty());
            CHECK(left.ports.empty());
            return std::string(std::string_view(left.findings.front().id));
        }
        return left.desired_values.at(0).port;
    };
    CHECK(goes_to(before, entry) == "ens1f0");
    CHECK(goes_to(host("fabric0", link), entry) == "fabric0");
    // An administrator, or a bond, may set another MAC address: the device is the same.
    Link renumbered = link;
    renumbered.mac = "02:00:00:00:00:99";
    CHECK(goes_to(host("ens1f0", renumbered), entry) == "ens1f0");
    // A card that took the place of another in its slot, or has its MAC address in another one.
    Link other = link;
    other.permanent_mac = "06:00:00:00:00:02";
    CHECK(goes_to(host("ens1f0", other), entry) == "other-port");
    other = link;
    other.pci = "0000:99:00.0";
    CHECK(goes_to(host("ens1f0", other), entry) == "other-port");
    CHECK(goes_to(host("eth9", other), entry) == "gone");
    // What could not be read while its driver went or came makes it no other device.
    Link unplaced = link;
    unplaced.pci.clear();
    CHECK(goes_to(host("ens1f0", unplaced), entry) == "ens1f0");
    CHECK(goes_to(host("fabric0", unplaced), entry) == "fabric0");
    JournalEntry of_unplaced = entry;
    of_unplaced.subjects[0].pci.clear();
    CHECK(goes_to(before, of_unplaced) == "ens1f0");
    CHECK(goes_to(host("fabric0", link), of_unplaced) == "fabric0");
    CHECK(goes_to(host("ens1f0", other), of_unplaced) == "ens1f0");
    other.permanent_mac = "06:00:00:00:00:02";
    CHECK(goes_to(host("ens1f0", other), of_unplaced) == "other-port");
    unplaced.permanent_mac = "06:00:00:00:00:02";
    CHECK(goes_to(host("ens1f0", unplaced), entry) == "other-port");
    other.permanent_mac = link.permanent_mac;
    // The name was given to another port, and the device has another one.
    State swapped = host("ens1f0", other);
    swapped.ports.emplace_back("ens2f0").link = link;
    CHECK(goes_to(swapped, entry) == "ens2f0");
    // Of an older entry only what it recorded is compared.
    JournalEntry older = entry;
    older.subjects[0].permanent_mac.clear();
    CHECK(goes_to(before, older) == "ens1f0");
    CHECK(goes_to(host("ens1f0", renumbered), older) == "other-port");
    // Virtual devices of one name and one MAC address are of another kind.
    Link bridge;
    bridge.kind = "bridge";
    bridge.mac = link.mac;
    JournalEntry of_veth = entry;
    of_veth.subjects = {{.name = "ens1f0", .mac = link.mac, .kind = "veth"}};
    CHECK(goes_to(host("ens1f0", bridge), of_veth) == "other-port");
}

TEST_CASE("journal: what was written in another network namespace is not written here") {
    JournalEntry entry = entry_of(1, {hosts::desired("mtu", std::uint64_t{1500})}, {{.name = "a"}});
    entry.boot = "b";
    entry.network_namespace = 7;
    const JournalEntry read = parse_entry(first_line(entry).dump() + '\n', "f");
    CHECK(read.network_namespace == 7);
    const auto written = [&](const NetworkNamespace& here) {
        const Undo undo = undo_of({read}, here);
        const bool any = !undo.undo_profile.desired_values.empty();
        CHECK(undo.undo_profile.findings.empty() == any);
        return any;
    };
    CHECK(written({.boot = "b", .cookie = 7}));
    CHECK_FALSE(written({.boot = "b", .cookie = 8}));
    // After a boot the numbers are given anew; a kernel before 5.14 gives none.
    CHECK(written({.boot = "c", .cookie = 8}));
    CHECK(written({.boot = "b"}));
}

TEST_CASE("journal: a run that desired values all that an entry was to write completes it") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values = hosts::lossless("mlx5_core");
    JournalEntry entry{.steps = hosts::plan(kernel, desired_values).steps};
    for (const Step& step : entry.steps) {
        std::string of;
        for (const Change& change : step.changes)
            of += std::string(change.field->key) + ' ' + change.element + ' ' +
                  (change.after ? text(*change.after) : "absent") + " (" + text(change.origin) +
                  "); ";
        CAPTURE(of);
        CHECK(completes(desired_values, {.steps = {step}}));
    }
    CHECK(completes(desired_values, entry));
    CHECK_FALSE(
        completes(hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000})}), entry));
}

}  // namespace journal_test

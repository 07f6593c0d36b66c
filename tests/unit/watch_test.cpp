// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "cli/command.hpp"
#include "cli/files/journal.hpp"
#include "cli/files/text_file.hpp"
#include "cli/views/watch.hpp"
#include "core/doctor/deviations.hpp"
#include "core/doctor/notification_log.hpp"
#include "core/json/json.hpp"
#include "core/model/finding_names.hpp"
#include "core/plan/state_file.hpp"
#include "netlink/watch.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace watch_test {

using namespace core;
using std::chrono::milliseconds;
using Lines = std::vector<std::string>;

namespace {

/// A host to which things happen at their time, and whose writes others may not leave alone.
struct World {
    struct Happening {
        milliseconds at{};
        std::function<void(State&)> change{};
        std::vector<Notification> notified{};
    };
    State state{};
    std::vector<Happening> happenings{};
    std::function<void(State&)> after_write{};
    std::function<void(State&)> at_once{};  ///< before it is read back
    std::function<void(World&)> at_read{};  ///< after a port was read
    std::optional<Refusal> refusal{};
    std::function<void(World&)> at_refusal{};
    milliseconds time{0};
    unsigned writes = 0;
    std::vector<Notification> notifications{};
    bool stirred = false;  ///< something was written since it was waited for
};

class Door final : public Kernel {
public:
    explicit Door(World& world) : world_(world) {}
    State read(const Scope& scope) override {
        State found = StateFile(world_.state).read(scope);
        if (world_.at_read && scope.ports && scope.objects.contains(Object::link))
            world_.at_read(world_);
        return found;
    }
    std::optional<Refusal> write(const Step& step) override {
        ++world_.writes;
        if (const auto refusal = world_.refusal) {
            if (world_.at_refusal) world_.at_refusal(world_);
            return refusal;
        }
        StateFile host(world_.state);
        auto refusal = host.write(step);
        world_.state = host.state();
        if (world_.at_once) world_.at_once(world_.state);
        world_.stirred = true;
        return refusal;
    }
    bool wait(const Scope& /*scope*/, milliseconds time) override {
        if (std::exchange(world_.stirred, false) && world_.after_write) {
            world_.after_write(world_.state);
            return true;
        }
        const milliseconds end = world_.time + time;
        if (!world_.happenings.empty() && world_.happenings.front().at <= end) {
            const World::Happening one = world_.happenings.front();
            world_.happenings.erase(world_.happenings.begin());
            world_.time = std::max(world_.time, one.at);
            one.change(world_.state);
            world_.notifications.insert(world_.notifications.end(), one.notified.begin(),
                                        one.notified.end());
            return true;
        }
        world_.time = end;
        return false;
    }
    std::vector<Notification> notifications() override {
        return std::exchange(world_.notifications, {});
    }
    milliseconds time() override { return world_.time; }

private:
    World& world_;
};

State fabric() {
    const std::string file = ROCECTL_SOURCE_DIR "/tests/states/mlx5_core.json";
    return parse_state(cli::read_file(file), file);
}

Port& port_in(State& state) {
    return *find_port(state, "ens1f0np0");
}

struct Watched {
    Status status{};
    std::vector<Json> lines{};

    /// `differs mtu`, `holds mtu`, `healed`, …
    [[nodiscard]] Lines events() const {
        Lines out;
        for (const Json& line : lines) {
            std::string said = line["event"];
            if (line.contains("name")) said += ' ' + line["name"].get<std::string>();
            out.push_back(said);
        }
        return out;
    }
};

void write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

constexpr const char* kMtuProfile =
    R"({"format": 1, "name": "m", "ports": [{"match": {"name": "ens1f0np0"}, "mtu": 1500}]})";

class Run {
public:
    explicit Run(World& world) : world_(world) {
        write(profile(), kMtuProfile);
        options_.root = root_.path();
        options_.operands = {profile().string()};
        options_.output = cli::Output::json;
        options_.window = milliseconds(60'000);
        options_.settings_only = true;
    }
    [[nodiscard]] std::filesystem::path profile() const { return root_.file("/m.json"); }
    [[nodiscard]] const std::filesystem::path& root() const { return root_.path(); }
    cli::Options& options() { return options_; }

    Watched watch() {
        std::ostringstream out;
        cli::Session session{.command = "watch",
                             .options = options_,
                             .style = {},
                             .out = out,
                             .live = [this](const auto&) { return std::make_unique<Door>(world_); },
                             .ask = nullptr,
                             .missing_privilege = [] { return std::string(); }};
        Watched done{.status = cli::watch(session)};
        std::istringstream lines(out.str());
        for (std::string line; std::getline(lines, line);)
            done.lines.push_back(Json::parse(line));
        return done;
    }

private:
    OwnRoot root_;
    World& world_;
    cli::Options options_;
};

void set_mtu(State& state, std::uint32_t mtu) {
    port_in(state).link->mtu = mtu;
}

/// A port that comes anew whenever it is read while its MTU is 4000.
void never_rests(World& world) {
    if (port_in(world.state).link->mtu != 4000) return;
    world.happenings.insert(
        world.happenings.begin(),
        {.at = world.time,
         .change = [](State&) {},
         .notified = {{.what = Notification::What::came, .port = "ens1f0np0"}}});
}

World::Happening mtu_at(int seconds, std::uint32_t mtu) {
    return {.at = milliseconds(seconds * 1000), .change = [mtu](State& s) { set_mtu(s, mtu); }};
}

}  // namespace

TEST_CASE("watch: drift is said with what was expected and found, and when it is over") {
    World world{.state = fabric(),
                .happenings = {mtu_at(3, 4000), mtu_at(9, 4200), mtu_at(20, 1500)}};
    const State before = world.state;
    const Watched done = Run(world).watch();
    CHECK(done.events() == Lines{"began", "differs mtu", "differs mtu", "holds mtu", "ended"});
    CHECK(done.status == Status::differs);
    CHECK(done.lines[1]["expected"] == 1500);
    CHECK(done.lines[1]["found"] == 4000);
    CHECK(done.lines[2]["found"] == 4200);
    CHECK(done.lines.back()["differed"] == 1);
    CHECK(done.lines.back()["differ"] == 0);
    CHECK(world.writes == 0);
    CHECK(world.state == before);
}

TEST_CASE("watch: a host that stays as desired is green, one that never was is not") {
    World well{.state = fabric()};
    CHECK(Run(well).watch().status == Status::done);
    World never{.state = fabric()};
    set_mtu(never.state, 9000);
    const Watched done = Run(never).watch();
    CHECK(done.events() == Lines{"began", "differs mtu", "ended"});
    CHECK(done.status == Status::differs);
}

TEST_CASE("watch: a port that goes is said, what differed on it is not taken for well") {
    World world{.state = fabric(), .happenings = {mtu_at(2, 4000)}};
    const Port kept = port_in(world.state);
    world.happenings.push_back(
        {.at = milliseconds(6000),
         .change =
             [](State& s) {
                 std::erase_if(s.ports, [](const Port& port) { return port.name == "ens1f0np0"; });
                 s.places = {};
             },
         .notified = {{.what = Notification::What::gone, .port = "ens1f0np0"}}});
    world.happenings.push_back(
        {.at = milliseconds(12000),
         .change =
             [kept](State& s) {
                 s.ports.push_back(kept);
                 s.places = {};
                 set_mtu(s, 1400);
             },
         .notified = {{.what = Notification::What::came, .port = "ens1f0np0"}}});
    const Watched done = Run(world).watch();
    CHECK(done.status == Status::differs);
    const Lines events = done.events();
    CHECK(std::ranges::find(events, "holds mtu") == events.end());
    CHECK(events[1] == "differs mtu");
    const Json& last = done.lines[done.lines.size() - 2];
    CHECK(last["event"] != "ended");
    CHECK(std::ranges::any_of(done.lines, [](const Json& line) {
        return line["event"] == "differs" && line.value("found", Json()) == 1400 &&
               line["reasons"][0].get<std::string>().find("the port went and came back") !=
                   std::string::npos;
    }));
}

TEST_CASE("watch: by what a port was lost is said where devlink counts it") {
    World world{.state = fabric()};
    port_in(world.state).reloads = core::Reloads{{"driver_reinit", 0}};
    world.happenings.push_back(
        {.at = milliseconds(3000),
         .change =
             [](State& s) {
                 port_in(s).reloads = core::Reloads{{"driver_reinit", 1}};
                 set_mtu(s, 1400);
             },
         .notified = {{.what = Notification::What::came, .port = "ens1f0np0"}}});
    const Watched done = Run(world).watch();
    CHECK(done.events() == Lines{"began", "differs mtu", "ended"});
    CHECK(done.lines[1]["reasons"] ==
          Lines{"the port went and came back: devlink reloaded its device (driver_reinit)"});
}

TEST_CASE("watch: what was read while a port came is read again, and only then told and mended") {
    // 3 s: the MTU is changed; while that is read the port is made anew, and is as desired.
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    world.at_read = [seen = false](World& w) mutable {
        if (port_in(w.state).link->mtu != 4000 || std::exchange(seen, true)) return;
        w.happenings.insert(
            w.happenings.begin(),
            {.at = w.time,
             .change = [](State& s) { set_mtu(s, 1500); },
             .notified = {{.what = Notification::What::came, .port = "ens1f0np0"}}});
    };
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(done.events() == Lines{"began", "ended"});
    CHECK(world.writes == 0);
    CHECK(done.status == Status::done);
}

TEST_CASE("watch: a port that never rests is reported nevertheless, and at the end in any case") {
    for (const milliseconds window : {milliseconds(60'000), milliseconds(3'500)}) {
        World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
        world.at_read = never_rests;
        Run run(world);
        run.options().window = window;
        const Watched done = run.watch();
        CHECK(done.events() == Lines{"began", "differs mtu", "ended"});
        CHECK(done.lines[1]["reasons"] == Lines{"the port came"});
        CHECK(done.status == Status::differs);
    }
}

TEST_CASE("watch: what is the same of many values of a port is reported once") {
    const std::string map = "dscp.map";
    std::vector<DeviationChange> changes;
    const auto add = [&](DeviationChange::Kind kind, std::string element,
                         std::optional<Finding> finding) {
        changes.push_back({.kind = kind,
                           .deviation = {.port = "p0",
                                         .name = "dscp.map " + element,
                                         .change = {},
                                         .object = {},
                                         .finding = std::move(finding)},
                           .held = 6});
    };
    for (const std::string element : {"0", "1", "2", "3", "4", "5", "6"}) {
        Finding unknown{.id = findings::unreadable,
                        .port = "p0",
                        .key = map,
                        .element = element,
                        .text = "no device while reading, desired " + element,
                        .cause = "no device while reading"};
        add(DeviationChange::Kind::appeared, element, unknown);
    }
    add(DeviationChange::Kind::appeared, "9",
        Finding{.id = findings::unreadable,
                .port = "p0",
                .key = map,
                .element = "9",
                .text = "something else",
                .cause = "something else"});
    for (const std::string element : {"0", "1", "2", "3", "4", "5", "6"})
        add(DeviationChange::Kind::over, element, {});
    std::ostringstream out;
    const cli::Style style{};
    cli::WatchTeller teller(out, cli::Output::text, style, [] { return std::int64_t{0}; });
    teller.tell(changes, [](const Deviation&) { return Lines{"the port came"}; });
    const std::string text = out.str();
    CHECK(std::ranges::count(text, '\n') == 3);
    CHECK(text.find(
              "unknown: p0: 7 values: dscp.map 0-6: no device while reading; the port came\n") !=
          std::string::npos);
    CHECK(text.find("unknown: p0: dscp.map 9: something else; the port came\n") !=
          std::string::npos);
    CHECK(text.find("as desired again: p0: 7 values: dscp.map 0-6, after 6 s\n") !=
          std::string::npos);
}

TEST_CASE("watch: devlink may count what took the port once it is there again") {
    World world{.state = fabric()};
    port_in(world.state).reloads = core::Reloads{{"driver_reinit", 0}};
    world.happenings.push_back(
        {.at = milliseconds(3000),
         .change = [](State& s) { set_mtu(s, 1400); },
         .notified = {{.what = Notification::What::came, .port = "ens1f0np0"}}});
    world.happenings.push_back({.at = milliseconds(4500), .change = [](State& s) {
                                    port_in(s).reloads = core::Reloads{{"driver_reinit", 1}};
                                }});
    const Watched done = Run(world).watch();
    REQUIRE(done.events() == Lines{"began", "differs mtu", "ended"});
    CHECK(done.lines[1]["reasons"] ==
          Lines{"the port went and came back: devlink reloaded its device (driver_reinit)"});
}

TEST_CASE("watch: a driver that goes takes its device first, and is known when it is loaded anew") {
    World world{.state = fabric()};
    port_in(world.state).reloads = core::Reloads{{"driver_reinit", 1}};
    world.happenings.push_back({.at = milliseconds(3000), .change = [](State& s) {
                                    port_in(s).reloads.reset();
                                    set_mtu(s, 1400);
                                }});
    world.happenings.push_back(
        {.at = milliseconds(12000),
         .change =
             [](State& s) {
                 port_in(s).reloads = core::Reloads{{"driver_reinit", 0}};
                 set_mtu(s, 1300);
             },
         .notified = {{.what = Notification::What::came, .port = "ens1f0np0"}}});
    const Watched done = Run(world).watch();
    REQUIRE(done.events() == Lines{"began", "differs mtu", "differs mtu", "ended"});
    CHECK(done.lines[2]["reasons"] ==
          Lines{"the port went and came back: its driver was loaded anew"});
}

TEST_CASE("watch --heal: a port that is lost again and again is healed each time") {
    World world{.state = fabric()};
    for (int i = 1; i <= 5; ++i) {
        World::Happening lost = mtu_at(9 * i, 4000);
        lost.notified = {{.what = Notification::What::came, .port = "ens1f0np0"}};
        world.happenings.push_back(lost);
    }
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(std::ranges::count(done.events(), "healed") == 5);
    CHECK(done.status == Status::done);
    // The same without a loss is somebody who writes it.
    World other{.state = fabric()};
    for (int i = 1; i <= 5; ++i)
        other.happenings.push_back(mtu_at(9 * i, 4000));
    Run against(other);
    against.options().heal = true;
    const Watched left = against.watch();
    CHECK(std::ranges::count(left.events(), "healed") == 3);
    CHECK(left.status == Status::differs);
}

TEST_CASE(
    "watch --heal: a port that is lost before what was written is read again is reported anew") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    world.after_write = [lost = false](State& state) mutable {
        if (!std::exchange(lost, true)) set_mtu(state, 4000);
    };
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(done.events() == Lines{"began", "differs mtu", "healed", "holds mtu", "differs mtu",
                                 "healed", "holds mtu", "ended"});
    CHECK(done.status == Status::done);
}

TEST_CASE("watch --heal: nothing is refused where the port went while it was written") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    world.refusal = Refusal{.code = ENODEV, .text = "No such device"};
    // It is back after the first try.
    world.at_refusal = [](World& w) {
        w.notifications.push_back({.what = Notification::What::gone, .port = "ens1f0np0"});
        w.notifications.push_back({.what = Notification::What::came, .port = "ens1f0np0"});
        w.refusal.reset();
    };
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(done.status == Status::done);
    CHECK(std::ranges::count(done.events(), "not_healed") == 1);
    CHECK(std::ranges::count(done.events(), "healed") == 1);
}

TEST_CASE("watch --heal: a port that never rests is reported, and not written to") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    world.at_read = never_rests;
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(world.writes == 0);
    CHECK(done.status == Status::differs);
}

TEST_CASE("watch: values that different processes wrote are not told of one") {
    std::vector<DeviationChange> changes;
    for (const std::string name : {"mtu", "a", "b", "c", "d"}) {
        Deviation of{.port = "p0", .name = name};
        of.change = Change{.field = find_field("mtu")};
        changes.push_back({.deviation = of});
    }
    std::ostringstream out;
    const cli::Style style{};
    cli::WatchTeller teller(out, cli::Output::text, style, [] { return std::int64_t{0}; });
    teller.tell(changes, [](const Deviation& of) {
        return of.name == "mtu" ? Lines{"ip (process 7) wrote it"} : Lines{};
    });
    CHECK(out.str().find("differs: p0 mtu: ") != std::string::npos);
    CHECK(out.str().find("differs: p0: 4 values: a, b, c, d\n") != std::string::npos);
}

TEST_CASE("watch --heal: what differs is written back, kept in the journal, and green") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(done.events() == Lines{"began", "differs mtu", "healed", "holds mtu", "ended"});
    CHECK(done.status == Status::done);
    CHECK(port_in(world.state).link->mtu == 1500);
    CHECK(done.lines[2]["entry"] == 1);
    CHECK(done.lines[2]["written"] == Lines{"ens1f0np0 mtu"});
    const cli::Journal journal(run.root());
    CHECK(journal.entry(1).command == "watch");
    CHECK(state_text(journal.entry(1)) == "done");
}

TEST_CASE("watch --heal: where somebody keeps writing it, it gives up after three writes") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    // While it is written, as far as that is heard.
    world.after_write = [&world](State& s) {
        set_mtu(s, 4000);
        world.notifications.push_back(
            {.port = "ens1f0np0", .object = Object::link, .process = 7, .program = "stranger"});
    };
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(done.status == Status::differs);
    CHECK(world.writes == 3);
    const Json& gave_up = done.lines[done.lines.size() - 2];
    CHECK(gave_up["event"] == "gave_up");
    CHECK(gave_up["lines"][0].get<std::string>().starts_with(
        "ens1f0np0 mtu was written 3 times in "));
    CHECK(gave_up["lines"].back() == "stranger (process 7) wrote link meanwhile");
}

TEST_CASE("watch --heal: what a person wrote by rocectl since is not written over") {
    World world{.state = fabric()};
    Run run(world);
    run.options().heal = true;
    world.happenings.push_back({.at = milliseconds(3000), .change = [&run](State& s) {
                                    set_mtu(s, 4000);
                                    JournalEntry entry;
                                    entry.command = "apply";
                                    entry.subject = "other.json";
                                    entry.user = "root";
                                    entry.steps = {{.port = "ens1f0np0",
                                                    .object = Object::link,
                                                    .changes = {{.field = find_field("mtu")}}}};
                                    const cli::Journal journal(run.root());
                                    const auto id = journal.begin(entry);
                                    journal.append(id,
                                                   end_line(Status::done, "2026-11-23T00:00:00Z"));
                                }});
    const Watched done = run.watch();
    CHECK(done.status == Status::differs);
    CHECK(world.writes == 0);
    CHECK(done.lines[done.lines.size() - 2]["lines"][0] ==
          "apply other.json wrote it as entry 1, by root");
}

TEST_CASE("watch --heal: what rocectl wrote to another port is nobody's drift here") {
    World world{.state = fabric()};
    Run run(world);
    run.options().heal = true;
    world.happenings.push_back({.at = milliseconds(3000), .change = [&run](State& s) {
                                    set_mtu(s, 4000);
                                    JournalEntry entry;
                                    entry.command = "apply";
                                    entry.subject = "storage.json";
                                    entry.user = "root";
                                    entry.steps = {{.port = "ens1f1np1",
                                                    .object = Object::link,
                                                    .changes = {{.field = find_field("mtu")}}}};
                                    const cli::Journal journal(run.root());
                                    journal.append(journal.begin(entry),
                                                   end_line(Status::done, "2026-11-23T00:00:00Z"));
                                }});
    const Watched done = run.watch();
    CHECK(done.status == Status::done);
    CHECK(port_in(world.state).link->mtu == 1500);
    CHECK(done.lines[1]["reasons"] == Json::array());
}

TEST_CASE("watch --heal: a profile that is another now is not written") {
    World world{.state = fabric()};
    Run run(world);
    run.options().heal = true;
    world.happenings.push_back({.at = milliseconds(3000), .change = [&run](State& s) {
                                    set_mtu(s, 4000);
                                    write(run.profile(), std::string(kMtuProfile) + "\n");
                                }});
    const Watched done = run.watch();
    CHECK(done.status == Status::failed);
    CHECK(world.writes == 0);
    CHECK(done.lines[done.lines.size() - 2]["event"] == "gave_up");
}

TEST_CASE("watch --heal: what is otherwise when it is read back is tried three times") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    world.at_once = [](State& s) { set_mtu(s, 4000); };
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK(done.status == Status::differs);
    const Lines events = done.events();
    CHECK(std::ranges::count(events, "not_healed") == 3);
    CHECK(done.lines[done.lines.size() - 2]["event"] == "gave_up");
}

TEST_CASE("watch --heal: a write that is refused brings the host back, and ends the watch") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    world.refusal = Refusal{.code = 5, .text = "Input/output error"};
    Run run(world);
    run.options().heal = true;
    const Watched done = run.watch();
    CHECK((done.status == Status::brought_back || done.status == Status::left_changed));
    CHECK(world.writes <= 3);
    CHECK(done.lines[done.lines.size() - 2]["event"] == "gave_up");
    CHECK(done.lines.back()["status"] == static_cast<int>(done.status));
}

TEST_CASE("watch --heal: what costs more than is allowed is said once, and left as it is") {
    World world{.state = fabric(), .happenings = {mtu_at(3, 4000)}};
    Run run(world);
    run.options().heal = true;
    run.options().allow = Disruption::none;
    const Watched done = run.watch();
    CHECK(done.events() == Lines{"began", "differs mtu", "not_healed", "ended"});
    CHECK(done.status == Status::differs);
    CHECK(world.writes == 0);
}

TEST_CASE("watch: options that only a writer has are refused without --heal") {
    World world{.state = fabric()};
    Run run(world);
    run.options().given = {{"--allow", "link"}};
    CHECK_THROWS_AS(run.watch(), Error);
}

TEST_CASE("deviations: what nobody states any more is not over, and two of one kind are two") {
    World world{.state = fabric()};
    set_mtu(world.state, 4000);
    Door door(world);
    DesiredState desired_values =
        hosts::desired_values({hosts::desired("mtu", Value(std::uint64_t{1500}), {}, "ens1f0np0")});
    desired_values.ports = {"ens1f0np0"};
    Plan differs = hosts::plan(door, desired_values);
    differs.findings.clear();
    Deviations watched;
    REQUIRE(watched.tell(desired_values, differs, 0).size() == 1);
    // As where a rail is missing, and nobody knows which index the others have.
    DesiredState unresolved;
    unresolved.ports = desired_values.ports;
    Plan missing;
    missing.ports = desired_values.ports;
    Finding finding{.id = findings::no_match};
    for (const char* text :
         {"a.json:3: no port matches name a", "a.json:9: no port matches name b"}) {
        finding.text = text;
        missing.findings.push_back(finding);
    }
    const std::vector<DeviationChange> changes = watched.tell(unresolved, missing, 1);
    CHECK(changes.size() == 2);
    CHECK(std::ranges::all_of(changes, [](const DeviationChange& change) {
        return change.kind == DeviationChange::Kind::appeared;
    }));
    CHECK(watched.count() == 3);
    // It is there again, and as desired.
    set_mtu(world.state, 1500);
    Plan well = hosts::plan(door, desired_values);
    well.findings.clear();
    CHECK(watched.tell(desired_values, well, 2).size() == 3);
    CHECK_FALSE(watched.any());
    // An optional desired value that the device refused is left, which is no success.
    REQUIRE(watched.tell(desired_values, differs, 3).size() == 1);
    Plan noted;
    noted.ports = desired_values.ports;
    finding = {
        .id = findings::no_match, .level = Finding::Level::note, .port = "ens1f0np0", .key = "mtu"};
    noted.findings = {finding};
    const std::vector<DeviationChange> left = watched.tell(desired_values, noted, 4);
    REQUIRE(left.size() == 1);
    CHECK(left.front().kind == DeviationChange::Kind::refused_optional);
}

TEST_CASE("contest: three writes within ten minutes are in vain, older ones are forgotten") {
    const Step step{.port = "p", .object = Object::link, .changes = {{.field = find_field("mtu")}}};
    FlapGuard flap_guard;
    for (const double at : {0.0, 400.0, 500.0})
        flap_guard.wrote({step}, at);
    REQUIRE(flap_guard.hopeless({step}, 520.0).has_value());
    CHECK(flap_guard.hopeless({step}, 520.0)->writes == 3);
    CHECK(flap_guard.hopeless({step}, 520.0)->seconds == 520.0);
    CHECK_FALSE(flap_guard.hopeless({step}, 601.0).has_value());
    for (const double at : {4000.0, 8000.0, 12000.0})
        flap_guard.wrote({step}, at);
    REQUIRE(flap_guard.hopeless({step}, 20000.0).has_value());
    CHECK(flap_guard.hopeless({step}, 20000.0)->writes == 6);
    CHECK_FALSE(flap_guard.hopeless({step}, 90000.0).has_value());
    CHECK_FALSE(flap_guard.hopeless({}, 520.0).has_value());
}

TEST_CASE("reasons: who wrote it is named for that object and port alone") {
    const Deviation of{.port = "p", .name = "addresses", .object = Object::addresses};
    const Notification his{
        .port = "p", .object = Object::addresses, .process = 812, .program = "NetworkManager"};
    Notification ended = his;
    ended.process = 9;
    ended.program.clear();
    Notification elsewhere = his;
    elsewhere.port = "q";
    Notification other = his;
    other.object = Object::routes;
    CHECK(reasons_for(of, {his, his, ended, elsewhere, other}) ==
          Lines{"NetworkManager (process 812) wrote addresses meanwhile",
                "process 9, which has ended, wrote addresses meanwhile"});
    CHECK(reasons_for(of, {elsewhere, other}).empty());
    Deviation one = of;
    one.change = Change{.element = "10.0.0.1"};
    Notification longer = his;
    longer.element = "10.0.0.10";
    CHECK(reasons_for(one, {longer}).empty());
    longer.element = "10.0.0.1";
    CHECK(reasons_for(one, {longer}).size() == 1);
    one.object = Object::routes;
    one.change->element = "10.77.0.0/16 main 0";
    other.element = "10.7.0.0/16 ";
    CHECK(reasons_for(one, {other}).empty());
    other.element = "10.77.0.0/16 ";
    CHECK(reasons_for(one, {other}).size() == 1);
}

TEST_CASE("port ids: the number of a process, libnl's, and those that say nothing") {
    CHECK(netlink::process_of_port_id(0) == std::nullopt);
    CHECK(netlink::process_of_port_id(4711) == 4711U);
    CHECK(netlink::process_of_port_id((3U << 22U) + 4711) == 4711U);
    CHECK(netlink::process_of_port_id(static_cast<std::uint32_t>(-4097)) == std::nullopt);
}

}  // namespace watch_test

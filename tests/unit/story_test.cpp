// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/command.hpp"
#include "cli/files/text_file.hpp"
#include "cli/views/watch.hpp"
#include "core/doctor/poll_schedule.hpp"
#include "core/doctor/reading.hpp"
#include "core/doctor/story.hpp"
#include "core/json/json.hpp"
#include "core/model/finding_names.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/pass_through.hpp"

namespace story_test {

using namespace core;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kSecond{1000};

State host_of(const std::string& name) {
    const std::string file = ROCECTL_SOURCE_DIR "/tests/states/" + name + ".json";
    StateFile host(parse_state(cli::read_file(file), file));
    return hosts::read_all(host);
}

Port& port_of(State& state) {
    const std::string name = fabric_ports(state, nullptr).front()->name;
    return *find_port(state, name);
}

/// A host that becomes another one as time goes by, which it advertises or not.
class Scripted final : public Kernel {
public:
    struct Turn {
        milliseconds at{};
        State state{};
        bool notified = true;
        bool lost = false;
        std::vector<Notification> notifications{};
    };
    Scripted(State first, std::vector<Turn> turns)
        : now_(std::move(first)), turns_(std::move(turns)) {}

    /// As of a driver that alone knows its PCI address: without it a link has none.
    State read(const Scope& scope) override {
        State out = answer(scope);
        for (Port& port : out.ports)
            if (port.link && !port.device) port.link->pci.clear();
        return out;
    }
    State answer(const Scope& scope) {
        ++(scope.ports && scope.objects.contains(Object::rdma_counters) ? counted : whole);
        return StateFile(now_).read(scope);
    }
    std::optional<Refusal> write(const Step& /*step*/) override { return Refusal{}; }
    bool wait(const Scope& /*scope*/, milliseconds time) override {
        const milliseconds end = time_ + time;
        while (!turns_.empty() && turns_.front().at <= end) {
            Turn turn = std::move(turns_.front());
            turns_.erase(turns_.begin());
            time_ = std::max(time_, turn.at);
            now_ = std::move(turn.state);
            lost_ = turn.lost;
            std::ranges::move(turn.notifications, std::back_inserter(notifications_));
            if (turn.notified) return true;
        }
        time_ = end;
        return false;
    }
    bool lost() override { return std::exchange(lost_, false); }
    std::vector<Notification> notifications() override { return std::exchange(notifications_, {}); }
    milliseconds time() override { return time_; }

    unsigned whole = 0;
    unsigned counted = 0;

private:
    State now_;
    std::vector<Turn> turns_;
    milliseconds time_{0};
    bool lost_ = false;
    std::vector<Notification> notifications_{};
};

struct Watched {
    Status status{};
    std::vector<Json> lines{};

    [[nodiscard]] std::vector<std::string> events() const {
        std::vector<std::string> out;
        for (const Json& line : lines) {
            std::string said = line["event"];
            for (const char* part : {"id", "name", "before", "after"})
                if (line.contains(part)) said += ' ' + line[part].get<std::string>();
            out.push_back(said);
        }
        return out;
    }
};

Watched watch(Scripted& host, milliseconds window, std::set<std::string> only = {}) {
    std::ostringstream out;
    cli::Options options;
    options.output = cli::Output::json;
    options.watch = true;
    options.window = window;
    options.only = std::move(only);
    cli::Session session{
        .command = "doctor",
        .options = options,
        .style = {},
        .out = out,
        .live = [&host](const auto&) { return std::make_unique<hosts::PassThrough>(host); },
        .ask = nullptr,
        .missing_privilege = nullptr};
    Watched done{.status = cli::doctor(session)};
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);)
        done.lines.push_back(Json::parse(line));
    return done;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("pace: what is reported is read soon, and once more when what follows had its time") {
    PollSchedule poll_schedule;
    CHECK(poll_schedule.due(milliseconds(0)) == PollSchedule::Read::whole);
    poll_schedule.was_read(PollSchedule::Read::whole, milliseconds(0), milliseconds(10));
    CHECK(poll_schedule.due(milliseconds(500)) == PollSchedule::Read::nothing);
    CHECK(poll_schedule.next() == milliseconds(2010));
    poll_schedule.notified(milliseconds(1500));
    CHECK(poll_schedule.due(milliseconds(1600)) == PollSchedule::Read::nothing);
    CHECK(poll_schedule.due(milliseconds(1700)) == PollSchedule::Read::whole);
    poll_schedule.was_read(PollSchedule::Read::whole, milliseconds(1700), milliseconds(1710));
    CHECK(poll_schedule.next() == milliseconds(3710));
    CHECK(poll_schedule.due(milliseconds(3710)) == PollSchedule::Read::whole);
    poll_schedule.was_read(PollSchedule::Read::whole, milliseconds(3710), milliseconds(3720));
    CHECK(poll_schedule.due(milliseconds(5720)) == PollSchedule::Read::counted);
    CHECK(poll_schedule.due(milliseconds(33720)) == PollSchedule::Read::whole);
}

TEST_CASE("law: however much is reported and however long a reading takes, most time is rest") {
    for (const int cost : {1, 100, 1500, 10000}) {
        CAPTURE(cost);
        PollSchedule poll_schedule;
        milliseconds now(0);
        milliseconds spent(0);
        unsigned readings = 0;
        while (now < 600 * kSecond) {
            poll_schedule.notified(now);
            const PollSchedule::Read due = poll_schedule.due(now);
            if (due == PollSchedule::Read::nothing) {
                now += milliseconds(10);
                continue;
            }
            ++readings;
            spent += milliseconds(cost);
            poll_schedule.was_read(due, now, now + milliseconds(cost));
            now += milliseconds(cost);
        }
        CHECK(readings <= 601);
        CHECK(readings >= 10);
        CHECK(spent.count() * 5 <= now.count() + 5 * cost);
    }
}

TEST_CASE("watch: what changes is reported, with what is found and when it is well again") {
    const State well = host_of("mlx5_core");
    State down = well;
    Port& port = port_of(down);
    port.link->carrier = false;
    port.link->carrier_down_count += 1;
    Scripted host(well, {{.at = 5 * kSecond, .state = down}, {.at = 8 * kSecond, .state = well}});
    const Watched reported = watch(host, 12 * kSecond, {"no-carrier"});
    CHECK(reported.status == Status::differs);
    CHECK(reported.events() == Lines{"began", "changed carrier on off", "found no-carrier",
                                     "changed carrier off on", "well no-carrier", "ended"});
    const Json& end = reported.lines.back();
    REQUIRE(end["findings"].size() == 1);
    CHECK(end["findings"][0]["there"] == false);
    CHECK(end["findings"][0]["held_seconds"].get<double>() == doctest::Approx(3));
    CHECK(end["status"] == 2);
}

TEST_CASE("watch: what came and went between two readings is reported by what counted it") {
    const State well = host_of("mlx5_core");
    State flapped = well;
    port_of(flapped).link->carrier_down_count += 2;
    Scripted host(well, {{.at = 5 * kSecond, .state = flapped}});
    const Watched reported = watch(host, 30 * kSecond, {"link-flapping"});
    REQUIRE(reported.lines.size() == 5);
    CHECK(reported.lines[1]["name"] == "carrier_down_count");
    CHECK(reported.events()[2] == "found link-flapping");
    // As long as it is looked back at, and no longer.
    CHECK(reported.events()[3] == "well link-flapping");
    CHECK(reported.lines.back()["findings"][0]["held_seconds"].get<double>() < 15);
}

TEST_CASE("watch: a port that was set down lost its link as often less") {
    const State well = host_of("mlx5_core");
    State again = well;
    port_of(again).link->carrier_down_count += 1;
    const Notification set_down{.what = Notification::What::set_down,
                                .port = port_of(again).name,
                                .carrier_down_count = port_of(again).link->carrier_down_count};
    Notification other = set_down;
    other.port = "another";
    // Counted by the first reading already, or by none yet.
    Notification early = set_down;
    --early.carrier_down_count;
    Notification late = set_down;
    ++late.carrier_down_count;
    const auto events = [&](std::vector<Notification> notifications) {
        Scripted host(
            well, {{.at = 5 * kSecond, .state = again, .notifications = std::move(notifications)}});
        return watch(host, 30 * kSecond, {"link-flapping"}).events();
    };
    CHECK(events({set_down}) == Lines{"began", "changed carrier_down_count 0 1", "ended"});
    for (const Notification& one : {other, early, late})
        CHECK(events({one}).size() == 5);
    port_of(again).link->carrier_down_count += 2;
    Scripted host(well, {{.at = 5 * kSecond, .state = again, .notifications = {set_down}}});
    const Watched reported = watch(host, 30 * kSecond, {"link-flapping"});
    REQUIRE(reported.lines.size() == 5);
    CHECK(reported.lines[2].dump().find("the link was lost 2 times") != std::string::npos);
}

TEST_CASE("doctor: a port that was set down within a window lost no link") {
    const State well = host_of("mlx5_core");
    State again = well;
    port_of(again).link->carrier_down_count += 1;
    Scripted host(well, {{.at = 2 * kSecond,
                          .state = again,
                          .notifications = {{.what = Notification::What::set_down,
                                             .port = port_of(again).name,
                                             .carrier_down_count = 1}}}});
    const Earlier earlier = read_before(host, {.twice = true}, 5 * kSecond);
    CHECK(earlier.set_down == SetDowns{{port_of(again).name, {1}}});
    Inquiry inquiry{.now = &again,
                    .earlier = &earlier.state,
                    .seconds = 5,
                    .set_down = earlier.set_down,
                    .twice = true,
                    .only = {"link-flapping"}};
    CHECK(diagnose(inquiry).causes.empty());
    inquiry.set_down.clear();
    CHECK(diagnose(inquiry).causes.size() == 1);
    CHECK(host.time() >= 5 * kSecond);
}

TEST_CASE("watch: what nobody advertises is read every two seconds, and told once while it grows") {
    State now = host_of("mlx5_core");
    Port& port = port_of(now);
    port.rdma_counters = {{"out_of_sequence", 7}};
    const State first = now;
    std::vector<Scripted::Turn> turns;
    for (int i = 1; i <= 5; ++i) {
        port.rdma_counters->at("out_of_sequence") += 3;
        turns.push_back({.at = 4 * i * kSecond, .state = now, .notified = false});
    }
    Scripted host(first, turns);
    const Watched reported = watch(host, 26 * kSecond, {"out-of-sequence"});
    CHECK(reported.events() == Lines{"began", "found out-of-sequence", "ended"});
    CHECK(
        reported.lines[1]["text"].get<std::string>().starts_with("out_of_sequence grew by 3 in "));
    const Json counter = reported.lines.back()["counters"].at(0);
    CHECK(counter["name"] == "out_of_sequence");
    CHECK(counter["grown"] == 15);
    CHECK(reported.lines.back()["findings"][0]["there"] == true);
    CHECK(host.counted >= 10);
    CHECK(host.whole <= 4);
}

TEST_CASE(
    "watch: a storm of notifications is read once a second, and one that was lost is reported") {
    const State well = host_of("mlx5_core");
    std::vector<Scripted::Turn> turns;
    for (int i = 0; i < 5000; ++i)
        turns.push_back({.at = milliseconds(i * 2), .state = well, .lost = i == 4000});
    Scripted host(well, turns);
    const Watched reported = watch(host, 10 * kSecond, {"no-carrier"});
    CHECK(reported.events() == Lines{"began", "lost", "ended"});
    CHECK(reported.lines.back()["lost"] == 1);
    CHECK(reported.lines.back()["readings"].get<int>() <= 11);
    CHECK(reported.status == Status::done);
}

TEST_CASE("story: what cannot be looked for is neither well nor found anew") {
    State state = host_of("mlx5_core");
    const std::string port = port_of(state).name;
    const auto diagnosis = [&](Verdict verdict) {
        Diagnosis out;
        out.examination.ports = {port};
        out.examination.checks = {{.row = &findings::drift, .port = port, .verdict = verdict}};
        if (verdict == Verdict::fail)
            out.examination.checks[0].faults = {{.text = "so", .remedy = "do"}};
        out.causes = causes(out.examination);
        return out;
    };
    Story story;
    CHECK(story.tell(state, diagnosis(Verdict::fail), 0).size() == 1);
    CHECK(story.tell(state, diagnosis(Verdict::unknown), 1).empty());
    CHECK(story.tell(state, diagnosis(Verdict::skip), 2).empty());
    CHECK(story.tell(state, diagnosis(Verdict::fail), 3).empty());
    const auto well = story.tell(state, diagnosis(Verdict::pass), 5);
    REQUIRE(well.size() == 1);
    CHECK(well[0].kind == Event::Kind::well);
    CHECK(well[0].episode.held == 5);
    CHECK(story.tell(state, diagnosis(Verdict::fail), 8).size() == 1);
    const auto all = story.episodes(10);
    REQUIRE(all.size() == 1);
    CHECK(all[0].times == 2);
    CHECK(all[0].held == 7);
    CHECK(all[0].there);
}

TEST_CASE("story: of ports that are no part of the fabric nothing is reported") {
    const State before = host_of("gpu-rail");
    State now = before;
    Diagnosis diagnosis;
    diagnosis.examination.ports = {fabric_ports(now, nullptr).front()->name};
    for (Port& port : now.ports)
        if (port.link) port.link->mtu = 1400;
    Story story;
    CHECK(story.tell(before, diagnosis, 0).empty());
    const auto reported = story.tell(now, diagnosis, 1);
    REQUIRE(reported.size() == 1);
    CHECK(reported[0].difference.port == diagnosis.examination.ports.front());
    CHECK(reported[0].difference.name == "mtu");
}

TEST_CASE("law: whatever names spell, an event is one line") {
    for (const std::string name : {"a\nb", "\x1b[2K", "\r", "\xff", "\xe2\x80\xae"}) {
        std::ostringstream out;
        const cli::Style style;
        cli::WatchTeller teller(out, cli::Output::text, style, [] { return 0; });
        teller.tell({.difference = {.port = name, .name = name, .before = name, .after = name}});
        const Episode episode{.row = &findings::drift, .port = name, .text = name, .fix = name};
        teller.tell({.kind = Event::Kind::found, .episode = episode});
        teller.tell({.kind = Event::Kind::well, .episode = episode});
        const std::string text = out.str();
        CHECK(std::ranges::count(text, '\n') == 3);
        for (const char c : {'\x1b', '\r', '\xff'})
            CHECK(text.find(c) == std::string::npos);
    }
}

TEST_CASE("window: what is counted is read in between, as often as asked and not too often") {
    const State well = host_of("mlx5_core");
    const auto seconds = [&](milliseconds window, unsigned samples) {
        Scripted host(well, {});
        Inquiry inquiry;
        inquiry.twice = true;
        const Earlier earlier = read_before(host, inquiry, window, samples);
        std::vector<double> out;
        for (const Sample& sample : earlier.samples) {
            CHECK(find_port(sample.state, fabric_ports(well, nullptr).front()->name) != nullptr);
            out.push_back(sample.seconds);
        }
        CHECK(earlier.seconds == std::chrono::duration<double>(window).count());
        return out;
    };
    CHECK(seconds(10 * kSecond, 4) == std::vector<double>{2, 4, 6, 8});
    CHECK(seconds(10 * kSecond, 19).size() == 19);
    CHECK(seconds(kSecond, 19) == std::vector<double>{0.25, 0.5, 0.75});
    CHECK(seconds(milliseconds(100), 19).empty());
    CHECK(seconds(10 * kSecond, 0).empty());
}

TEST_CASE("curves: what a counter grew by, past its width and where it began anew") {
    State state = host_of("mlx5_core");
    Port& port = port_of(state);
    port.rdma_counters = {{"out_of_sequence", 4294967290}, {"packet_seq_err", 5}};
    const std::map<std::string, EffectiveIntent> intents = {{port.name, EffectiveIntent{}}};
    CounterSeriesList counter_series(true);
    counter_series.add(state, intents, 0);
    port.rdma_counters->at("out_of_sequence") = 4;
    counter_series.add(state, intents, 2);
    auto grown = counter_series.grown();
    REQUIRE(grown.size() == 1);
    CHECK(grown[0].name == "out_of_sequence");
    CHECK(grown[0].points == std::vector<SeriesPoint>{{0, 0}, {2, 10}});
    // For a moment there is nothing to read, and then another driver's life has begun.
    const auto held = port.rdma_counters;
    port.rdma_counters.reset();
    counter_series.add(state, intents, 4);
    port.rdma_counters = {{"out_of_sequence", 3}, {"packet_seq_err", 2}};
    counter_series.add(state, intents, 6);
    grown = counter_series.grown();
    REQUIRE(grown.size() == 2);
    CHECK(grown[0].grown == 13);
    CHECK(grown[0].anew);
    CHECK(grown[1].grown == 2);
}

TEST_CASE("watch: a fix is reported whole, what it deletes with what it adds") {
    State now = host_of("e810");
    if (find_port(now, kHost) == nullptr) now.ports.emplace_back(std::string(kHost));
    const auto from = parse_prefix("10.3.0.9/32");
    find_port(now, kHost)->rules = {Rule{.from = from, .table = 55}};
    const Desired desired{
        .port = std::string(kHost),
        .field = find_field("rules"),
        .value = Value(Record{{"from", std::string("10.3.0.9")}, {"table", std::string("101")}})};
    const Fault fault{.text = "elsewhere", .fix = {desired}};
    const std::vector<std::string> commands = fixing_commands(now, fault);
    REQUIRE(commands.size() == 2);
    Diagnosis diagnosis;
    diagnosis.examination.checks.push_back({.row = &findings::drift,
                                            .port = std::string(kHost),
                                            .verdict = Verdict::fail,
                                            .faults = {fault}});
    diagnosis.causes = causes(diagnosis.examination);
    Story story;
    const std::vector<Event> events = story.tell(now, diagnosis, 0);
    REQUIRE(!events.empty());
    CHECK(events.back().episode.fix == commands[0] + " && " + commands[1]);
}

}  // namespace story_test

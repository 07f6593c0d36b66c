// SPDX-License-Identifier: Apache-2.0
// Every view there is, of a host on which each text that is not rocectl's is somebody else's.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/views/doctor.hpp"
#include "cli/views/error_text.hpp"
#include "cli/views/gpus.hpp"
#include "cli/views/history.hpp"
#include "cli/views/json.hpp"
#include "cli/views/junit.hpp"
#include "cli/views/markdown.hpp"
#include "cli/views/mesh.hpp"
#include "cli/views/monitor.hpp"
#include "cli/views/printable.hpp"
#include "cli/views/probe.hpp"
#include "cli/views/profile.hpp"
#include "cli/views/switch_words.hpp"
#include "cli/views/text.hpp"
#include "cli/views/watch.hpp"
#include "core/model/finding_names.hpp"
#include "tests/unit/words_of_others.hpp"

namespace words_of_others {

using namespace core;
using cli::Style;

namespace {

/// Erases the line, goes up, ends lines, says something in green, turns the writing around, ends
/// elements, attributes, cells, labels, code and plugin lines.
const std::string kHostile =
    "\x1b[2K\x1b[A\r\n\x1b[32mas desired\x1b[0m\x7f\xc2\x9b"
    "2K\xe2\x80\xae\xe2\x80\xa8\x9b\n</script>--><b a=\"'>&lt;|`\\u001b";

/// Who reads what a view says.
enum class Reader : std::uint8_t { terminal, json, xml, page, labels, plugin, markdown };

struct View {
    const char* name;
    Reader reader;
    std::function<std::string(const World&, const Style&)> text;
};

const cli::Heading kHeading{"command", Status::failed};

std::string watched(const World& world, const Style& style, cli::Output form) {
    std::ostringstream out;
    cli::WatchTeller teller(out, form, style, [] { return std::int64_t{0}; });
    teller.began(world.word, world.desired_values, true);
    Deviation differs{.port = world.word, .name = world.word};
    differs.change = world.plan.steps.front().changes.front();
    Deviation found{.port = world.word, .name = world.word};
    found.finding = world.plan.findings.front();
    const auto why = [&](const Deviation& /*of*/) { return std::vector{world.word, world.word}; };
    for (const auto kind : {DeviationChange::Kind::appeared, DeviationChange::Kind::changed,
                            DeviationChange::Kind::over})
        teller.tell({{.kind = kind, .deviation = differs}, {.kind = kind, .deviation = found}},
                    why);
    teller.tell({{.kind = DeviationChange::Kind::refused_optional, .deviation = found}}, why);
    std::vector<DeviationChange> many(
        6, {.kind = DeviationChange::Kind::appeared, .deviation = found});
    teller.tell(many, why);
    many.assign(6, {.kind = DeviationChange::Kind::appeared, .deviation = differs});
    teller.tell(many, why);
    teller.unread({world.word});
    teller.healed(world.report);
    teller.not_healed({world.word});
    teller.gave_up({world.word});
    teller.lost();
    teller.ended({}, cli::ProfileWatched{});
    return out.str();
}

std::string story(const World& world, const Style& style, cli::Output form) {
    std::ostringstream out;
    cli::WatchTeller teller(out, form, style, [] { return std::int64_t{0}; });
    teller.began(world.diagnosis.examination);
    teller.tell({.difference = world.changes.changed.front()});
    const Episode episode{
        .row = &findings::drift, .port = world.word, .text = world.word, .fix = world.word};
    teller.tell({.kind = Event::Kind::found, .episode = episode});
    teller.tell({.kind = Event::Kind::well, .episode = episode});
    teller.lost();
    teller.ended(
        {}, cli::HostWatched{.episodes = {episode},
                             .counters = {{.port = world.word, .name = world.word, .grown = 3}}});
    return out.str();
}

// clang-format off
const std::vector<View>& views() {
    using enum Reader;
    static const std::vector<View> all = {
        {"plan_text", terminal, [](const World& w, const Style& s) { return cli::plan_text(w.plan, s); }},
        {"unmanaged_text", terminal, [](const World& w, const Style& s) { return cli::unmanaged_text(w.plan, w.desired_values, s); }},
        {"verify_text", terminal, [](const World& w, const Style& s) { return cli::verify_text(w.plan, w.desired_values, s); }},
        {"report_text", terminal, [](const World& w, const Style& s) { return cli::report_text(w.report, s); }},
        {"unchanged_text", terminal, [](const World& w, const Style& s) { return cli::unchanged_text(w.report, s); }},
        {"rollback_text", terminal, [](const World& w, const Style& s) { return cli::rollback_text(w.report, w.word, s); }},
        {"show_text", terminal, [](const World& w, const Style& s) { return cli::show_text(w.state, s); }},
        {"port_text", terminal, [](const World& w, const Style& s) { return cli::port_text(w.state.ports[0], s); }},
        {"gids_text", terminal, [](const World& w, const Style& s) { return cli::gids_text(w.state, s); }},
        {"gpus_text", terminal, [](const World& w, const Style& s) { return cli::gpus_text(w.state, s); }},
        {"gpus_json", json, [](const World& w, const Style&) { return cli::gpus_json(kHeading, w.state); }},
        {"gids_json", json, [](const World& w, const Style&) { return cli::gids_json(kHeading, w.state); }},
        {"desired_text", terminal, [](const World& w, const Style& s) { return cli::desired_text(w.desired_values, w.state, s); }},
        {"switch_text", terminal, [](const World& w, const Style& s) { return cli::switch_text(w.word, {{.needs = {}, .of = {w.word}}}, s); }},
        {"history_text", terminal, [](const World& w, const Style& s) { return cli::history_text({w.entry}, s); }},
        {"entry_text", terminal, [](const World& w, const Style& s) { return cli::entry_text(w.entry, s); }},
        {"doctor_text", terminal, [](const World& w, const Style& s) { return cli::doctor_text(w.view(), s); }},
        {"met_text", terminal, [](const World& w, const Style& s) { return cli::met_text({.met = w.met, .lines = 2, .examined = &w.diagnosis.examination}, s); }},
        {"probe_text", terminal, [](const World& w, const Style& s) { return cli::probe_text(w.path, s); }},
        {"probe_table", terminal, [](const World& w, const Style& s) { return cli::probe_table({w.path}, s); }},
        {"mesh_text", terminal, [](const World& w, const Style& s) { return cli::mesh_text(w.mesh, s); }},
        {"WatchTeller", terminal, [](const World& w, const Style& s) { return watched(w, s, cli::Output::text); }},
        {"overwritten_text", terminal, [](const World& w, const Style&) { return cli::overwritten_text({.port = w.word, .name = w.word}); }},
        {"WatchTeller of a host", terminal, [](const World& w, const Style& s) { return story(w, s, cli::Output::text); }},
        {"plan_json", json, [](const World& w, const Style&) { return cli::plan_json(kHeading, w.plan); }},
        {"verify_json", json, [](const World& w, const Style&) { return cli::verify_json(kHeading, w.plan, w.desired_values); }},
        {"report_json", json, [](const World& w, const Style&) { return cli::report_json(kHeading, w.report); }},
        {"state_json", json, [](const World& w, const Style&) { return cli::state_json(kHeading, w.state); }},
        {"print_state", json, [](const World& w, const Style&) { std::ostringstream out; cli::print_state(out, kHeading, w.state); return out.str(); }},
        {"errors_json", json, [](const World& w, const Style&) { return cli::errors_json(kHeading, {w.word}); }},
        {"names_json", json, [](const World& w, const Style&) { return cli::names_json(kHeading, {w.word}, {w.word}); }},
        {"desired_json", json, [](const World& w, const Style&) { return cli::desired_json(kHeading, w.word, w.desired_values, w.state); }},
        {"switch_json", json, [](const World& w, const Style&) { return cli::switch_json(kHeading, w.word, {{.needs = {}, .of = {w.word}}}); }},
        {"history_json", json, [](const World& w, const Style&) { return cli::history_json(kHeading, {w.entry}); }},
        {"entry_json", json, [](const World& w, const Style&) { return cli::entry_json(kHeading, w.entry); }},
        {"doctor_json", json, [](const World& w, const Style&) { return cli::doctor_json(kHeading, w.view()); }},
        {"met_json", json, [](const World& w, const Style&) { return cli::met_json(kHeading, {.met = w.met, .lines = 2, .examined = &w.diagnosis.examination}); }},
        {"probe_json", json, [](const World& w, const Style&) { return cli::probe_json(kHeading, {w.path}); }},
        {"probe_paths_json", json, [](const World& w, const Style&) { return cli::probe_paths_json({w.path}); }},
        {"mesh_json", json, [](const World& w, const Style&) { return cli::mesh_json(kHeading, w.mesh); }},
        {"WatchTeller, JSON", json, [](const World& w, const Style& s) { return watched(w, s, cli::Output::json); }},
        {"WatchTeller of a host, JSON", json, [](const World& w, const Style& s) { return story(w, s, cli::Output::json); }},
        {"verify_junit", xml, [](const World& w, const Style&) { return cli::verify_junit(kHeading, w.word, w.plan, w.desired_values); }},
        {"plan_junit", xml, [](const World& w, const Style&) { return cli::plan_junit(kHeading, w.word, w.plan, w.desired_values); }},
        {"doctor_junit", xml, [](const World& w, const Style&) { return cli::doctor_junit(w.view(), true); }},
        {"probe_junit", xml, [](const World& w, const Style&) { return cli::probe_junit(w.word, {w.path}); }},
        {"mesh_junit", xml, [](const World& w, const Style&) { return cli::mesh_junit(w.mesh); }},
        {"doctor_page", page, [](const World& w, const Style&) { return cli::doctor_page(kHeading, w.view()); }},
        {"mesh_page", page, [](const World& w, const Style&) { return cli::mesh_page(kHeading, w.mesh); }},
        {"doctor_prometheus", labels, [](const World& w, const Style&) { return cli::doctor_prometheus(w.view(), 1); }},
        {"monitor_line", plugin, [](const World& w, const Style&) { return cli::monitor_line(cli::Output::nagios, w.view(), true); }},
        {"monitor_error", plugin, [](const World& w, const Style&) { return cli::monitor_error(cli::Output::nagios, {w.word, w.word}); }},
        {"plan_markdown", markdown, [](const World& w, const Style& s) { return cli::plan_markdown(w.word, w.plan, s); }},
    };
    return all;
}
// clang-format on

/// Of these the text is part of another view, or is of tables alone. Each that is not walked says
/// why here.
const std::map<std::string, std::string, std::less<>> kElsewhere = {
    {"origin_in_short", "plan_text"},
    {"changes_text", "plan_text"},
    {"differences_text", "verify_text"},
    {"findings_text", "report_text"},
    {"plan_findings_text", "plan_text"},
    {"plan_summary", "plan_text"},
    {"management_text", "plan_text"},
    {"line_of", "WatchTeller"},
    {"ports_text", "doctor_text"},
    {"shared_text", "doctor_text"},
    {"subject_of", "plan_text"},
    {"value_text", "plan_text"},
    {"lasting_command", "doctor_text"},
    {"places_text", "doctor_text"},
    {"paste_line", "doctor_text"},
    {"fitted", "what folds the text of a view"},
    {"open_text", "a line of the log, which is on one line"},
    {"document", "plan_json"},
    {"json_text", "plan_json"},
    {"junit_suite", "plan_junit"},
    {"finding_text", "mesh_text"},
    {"pair_text", "mesh_text"},
    {"mesh_sum", "numbers"},
    {"mesh_view", "the other views of a mesh"},
    {"mesh_plan_view", "numbers"},
    {"measured_text", "probe_text"},
    {"probe_view", "the other views of a probe"},
    {"probe_perftest", "numbers"},
    {"doctor_list", "of the catalogue"},
    {"doctor_list_json", "of the catalogue"},
    {"driver_json", "of a row"},
    {"field_json", "of a row"},
    {"term_json", "of a row"},
    {"key_json", "of a row"},
    {"finding_json", "of a row"},
    {"intent_text", "of rows"},
    {"intent_json", "of rows"},
    {"page", "doctor_page"},
    {"formatted", "numbers"},
    {"printable", "what escapes"},
    {"on_one_line", "what escapes"},
    {"xml", "what escapes"},
    {"label", "what escapes"},
    {"markdown_code", "what escapes"},
    {"markdown_block", "what escapes"},
    {"plugin_text", "what escapes"},
    {"table", "doctor_text"},
    {"figures", "probe_text"},
    {"likeness_of", "what is compared, and never shown"},
    {"wrapped", "port_text"},
    {"count", "a number"},
    {"write_offline_profile", "tests/cli/hostile_test.sh"},
    {"write_offline_profile_json", "tests/cli/hostile_test.sh"},
};

bool is_obeyed(const std::string& text) {
    return std::ranges::any_of(text,
                               [](char c) {
                                   const auto byte = static_cast<unsigned char>(c);
                                   return (byte < 0x20 && c != '\n' && c != '\x1b') || byte == 0x7f;
                               }) ||
           text.find("\xc2\x9b") != std::string::npos ||
           text.find("\xe2\x80\xae") != std::string::npos ||
           text.find("\xe2\x80\xa8") != std::string::npos;
}

std::string shown(const std::string& text, bool colour) {
    std::ostringstream terminal;
    cli::PrintableBuffer buffer(*terminal.rdbuf(), colour);
    std::ostream(&buffer) << text;
    return terminal.str();
}

std::size_t times(const std::string& text, char c) {
    return static_cast<std::size_t>(std::ranges::count(text, c));
}

/// What makes up the form of the text for who reads it, and cannot depend on a word in it.
std::vector<std::size_t> form_of(Reader reader, const std::string& text) {
    std::string marks = "\n\x1b";
    if (reader == Reader::xml) marks = "<>\"";
    if (reader == Reader::page)
        marks = "<";  // what is there of other marks is the page's script and its document
    if (reader == Reader::plugin) marks = "\n|";
    std::vector<std::size_t> out;
    for (const char mark : marks)
        out.push_back(times(text, mark));
    if (reader == Reader::labels) {
        const std::regex quoted(R"("([^"\\\n]|\\[\\"n])*")");
        out.push_back(times(std::regex_replace(text, quoted, ""), '"'));
    }
    return out;
}

void check(const View& view, const std::string& tame, const std::string& hostile) {
    INFO(view.name, "\n", tame, "\n", hostile);
    REQUIRE_FALSE(tame.empty());
    CHECK(form_of(view.reader, hostile) == form_of(view.reader, tame));
    CHECK_FALSE(is_obeyed(hostile));
    if (view.reader != Reader::json) return;
    std::istringstream lines(hostile);
    const bool whole = nlohmann::json::accept(hostile);
    for (std::string line; !whole && std::getline(lines, line);)
        CHECK(nlohmann::json::accept(line));
}

}  // namespace

TEST_CASE("law: in every view a word of others is a word, for whoever reads the view") {
    const World tame("name");
    const World hostile(kHostile);
    for (const View& view : views())
        for (const bool colour : {false, true}) {
            const bool seen = view.reader != Reader::page;  // which goes into a file
            const Style style{.colour = colour && view.reader == Reader::terminal};
            const auto text = [&](const World& world) {
                const std::string out = view.text(world, style);
                return seen ? shown(out, style.colour) : out;
            };
            check(view, text(tame), text(hostile));
        }
}

TEST_CASE("law: no view is forgotten among those that are walked with words of others") {
    std::set<std::string> walked;
    for (const View& view : views())
        walked.insert(view.name);
    std::set<std::string> there;
    for (const auto& entry : std::filesystem::directory_iterator(ROCECTL_SOURCE_DIR "/cli/views")) {
        if (entry.path().extension() != ".hpp") continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            std::smatch found;
            if (std::regex_search(line, found, std::regex(R"(^ *std::string (\w+)\()")) ||
                std::regex_search(line, found, std::regex(R"(^class (\w+Teller))")) ||
                std::regex_search(line, found, std::regex(R"(^void (\w+)\(std::ostream&)")))
                there.insert(found[1]);
        }
    }
    CHECK(there.size() > 60);
    for (const std::string& name : there) {
        CAPTURE(name);
        CHECK((walked.contains(name) || kElsewhere.contains(name)));
    }
    for (const auto& [name, why] : kElsewhere)
        CHECK_FALSE((walked.contains(name) && !why.empty()));
}

}  // namespace words_of_others

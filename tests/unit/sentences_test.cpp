// SPDX-License-Identifier: Apache-2.0
// The sentences that people read, each as running code says it, in one file: tests/sentences.txt.
// ROCECTL_REGENERATE=1 writes it anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "cli/files/text_file.hpp"
#include "cli/parse.hpp"
#include "core/boot/judge.hpp"
#include "core/checks/catalogue.hpp"
#include "core/doctor/error_texts.hpp"
#include "core/json/json.hpp"
#include "core/model/object.hpp"
#include "core/plan/apply.hpp"
#include "core/plan/management.hpp"
#include "core/plan/owners.hpp"
#include "core/plan/readiness.hpp"
#include "core/plan/refused_optional.hpp"
#include "core/plan/state_file.hpp"
#include "core/plan/undo.hpp"
#include "core/profile/bonds.hpp"
#include "core/profile/offline.hpp"
#include "tests/unit/broken_hosts.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/profiles.hpp"

namespace sentences_test {

using namespace core;

namespace {

const std::string kTests = ROCECTL_SOURCE_DIR "/tests/";

/// Values that contradict what is beside them on a lossless port, or that no device takes.
struct Amiss {
    std::string_view field;
    Value value;
    std::string element{};
};
const std::vector<Amiss> kAmiss = {
    {"rdma.default_tos", std::uint64_t{104}},
    {"rdma.default_tos", std::uint64_t{107}},
    {"rdma.default_tos", std::uint64_t{40}},
    {"mtu", std::uint64_t{1000}},
    {"host.sysctl", std::string("1"), "net.ipv4.ip_forward"},
    {"pfc.priorities", Numbers{0, 1, 2, 3, 4, 5, 6, 7}},
    {"pfc.priorities", Numbers{3, 6}},
    {"pfc.priorities", Numbers{4}},
    {"ets.bandwidth", Numbers{50, 0, 0, 40, 0, 0, 0, 0}},
    {"ets.traffic_class", Numbers{0, 1, 3, 3, 4, 5, 6, 7}},
    {"buffer.of_priority", Numbers{0, 0, 0, 0, 0, 0, 0, 0}},
    {"ecn.cnp_priority", std::uint64_t{3}},
    {"ecn.cnp_dscp", std::uint64_t{26}},
    {"ecn.cnp_dscp", std::uint64_t{10}},
    {"dscp.trust", std::string("pcp")},
    {"rdma.traffic_class", std::uint64_t{0}},
    {"routes", Record{{"to", "10.0.0.0/8"}, {"via", "2001:db8::1"}}},
    {"routes", Record{{"to", "10.0.0.0/8"}, {"via", "192.168.100.1"}}},
    {"mtu", std::uint64_t{4096}},
    {"addresses", std::string("10.0.0.0/24")},
    {"host.nccl", std::string("40"), "NCCL_IB_TC"},
    {"host.ucx", std::string("40"), "UCX_IB_TRAFFIC_CLASS"},
    {"ecn.cnp_dscp", std::uint64_t{16}},
    {"pcie.read_request", std::uint64_t{300}},
    {"pfc.storm_prevention", std::string("65000")},
    {"rdma.name", std::string()},
    {"app.udp", std::uint64_t{3}, "4791"},
    {"features", true, "tx-lockless"},
    {"ip.arp_ignore", std::uint64_t{1}},
    {"host.sysctl", std::string("1"), "net.no.such"},
    {"rules", Record{{"priority", std::uint64_t{1000}},
                     {"table", std::uint64_t{101}},
                     {"to", "2001:db8::/64"},
                     {"family", "ipv4"}}},
};

/// The values that are tried for a setting, each with its element.
std::vector<Amiss> tried(const Field& field) {
    std::vector<Amiss> out;
    std::vector<Value> values = samples(field.shape);
    for (const Value& value : hosts::held(field.key))
        values.push_back(value);
    for (const Value& value : values)
        for (const std::string& key : sample_keys(field.shape))
            out.push_back(
                {field.key, value,
                 field.shape.kind == Shape::Kind::items ? identity(field.shape, value) : key});
    for (const Amiss& one : kAmiss)
        if (one.field == field.key) {
            out.push_back(one);
            if (field.shape.kind == Shape::Kind::items)
                out.back().element = identity(field.shape, one.value);
        }
    return out;
}

/// What the file has, by who says it: "pfc-off says", "pfc refuses", "plan ends with".
class Sentences {
public:
    /// Of sentences that differ in numbers and names alone, the first in the order of letters.
    void add(const std::string& who, const std::string& text) {
        if (text.empty()) return;
        // Not in the middle of a path: the sources may be at /rocectl, as in tests/roots.
        static const std::regex source(R"re((^|[\s'"(=])()re" ROCECTL_SOURCE_DIR
                                       R"re(/|/[^\s,;()']*/rocectl-root-\w{6}/?))re");
        static const std::regex name(R"re('[^']*'|[^\s,;()'"]*[0-9][^\s,;()'"]*)re");
        static const std::regex names(R"re(#(,? #)+)re");
        std::string line = std::regex_replace(text, source, "$1");
        for (std::size_t at = 0; (at = line.find('\n', at)) != std::string::npos;)
            line.replace(at, 1, " / ");
        const std::string form =
            std::regex_replace(std::regex_replace(line, name, "#"), names, "#");
        const auto [place, is_new] = said_[who].emplace(form, line);
        if (!is_new && line < place->second) place->second = line;
    }

    [[nodiscard]] bool has(const std::string& who) const { return said_.contains(who); }

    [[nodiscard]] std::string text() const {
        std::string out;
        for (const auto& [who, forms] : said_) {
            std::set<std::string> lines;
            for (const auto& [form, line] : forms)
                lines.insert(line);
            for (const std::string& line : lines)
                out += who + ": " + line + '\n';
        }
        return out;
    }

private:
    std::map<std::string, std::map<std::string, std::string>> said_;
};

void add_rows(Sentences& out) {
    for (const FindingGroup* group : finding_groups())
        out.add("group " + std::string(group->name), std::string(group->doc));
    for (const FindingRow* row : catalogue()) {
        const std::string id(row->id);
        out.add(id + " matters", std::string(row->why));
        out.add(id + " is fixed", std::string(row->remedy));
        out.add(id + " is tested", std::string(row->cause.test));
        out.add(id + " is ruled out", std::string(row->cause.ruled_out_by));
    }
    for (const ErrorText* text : error_texts()) {
        const std::string id(text->name);
        out.add(id + " is from", std::string(text->by));
        out.add(id + " means", std::string(text->meaning));
        out.add(id + " is no advice", std::string(text->mistaken));
        for (const ErrorCandidate& candidate : candidates_of(*text))
            out.add(id + " may come from", std::string(candidate.words));
    }
    for (const cli::Command* const command : cli::commands()) {
        out.add("rocectl " + std::string(command->name), std::string(command->help));
        for (const cli::OptionRow* option : command->options)
            out.add("option " + std::string(option->name), std::string(option->help));
    }
}

void add_faults(Sentences& out, const std::string& id, const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
        out.add(id + " says", fault.text);
        out.add(id + " is fixed", fault.remedy);
        out.add(id + " is fixed by", fault.command);
        out.add(id + " presumes", fault.when);
        if (fault.other) out.add(id + " presumes", fault.other->when);
    }
}

/// What doctor says of the hosts of tests/doctor.
void add_checks(Sentences& out) {
    const Json known = broken_hosts::faults();
    const auto look = [&](const std::string& of, const std::vector<Json>& some) {
        const broken_hosts::Mutant host = broken_hosts::mutant(of, some);
        broken_hosts::Asked asked =
            broken_hosts::asked(broken_hosts::asked_for(of, some), host.broken, host.sound);
        for (const Check& check : asked.diagnose().examination.checks) {
            add_faults(out, std::string(check.row->id), check.faults);
            out.add("doctor skips", check.reason);
        }
    };
    for (const char* file : {"doctor/faults.json", "doctor/said.json", "sentences/hosts.json"})
        for (const Json& fault : Json::parse(broken_hosts::source(file)))
            look(fault["of"].get<std::string>(), {fault});
}

/// Ports as they are in tests/states, and as the laws take them, of every driver.
std::vector<Port> ports() {
    std::vector<Port> out;
    for (const auto& file : std::filesystem::directory_iterator(kTests + "states")) {
        const std::string path = file.path().string();
        for (const Port& port : parse_state(cli::read_file(path), path).ports)
            out.push_back(port);
    }
    for (const Driver* driver : drivers()) {
        out.push_back(hosts::port(std::string(driver->name)));
        out.push_back(out.back());
        out.back().rdma_link = RdmaLink{.device = "rxe7", .index = 1, .type = "rxe"};
    }
    out.push_back(hosts::whole_host());
    for (const char* name : {"gpu-rail", "e810", "bonded-port", "mixed-nics", "soft-roce"})
        for (const Port& port : broken_hosts::whole(broken_hosts::applied(name)).ports)
            out.push_back(port);
    Port odd = hosts::port("bnxt_en");
    odd.ipv4->arp_ignore.all = 2;
    odd.rdma_link = RdmaLink{.device = "rxe7", .index = 1, .type = "rxe", .netns = "blue"};
    odd.cm_directory = true;
    odd.cm_defaults = CmDefaults{.mode = "RoCE v2", .tos = 0};
    odd.pcie = Pcie{};
    odd.storm_prevention = StormPrevention{};
    odd.bond_members.emplace();
    odd.ecn_directory = true;
    odd.ecn->numbers.at(Ecn::cnp_dscp) = Ecn::Held{.value = 0x16};
    odd.features.emplace().active["tx-udp-segmentation"] = true;
    odd.link_modes.emplace().autoneg = false;
    for (const char* driver : {"mlx5_core", "ice", "bnxt_en", "hns3", "ionic"}) {
        odd.device->driver = driver;
        out.push_back(odd);
    }
    odd.rdma_link = RdmaLink{.device = "mlx5_7", .index = 1, .netns = "exclusive"};
    odd.cm_directory = false;
    out.push_back(odd);
    return out;
}

const Host kHostItself{.name = "node1", .kernel = "6.1.0"};
const Host kLater{.name = "node1", .kernel = "7.3.4"};

/// What the rows of objects and of drivers say of a port that is to be otherwise in one setting.
void add_changes(Sentences& out, const Port& now) {
    const Driver& driver = driver_of(now);
    for (const Field& field : fields()) {
        const ObjectRow& row = row_of(field.object);
        const std::string name(row.name);
        if (row.unsupported != nullptr)
            if (const auto unsupported_text = row.unsupported(driver, now, field.key)) {
                out.add(name + " lacks", unsupported_text->text);
                out.add(std::string(std::string_view(unsupported_text->id)) + " says",
                        unsupported_text->text);
                out.add(name + " is fixed", unsupported_text->remedy);
            }
        if (row.words.remedy != nullptr)
            out.add(name + " is fixed", std::string(row.words.remedy(driver, now)));
        if (row.already_so != nullptr) {
            out.add(name + " is moot", row.already_so(now).value_or(""));
            out.add("moot says", row.already_so(now).value_or(""));
        }
        if (field.use != Field::Use::setting || !field.get(now)) continue;
        for (const Amiss& one : tried(field)) {
            Port then = now;
            set_element(then, field, one.element, one.value);
            if (row.refuses != nullptr)
                out.add(name + " refuses", row.refuses(driver, now, then).value_or(""));
            if (row.words.remarks != nullptr)
                for (const Host* host : {&kHostItself, &kLater})
                    out.add(name + " remarks",
                            row.words.remarks(driver, *host, now, then).value_or(""));
            if (row.play == nullptr) continue;
            State state{.host = kHostItself, .ports = {now}};
            const Played played = row.play(driver, state, state.ports[0], then);
            if (played.refusal) out.add(name + " answers", played.refusal->text);
        }
    }
}

void add_objects(Sentences& out) {
    for (const ObjectRow* row : objects()) {
        const std::string name(row->name);
        out.add(name + " lacks", std::string(row->words.unsupported));
        out.add(name + " is not opened", std::string(row->read.unopened));
        out.add(name + " stays", std::string(row->boot.stays));
        out.add(name + " is not foreseen", std::string(row->boot.unforeseen));
    }
    for (const Port& port : ports())
        add_changes(out, port);
}

/// What is found in the desired values of a lossless port of which one is another.
void add_contradictions(Sentences& out) {
    const Intent intent{.priority = {.value = 3, .origin = {}},
                        .dscp = {.value = 26, .origin = {}},
                        .cnp = Intent::Cnp{.priority = {.value = 6, .origin = {}},
                                           .dscp = {.value = 48, .origin = {}}},
                        .bandwidth = {.value = 50, .origin = {}},
                        .ecn = {.value = 1, .origin = {}},
                        .trust = {},
                        .libraries = {.value = 3, .origin = {}},
                        .origin = {}};
    // The switch keeps another priority lossless.
    const SwitchSettings switches{
        .dscp_map = {{26, {.value = 5, .origin = {}}}, {48, {.value = 4, .origin = {}}}},
        .lossless = SwitchSettings::Lossless{.priorities = {4}, .origin = {}}};
    for (const Driver* driver : drivers()) {
        const std::vector<Desired> sound =
            hosts::lossless(std::string(driver->name)).desired_values;
        std::vector<Desired> unmapped = sound;
        std::erase_if(unmapped, [](const Desired& desired) { return desired.element == "48"; });
        unmapped.push_back(hosts::no_desired("dscp.map", "48"));
        for (const Fault& fault : inconsistencies(unmapped, intent, {}, *driver))
            add_faults(out, std::string(fault.row->id), {fault});
        for (const Field& field : fields()) {
            if (field.use != Field::Use::setting) continue;
            for (const Amiss& one : tried(field)) {
                std::vector<Desired> desired_values = sound;
                const Desired amiss =
                    hosts::desired(std::string(field.key), one.value, one.element);
                std::erase_if(desired_values,
                              [&](const Desired& other) { return same_element(other, amiss); });
                desired_values.push_back(amiss);
                for (const Fault& fault :
                     inconsistencies(desired_values, intent, switches, *driver))
                    add_faults(out, std::string(fault.row->id), {fault});
            }
        }
    }
}

/// Adds all findings of a document.
void add_document(Sentences& out, const Json& node) {
    if (node.is_object() && node.contains("id") && node.contains("text") &&
        node["text"].is_string())
        out.add(node["id"].get<std::string>() + " says", node["text"].get<std::string>());
    if (node.is_object() && node.contains("id") && node.contains("remedy") &&
        node["remedy"].is_string())
        out.add(node["id"].get<std::string>() + " is fixed", node["remedy"].get<std::string>());
    if (node.is_structured())
        for (const Json& each : node)
            add_document(out, each);
}

/// The words of a line of a shell, as far as tests quote them.
std::vector<std::string> words_of(const std::string& line) {
    static const std::regex word(R"re('([^']*)'|([^\s']+))re");
    std::vector<std::string> out;
    for (std::sregex_iterator at(line.begin(), line.end(), word), end; at != end; ++at)
        out.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
    return out;
}

/// What a command line ends with, that reads no host and writes none.
void add_call(Sentences& out, const std::vector<std::string>& words, const OwnRoot& root) {
    const std::string command = "rocectl " + cli::command_in(words);
    try {
        cli::Invocation call = cli::parse(words);
        if (call.command == nullptr) return;
        if (call.command->host == cli::HostUse::sends) return;
        std::ostringstream text;
        std::istringstream in;
        call.options.root = root.path();
        call.options.output = cli::Output::json;
        cli::Session session{
            .command = std::string(call.command->name),
            .options = call.options,
            .style = {},
            .out = text,
            .live = [](const auto&) -> std::unique_ptr<Kernel> { throw Error(Status::failed, ""); },
            .ask = nullptr,
            .missing_privilege = [] { return std::string(); },
            .save = [](const std::string&) {},
            .in = &in};
        call.command->run(session);
        if (text.str().starts_with('{')) add_document(out, Json::parse(text.str()));
    } catch (const Error& error) {
        for (const std::string& line : error.lines())
            out.add(command + (command.ends_with(' ') ? "ends" : " ends"), line);
    }
}

/// Lines of a file of inputs.
std::vector<std::string> lines_of(const std::string& file, const std::string& start = "") {
    std::istringstream text(broken_hosts::source(file));
    std::vector<std::string> out;
    for (std::string line; std::getline(text, line);)
        if (!line.empty() && !line.starts_with('#') && line.starts_with(start))
            out.push_back(line.substr(start.size()));
    return out;
}

/// "plan mlx5_core: PROFILE", with the state; "check: PROFILE".
void add_profile(Sentences& out, const std::string& line, const OwnRoot& root) {
    const std::string file = root.file("main.json").string();
    const std::size_t colon = line.find(": ");
    std::ofstream(file) << line.substr(colon + 2);
    const std::vector<std::string> how = words_of(line.substr(0, colon));
    if (how.front() == "check")
        add_call(out, {"profile", "check", file}, root);
    else
        add_call(out, {how[0], file, "--state", kTests + "states/" + how[1] + ".json"}, root);
}

/// What plan, verify and apply say of the hosts of hosts.json, with what a profile states of each.
void add_hosts(Sentences& out, const OwnRoot& root) {
    for (const Json& one : Json::parse(broken_hosts::source("sentences/hosts.json"))) {
        const std::string profile = root.file("main.json").string();
        const std::string state = root.file("state.json").string();
        std::ofstream(profile) << R"({"format": 1, "host": {)" + one.value("host", "") +
                                      R"(}, "ports": [{"match": {"name": "*"}, )" +
                                      one.value("entry", R"("optional": [])") + "}]}";
        std::ofstream(state) << broken_hosts::mutant(one["of"].get<std::string>(), {one}).broken;
        add_call(out, {"plan", profile, "--state", state}, root);
        add_call(out, {"verify", profile, "--persistent", "--state", state}, root);
        add_call(out, {"apply", profile, "--yes", "--state", state, "--out", state}, root);
    }
}

void add_calls(Sentences& out) {
    const OwnRoot root;
    std::filesystem::create_directory_symlink(ROCECTL_SOURCE_DIR "/profiles",
                                              root.file("usr/share/rocectl/profiles"));
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(ROCECTL_SOURCE_DIR);
    for (const cli::Command* const command : cli::commands())
        add_call(out, words_of(std::string(command->name) + " --no-such"), root);
    for (const std::string& line : lines_of("cli/usage_test.sh", "refuses "))
        add_call(out, words_of(line), root);
    for (const std::string& line : lines_of("sentences/calls.txt"))
        add_call(out, words_of(line), root);
    for (const std::string& line : lines_of("sentences/profiles.txt"))
        add_profile(out, line, root);
    add_hosts(out, root);
    for (const auto& file : std::filesystem::directory_iterator(kTests + "contradictions")) {
        const std::string profile = file.path().string();
        add_call(out, {"profile", "check", profile}, root);
        for (const char* state : {"mlx5_core", "gpu-rail", "bnxt_en"})
            add_call(out, {"plan", profile, "--state", kTests + "states/" + state + ".json"}, root);
    }
    std::filesystem::current_path(before);
}

void add_findings(Sentences& out, const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        const std::string id(finding.id.row().id);
        out.add(id + " says", finding.text);
        out.add(id + " is fixed", finding.remedy);
    }
}

/// What a plan says of a host whose port is otherwise than hosts::port has it, and of who holds it.
template <typename Change>
Plan add_plan(Sentences& out, const Change& change, const DesiredState& desired_values) {
    State state = hosts::host("mlx5_core");
    change(state.ports[0]);
    StateFile kernel(state);
    Plan plan = hosts::plan(kernel, desired_values);
    add_findings(out, plan.findings);
    state.ports[0].queue_pairs = QueuePairs{{"nccl-tests", 4}};
    add_findings(out, other_owners(plan, state));
    return plan;
}

/// What is said of two ports that have each other's addresses, of one that has the other's, and of
/// who manages the host by them.
void add_moves(Sentences& out) {
    const std::string first = "10.1.0.1";
    const std::string second = "10.2.0.1";
    State two = hosts::host("mlx5_core");
    two.ports.push_back(hosts::port("mlx5_core", "ens1f1"));
    two.ports[0].addresses = {{.ip = *parse_ip(second), .prefix_length = 31}};
    two.ports[1].addresses = {{.ip = *parse_ip(first), .prefix_length = 31}};
    DesiredState desired_values =
        hosts::desired_values({hosts::desired("addresses", first + "/31", first),
                               hosts::desired("addresses", second + "/31", second, "ens1f1")});
    desired_values.ports = {"ens1f0", "ens1f1"};
    add_findings(out, make_plan(desired_values, two).findings);
    two.ports[0].addresses->clear();
    const Plan plan = make_plan(desired_values, two);
    add_findings(out, plan.findings);
    add_findings(out, cut_management(plan, two, two, parse_ip(first), false));
    two.ports[0].addresses = {{.ip = *parse_ip(first), .prefix_length = 31}};
    two.ports[0].routes = {{.to = {}, .via = parse_ip("10.1.0.0")}};
    StateFile kernel(two);
    const Plan down = hosts::plan(kernel, hosts::desired_values({hosts::desired("up", false)}));
    add_findings(out, cut_management(down, two, two, parse_ip(first), false));
}

void add_plans(Sentences& out) {
    const Prefix network{.ip = *parse_ip("10.7.0.0"), .length = 16};
    const auto as_it_is = [](Port&) {};
    DesiredState moved =
        hosts::desired_values({hosts::desired("addresses", std::string("198.18.0.2/24"))});
    moved.exact = {{.port = "ens1f0", .field = find_field("addresses"), .only = {}, .origin = {}}};
    add_plan(out, as_it_is, moved);
    add_plan(
        out,
        [](Port& port) {
            port.routes->push_back(
                {.to = *parse_prefix("10.9.0.0/16"), .source = port.addresses->front().ip});
        },
        moved);
    add_plan(
        out,
        [&](Port& port) { port.routes_beyond = {{.route = {.to = network}, .what = "nexthops"}}; },
        hosts::desired_values({hosts::desired("up", false)}));
    const DesiredState without_roce = hosts::desired_values(
        {hosts::desired("rdma.enable_roce", false), hosts::desired("mtu", std::uint64_t{9000})});
    const Plan reload = add_plan(out, as_it_is, without_roce);
    State now = hosts::host("mlx5_core");
    now.ports[0].addresses.emplace();
    add_findings(out, lost_by_stage(without_roce, reload, now));
    Plan final = reload;
    for (Step& step : final.steps)
        step.irreversible = true;
    for (const Plan& rest : {reload, final})
        if (const auto finding = costs_more(rest, Plan())) add_findings(out, {*finding});
    const Desired bond0 = hosts::desired("bond.members", std::string("ens1f0"), "ens1f0", "bond0");
    const Desired bond1 = hosts::desired("bond.members", std::string("ens1f0"), "ens1f0", "bond1");
    add_findings(out, member_of_two({bond0, bond1}));
    add_moves(out);
}

/// What is said once something was written, and of runs that are undone.
void add_runs(Sentences& out) {
    const State before = hosts::host("mlx5_core");
    State after = before;
    after.ports[0].link->mtu = 1400;
    after.ports[0].ring.reset();
    add_findings(out, compare(before, after));
    after.ports[0].speed = 40000;
    add_findings(
        out, not_ready(hosts::desired_values({hosts::desired("link.speed", std::uint64_t{100000})}),
                       after));
    const RefusedOptional refused{.port = "ens1f0",
                                  .field = find_field("mtu"),
                                  .value = std::uint64_t{9000},
                                  .text = "Invalid argument (22)",
                                  .time = "2026-01-01T00:00:00Z"};
    Desired desired = hosts::desired("mtu", std::uint64_t{9000});
    desired.optional = true;
    DesiredState optional = hosts::desired_values({desired});
    add_findings(out, take_out_refused_optional(optional, {refused}, after));
    const Subject subject{
        .name = "ens1f0", .pci = "0000:81:00.0", .permanent_mac = "02:00:00:00:00:77"};
    Undo undo{.undo_profile = optional, .subjects = {subject}};
    find_again(undo, before);
    add_findings(out, undo.undo_profile.findings);
    const JournalEntry elsewhere{
        .id = 7, .boot = "b", .network_namespace = 1, .subjects = {subject}};
    add_findings(out, undo_of({elsewhere}, {.boot = "b", .cookie = 2}).undo_profile.findings);
    const Outcome failed{
        .step = {.port = "ens1f0", .object = Object::cm_defaults},
        .result = Outcome::Result::refused,
        .text = "ens1f0: cm_defaults: Input/output error (5) while setting rdma.default_tos"};
    add_findings(out, lost_unseen({failed}));
    add_findings(out,
                 {late_write(), unnoted("No space left on device"),
                  broken(Error(Status::failed, "ens1f0: the kernel has not answered in 30 s"))});
    after.ports.clear();
    add_findings(out, compare(before, after));
}

/// What files of boot leave of a value: lost, set again, or set to another.
void add_boots(Sentences& out) {
    State state{.host = {}, .ports = {Port(std::string(kHost))}};
    Port& host = state.ports[0];
    host.sysctl = Sysctl{{"vm.swappiness", "1"}};
    const DesiredState desired_values = hosts::desired_values(
        {hosts::desired("host.sysctl", std::string("1"), "vm.swappiness", std::string(kHost))});
    host.boot_files =
        BootFiles{{.file = "/usr/lib/systemd/system/sysinit.target.wants/systemd-sysctl.service"}};
    add_findings(out, boot::after_boot(desired_values, state, {}));
    for (const char* value : {"1", "2"}) {
        host.boot_files->push_back({.file = "/etc/sysctl.d/90-roce.conf",
                                    .line = 1,
                                    .text = std::string("vm.swappiness = ") + value});
        add_findings(out, boot::after_boot(desired_values, state, {}));
        host.boot_files->pop_back();
    }
}

const Sentences& sentences() {
    static const Sentences made = [] {
        Sentences out;
        add_rows(out);
        add_checks(out);
        add_objects(out);
        add_contradictions(out);
        add_calls(out);
        add_plans(out);
        add_runs(out);
        add_boots(out);
        return out;
    }();
    return made;
}

}  // namespace

TEST_CASE("sentences: what people read is as tests/sentences.txt has it") {
    const std::string file = kTests + "sentences.txt";
    if (std::getenv("ROCECTL_REGENERATE") != nullptr)
        std::ofstream(file) << sentences().text();
    else
        CHECK(sentences().text() == cli::read_file(file));
}

TEST_CASE("sentences: each finding of the catalogue says one") {
    for (const FindingRow* row : catalogue()) {
        INFO(row->id);
        // Two desired values of one object of which a device would store but one: no row has any.
        // A link that negotiated another speed than it was given is in readiness_test.
        const bool elsewhere = row->id == "contradiction" || row->id == "other-speed";
        CHECK(sentences().has(std::string(row->id) + " says") != elsewhere);
    }
}

TEST_CASE("sentences: each object says one for whatever its row may say") {
    for (const ObjectRow* row : objects()) {
        const auto says = [&](const char* what) {
            INFO(row->name, what);
            CHECK(sentences().has(std::string(row->name) + what));
        };
        if (row->refuses != nullptr) says(" refuses");
        if (row->unsupported != nullptr) says(" lacks");
        if (row->already_so != nullptr) says(" is moot");
        if (row->words.remarks != nullptr) says(" remarks");
    }
}

TEST_CASE("sentences: each command that can end with an error says one") {
    for (const cli::Command* const command : cli::commands()) {
        INFO(command->name);
        if (command != &cli::command::print_help && command != &cli::command::profile_schema)
            CHECK(sentences().has("rocectl " + std::string(command->name) + " ends"));
    }
}

}  // namespace sentences_test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "core/json/json.hpp"
#include "core/plan/undo.hpp"
#include "tests/netns/sandbox.hpp"

// After apply and rollback the host is as before, in all that ip(8) and /proc/sys/net tell of every
// port, or the plan had said that a step cannot be undone.

namespace as_before_test {

using namespace core;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

unsigned number_of(const char* variable, unsigned otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// Two pairs of ports with all that an administrator may have given them.
class Rig {
public:
    explicit Rig(std::mt19937& random) {
        sandbox::run(
            "for d in default all; do echo 0 >/proc/sys/net/ipv6/conf/$d/accept_dad; done; "
            "ip link add t0 type veth peer name p0; ip link add t1 type veth peer name p1; "
            "for p in p0 p1 t0 t1; do ip link set dev $p up; done");
        if (std::system("ip link add link t0 name t0.5 up type vlan id 5 2>/dev/null") == 0)
            ports.emplace_back("t0.5");
        constexpr std::array kByHand = {
            "-6 address add fd00::1/64 dev t0 nodad",
            "-6 address add fd00::3/64 dev t0 nodad preferred_lft 0",
            "-6 address add fe80::77/64 dev t0 nodad",
            "-6 address add fd00::9/64 dev t0 nodad valid_lft 3000 preferred_lft 2000",
            "-6 address add fd05::1/64 dev t0.5 nodad",
            "-6 address add fd07::1/64 dev p1 nodad",
            "address add 10.0.0.1/24 broadcast + dev t0",
            "address add 10.0.0.2/24 dev t0",
            "address add 10.0.0.3/24 dev t0",
            "address add 10.1.0.1/16 broadcast 10.1.9.9 dev t0",
            "address add 10.0.0.9/24 dev t0 preferred_lft 0",
            "address add 10.3.0.1/24 dev t0 noprefixroute",
            "address add 10.4.0.1 peer 10.4.0.2/32 dev t1",
            "address add 10.6.0.1/24 dev t1 valid_lft 3000 preferred_lft 2000",
            "address add 10.5.0.1/24 dev t1",
            "address add 10.9.9.9/32 dev p1",
            "route add 10.8.0.0/16 via 10.0.0.254 dev t0",
            "route add 10.20.0.0/16 via 10.0.0.253 dev t0 src 10.0.0.2",
            "route add 10.21.0.0/16 dev t1 mtu 1300",
            "route add 10.22.0.0/16 via 10.5.0.254 dev t1 table 100",
            "-6 route add fd08::/48 via fd00::fe dev t0",
            "-6 route add fd09::/48 dev t0 metric 7",
            "-6 route add fd0a::/48 via fd00::fe dev t0 mtu 1400",
            "neighbour add 10.0.0.77 lladdr 02:00:00:00:00:77 dev t0 nud permanent",
            "-6 neighbour add fd00::77 lladdr 02:00:00:00:00:77 dev t0 nud permanent",
            "rule add from 10.0.0.1 table 100 priority 1000",
            "nexthop add id 7 via 10.0.0.250 dev t0",
            "nexthop add id 8 via fd00::fa dev t0",
        };
        std::string batch;
        for (const char* line : kByHand)
            if (random() % 4 != 0) batch += std::string("ip ") + line + " 2>/dev/null; ";
        // Routes whose gateway nothing reaches any more.
        if (random() % 4 == 0)
            batch +=
                "ip address add 10.66.0.1/24 dev t0; ip route add 10.67.0.0/16 via 10.66.0.9 dev "
                "t0; "
                "ip address add 10.68.0.1/24 dev t0; ip address delete 10.66.0.1/24 dev t0; ";
        if (random() % 3 == 0) batch += "echo 1 >/proc/sys/net/ipv4/conf/t0/promote_secondaries; ";
        if (random() % 3 == 0) batch += "echo 1 >/proc/sys/net/ipv6/conf/t0/keep_addr_on_down; ";
        if (random() % 3 == 0) batch += "echo 1 >/proc/sys/net/ipv4/conf/t1/forwarding; ";
        if (random() % 3 == 0) batch += "echo 1 >/proc/sys/net/ipv6/conf/p1/forwarding; ";
        sandbox::run(batch + "true");
        settle();
    }
    ~Rig() {
        static_cast<void>(
            !std::system("ip link delete dev t0; ip link delete dev t1; "
                         "for f in -4 -6; do while ip $f rule delete table 100 2>/dev/null; do :; "
                         "done; done; ip nexthop flush >/dev/null"));
    }
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;

    std::vector<std::string> ports = {"t0", "t1"};

    /// Waits until the four ports have their link-local addresses, which come with the carrier, and
    /// no address is tentative: without detection too one is for a moment.
    static void settle() {
        for (int i = 0; i < 300; ++i) {
            const bool all = sandbox::run("ip -6 -o address show scope link | wc -l") >= "4";
            if ((all || i > 150) && sandbox::run("ip -6 address show tentative").empty()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
};

/// Removes ages, indices and what counts, at any depth; nodad, which matters only while the address
/// is added.
void forget_ages(json& node) {
    if (node.is_object()) {
        const bool is_limited = node.value("dynamic", false);
        for (const char* key : {"ifindex", "link_index", "cacheinfo", "expires", "used", "stats64",
                                "stats", "confirmed", "updated", "probes", "nodad"})
            node.erase(key);
        if (is_limited)
            for (const char* key : {"valid_life_time", "preferred_life_time"})
                node.erase(key);
    }
    if (node.is_structured())
        for (json& part : node)
            forget_ages(part);
}

using Dump = std::map<std::string, std::string>;

/// The order of IPv4 addresses counts; that of IPv6 addresses is the newest first
/// (net/ipv6/addrconf.c ipv6_link_dev_addr), and no more than a last resort of choosing a source.
void add_addresses(const json& ports, Dump& dump) {
    for (const json& port : ports) {
        const std::string name = port.at("ifname");
        json link = port;
        link.erase("addr_info");
        dump["link " + name] = link.dump();
        std::string v4;
        for (const json& address : port.value("addr_info", json::array())) {
            if (address.at("family") == "inet")
                v4 += address.dump() + "; ";
            else
                dump["address " + name + ' ' + address.at("local").get<std::string>()] =
                    address.dump();
        }
        dump["addresses of IPv4 " + name] = v4;
    }
}

void add_lines(const char* what, const json& list, Dump& dump) {
    for (const json& entry : list)
        dump[std::string(what) + ' ' + entry.dump()] = "there";
}

/// Several answers of ip(8) in one output.
std::vector<json> answers_of(const std::string& command, std::initializer_list<const char*> asked) {
    std::string lines;
    for (const char* line : asked)
        lines += std::string(line) + "\\n";
    std::istringstream output(sandbox::run("printf '" + lines + "' | " + command));
    std::vector<json> out;
    for (std::string line, whole; std::getline(output, line);) {
        whole += line;
        if (!json::accept(whole)) continue;
        out.push_back(json::parse(whole));
        forget_ages(out.back());
        whole.clear();
    }
    return out;
}

/// Every parameter of the network namespace that can be read.
Dump parameters() {
    Dump out;
    std::error_code none;
    const fs::path root = "/proc/sys/net";
    for (const auto& entry : fs::recursive_directory_iterator(root, none)) {
        if (!entry.is_regular_file(none)) continue;
        std::ifstream file(entry.path());
        std::ostringstream text;
        if (file) text << file.rdbuf();
        out[entry.path().lexically_relative("/proc/sys").string()] = text.str();
    }
    return out;
}

Dump everything() {
    Dump out = parameters();
    const auto four = answers_of(
        "ip -d -j -batch -", {"address show", "route show table all", "rule show", "nexthop show"});
    const auto six = answers_of("ip -6 -d -j -batch -", {"route show table all", "rule show",
                                                         "neighbour show nud permanent"});
    const auto neighbours = answers_of("ip -4 -d -j -batch -", {"neighbour show nud permanent"});
    REQUIRE(four.size() >= 3);
    add_addresses(four[0], out);
    for (std::size_t i = 1; i < four.size(); ++i)
        add_lines("IPv4", four[i], out);
    for (const json& answer : six)
        add_lines("IPv6", answer, out);
    for (const json& answer : neighbours)
        add_lines("neighbour", answer, out);
    return out;
}

std::string difference(const Dump& before, const Dump& now) {
    std::string out;
    for (const auto& [key, value] : before) {
        const auto found = now.find(key);
        if (found == now.end())
            out += "\n- " + key + ": " + value;
        else if (found->second != value)
            out += "\n- " + key + ": " + value + "\n+ " + found->second;
    }
    for (const auto& [key, value] : now)
        if (!before.contains(key)) out += "\n+ " + key + ": " + value;
    return out;
}

/// What differs from before, once the kernel has done what it does by itself.
std::string left(const Dump& before) {
    std::string out;
    for (int i = 0; i < 20; ++i) {
        out = difference(before, everything());
        if (out.empty()) return out;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return out;
}

std::string text_of(const DesiredState& desired_values) {
    std::string out;
    for (const Desired& desired : desired_values.desired_values)
        out += desired.port + ' ' + std::string(desired.field->key) + ' ' + desired.element +
               " = " + (desired.value ? text(*desired.value) : "absent") + "; ";
    return out;
}

enum class Told : std::uint8_t { infeasible, irreversible, as_before };

/// Applies and rolls back. Fails the test where the host is not as before and the plan did not say
/// so.
Told there_and_back(const DesiredState& desired_values) {
    netlink::Live live = sandbox::live();
    const State inventory = live.read(subjects_scope());
    const Scope scope = scope_of(desired_values, inventory);
    const Plan plan = make_plan(desired_values, live.read(scope));
    if (!feasible(plan) || plan.steps.empty()) return Told::infeasible;
    const bool irreversible = std::ranges::any_of(plan.steps, &Step::irreversible);
    const Dump before = everything();
    const Waits waits{.wait = std::chrono::milliseconds(0),
                      .wait_for_others = std::chrono::milliseconds(0),
                      .settings_only = true};
    Recorder nobody;
    const Report report = core::apply(live, desired_values, plan, nobody, waits);
    INFO(text_of(desired_values), "\n", to_json(plan).dump(), "\n", to_json(report).dump());
    Status back = report.status;
    if (report.status == Status::done || report.status == Status::differs) {
        const DesiredState past = undo_profile(plan);
        const Plan undo = make_plan(past, live.read(scope_of(past, inventory)));
        const Report undone = undo_run(live, past, undo, {}, nobody, waits);
        back = undone.status;
        INFO(to_json(undone).dump());
        if (!irreversible) CHECK(back == Status::done);
    } else if (!irreversible) {
        CHECK(back == Status::brought_back);
    }
    if (irreversible) return Told::irreversible;
    CHECK(left(before) == "");
    return Told::as_before;
}

template <typename Values>
auto one_of(std::mt19937& random, const Values& values) {
    return values.at(random() % std::size(values));
}

/// Another value of a parameter that is a number or a list of some; empty where none is known.
std::string other_value(const std::string& name, const std::string& value) {
    if (name.ends_with("ip_local_reserved_ports")) return value.empty() ? "8080" : "";
    std::istringstream words(value);
    std::vector<long> numbers;
    for (long number = 0; words >> number;)
        numbers.push_back(number);
    if (numbers.empty() || !words.eof()) return {};
    long& last = numbers.back();
    last = last == 0 ? 1 : last == 1 ? 0 : last + 1;
    std::string out;
    for (const long number : numbers)
        out += (out.empty() ? "" : " ") + std::to_string(number);
    return out;
}

/// The parameters that can be written: of a port, those of t0.
std::vector<std::pair<std::string, std::string>> writable() {
    std::vector<std::pair<std::string, std::string>> out;
    const auto is_illegal = find_field("host.sysctl")->shape.illegal_name;
    for (const auto& [path, text] : parameters()) {
        const bool of_other =
            path.find("/t1/") != std::string::npos || path.find("/p0/") != std::string::npos ||
            path.find("/p1/") != std::string::npos || path.find("/t0.5/") != std::string::npos ||
            path.find("/lo/") != std::string::npos;
        const auto mode = fs::status("/proc/sys/" + path).permissions();
        const bool can_write = (mode & fs::perms::owner_write) != fs::perms::none;
        const std::string name = sysctl_name(path);
        // A switch of all namespaces, that stays on (net/netfilter/nf_hooks_lwtunnel.c).
        const bool of_host = name.ends_with("nf_hooks_lwtunnel");
        if (of_other || of_host || !can_write || is_illegal(name) || name.ends_with("_key"))
            continue;
        const std::string now = one_blank(text);
        const std::string other = other_value(name, now);
        if (!other.empty() || now == "8080") out.emplace_back(name, other);
    }
    return out;
}

Desired parameter(const std::pair<std::string, std::string>& one) {
    return {.port = std::string(kHost),
            .field = find_field("host.sysctl"),
            .element = one.first,
            .value = Value(one.second)};
}

DesiredState of_host(std::vector<Desired> desired_values) {
    return {.ports = {std::string(kHost)}, .desired_values = std::move(desired_values)};
}

Desired item(const char* key, Value value) {
    Desired desired{.port = {}, .field = find_field(key), .value = std::move(value)};
    REQUIRE(desired.field != nullptr);
    desired.element =
        identity(desired.field->shape, canonical(desired.field->shape, *desired.value));
    return desired;
}

Value some_address(std::mt19937& random) {
    constexpr std::array all = {"10.0.0.1/24", "10.0.0.2/24", "10.0.0.1/16", "10.1.0.1/16",
                                "10.0.0.3/24", "10.0.0.9/24", "10.3.0.1/24", "10.4.0.1/32",
                                "10.5.0.1/24", "10.7.0.1/31", "fd00::1/64",  "fd00::2/64",
                                "fd00::3/64",  "fd02::1/128", "10.66.0.1/24"};
    return std::string(one_of(random, all));
}

Value some_route(std::mt19937& random) {
    Record route;
    const auto put = [&](const char* part, const auto& values) {
        const std::string value = one_of(random, values);
        if (!value.empty()) route[part] = value;
    };
    if (random() % 3 == 0) {
        put("to", std::array{"fd08::/48", "::/0", "fd09::/48", "fd09::9/128"});
        put("via", std::array{"", "fd00::fe", "fe80::1"});
    } else {
        put("to",
            std::array{"10.8.0.0/16", "0.0.0.0/0", "10.20.0.0/16", "10.67.0.0/16", "10.21.0.0/16"});
        put("via", std::array{"", "10.0.0.254", "10.66.0.9", "10.5.0.254"});
        put("source", std::array{"", "", "10.0.0.1", "10.0.0.2"});
    }
    put("table", std::array{"", "", "100"});
    if (random() % 4 == 0) route["metric"] = std::uint64_t{7};
    if (random() % 5 == 0) route["mtu"] = std::uint64_t{1300};
    return route;
}

Value some_neighbour(std::mt19937& random) {
    return Record{
        {"ip", std::string(one_of(random, std::array{"10.0.0.77", "fd00::77", "10.0.0.8"}))},
        {"mac", std::string("02:00:00:00:00:08")}};
}

Value some_rule(std::mt19937& random) {
    return Record{
        {"from", std::string(one_of(random, std::array{"10.0.0.1", "10.0.0.2", "fd00::1"}))},
        {"table", std::string("100")},
        {"priority", std::uint64_t{1000 + random() % 2}}};
}

Desired some_desired(std::mt19937& random, const std::vector<std::string>& ports,
                     const std::vector<std::pair<std::string, std::string>>& all_parameters) {
    Desired desired;
    bool of_the_host = false;
    switch (random() % 14) {
        case 0:
            desired = {.port = {}, .field = find_field("up"), .value = random() % 2 != 0};
            break;
        case 1: {
            constexpr std::array<std::uint64_t, 6> sizes = {1500, 9000, 1400, 1300, 1280, 1000};
            desired = {.port = {}, .field = find_field("mtu"), .value = one_of(random, sizes)};
            break;
        }
        case 2:
        case 3:
        case 4: desired = item("addresses", some_address(random)); break;
        case 5:
        case 6:
        case 7: desired = item("routes", some_route(random)); break;
        case 8: desired = item("neighbours", some_neighbour(random)); break;
        case 9:
            desired = item("rules", some_rule(random));
            of_the_host = true;
            break;
        case 10: {
            constexpr std::array keys = {"ip.arp_ignore", "ip.arp_announce", "ip.rp_filter"};
            desired = {.port = {},
                       .field = find_field(one_of(random, keys)),
                       .value = std::uint64_t{random() % 3}};
            break;
        }
        case 11:
            desired = {.port = {},
                       .field = find_field("ip.addr_gen_mode"),
                       .value = std::string(one_of(random, std::array{"none", "eui64", "random"}))};
            break;
        default: desired = parameter(one_of(random, all_parameters)); of_the_host = true;
    }
    desired.port = of_the_host ? std::string(kHost) : one_of(random, ports);
    desired.origin = {.file = "random.json", .line = 1};
    const bool list = desired.field->shape.kind == Shape::Kind::items;
    if (list && random() % 2 == 0) desired.value.reset();
    return desired;
}

DesiredState some_desired_state(
    std::mt19937& random, const std::vector<std::string>& ports,
    const std::vector<std::pair<std::string, std::string>>& all_parameters) {
    DesiredState out;
    out.ports = ports;
    out.ports.emplace_back(kHost);
    for (std::size_t more = 1 + random() % 4; more > 0; --more) {
        Desired desired = some_desired(random, ports, all_parameters);
        const auto same = [&](const Desired& other) {
            return other.port == desired.port && same_element(other, desired);
        };
        if (std::ranges::none_of(out.desired_values, same))
            out.desired_values.push_back(std::move(desired));
    }
    return out;
}

}  // namespace

TEST_CASE(
    "as before: every parameter of a network namespace comes back, or the plan says that not") {
    std::mt19937 random(1);
    const Rig rig(random);
    constexpr std::size_t at_once = 12;
    std::vector<Desired> some;
    unsigned irreversible = 0;
    unsigned as_before = 0;
    const auto try_out = [&] {
        const Told told = there_and_back(of_host(some));
        if (told == Told::as_before) as_before += static_cast<unsigned>(some.size());
        if (told != Told::as_before && some.size() > 1) {
            for (const Desired& one : some) {
                const Told alone = there_and_back(of_host({one}));
                ++(alone == Told::as_before ? as_before : irreversible);
                if (alone == Told::irreversible) sandbox::run("ip -6 address flush dev t0");
            }
        }
        some.clear();
    };
    for (const auto& one : writable()) {
        some.push_back(parameter(one));
        if (some.size() == at_once) try_out();
    }
    if (!some.empty()) try_out();
    CHECK(as_before > 200);
    CHECK(irreversible < 20);
}

TEST_CASE("as before: a random walk over all settings comes back, or the plan says that not") {
    const unsigned seed = number_of("AS_BEFORE_SEED", 1);
    const unsigned draws = number_of("AS_BEFORE_DRAWS", 30);
    // In place of a number of draws, where there is time.
    const std::chrono::seconds time(number_of("AS_BEFORE_SECONDS", 0));
    const auto begin = std::chrono::steady_clock::now();
    const auto goes_on = [&](unsigned draw) {
        if (time.count() == 0) return draw < draws;
        return std::chrono::steady_clock::now() - begin < time;
    };
    std::map<Told, unsigned> told;
    unsigned draw = 0;
    for (; goes_on(draw); ++draw) {
        std::mt19937 random(seed + draw);
        const Rig rig(random);
        INFO("AS_BEFORE_SEED=", seed + draw, " AS_BEFORE_DRAWS=1");
        const auto all_parameters = writable();
        for (int i = 0; i < 3; ++i) {
            const Told one = there_and_back(some_desired_state(random, rig.ports, all_parameters));
            ++told[one];
            if (one == Told::irreversible) break;
        }
    }
    std::cout << "as before: AS_BEFORE_SEED=" << seed << ", " << draw << " hosts, "
              << told[Told::as_before] << " as before, " << told[Told::irreversible]
              << " irreversible, " << told[Told::infeasible] << " infeasible or nothing to do\n";
    if (draw >= 30) CHECK(told[Told::as_before] > draw / 3);
}

}  // namespace as_before_test

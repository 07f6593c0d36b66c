// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json/json.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/system/codecs.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/profiles.hpp"

namespace host_test {

using namespace core;
using Lines = std::vector<std::string>;

namespace {

State host_with_itself() {
    State state = hosts::host("mlx5_core");
    state.ports.push_back(hosts::whole_host());
    return state;
}

std::string host_of(const std::string& settings) {
    return R"({"format": 1, "host": {)" + settings + "}}";
}

Lines wrong(const std::string& settings) {
    return profiles::problems(host_of(settings));
}

Plan plan_of(const std::vector<Desired>& desired_values) {
    StateFile kernel(host_with_itself());
    return hosts::plan(kernel, hosts::desired_values(desired_values));
}

std::string first_failure(const Plan& plan) {
    for (const Finding& finding : plan.findings)
        if (finding.level == Finding::Level::failure)
            return std::string(finding.id) + ": " + finding.text;
    return {};
}

}  // namespace

TEST_CASE("sysctl: names as sysctl(8) takes them, and none that leads elsewhere") {
    CHECK(sysctl_path("net.core.rmem_max") == "net/core/rmem_max");
    CHECK(sysctl_path("net/core/rmem_max") == "net/core/rmem_max");
    CHECK(sysctl_path("net.ipv4.conf.eth0/100.rp_filter") == "net/ipv4/conf/eth0.100/rp_filter");
    CHECK(sysctl_path("net/ipv4/conf/eth0.100/rp_filter") == "net/ipv4/conf/eth0.100/rp_filter");
    CHECK(sysctl_name("net/ipv4/conf/eth0.100/rp_filter") == "net.ipv4.conf.eth0/100.rp_filter");
    for (const char* name : {"", ".", "..", "/etc/passwd", "net/../../etc/passwd", "net..core",
                             "a.//.b", "net.core.", "net.core.rmem max", "net/core/.."}) {
        INFO(name);
        CHECK_FALSE(sysctl_path(name).has_value());
    }
}

TEST_CASE("sysctl: a parameter that is a setting of its own is refused, and the setting named") {
    CHECK(
        wrong(R"("sysctl": {"net.ipv4.conf.ens1f0.arp_ignore": 1})") ==
        Lines{"main.json:1:35: /host/sysctl/net.ipv4.conf.ens1f0.arp_ignore: found "
              "'net.ipv4.conf.ens1f0.arp_ignore', which is ip.arp_ignore of a port; state that in "
              "an entry of ports"});
    CHECK(wrong(R"("sysctl": {"vm.nr_hugepages": 1})") ==
          Lines{"main.json:1:35: /host/sysctl/vm.nr_hugepages: found 'vm.nr_hugepages', which is "
                "host.hugepages; state that"});
    CHECK(wrong(R"("sysctl": {"net.ipv4.conf.all.arp_ignore": 1, "net.core.rmem_max": "1"})")
              .empty());
    CHECK(wrong(R"("sysctl": {"../etc": 1})").size() == 1);
}

/// The plan for a host that is a snapshot of another: what it asked for was named.
Plan plan_on(const Port& snapshot, const std::string& settings) {
    StateFile kernel(State{.host = {.name = "node1", .kernel = "6.1.0"}, .ports = {snapshot}});
    const DesiredState desired_values =
        resolve(profiles::load(host_of(settings)), {}, kernel.state());
    return make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
}

Lines said(const Plan& plan) {
    Lines out;
    for (const Finding& finding : plan.findings)
        out.push_back(std::string(std::string_view(finding.id)) + ": " + finding.text);
    return out;
}

TEST_CASE("sysctl: what a parameter sets beside is recorded, and comes back with it") {
    const auto forwarding = [](const std::string& port) {
        return "net.ipv4.conf." + port + ".forwarding";
    };
    Port host(kHost);
    host.sysctl = Sysctl{{"net.ipv4.ip_forward", "0"}, {"net.ipv4.conf.all.accept_redirects", "1"},
                         {forwarding("all"), "0"},     {forwarding("default"), "0"},
                         {forwarding("ens1f0"), "1"},  {forwarding("ens1f1"), "0"}};
    const Plan plan = plan_on(host, R"("sysctl": {"net.ipv4.ip_forward": 1})");
    REQUIRE(plan.steps.size() == 1);
    CHECK_FALSE(plan.steps[0].irreversible);
    const Sysctl predicted = find_port(plan.predicted, kHost)->sysctl.value_or(Sysctl{});
    for (const char* port : {"all", "default", "ens1f0", "ens1f1"})
        CHECK(predicted.at(forwarding(port)) == "1");
    CHECK(predicted.at("net.ipv4.conf.all.accept_redirects") == "0");
    const Plan back = make_plan(undo_profile(plan), plan.predicted);
    CHECK(feasible(back));
    CHECK(find_port(back.predicted, kHost)->sysctl == host.sysctl);
    // They are read with it, on the live host too.
    Scope scope;
    add_element(scope, Object::sysctl, "net.ipv4.ip_forward");
    CHECK(scope.elements[Object::sysctl] ==
          std::set<std::string>{"net.ipv4.ip_forward", "net.ipv4.conf.all.forwarding",
                                "net.ipv4.conf.default.forwarding", "net.ipv4.conf.*.forwarding",
                                "net.ipv4.conf.all.accept_redirects"});
}

TEST_CASE("sysctl: two units of one limit come back as they were, without a 0 that is refused") {
    const Sysctl by_share{{"vm.dirty_bytes", "0"}, {"vm.dirty_ratio", "20"}};
    Port host(kHost);
    host.sysctl = by_share;
    const Plan plan = plan_on(host, R"("sysctl": {"vm.dirty_bytes": "1000000"})");
    REQUIRE(plan.steps.size() == 1);
    CHECK_FALSE(plan.steps[0].irreversible);
    const Sysctl by_bytes = find_port(plan.predicted, kHost)->sysctl.value_or(Sysctl{});
    CHECK(by_bytes == Sysctl{{"vm.dirty_bytes", "1000000"}, {"vm.dirty_ratio", "0"}});
    const Plan back = make_plan(undo_profile(plan), plan.predicted);
    CHECK(feasible(back));
    CHECK(find_port(back.predicted, kHost)->sysctl == by_share);
    using Writes = std::vector<std::pair<std::string, std::string>>;
    CHECK(sysctl::writes(by_bytes, by_share) == Writes{{"vm.dirty_ratio", "20"}});
    CHECK(sysctl::writes(by_share, by_bytes) == Writes{{"vm.dirty_bytes", "1000000"}});
}

TEST_CASE("sysctl: what sets others is written first") {
    using Writes = std::vector<std::pair<std::string, std::string>>;
    CHECK(sysctl::writes({{"net.ipv4.conf.a.forwarding", "0"},
                          {"net.ipv4.ip_forward", "0"},
                          {"vm.swappiness", "1"}},
                         {{"net.ipv4.conf.a.forwarding", "1"},
                          {"net.ipv4.ip_forward", "1"},
                          {"vm.swappiness", "1"}}) ==
          Writes{{"net.ipv4.ip_forward", "1"}, {"net.ipv4.conf.a.forwarding", "1"}});
    CHECK(sysctl::sets_others("net/ipv4/conf/default/rp_filter"));
    CHECK(sysctl::sets_others("net.ipv6.neigh.t0/5.unres_qlen"));
    CHECK_FALSE(sysctl::sets_others("net.ipv4.conf.t0.rp_filter"));
    CHECK_FALSE(sysctl::sets_others("net.ipv6.conf.default.rp_filter"));
}

TEST_CASE("sysctl: what the kernel does not take back is irreversible, at the value that does it") {
    const auto irreversible = [](const char* name, const char* before, const char* after) {
        Port host(kHost);
        host.sysctl = Sysctl{{name, before}};
        const std::string settings =
            R"("sysctl": {")" + std::string(name) + R"(": ")" + after + R"("})";
        return plan_on(host, settings).steps.at(0).irreversible;
    };
    CHECK(irreversible("kernel.yama.ptrace_scope", "1", "3"));
    CHECK_FALSE(irreversible("kernel.yama.ptrace_scope", "1", "2"));
    CHECK(irreversible("kernel.modules_disabled", "0", "1"));
    CHECK(irreversible("net.ipv6.conf.all.forwarding", "0", "1"));
    CHECK_FALSE(irreversible("net.ipv6.conf.all.forwarding", "1", "0"));
    CHECK_FALSE(irreversible("net.ipv6.conf.default.forwarding", "0", "1"));
    CHECK(irreversible("net.ipv6.conf.all.disable_ipv6", "1", "0"));
    CHECK_FALSE(irreversible("net.ipv6.conf.t0.disable_ipv6", "1", "0"));
    // Nothing is lost for good by going back.
    Port host(kHost);
    host.sysctl = Sysctl{{"net.ipv6.conf.all.forwarding", "1"}};
    const Plan plan = plan_on(host, R"("sysctl": {"net.ipv6.conf.all.forwarding": 0})");
    const Plan back = make_plan(undo_profile(plan), plan.predicted);
    CHECK_FALSE(back.steps.at(0).irreversible);
}

TEST_CASE("sysctl: turning IPv6 off is irreversible, of a port and of all of them") {
    for (const char* name :
         {"net.ipv6.conf.all.disable_ipv6", "net/ipv6/conf/ens1f0/disable_ipv6"}) {
        Port host(kHost);
        host.sysctl = Sysctl{{name, "0"}};
        const std::string settings = R"("sysctl": {")" + std::string(name) + R"(": 1})";
        const Plan plan = plan_on(host, settings);
        REQUIRE(plan.steps.size() == 1);
        CHECK(plan.steps[0].irreversible);
    }
    Port host(kHost);
    host.sysctl = Sysctl{{"net.ipv6.conf.default.disable_ipv6", "0"}};
    const Plan plan = plan_on(host, R"("sysctl": {"net.ipv6.conf.default.disable_ipv6": 1})");
    CHECK_FALSE(plan.steps.at(0).irreversible);
}

TEST_CASE("by name: what a snapshot did not ask for is not known, what it asked for is absent") {
    Port snapshot(kHost);
    snapshot.sysctl = Sysctl{{"vm.swappiness", "60"}};
    snapshot.modules = Modules{"one"};
    snapshot.memlock.emplace();
    snapshot.absent[Object::sysctl] = {"net.no.such"};
    const Plan unasked = plan_on(snapshot, R"("sysctl": {"net.ipv4.conf.all.rp_filter": 2})");
    CHECK(unasked.steps.empty());
    CHECK(said(unasked) == Lines{"unrecorded: the state does not record host.sysctl "
                                 "net.ipv4.conf.all.rp_filter, desired 2 (main.json:1)"});
    CHECK(unasked.findings[0].level == Finding::Level::unknown);
    const Plan asked = plan_on(snapshot, R"("sysctl": {"net.no.such": 2})");
    REQUIRE(asked.findings.size() == 1);
    CHECK(asked.findings[0].text.find("the host has no kernel parameter net.no.such") !=
          std::string::npos);
    CHECK(asked.findings[0].level == Finding::Level::failure);
    for (const char* settings :
         {R"("modules": ["two"])", R"("modules": [{"name": "two", "absent": true}])",
          R"("memlock": {"service:slurmd": "unlimited"}, "optional": ["memlock"])"}) {
        INFO(settings);
        const Plan plan = plan_on(snapshot, settings);
        CHECK(plan.steps.empty());
        CHECK_FALSE(satisfied(plan));
        REQUIRE(plan.findings.size() == 1);
        CHECK(plan.findings[0].id == findings::unrecorded);
    }
    // What is recorded beside it is planned all the same.
    const Plan both = plan_on(snapshot, R"("sysctl": {"net.other": 1, "vm.swappiness": 10})");
    CHECK(both.steps.size() == 1);
    CHECK(both.findings.size() == 1);
}

TEST_CASE("by name: what a write takes away is known to be absent, and undo brings it back") {
    Port snapshot(kHost);
    snapshot.modules = Modules{"one"};
    StateFile kernel(State{.host = {}, .ports = {snapshot}});
    const DesiredState desired_values =
        resolve(profiles::load(host_of(R"("modules": [{"name": "one", "absent": true}])")), {},
                kernel.state());
    const Plan plan =
        make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())));
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(
        make_plan(desired_values, kernel.read(scope_of(desired_values, kernel.state())))));
    const DesiredState back = undo_profile(plan);
    CHECK(hosts::apply(kernel, back).status == Status::done);
    CHECK(kernel.state().ports[0] == snapshot);
}

TEST_CASE("by name: a profile says what a snapshot has to ask for") {
    const Profile profile = profiles::load(host_of(
        R"("sysctl": {"net.ipv4.conf.all.rp_filter": "${x}", "net/core/rmem_max": 1},
           "modules": ["nvme-rdma", {"name": "one", "absent": true}, "${m}", "${nobody}"],
           "memlock": {"user:alice": "unlimited"}, "hugepages": {"1G": 1})"));
    const Variables variables{.host = {{"m", "two"}}};
    CHECK(named_elements(profile, variables) ==
          std::map<Object, std::set<std::string>>{
              {Object::sysctl, {"net.ipv4.conf.all.rp_filter", "net/core/rmem_max"}},
              {Object::modules, {"nvme_rdma", "one", "two"}},
              {Object::memlock, {"user:alice"}}});
}

TEST_CASE("huge pages: by size, by size and node, or a bare number of the default size") {
    CHECK(parse_huge_page_pool("default") == HugePagePool{});
    CHECK(parse_huge_page_pool("2M") == HugePagePool{.size = 2048, .node = {}});
    CHECK(parse_huge_page_pool("1G/node1") == HugePagePool{.size = 1048576, .node = 1});
    for (const char* name :
         {"", "M", "2", "2m", "02M", "2048K", "2M/", "2M/node", "2M/node01x", "2M/../x", "0G"}) {
        INFO(name);
        CHECK_FALSE(parse_huge_page_pool(name).has_value());
    }
    CHECK(wrong(R"("hugepages": 2048)").empty());
    CHECK(wrong(R"("hugepages": {"2M": 2048, "1G/node0": 4})").empty());
    CHECK(wrong(R"("hugepages": {"3X": 1})").size() == 1);
    CHECK(wrong(R"("hugepages": true)").size() == 1);
    const Profile profile = profiles::load(host_of(R"("hugepages": 2048)"));
    const DesiredState desired_values = resolve(profile, {}, {});
    REQUIRE(desired_values.desired_values.size() == 1);
    CHECK(desired_values.desired_values[0].element == "default");
    CHECK(desired_values.ports == Lines{std::string(kHost)});
}

TEST_CASE("host: keys of a port are not the host's, and the other way round") {
    CHECK(wrong(R"("mtu": 9000)").size() == 1);
    CHECK(wrong(R"("nothing": 1)").size() == 1);
    CHECK(wrong(R"("optional": ["sysctl"])").empty());
    CHECK(wrong(R"("optional": ["mtu"])").size() == 1);
    CHECK(profiles::problems(R"({"format": 1, "host": 7})").size() == 1);
}

TEST_CASE("host: planned before the ports, and undone") {
    StateFile kernel(host_with_itself());
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("mtu", std::uint64_t{9000}),
                               hosts::desired("host.sysctl", std::string("70"), "vm.swappiness"),
                               hosts::desired("host.modules", std::string("rdma_ucm")),
                               hosts::desired("host.hugepages", std::uint64_t{16}, "default"),
                               hosts::desired("host.rdma.netns_mode", std::string("exclusive")),
                               hosts::desired("host.cpu.governor", std::string("performance"))});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(feasible(plan));
    CHECK(commands(plan) ==
          Lines{"modprobe rdma_ucm", "rdma system set netns exclusive",
                "sysctl -w vm.nr_hugepages=16", "sysctl -w vm.swappiness=70",
                "echo performance > /sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
                "echo performance > /sys/devices/system/cpu/cpufreq/policy1/scaling_governor",
                "ip link set dev ens1f0 mtu 9000"});
    REQUIRE(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("host: what is not there is refused with what is") {
    CHECK(
        first_failure(plan_of({hosts::desired("host.sysctl", std::string("1"), "net.no.such")})) ==
        "infeasible: expected 1, found nothing (test.json:1): the host has no kernel parameter "
        "net.no.such");
    CHECK(first_failure(plan_of({hosts::desired("host.hugepages", std::uint64_t{4}, "2M")})) ==
          "infeasible: expected 4, found nothing (test.json:1): the host has no huge pages 2M, "
          "expected one of 1G, 1G/node0, default");
    const Plan both = plan_of({hosts::desired("host.hugepages", std::uint64_t{4}, "1G"),
                               hosts::desired("host.hugepages", std::uint64_t{2}, "1G/node0")});
    CHECK(first_failure(both) ==
          "infeasible: expected 4, found 0 (test.json:1): 1G are those of all nodes, and 1G/node0 "
          "is stated too");
}

TEST_CASE("host: what all ports take together is carried to them") {
    const Desired all =
        hosts::desired("host.sysctl", std::string("2"), "net.ipv4.conf.all.arp_ignore");
    const Plan alone = plan_of({all});
    CHECK(feasible(alone));
    CHECK(find_port(alone.predicted, "ens1f0")->ipv4->arp_ignore.in_force() == 2);
    CHECK(satisfied(plan_of({all})) == false);
    const Plan less = plan_of({all, hosts::desired("ip.arp_ignore", std::uint64_t{1})});
    CHECK_FALSE(feasible(less));
    CHECK(first_failure(less).find("net.ipv4.conf.all.arp_ignore is 2") != std::string::npos);
    const Plan same = plan_of({all, hosts::desired("ip.arp_ignore", std::uint64_t{2})});
    CHECK(feasible(same));
    CHECK(same.steps.size() == 1);
}

TEST_CASE("host: what somebody else sets is verified, and a remedy named") {
    const Plan plan =
        plan_of({hosts::desired("host.irqbalance", false),
                 hosts::desired("host.tuned", std::string("balanced")),
                 hosts::desired("host.memlock", std::string("unlimited"), "service:slurmd")});
    CHECK(plan.steps.empty());
    REQUIRE(plan.findings.size() == 2);
    CHECK(plan.findings[0].id == "verified-only");
    CHECK(plan.findings[0].text ==
          "expected off, found on (test.json:1), and rocectl does not set it");
    CHECK(plan.findings[0].remedy == "systemctl disable --now irqbalance");
    CHECK(plan.findings[1].text ==
          "expected unlimited, found nothing (test.json:1), and rocectl does not set it");
    CHECK(plan.findings[1].remedy.find("LimitMEMLOCK=infinity") != std::string::npos);
    CHECK(feasible(plan));  // the rest can be applied
    CHECK_FALSE(satisfied(plan));
}

TEST_CASE("host: a state without it is not taken for one that holds everything") {
    StateFile kernel(hosts::host("mlx5_core"));
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("host.irqbalance", false)});
    const Plan plan = make_plan(desired_values, kernel.read(scope_of(desired_values, {})));
    CHECK(first_failure(plan) ==
          "unsupported: this host does not report host.irqbalance, desired off (test.json:1)");
}

TEST_CASE("host: a state keeps it under \"host\"") {
    const Json document = to_json(host_with_itself());
    CHECK(document["host"]["name"] == "node1");
    CHECK(document["host"]["sysctl"]["vm.swappiness"] == "60");
    CHECK(document["host"]["rdma"]["netns_mode"] == "shared");
    CHECK(document["ports"].size() == 1);
    const State back = parse_state(document.dump(), "s");
    CHECK(hosts::difference(host_with_itself(), back) == "");
}

TEST_CASE("memlock: of a process, and of a user at login") {
    CHECK(netlink::memlock_in_limits("Limit                     Soft Limit           Hard Limit\n"
                                     "Max locked memory         8388608              unlimited  "
                                     "          bytes\n") == "8388608");
    CHECK_FALSE(netlink::memlock_in_limits("Max open files 1 2\n").has_value());
    const char* conf =
        "# comment memlock\n*  soft memlock 64\nalice - memlock unlimited\n"
        "@hpc soft memlock 1024 # group\n* soft memlock 128\nbob hard memlock 1\n";
    CHECK(netlink::memlock_in_conf(conf, "alice", {"hpc"}) == "unlimited");
    CHECK(netlink::memlock_in_conf(conf, "bob", {}) == "131072");
    CHECK(netlink::memlock_in_conf(conf, "carol", {"hpc"}) == "1048576");
    CHECK_FALSE(netlink::memlock_in_conf("", "alice", {}).has_value());
    CHECK_FALSE(netlink::memlock_in_conf(conf, "root", {"hpc"}).has_value());
    CHECK(netlink::memlock_in_conf("root - memlock unlimited\n", "root", {}) == "unlimited");
}

TEST_CASE("memlock: of a service on cgroup v2, and where v1 has systemd's own tree") {
    for (const char* tree : {"", "systemd/", "unified/"}) {
        INFO(tree);
        const OwnRoot root;
        std::ofstream(root.file(std::string("/sys/fs/cgroup/") + tree +
                                "system.slice/slurmd.service/cgroup.procs"))
            << "77\n";
        std::ofstream(root.file("/proc/77/limits")) << "Max locked memory unlimited unlimited\n";
        netlink::Machine host(root.path());
        Port itself(kHost);
        netlink::read_memlock(host, {"service:slurmd"}, itself);
        CHECK(itself.memlock->at("service:slurmd") == "unlimited");
    }
}

TEST_CASE(
    "memlock: where systemd runs and its tree is not to be seen, no service is said to be away") {
    const OwnRoot root;
    std::filesystem::create_directories(root.file("/run/systemd/system/x").parent_path());
    std::filesystem::create_directories(root.file("/sys/fs/cgroup/x").parent_path());
    netlink::Machine host(root.path());
    Port itself(kHost);
    CHECK_THROWS_WITH(netlink::read_memlock(host, {"service:slurmd"}, itself),
                      doctest::Contains("sys/fs/cgroup is not mounted"));
    CHECK_FALSE(itself.memlock.has_value());
    netlink::read_memlock(host, {"user:alice"}, itself);
    CHECK(itself.memlock.has_value());
}

TEST_CASE("governor: of each cpufreq policy, and only what differs is written") {
    const OwnRoot root;
    const std::string cpufreq = "/sys/devices/system/cpu/cpufreq/";
    for (const char* policy : {"policy0", "policy4"})
        std::ofstream(root.file(cpufreq + policy + "/scaling_governor")) << "powersave\n";
    netlink::Machine host(root.path());
    Port now(kHost);
    netlink::read_governor(host, {}, now);
    CHECK(now.governor == Governors{{"policy0", "powersave"}, {"policy4", "powersave"}});
    Port then = now;
    then.governor->at("policy4") = "performance";
    netlink::write_governor(host, now, then);
    netlink::read_governor(host, {}, now);
    CHECK(now.governor == then.governor);
}

TEST_CASE("irqbalance, tuned: a daemon runs where a process of root has its name") {
    const OwnRoot root;
    const auto put = [&](const std::string& path, const std::string& text) {
        std::ofstream(root.file(path)) << text << '\n';
    };
    put("/proc/17/comm", "systemd");
    put("/proc/self/comm", "irqbalance");  // no number, so no process
    put("/etc/tuned/active_profile", "network-latency");
    netlink::Machine machine(root.path());
    Port host{kHost};
    const auto read = [&] {
        State state{.ports = {Port(kHost)}};
        netlink::read_daemons(machine,
                              {.ports = {}, .objects = {Object::irqbalance, Object::tuned}}, state);
        host = state.ports.front();
    };
    read();
    CHECK(host.irqbalance == false);
    CHECK(host.tuned == std::string());
    put("/proc/18/comm", "irqbalance");
    put("/proc/19/comm", "tuned");
    // A name is anybody's choice: of another user's process, of one started by setuid, of one that
    // does not tell whose it is.
    for (const char* users : {"Uid:\t65534\t65534\t65534\t65534", "Uid:\t1000\t0\t0\t0", ""}) {
        put("/proc/18/status", users);
        put("/proc/19/status", users);
        read();
        CHECK(host.irqbalance == false);
        CHECK(host.tuned == std::string());
    }
    put("/proc/18/status", "Name:\tirqbalance\nUid:\t0\t0\t0\t0");
    put("/proc/19/status", "Name:\ttuned\nUid:\t0\t0\t0\t0");
    read();
    CHECK(host.irqbalance == true);
    CHECK(host.tuned == std::string("network-latency"));
}

}  // namespace host_test

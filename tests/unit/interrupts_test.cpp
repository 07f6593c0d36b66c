// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "netlink/files/codecs.hpp"
#include "netlink/files/text_file.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace interrupts_test {

using namespace core;

namespace {

/// A port with three interrupts, one of which nobody asked for.
class Root {
public:
    Root() {
        put("sys/class/net/ens1f0/device/local_cpulist", "0-3\n");
        for (const char* number : {"40", "41", "42"})
            put("sys/class/net/ens1f0/device/msi_irqs/" + std::string(number), "msix\n");
        put("proc/irq/40/smp_affinity_list", "0\n");
        put("proc/irq/41/smp_affinity_list", "0-7\n");
        put("proc/irq/40/affinity_hint", "00000000,00000000\n");
        put("proc/irq/41/affinity_hint", "00000001,000000f1\n");
    }
    void put(const std::string& path, const std::string& text) const {
        std::ofstream(root_.file(path)) << text;
    }
    [[nodiscard]] std::string get(const std::string& path) const {
        return netlink::read_text_file(root_.file(path));
    }
    [[nodiscard]] const std::filesystem::path& path() const { return root_.path(); }

private:
    OwnRoot root_;
};

Port read(const Root& root, const std::string& name = "ens1f0") {
    netlink::Machine host(root.path());
    Port port(name);
    netlink::read_interrupts(host, port);
    return port;
}

}  // namespace

TEST_CASE("cpus: the kernel's lists are read, and spelled one way") {
    CHECK(text(*parse_cpus("0-3,8")) == "0-3,8");
    CHECK(text(*parse_cpus("8,0,1,2,3")) == "0-3,8");
    CHECK(text(*parse_cpus("7")) == "7");
    for (const char* wrong : {"", "a", "1-", "-1", "3-1", "1,", "0-99999", "1 ", "0x1"})
        CHECK_FALSE(parse_cpus(wrong));
    const Shape& shape = find_field("irq.affinity")->shape;
    CHECK_FALSE(illegal(shape, std::string("local")));
    CHECK(illegal(shape, std::string("node0")) ==
          "found 'node0', expected local, spread, or a list of CPUs such as 0-7,16-23");
}

TEST_CASE("interrupts: each is read, and those that differ are written") {
    const Root root;
    const Port now = read(root);
    REQUIRE(now.interrupts);
    CHECK(now.interrupts->local == Cpus{0, 1, 2, 3});
    CHECK(now.interrupts->affinity ==
          std::map<unsigned, Cpus>{{40, {0}}, {41, {0, 1, 2, 3, 4, 5, 6, 7}}});
    CHECK(now.interrupts->hints == std::map<unsigned, Cpus>{{41, {0, 4, 5, 6, 7, 32}}});
    Port then = now;
    set_element(then, *find_field("irq.affinity"), "", std::string("local"));
    netlink::Machine host(root.path());
    netlink::write_interrupts(host, now, then);
    CHECK(root.get("proc/irq/40/smp_affinity_list") == "0");  // one of them already
    CHECK(root.get("proc/irq/41/smp_affinity_list") == "0-3");
    CHECK_FALSE(read(root, "../ens1f0").interrupts);
    CHECK_FALSE(read(root, "ens9").interrupts);
    root.put("proc/irq/41/smp_affinity_list", "many\n");
    CHECK_THROWS_AS(read(root), netlink::KernelError);
}

TEST_CASE("interrupts: local is the node's CPUs, and undo gives each its own again") {
    StateFile kernel(hosts::host("mlx5_core"));
    const State before = hosts::read_all(kernel);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("irq.affinity", std::string("local"))});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(commands(plan) == Commands{"echo 0-1 > /proc/irq/41/smp_affinity_list"});
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(satisfied(hosts::plan(kernel, desired_values)));
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(before, hosts::read_all(kernel)) == "");
}

TEST_CASE("interrupts: one CPU of the node for each is local, and spread makes it so") {
    State state = hosts::host("mlx5_core");
    Interrupts& interrupts = *state.ports[0].interrupts;
    interrupts = {.local = {0, 1}, .affinity = {{40, {0}}, {41, {1}}, {42, {0}}}};
    const auto plan_of = [&](const std::string& all_desired) {
        StateFile kernel(state);
        return hosts::plan(kernel,
                           hosts::desired_values({hosts::desired("irq.affinity", all_desired)}));
    };
    CHECK(satisfied(plan_of("local")));
    CHECK(satisfied(plan_of("spread")));
    CHECK_FALSE(satisfied(plan_of("0-1")));
    interrupts.affinity = {{40, {0}}, {41, {0}}, {42, {0}}};
    CHECK(satisfied(plan_of("local")));
    CHECK(commands(plan_of("spread")) == Commands{"echo 1 > /proc/irq/41/smp_affinity_list"});
    interrupts.affinity = {{40, {0, 1}}, {41, {2}}, {42, {0, 3}}};
    CHECK(commands(plan_of("local")) == Commands{"echo 0-1 > /proc/irq/41/smp_affinity_list",
                                                 "echo 0-1 > /proc/irq/42/smp_affinity_list"});
    StateFile kernel(state);
    const DesiredState desired_values =
        hosts::desired_values({hosts::desired("irq.affinity", std::string("spread"))});
    const Plan plan = hosts::plan(kernel, desired_values);
    CHECK(core::apply(kernel, desired_values, plan).status == Status::done);
    CHECK(hosts::apply(kernel, undo_profile(plan)).status == Status::done);
    CHECK(hosts::difference(state, hosts::read_all(kernel)) == "");
}

}  // namespace interrupts_test

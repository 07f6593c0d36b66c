// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "netlink/files/codecs.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/rdma/codecs.hpp"

namespace names_test {

namespace {

namespace fs = std::filesystem;
using core::Port;
using netlink::Machine;

/// A tree in which a name with enough `..` in it would lead to a file outside of all folders that
/// rocectl writes.
struct Tree {
    Tree() {
        std::string name = "/tmp/rocectl-names-XXXXXX";
        REQUIRE(mkdtemp(name.data()) != nullptr);
        root = name;
        for (const char* folder :
             {"proc/sys/net/ipv4/conf", "proc/sys/vm", "sys/kernel/mm/hugepages", "sys/class/net",
              "sys/class/infiniband", "sys/bus/pci/devices", "sys/kernel/config/rdma_cm",
              "trap/ports/1/gids", "trap/hugepages", "trap/device/msi_irqs"})
            fs::create_directories(root / folder);
        for (const char* file :
             {"trap/arp_ignore", "trap/config", "trap/ports/1/default_roce_mode",
              "trap/ports/1/default_roce_tos", "trap/ports/1/gids/0", "trap/value"})
            std::ofstream(root / file) << "1";
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() { fs::remove_all(root); }

    [[nodiscard]] bool untouched() const {
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (!entry.is_regular_file()) continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            if (text.str() != "1") return false;
        }
        return true;
    }
    fs::path root;
};

constexpr std::array kUps = {"../trap", "../../trap", "../../../trap", "../../../../trap",
                             "../../../../../trap"};

/// The port of a captured or made-up state with this name for everything that has one.
Port named(const std::string& name) {
    Port port(name);
    port.link.emplace();
    port.link->pci = name;
    port.rdma_link.emplace();
    port.rdma_link->device = name;
    port.device = core::Device{.driver = "mlx5_core", .firmware = {}};
    return port;
}

bool refuses(const std::function<void()>& act) {
    try {
        act();
    } catch (const netlink::KernelError&) {
        return true;
    }
    return false;
}

}  // namespace

TEST_CASE("names: of a port, an RDMA device and a PCI function none leads out of its folder") {
    const Tree tree;
    Machine machine(tree.root);
    for (const std::string name : kUps) {
        INFO(name);
        const Port now = named(name);
        Port then = now;
        then.ipv4 = core::Ipv4{};
        then.cm_defaults = core::CmDefaults{.mode = "RoCE v2", .tos = 106};
        then.cm_directory = true;
        then.pcie = core::Pcie{};
        Port before = then;
        before.ipv4->arp_ignore.own = 7;
        Port read = now;
        core::State state{.host = {}, .ports = {now}};
        const core::Scope scope{.ports = std::vector{name}, .objects = {core::Object::ipv4}};
        const bool thrown = refuses([&] {
            netlink::read_ip_conf(machine, {.ports = scope.ports, .objects = {core::Object::ipv4}},
                                  state);
        });
        CHECK((thrown || state.ports[0].refused.contains(core::Object::ipv4)));
        CHECK_FALSE(state.ports[0].ipv4);
        CHECK(refuses([&] { netlink::write_ipv4(machine, before, then); }));
        CHECK(refuses([&] { netlink::write_cm_defaults(machine, now, then); }));
        CHECK(refuses([&] { netlink::write_cm_directory(machine, now, then); }));
        CHECK(refuses([&] { netlink::remove_cm_directory(machine, now); }));
        CHECK(refuses([&] { netlink::write_pcie(machine, now, then); }));
        CHECK(refuses([&] { netlink::read_gids(machine, name, 1); }));
        CHECK(refuses([&] { netlink::write_ecn_directory(machine, now, then); }));
        netlink::read_pcie(machine, read);
        netlink::read_interrupts(machine, read);
        CHECK_FALSE(read.pcie.has_value());
        CHECK_FALSE(read.interrupts.has_value());
    }
    CHECK(tree.untouched());
    CHECK(fs::is_directory(tree.root / "trap/ports/1"));
}

TEST_CASE("names: of a kernel parameter and a pool of huge pages none leads out of its folder") {
    const Tree tree;
    Machine machine(tree.root);
    for (const std::string up : kUps) {
        for (const std::string& name : {up + "/value", "vm/" + up + "/value", "vm." + up}) {
            INFO(name);
            Port now;
            now.sysctl.emplace();
            now.hugepages.emplace();
            Port then = now;
            (*then.sysctl)[name] = "2";
            (*then.hugepages)[name] = 2;
            CHECK(refuses([&] { netlink::read_sysctl(machine, {name}, now); }));
            CHECK(refuses([&] { netlink::write_sysctl(machine, now, then); }));
            CHECK(refuses([&] { netlink::read_hugepages(machine, {name}, now); }));
            CHECK(refuses([&] { netlink::write_hugepages(machine, now, then); }));
        }
    }
    CHECK(tree.untouched());
}

}  // namespace names_test

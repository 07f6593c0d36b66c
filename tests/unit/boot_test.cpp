// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "core/boot/boot_configuration.hpp"
#include "core/boot/judge.hpp"
#include "core/boot/outcome.hpp"
#include "core/model/object.hpp"
#include "netlink/system/codecs.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace boot_test {

using namespace core;
using namespace core::boot;

namespace {

using Result = BootOutcome::Kind;

/// The lines that are kept of files, as a host reads them.
BootFiles files_of(const std::vector<std::pair<std::string, std::string>>& files) {
    BootFiles out;
    for (const auto& [path, text] : files)
        for (const core::boot::Source& source : sources()) {
            const std::string folder = path.substr(0, path.rfind('/'));
            const bool drop_in = folder.ends_with(".d") && !source.drop_in.empty() &&
                                 source.is_taken(base_name(folder.substr(0, folder.size() - 2)));
            const auto parent = drop_in ? folder.substr(0, folder.rfind('/')) : folder;
            const bool its_own =
                std::ranges::find(source.folders, parent) != source.folders.end() &&
                (drop_in || source.is_taken(base_name(path)));
            if (!its_own && !(source.form == Form::wants && folder.ends_with(source.ending)))
                continue;
            for (BootLine& line : kept_lines(source, path, text))
                out.push_back(std::move(line));
            break;
        }
    return out;
}

/// With what every host of systemd has.
BootFiles with_systemd(BootFiles files) {
    for (const char* unit : {"systemd-sysctl.service", "systemd-modules-load.service"})
        files.push_back(
            {.file = std::string("/usr/lib/systemd/system/sysinit.target.wants/") + unit});
    return files;
}

constexpr const char* kWants = "/etc/systemd/system/multi-user.target.wants/";

Port port_called(const std::string& name) {
    Port port(name);
    port.link = Link{
        .mac = "02:00:00:00:00:11", .permanent_mac = "02:00:00:00:00:11", .pci = "0000:3b:00.0"};
    port.device = Device{.driver = "mlx5_core", .firmware = {}};
    return port;
}

/// What comes of a desired value, in a line.
std::string outcome(const Desired& desired, const BootFiles& files) {
    const BootOutcome found =
        boot_outcome_of(desired, port_called(desired.port),
                        configuration(port_called(desired.port), with_systemd(files)), nullptr);
    constexpr std::array words = {"restored", "overwritten", "lost", "unknown"};
    return std::string(words.at(static_cast<std::size_t>(found.kind))) + ": " + found.text;
}

Desired mtu(std::uint64_t value, const std::string& port = "ens1f0") {
    return {.port = port, .field = find_field("mtu"), .value = value};
}

Desired address(const std::string& value, const std::string& port = "ens1f0") {
    return with_element({.port = port, .field = find_field("addresses"), .value = value});
}

Desired sysctl(const std::string& name, const std::string& value) {
    return {.port = std::string(kHost),
            .field = find_field("host.sysctl"),
            .element = name,
            .value = value};
}

// netplan 0.106, netplan generate, of ens1f0 with an MTU of 1500 and ens2f0 left to NetworkManager
constexpr const char* kByNetplan =
    "[Match]\nName=ens1f0\n\n[Link]\nMTUBytes=1500\n\n[Network]\nLinkLocalAddressing=ipv6\n"
    "Address=198.18.0.1/31\n\n[Route]\nDestination=10.0.0.0/8\nGateway=198.18.0.0\nTable=101\n";
constexpr const char* kLinkByNetplan =
    "[Match]\nOriginalName=ens1f0\n\n[Link]\nWakeOnLan=off\nMTUBytes=9000\n";
// nmcli 1.42.4, nmcli --offline connection add
constexpr const char* kByNmcli =
    "[connection]\nid=rail0\nuuid=db461fa7-f762-4cb1-8789-cd959d877b8b\ntype=ethernet\nautoconnect-"
    "priority=10\n"
    "interface-name=ens1f0\n\n[ethernet]\nmtu=9000\n\n[ethtool]\npause-rx=false\nring-rx=8192\n\n["
    "ipv4]\n"
    "address1=198.18.0.1/"
    "31\nmethod=manual\n\n[ipv6]\naddr-gen-mode=default\nmethod=auto\n\n[proxy]\n";
constexpr const char* kAnyByNmcli =
    "[connection]\nid=any\nuuid=12c0061f-238c-4e48-ab58-e83c7d07f36d\ntype=ethernet\n\n[ethernet]"
    "\nmtu=1500\n\n"
    "[ipv4]\nmethod=auto\n\n[ipv6]\naddr-gen-mode=default\nmethod=auto\n\n[proxy]\n";

}  // namespace

TEST_CASE("boot: sysctl.d, by names, folders and patterns") {
    const BootFiles files =
        files_of({{"/usr/lib/sysctl.d/50-default.conf",
                   "net.ipv4.conf.*.rp_filter = 2\n-net.ipv4.conf.all.rp_filter\n"},
                  {"/etc/sysctl.d/90-a.conf", "vm.swappiness=1\n"},
                  {"/run/sysctl.d/90-a.conf", "vm.swappiness=2\n"},
                  {"/usr/lib/sysctl.d/10-a.conf",
                   "; no\n# no\n  kernel/pid_max = 5 \n-vm.laptop_mode = 3\n"}});
    CHECK(outcome(sysctl("vm.swappiness", "1"), files) ==
          "restored: set again at boot by /etc/sysctl.d/90-a.conf:1");
    CHECK(outcome(sysctl("vm.swappiness", "2"), files) ==
          "overwritten: /etc/sysctl.d/90-a.conf:1 says 1, and systemd-sysctl sets that at boot");
    CHECK(outcome(sysctl("kernel.pid_max", "5"), files) ==
          "restored: set again at boot by /usr/lib/sysctl.d/10-a.conf:3");
    CHECK(outcome(sysctl("vm.laptop_mode", "3"), files).starts_with("restored"));
    CHECK(outcome(sysctl("net.ipv4.conf.default.rp_filter", "2"), files).starts_with("restored"));
    CHECK(outcome(sysctl("net.ipv4.conf.all.rp_filter", "2"), files).starts_with("lost"));
    const Desired filter{
        .port = "ens1f0.100", .field = find_field("ip.rp_filter"), .value = std::uint64_t{2}};
    CHECK(outcome(filter, files).starts_with("restored"));
    CHECK(outcome(filter,
                  files_of({{"/etc/sysctl.d/a.conf", "net/ipv4/conf/ens1f0.100/rp_filter=2"}}))
              .starts_with("restored"));
    CHECK(outcome(filter, files_of({{"/etc/sysctl.d/a.conf", "net.ipv4.conf.all.rp_filter=2"}}))
              .starts_with("restored"));
    CHECK(outcome(filter,
                  files_of({{"/etc/sysctl.d/a.conf", "net.ipv4.conf.default.rp_filter=2"}})) ==
          "unknown: /etc/sysctl.d/a.conf:1 is for ports that appear after it");
    CHECK(
        outcome(filter,
                files_of({{"/etc/sysctl.d/a.conf",
                           "net/ipv4/conf/ens1f0.100/rp_filter=2\nnet.ipv4.conf.all.rp_filter=1"}}))
            .starts_with("restored"));
}

TEST_CASE("boot: huge pages of the default size, by sysctl.d; of others nothing is known") {
    const BootFiles files = files_of({{"/etc/sysctl.d/a.conf", "vm.nr_hugepages = 512\n"}});
    Desired pages{.port = std::string(kHost),
                  .field = find_field("host.hugepages"),
                  .element = "default",
                  .value = std::uint64_t{512}};
    CHECK(outcome(pages, files) == "restored: set again at boot by /etc/sysctl.d/a.conf:1");
    CHECK(outcome(pages, {}).starts_with("unknown: the kernel's command line"));
    pages.value = std::uint64_t{8};
    CHECK(outcome(pages, files).starts_with("overwritten: /etc/sysctl.d/a.conf:1 says 512"));
    pages.element = "1G";
    CHECK(outcome(pages, files).starts_with("unknown: the kernel's command line"));
}

TEST_CASE("boot: what a service may lock, by its unit and what adds to it") {
    const auto files = [](const std::string& drop_in) {
        return files_of(
            {{"/usr/lib/systemd/system/slurmd.service",
              "[Service]\nExecStart=/usr/sbin/slurmd --key hunter2\nLimitMEMLOCK=64K\n"},
             {"/etc/systemd/system/slurmd.service.d/a.conf", drop_in}});
    };
    const auto slurmd = [](const std::string& value) {
        return Desired{.port = std::string(kHost),
                       .field = find_field("host.memlock"),
                       .element = "service:slurmd",
                       .value = value};
    };
    CHECK(outcome(slurmd("65536"), files("")) ==
          "restored: set again at boot by /usr/lib/systemd/system/slurmd.service:3");
    CHECK(outcome(slurmd("unlimited"), files("")) ==
          "overwritten: /usr/lib/systemd/system/slurmd.service:3 says 65536, and service:slurmd "
          "sets that at boot");
    CHECK(outcome(slurmd("unlimited"), files("[Service]\nLimitMEMLOCK=infinity\n"))
              .ends_with("slurmd.service.d/a.conf:2"));
    CHECK(outcome(slurmd("8388608"), files("[Service]\nLimitMEMLOCK=8M:infinity\n"))
              .starts_with("restored"));
    BootFiles unread = files("");
    unread.push_back(
        {.file = "/etc/systemd/system/slurmd.service.d/b.conf", .refused = "is no file"});
    CHECK(outcome(slurmd("65536"), unread).ends_with("slurmd.service.d/b.conf: is no file"));
    BootFiles for_all = files("");
    for (const char* line : {"[Service]", "LimitMEMLOCK=1"})
        for_all.push_back({.file = "/etc/systemd/system/service.d/a.conf",
                           .line = *line == '[' ? 1U : 2U,
                           .text = line});
    CHECK(outcome(slurmd("65536"), for_all) ==
          "unknown: /etc/systemd/system/service.d/a.conf:2 says it of all services");
    CHECK(outcome(slurmd("65536"), {}).starts_with("unknown: no unit says LimitMEMLOCK= of it"));
    for (const BootLine& line : files(""))
        CHECK(line.text.find("hunter2") == std::string::npos);
}

TEST_CASE("boot: networkd, by the first file that matches, its drop-ins and udev's link files") {
    BootFiles files = files_of(
        {{"/run/systemd/network/10-netplan-ens1f0.network", kByNetplan},
         {"/run/systemd/network/10-netplan-ens1f0.link", kLinkByNetplan},
         {"/etc/systemd/network/20-all.network", "[Match]\nName=*\n[Link]\nMTUBytes=9K\n"}});
    CHECK(outcome(mtu(1500), files) ==
          "unknown: /run/systemd/network/10-netplan-ens1f0.link may be for the port: "
          "OriginalName=ens1f0");
    files.push_back({.file = std::string(kWants) + "systemd-networkd.service"});
    CHECK(outcome(mtu(1500), files) ==
          "restored: set again at boot by /run/systemd/network/10-netplan-ens1f0.network:5");
    CHECK(outcome(address("198.18.0.1/31"), files).ends_with("10-netplan-ens1f0.network:9"));
    CHECK(outcome(address("198.18.0.3/31"), files).starts_with("lost"));
    CHECK(outcome(mtu(9216, "ens9"), files).ends_with("/etc/systemd/network/20-all.network:4"));
    for (BootLine& line : files_of({{"/etc/systemd/network/10-netplan-ens1f0.network.d/a.conf",
                                     "[Link]\nMTUBytes=4200\n"}}))
        files.push_back(line);
    CHECK(outcome(mtu(4200), files).ends_with("10-netplan-ens1f0.network.d/a.conf:2"));
    CHECK(outcome(mtu(1500), files).starts_with("overwritten"));
    for (const auto& [match, result] : {std::pair{"Driver=mlx5*", "restored"},
                                        {"Driver=ice", "lost"},
                                        {"MACAddress=02-00-00-00-00-11", "restored"},
                                        {"Path=pci-0000:3b:*", "restored"},
                                        {"Name=!ens1f0", "lost"},
                                        {"Type=ether\nName=ens*", "restored"},
                                        {"Type=wlan", "lost"},
                                        {"Host=other", "unknown"},
                                        {"", "lost"}}) {
        INFO(match);
        const BootFiles one =
            files_of({{std::string(kWants) + "systemd-networkd.service", ""},
                      {"/etc/systemd/network/a.network",
                       std::string("[Match]\n") + match + "\n[Link]\nMTUBytes=1500\n"}});
        CHECK(outcome(mtu(1500), one).starts_with(result));
    }
}

TEST_CASE("boot: rules last beside networkd where it has no port, or leaves foreign rules alone") {
    const Desired rule = with_element({.port = std::string(kHost),
                                       .field = find_field("rules"),
                                       .value = Record{{"from", "10.0.0.1/32"}, {"table", "101"}}});
    const auto of_rule = [&](const std::vector<std::pair<std::string, std::string>>& more) {
        std::vector<std::pair<std::string, std::string>> all = {
            {std::string(kWants) + "systemd-networkd.service", ""},
            {std::string(kWants) + "rocectl.service", ""},
            {"/usr/lib/systemd/system/rocectl.service",
             "[Service]\nExecStart=rocectl apply --yes rail\n"}};
        all.insert(all.end(), more.begin(), more.end());
        const BootFiles files = with_systemd(files_of(all));
        const std::vector<Service> units = services(files, {.names = {"rail"}}, {});
        REQUIRE(units.size() == 1);
        const Port host{std::string(kHost)};
        return boot_outcome_of(rule, host, configuration(host, files), &units.front());
    };
    const std::pair<std::string, std::string> managed = {
        "/etc/systemd/network/mgmt.network", "[Match]\nName=eno1\n[Network]\nDHCP=yes\n"};
    CHECK(of_rule({}).kind == Result::restored);
    CHECK(of_rule({{"/usr/lib/systemd/network/80-container-host0.network",
                    "[Match]\nName=host0\n[Network]\nDHCP=yes\n"}})
              .kind == Result::restored);
    CHECK(of_rule({{"/etc/systemd/network/rail.network",
                    "[Match]\nName=rail0\n[Link]\nUnmanaged=yes\n"}})
              .kind == Result::restored);
    const BootOutcome taken = of_rule({managed});
    CHECK(taken.kind == Result::unknown);
    CHECK(
        taken.text ==
        "/etc/systemd/network/mgmt.network:1 gives a port to systemd-networkd, which may take away "
        "what it was not told of unless networkd.conf says ManageForeignRoutingPolicyRules=no");
    for (const char* file : {"/etc/systemd/networkd.conf", "/etc/systemd/networkd.conf.d/a.conf"}) {
        INFO(file);
        CHECK(of_rule({managed, {file, "[Network]\nManageForeignRoutingPolicyRules=no\n"}}).kind ==
              Result::restored);
        CHECK(of_rule({managed, {file, "[Network]\nManageForeignRoutes=no\n"}}).kind ==
              Result::unknown);
    }
}

// As netplan writes it of ens1f0 with dhcp4: true (netplan, src/networkd.c)
constexpr const char* kLeaseByNetplan =
    "[Match]\nName=ens1f0\n\n[Network]\nDHCP=ipv4\nLinkLocalAddressing=ipv6\n\n[DHCP]\n"
    "RouteMetric=100\nUseMTU=true\n";

TEST_CASE("boot: an MTU that a lease may set is not known, whoever sets it before") {
    const auto files = [](std::string text, const std::string& more = "") {
        return files_of({{std::string(kWants) + "systemd-networkd.service", ""},
                         {"/etc/systemd/network/a.link",
                          "[Match]\nDriver=mlx5_core\n[Link]\n"
                          "MTUBytes=9000\n"},
                         {"/etc/systemd/network/a.network", std::move(text)},
                         {"/etc/systemd/network/a.network.d/b.conf", more}});
    };
    const std::string lease = kLeaseByNetplan;
    CHECK(outcome(mtu(9000), files(lease)) ==
          "unknown: /etc/systemd/network/a.network:10 has systemd-networkd take what a DHCP server "
          "says, which may be another");
    CHECK(outcome(mtu(9000), files(lease, "[Link]\nMTUBytes=9000\n"))
              .ends_with("a.network.d/b.conf:2"));
    CHECK(outcome(mtu(9000), files(lease, "[DHCPv4]\nUseMTU=no\n")).ends_with("a.link:4"));
    CHECK(outcome(mtu(9000), files(lease, "[Network]\nDHCP=ipv6\n")).ends_with("a.link:4"));
    CHECK(outcome(mtu(9000), files(lease.substr(0, lease.find("UseMTU")))).ends_with("a.link:4"));
    CHECK(outcome(mtu(9000), files(lease, "[Network]\nDHCP=yes\n[DHCPv4]\nUseMTU=yes\n"))
              .starts_with("unknown: /etc/systemd/network/a.network.d/b.conf:4 "));
    const Service unit{.unit = "rocectl.service", .place = "rocectl.service:2"};
    const Port port = port_called("ens1f0");
    CHECK(boot_outcome_of(mtu(9000), port, configuration(port, with_systemd(files(lease))), &unit)
              .kind == Result::unknown);
    BootFiles by_manager =
        files_of({{std::string(kWants) + "NetworkManager.service", ""},
                  {"/etc/NetworkManager/system-connections/any.nmconnection", kAnyByNmcli}});
    CHECK(outcome(mtu(1500), by_manager).starts_with("restored"));
    std::erase_if(by_manager, [](const BootLine& line) { return line.text == "mtu=1500"; });
    CHECK(outcome(mtu(1500), by_manager) ==
          "unknown: /etc/NetworkManager/system-connections/any.nmconnection:1 has NetworkManager "
          "take what a DHCP server says, which may be another");
    CHECK(outcome(mtu(1500), files_of({{std::string(kWants) + "networking.service", ""},
                                       {"/etc/network/interfaces",
                                        "auto ens1f0\niface ens1f0 inet dhcp\n  mtu 1500\n"}})) ==
          "unknown: /etc/network/interfaces:2: addresses come by dhcp");
}

TEST_CASE("boot: NetworkManager's keyfiles, as nmcli writes them") {
    BootFiles files =
        files_of({{"/etc/NetworkManager/system-connections/rail0.nmconnection", kByNmcli},
                  {"/etc/NetworkManager/system-connections/any.nmconnection", kAnyByNmcli}});
    CHECK(outcome(mtu(9000), files) ==
          "lost: /etc/NetworkManager/system-connections/rail0.nmconnection:9 says it, and "
          "NetworkManager.service is not enabled");
    files.push_back({.file = std::string(kWants) + "NetworkManager.service"});
    CHECK(outcome(mtu(9000), files).ends_with("rail0.nmconnection:9"));
    CHECK(outcome(address("198.18.0.1/31"), files).ends_with("rail0.nmconnection:16"));
    CHECK(outcome({.port = "ens1f0", .field = find_field("ring.rx"), .value = std::uint64_t{8192}},
                  files)
              .ends_with(":13"));
    CHECK(outcome({.port = "ens1f0", .field = find_field("pause.rx"), .value = true}, files)
              .starts_with("overwritten"));
    CHECK(outcome(mtu(1500, "ens2"), files).ends_with("any.nmconnection:7"));
    CHECK(outcome({.port = "ens2", .field = find_field("up"), .value = true}, files)
              .starts_with("restored"));
    for (BootLine& line :
         files_of({{"/etc/NetworkManager/conf.d/a.conf", "[keyfile]\nunmanaged-devices=*\n"}}))
        files.push_back(line);
    CHECK(
        outcome(mtu(9000), files)
            .starts_with("unknown: /etc/NetworkManager/conf.d/a.conf:2 keeps NetworkManager off"));
}

TEST_CASE("boot: NetworkManager's ifcfg files") {
    const auto files = [](const std::string& more) {
        return files_of({{std::string(kWants) + "NetworkManager.service", ""},
                         {"/etc/sysconfig/network-scripts/ifcfg-rail",
                          "# a rail\nTYPE=Ethernet\nDEVICE=\"ens1f0\"\nBOOTPROTO=none\nMTU='9000'\n"
                          "IPADDR=198.18.0.1\nPREFIX=31\nIPADDR1=198.18.1.1\n"
                          "NETMASK1=255.255.255.0\n" +
                              more}});
    };
    CHECK(outcome(mtu(9000), files("")) ==
          "restored: set again at boot by /etc/sysconfig/network-scripts/ifcfg-rail:5");
    CHECK(outcome(mtu(1500), files("")).starts_with("overwritten"));
    CHECK(outcome(address("198.18.0.1/31"), files("")).ends_with("ifcfg-rail:6"));
    CHECK(outcome(address("198.18.1.1/24"), files("")).ends_with("ifcfg-rail:8"));
    CHECK(outcome(mtu(9000, "ens9"), files("")).starts_with("lost"));
    CHECK(outcome(mtu(9000), files("ONBOOT=no\n")).starts_with("lost"));
    CHECK(outcome(mtu(9000), files("VLAN=yes\n")).starts_with("lost"));
    CHECK(outcome(mtu(9000), files_of({{std::string(kWants) + "NetworkManager.service", ""},
                                       {"/etc/sysconfig/network-scripts/ifcfg-rail",
                                        "DEVICE=ens1f0\nBOOTPROTO=dhcp\n"}}))
              .ends_with("take what a DHCP server says, which may be another"));
    for (const BootLine& line : files("WPA_PSK=hunter2\n"))
        CHECK(line.text.find("hunter2") == std::string::npos);
}

TEST_CASE("boot: ifupdown's interfaces, with what they name") {
    const std::string main =
        "auto lo\niface lo inet loopback\nsource /etc/network/interfaces.d/*\n";
    const std::string rail =
        "auto ens1f0\niface ens1f0 inet static\n  address 198.18.0.1\n  netmask 255.255.255.254\n  "
        "mtu 9000\n";
    const auto files = [&](const std::string& more) {
        return files_of({{std::string(kWants) + "networking.service", ""},
                         {"/etc/network/interfaces", main},
                         {"/etc/network/interfaces.d/rail", rail + more}});
    };
    CHECK(outcome(mtu(9000), files("")) ==
          "restored: set again at boot by /etc/network/interfaces.d/rail:5");
    CHECK(outcome(address("198.18.0.1/31"), files("")).starts_with("restored"));
    CHECK(outcome(mtu(9000), files("  up ip link set ens1f0 mtu 1500\n")).starts_with("unknown"));
    CHECK(outcome(mtu(9000), files_of({
                                 {std::string(kWants) + "networking.service", ""},
                                 {"/etc/network/interfaces", rail},
                             }))
              .starts_with("restored"));
    CHECK(outcome(mtu(9000), files_of({{std::string(kWants) + "networking.service", ""},
                                       {"/etc/network/interfaces.d/rail", rail}}))
              .starts_with("lost"));
    CHECK(outcome(mtu(9000),
                  files_of({{std::string(kWants) + "networking.service", ""},
                            {"/etc/network/interfaces", rail.substr(rail.find('\n') + 1)}}))
              .starts_with("lost"));
}

TEST_CASE("boot: what scripts of ifupdown and NetworkManager do is not known, and which they are") {
    BootFiles files = files_of(
        {{std::string(kWants) + "networking.service", ""},
         {"/etc/network/interfaces", "auto ens1f0\niface ens1f0 inet manual\n  mtu 9000\n"},
         {"/etc/network/if-up.d/ethtool", ""},
         {"/etc/network/if-up.d/rails.bak", ""}});
    const auto add = [&](const std::string& path) { files.push_back({.file = path}); };
    CHECK(outcome(mtu(9000), files).starts_with("restored"));
    add("/etc/NetworkManager/dispatcher.d/50-rails");
    CHECK(outcome(mtu(9000), files).starts_with("restored"));
    add("/etc/network/if-pre-up.d/rails");
    CHECK(outcome(mtu(9000), files) ==
          "unknown: /etc/network/if-pre-up.d/rails is run when the port comes up, and what it does "
          "is not known");
    CHECK(outcome(mtu(9000, "ens9"), files).starts_with("lost"));
    CHECK(outcome(sysctl("vm.swappiness", "1"), files).starts_with("lost"));

    files = files_of({{std::string(kWants) + "NetworkManager.service", ""},
                      {"/etc/NetworkManager/system-connections/rail0.nmconnection", kByNmcli},
                      {"/etc/network/if-up.d/rails", ""},
                      {"/usr/lib/NetworkManager/dispatcher.d/20-chrony", ""}});
    CHECK(outcome(mtu(9000), files).starts_with("restored"));
    add("/etc/NetworkManager/dispatcher.d/01-ifupdown");
    CHECK(outcome(mtu(9000), files).starts_with("unknown: /etc/network/if-up.d/rails is run"));
    files.pop_back();
    add("/etc/NetworkManager/dispatcher.d/pre-up.d/50-rails");
    CHECK(outcome(mtu(9000), files)
              .starts_with("unknown: /etc/NetworkManager/dispatcher.d/pre-up.d/50-rails is run"));
}

TEST_CASE("boot: modules-load.d and modprobe.d") {
    const BootFiles files = files_of(
        {{"/etc/modules-load.d/rdma.conf", "# rails\nrdma-ucm\n"},
         {"/etc/modprobe.d/ib.conf", "options ib-core netns_mode=0 \\\n send_queue_size=1\n"}});
    const Desired module{.port = std::string(kHost),
                         .field = find_field("host.modules"),
                         .element = "rdma_ucm",
                         .value = std::string("rdma_ucm")};
    CHECK(outcome(module, files).starts_with("restored"));
    CHECK(outcome(module, {}).starts_with("unknown"));
    Desired mode{.port = std::string(kHost),
                 .field = find_field("host.rdma.netns_mode"),
                 .value = std::string("exclusive")};
    CHECK(outcome(mode, files).ends_with("/etc/modprobe.d/ib.conf:1"));
    mode.value = std::string("shared");
    CHECK(outcome(mode, files).starts_with("overwritten"));
}

TEST_CASE("boot: what modprobe.d keeps out is lost, and with it what needs it") {
    const BootFiles files = files_of(
        {{"/etc/modules-load.d/rdma.conf", "rdma-ucm\nnvme-rdma\nib_umad\nib_iser\n"},
         {"/etc/modprobe.d/a.conf",
          "blacklist rdma-ucm\ninstall nvme-rdma /bin/true\ninstall ib_umad sh -c 'hunter2'\n"},
         {"/usr/lib/modprobe.d/a.conf", "blacklist ib_iser\n"},
         {"/usr/lib/modprobe.d/b.conf", "install nvme* /sbin/modprobe --ignore-install\n"}});
    const auto module = [](const std::string& name) {
        return Desired{.port = std::string(kHost),
                       .field = find_field("host.modules"),
                       .element = name,
                       .value = name};
    };
    CHECK(outcome(module("rdma_ucm"), files) ==
          "overwritten: /etc/modprobe.d/a.conf:1 blacklists rdma_ucm: no device, "
          "systemd-modules-load or rocectl loads it");
    CHECK(outcome(module("nvme_rdma"), files) ==
          "overwritten: /etc/modprobe.d/a.conf:2 has modprobe run '/bin/true' instead of loading "
          "nvme_rdma");
    CHECK(outcome(module("ib_umad"), files) ==
          "unknown: /etc/modprobe.d/a.conf:3 has modprobe run a command instead of loading "
          "ib_umad");
    CHECK(outcome(module("ib_iser"), files).starts_with("restored"));
    Desired absent = module("rdma_ucm");
    absent.value.reset();
    CHECK(outcome(absent, files).starts_with("restored: /etc/modprobe.d/a.conf:1 blacklists"));
    absent.element = "ib_umad";
    CHECK(outcome(absent, files).starts_with("unknown"));
    for (const BootLine& line : files)
        CHECK(line.text.find("hunter2") == std::string::npos);

    const Desired name{
        .port = "ens1f0", .field = find_field("rdma.name"), .value = std::string("rail0")};
    const auto of_modprobe = [](const std::string& text) {
        return files_of({{"/etc/modprobe.d/a.conf", text}});
    };
    CHECK(outcome(name, of_modprobe("blacklist mlx5-ib\n")).starts_with("overwritten"));
    CHECK(outcome(mtu(9000), of_modprobe("blacklist mlx5_ib\n")).starts_with("lost"));
    CHECK(outcome(name, of_modprobe("blacklist ib_core\n")).starts_with("unknown: udev"));
    CHECK(outcome(name, of_modprobe("install ib_core /bin/false\n"))
              .ends_with("instead of loading ib_core, without which there is no RDMA device"));
    CHECK(outcome(mtu(9000), of_modprobe("# blacklist mlx5_core\nblacklist mlx5-core\n"))
              .ends_with("/a.conf:2 blacklists mlx5_core: no device, systemd-modules-load or "
                         "rocectl loads it, the driver of the port"));
}

TEST_CASE("boot: a unit that is refused one desired value restores none") {
    State host;
    host.ports.push_back(port_called("ens1f0"));
    Port& itself = host.ports.emplace_back(kHost);
    itself.modules = Modules{"rdma_ucm"};
    itself.boot_files = with_systemd(
        files_of({{std::string(kWants) + "rocectl.service", ""},
                  {"/usr/lib/systemd/system/rocectl.service",
                   "[Service]\nExecStart=/usr/bin/rocectl apply --yes --allow nic rail\n"},
                  {"/etc/modprobe.d/a.conf", "blacklist rdma_ucm\n"}}));
    DesiredState desired_values;
    desired_values.ports = {"ens1f0"};
    desired_values.desired_values = {mtu(9000)};
    const auto settings = [&] {
        const auto found = after_boot(desired_values, host, {.names = {"rail"}});
        const auto of_mtu = [](const Finding& one) { return one.key == "mtu"; };
        return std::ranges::find_if(found, of_mtu)->text;
    };
    CHECK(settings().starts_with("set again at boot by rocectl.service"));
    Desired& module = desired_values.desired_values.emplace_back();
    module = {.port = std::string(kHost),
              .field = find_field("host.modules"),
              .element = "rdma_ucm",
              .value = std::string("rdma_ucm")};
    CHECK(settings().ends_with("and where one desired value is refused it applies nothing"));
    desired_values.desired_values.back().optional = true;
    CHECK(settings().starts_with("set again at boot by rocectl.service"));
}

TEST_CASE(
    "law: of every setting a boot loses it, or it is said why not; rocectl's unit restores what "
    "rocectl writes") {
    const Service unit{.unit = "rocectl.service", .place = "rocectl.service:2"};
    std::size_t settings = 0;
    for (const Field& field : fields()) {
        if (field.use != Field::Use::setting) continue;
        const ObjectRow& row = row_of(field.object);
        for (const Value& value : samples(field.shape))
            for (const std::string& key : sample_keys(field.shape)) {
                INFO(field.key, " ", key, " ", text(value));
                const Desired desired = with_element(
                    {.port = "ens1f0", .field = &field, .element = key, .value = value});
                const Port port = port_called("ens1f0");
                const BootOutcome alone = boot_outcome_of(desired, port, {}, nullptr);
                CHECK(alone.kind == (stays(desired)                     ? Result::restored
                                     : unstated(field) == desired.value ? Result::restored
                                     : !row.boot.unforeseen.empty()     ? Result::unknown
                                                                        : Result::lost));
                const BootOutcome covered = boot_outcome_of(desired, port, {}, &unit);
                if (row.play != nullptr) CHECK(covered.kind == Result::restored);
                Service other = unit;
                other.unsure = "it applies another profile";
                if (row.play != nullptr && !stays(desired))
                    CHECK(boot_outcome_of(desired, port, {}, &other).kind == Result::unknown);
                ++settings;
            }
        for (const AtBoot& at : row.boot.programs)
            CHECK(program_of(at.program).program == at.program);
    }
    CHECK(settings > 100);
}

TEST_CASE(
    "law: what a file states is compared: the same is restored, another is not, and no unit hides "
    "a later program") {
    const Service unit{.unit = "rocectl.service", .place = "rocectl.service:2"};
    std::size_t compared = 0;
    for (const ObjectRow* row : objects())
        for (const AtBoot& at : row->boot.programs) {
            const Field* field = find_field(at.setting);
            if (field == nullptr || at.spelled != nullptr) continue;
            const std::vector<Value> values = samples(field->shape);
            const std::string element = sample_keys(field->shape).front();
            const auto said_with = [&](const Value& value) {
                BootSetting settings{.program = at.program,
                                     .key = std::string(at.key),
                                     .value = text(value),
                                     .file = "/etc/file",
                                     .line = 7};
                for (const auto& [variable, name] :
                     {std::pair<std::string, std::string>{"$port", "ens1f0"},
                      {"$element", element.empty() ? text(value) : element}})
                    if (const std::size_t place = settings.key.find(variable);
                        place != std::string::npos)
                        settings.key.replace(place, variable.size(), name);
                std::erase(settings.key, '*');
                if (at.program == BootProgram::sysctl)
                    settings.key = core::boot::sysctl_name(settings.key);
                return BootConfiguration{.settings = {settings}, .uncertainties = {}, .idle = {}};
            };
            INFO(at.setting, " ", at.key);
            const Desired desired = with_element(
                {.port = "ens1f0", .field = field, .element = element, .value = values.front()});
            const Port port = port_called("ens1f0");
            const BootOutcome same =
                boot_outcome_of(desired, port, said_with(values.front()), nullptr);
            const BootOutcome other =
                boot_outcome_of(desired, port, said_with(values.back()), nullptr);
            const bool is_default = at.key.find("/default/") != at.key.npos;
            const bool default_counts = is_default && values.front() != values.back();
            CHECK(same.kind == (at.compared && !default_counts && !is_default ? Result::restored
                                                                              : Result::unknown));
            CHECK(other.kind != Result::restored);
            const BootOutcome with_unit =
                boot_outcome_of(desired, port, said_with(values.back()), &unit);
            if (row->play != nullptr && field->shape.kind != Shape::Kind::items)
                CHECK((with_unit.kind == Result::restored) == !program_of(at.program).late);
            compared += at.compared ? 1 : 0;
        }
    CHECK(compared > 30);
}

TEST_CASE("boot: rocectl's own unit, by its command") {
    const Asked asked{.names = {"/etc/rocectl/rail.json", "rail"}};
    const auto unsure = [&](const std::string& command, const std::string& unit = "rocectl.service",
                            const std::string& more = "") -> std::string {
        const std::string file = unit.find('@') == unit.npos ? unit : "rocectl@.service";
        const auto found = services(files_of({{std::string(kWants) + unit, ""},
                                              {"/usr/lib/systemd/system/" + file,
                                               "[Service]\nExecStart=" + command + "\n" + more}}),
                                    asked, {"ens1f0", "a-b"});
        return found.empty() ? "none" : found.front().unsure;
    };
    CHECK(unsure("/usr/bin/rocectl apply --yes /etc/rocectl/rail.json").empty());
    CHECK(unsure("/usr/bin/rocectl apply rail --yes --lock-timeout 60s").empty());
    const std::string plain = "rocectl apply --yes rail";
    CHECK(unsure(plain, "rocectl@ens1f0.service").empty());
    CHECK(unsure(plain, "rocectl@a\\x2db.service").empty());
    CHECK(unsure(plain, "rocectl@ens9.service") == "none");
    CHECK(unsure(plain, "rocectl.service", "[Unit]\nConditionPathExists=/etc/rocectl/rail.json\n")
              .empty());
    CHECK(unsure(plain, "rocectl.service", "[Unit]\nConditionPathExists=/nowhere\n")
              .ends_with("rocectl.service:4 says ConditionPathExists=/nowhere"));
    CHECK(unsure(plain, "rocectl.service", "User=nobody\n").ends_with("says User=nobody"));
    CHECK(unsure("rocectl apply --yes --port ens1f0 rail") == "it is called with --port");
    CHECK(unsure("rocectl apply --yes --confirm 120s rail") == "it is called with --confirm");
    CHECK(unsure("rocectl apply --yes --frobnicate rail") == "it is called with --frobnicate");
    CHECK(unsure("/bin/echo would apply --yes rail") == "it is no plain call of rocectl apply");
    CHECK(unsure("rocectl apply --yes rail other") == "it is called with other than one profile");
    CHECK(unsure("rocectl apply --yes rail --wait") == "--wait has no value");
    CHECK(unsure("/usr/bin/rocectl apply --yes other") == "it applies another profile");
    CHECK(unsure("/usr/bin/rocectl apply rail") ==
          "it is called without --yes, and applies nothing");
    CHECK(unsure("/usr/bin/rocectl apply --yes rail --vars=/tmp/v") == "it is called with --vars");
    CHECK(unsure("/usr/bin/rocectl probe serve") == "none");
    CHECK(services(files_of({{"/usr/lib/systemd/system/rocectl.service",
                              "[Service]\nExecStart=rocectl apply --yes rail\n"}}),
                   asked, {})
              .empty());
}

TEST_CASE("boot: a unit is started by who wants or requires it, where a boot comes by that") {
    const auto enabled = [](const std::string& folder) {
        return is_enabled("rocectl.service",
                          files_of({{"/etc/systemd/system/" + folder + "/rocectl.service", ""}}));
    };
    CHECK(enabled("multi-user.target.wants"));
    CHECK(enabled("network-online.target.requires"));
    CHECK(enabled("slurmd.service.requires"));
    CHECK(enabled("sys-subsystem-net-devices-ens1f0.device.wants"));
    CHECK(!enabled("rescue.target.requires"));
    CHECK(!enabled("hybrid-sleep.target.wants"));
    CHECK(!enabled("rocectl.service.d"));
}

TEST_CASE("boot: every option of apply is taken for what it is, with its value or without") {
    const Asked asked{.names = {"rail"}};
    std::set<std::string> taken;
    for (const cli::Command* const command : cli::commands()) {
        if (command->name != "apply") continue;
        for (const cli::OptionRow* row : command->options) {
            const std::string option(row->name);
            for (const char* between : {" ", "="}) {
                if (row->value.empty() && *between == '=') continue;
                const std::string value = row->value.empty() ? "" : between + std::string("link");
                const auto found = services(files_of({{std::string(kWants) + "rocectl.service", ""},
                                                      {"/usr/lib/systemd/system/rocectl.service",
                                                       "[Service]\nExecStart=rocectl apply --yes " +
                                                           option + value + " rail\n"}}),
                                            asked, {});
                INFO(option);
                REQUIRE(found.size() == 1);
                if (found.front().unsure.empty())
                    taken.insert(option);
                else
                    CHECK(found.front().unsure == "it is called with " + option);
            }
        }
    }
    // What may keep it from leaving the profile applied, or applies another, is not among them.
    CHECK(taken == std::set<std::string>{"--allow", "--lock-timeout", "--settings-only",
                                         "--time-limit", "--trust-files", "--wait", "--yes"});
}

TEST_CASE("boot_files: what is read of a host, and what is not") {
    const OwnRoot root;
    std::ofstream(root.file("/etc/sysctl.d/a.conf")) << "vm.swappiness = 1\n";
    std::ofstream(root.file("/etc/sysctl.d/a.conf~")) << "vm.swappiness = 2\n";
    std::filesystem::create_directories(root.file("/etc/sysctl.d/b.conf"));
    std::filesystem::create_symlink("/dev/null", root.file("/etc/sysctl.d/c.conf"));
    std::filesystem::create_symlink("nowhere", root.file("/etc/sysctl.d/d.conf"));
    CHECK(mkfifo(root.file("/etc/sysctl.d/e.conf").c_str(), 0600) == 0);
    std::filesystem::create_symlink("/no/such/unit",
                                    root.file("/etc/systemd/system/x.wants/rocectl.service"));
    std::filesystem::create_symlink("/no/such/unit",
                                    root.file("/etc/systemd/system/y.requires/rocectl.service"));
    std::filesystem::create_symlink("/dev/null", root.file("/etc/systemd/system/rocectl.service"));
    utsname names{};
    uname(&names);
    std::ofstream(root.file(std::string("/lib/modules/") + names.release + "/modules.builtin"))
        << "kernel/drivers/net/dummy-one.ko\n";
    std::ofstream(root.file("/etc/modprobe.d/a.conf")) << "blacklist dummy_one\nblacklist dummy\n";
    std::ofstream(root.file("/usr/lib/systemd/system/quiet.service")) << "[Service]\nExecStart=a\n";
    std::ofstream(root.file("/usr/lib/systemd/system/slurmd.service")) << "[Service]\nUser=a\n";
    std::ofstream(root.file("/etc/systemd/system/slurmd.service.d/a.conf"))
        << "[Service]\nLimitMEMLOCK=1\n";
    std::ofstream(root.file("/etc/systemd/system/service.d/z.conf"))
        << "[Service]\nLimitMEMLOCK=2\n";
    for (const char* name : {"run", "text"})
        std::ofstream(root.file(std::string("/etc/network/if-up.d/") + name)) << "hunter2\n";
    std::filesystem::permissions(root.file("/etc/network/if-up.d/run"),
                                 std::filesystem::perms::owner_all);
    netlink::Machine machine(root.path());
    Port host(kHost);
    netlink::read_boot_files(machine, {}, host);
    REQUIRE(host.boot_files);
    std::vector<std::string> found;
    for (const BootLine& line : *host.boot_files)
        found.push_back(line.file + ' ' + std::to_string(line.line) + ' ' + line.text +
                        line.refused);
    CHECK(found == std::vector<std::string>{
                       "/etc/sysctl.d/a.conf 0 ", "/etc/sysctl.d/a.conf 1 vm.swappiness = 1",
                       "/etc/sysctl.d/c.conf 0 ", "/etc/sysctl.d/d.conf 0 ",
                       "/etc/sysctl.d/e.conf 0 is no file", "/etc/modprobe.d/a.conf 0 ",
                       "/etc/modprobe.d/a.conf 2 blacklist dummy", "/etc/network/if-up.d/run 0 ",
                       "/etc/systemd/system/rocectl.service 0 masked",
                       "/etc/systemd/system/service.d/z.conf 0 ",
                       "/etc/systemd/system/service.d/z.conf 1 [Service]",
                       "/etc/systemd/system/service.d/z.conf 2 LimitMEMLOCK=2",
                       "/etc/systemd/system/slurmd.service.d/a.conf 0 ",
                       "/etc/systemd/system/slurmd.service.d/a.conf 1 [Service]",
                       "/etc/systemd/system/slurmd.service.d/a.conf 2 LimitMEMLOCK=1",
                       "/usr/lib/systemd/system/slurmd.service 0 ",
                       "/usr/lib/systemd/system/slurmd.service 1 [Service]",
                       "/etc/systemd/system/x.wants/rocectl.service 0 ",
                       "/etc/systemd/system/y.requires/rocectl.service 0 "});
    CHECK(!is_enabled("rocectl.service", *host.boot_files));
}

TEST_CASE("boot_files: a file of a mebibyte is read, and a larger one not") {
    constexpr std::size_t mebibyte = std::size_t{1} << 20U;
    const OwnRoot root;
    const std::string line = "vm.swappiness = 1\n";
    const std::string most = std::string(mebibyte - line.size() - 1, '#') + '\n' + line;
    std::ofstream(root.file("/etc/sysctl.d/a.conf")) << most;
    std::ofstream(root.file("/etc/sysctl.d/b.conf")) << '#' << most;
    netlink::Machine machine(root.path());
    Port host(kHost);
    netlink::read_boot_files(machine, {}, host);
    REQUIRE(host.boot_files);
    std::vector<std::string> found;
    for (const BootLine& one : *host.boot_files)
        found.push_back(std::string(base_name(one.file)) + ' ' + std::to_string(one.line) + ' ' +
                        one.text + one.refused);
    CHECK(found == std::vector<std::string>{"a.conf 0 ", "a.conf 2 vm.swappiness = 1",
                                            "b.conf 0 File too large"});
}

}  // namespace boot_test

// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "core/boot/answer.hpp"
#include "core/boot/judge.hpp"
#include "core/boot/stated.hpp"
#include "core/model/object.hpp"
#include "netlink/system/boot_files.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace boot_test {

using namespace core;
using namespace core::boot;

namespace {

using Result = Answer::Kind;

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
            if (!its_own && !(source.name == "enabled" && path.find(".wants/") != path.npos))
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

/// What comes of a wish, in a line.
std::string answer(const Wish& wish, const BootFiles& files) {
    const Answer found = answer_for(wish, port_called(wish.port),
                                    sayings(port_called(wish.port), with_systemd(files)), nullptr);
    constexpr std::array words = {"restored", "overwritten", "lost", "unknown"};
    return std::string(words.at(static_cast<std::size_t>(found.kind))) + ": " + found.text;
}

Wish mtu(std::uint64_t value, const std::string& port = "ens1f0") {
    return {.port = port, .field = find_field("mtu"), .value = value};
}

Wish address(const std::string& value, const std::string& port = "ens1f0") {
    return with_element({.port = port, .field = find_field("addresses"), .value = value});
}

Wish sysctl(const std::string& name, const std::string& value) {
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
    CHECK(answer(sysctl("vm.swappiness", "1"), files) ==
          "restored: set again at boot by /etc/sysctl.d/90-a.conf:1");
    CHECK(answer(sysctl("vm.swappiness", "2"), files) ==
          "overwritten: /etc/sysctl.d/90-a.conf:1 says 1, and systemd-sysctl sets that at boot");
    CHECK(answer(sysctl("kernel.pid_max", "5"), files) ==
          "restored: set again at boot by /usr/lib/sysctl.d/10-a.conf:3");
    CHECK(answer(sysctl("vm.laptop_mode", "3"), files).starts_with("restored"));
    CHECK(answer(sysctl("net.ipv4.conf.default.rp_filter", "2"), files).starts_with("restored"));
    CHECK(answer(sysctl("net.ipv4.conf.all.rp_filter", "2"), files).starts_with("lost"));
    const Wish filter{
        .port = "ens1f0.100", .field = find_field("ip.rp_filter"), .value = std::uint64_t{2}};
    CHECK(answer(filter, files).starts_with("restored"));
    CHECK(
        answer(filter, files_of({{"/etc/sysctl.d/a.conf", "net/ipv4/conf/ens1f0.100/rp_filter=2"}}))
            .starts_with("restored"));
    CHECK(answer(filter, files_of({{"/etc/sysctl.d/a.conf", "net.ipv4.conf.all.rp_filter=2"}}))
              .starts_with("restored"));
    CHECK(
        answer(filter, files_of({{"/etc/sysctl.d/a.conf", "net.ipv4.conf.default.rp_filter=2"}})) ==
        "unknown: /etc/sysctl.d/a.conf:1 is for ports that appear after it");
    CHECK(
        answer(filter,
               files_of({{"/etc/sysctl.d/a.conf",
                          "net/ipv4/conf/ens1f0.100/rp_filter=2\nnet.ipv4.conf.all.rp_filter=1"}}))
            .starts_with("restored"));
}

TEST_CASE("boot: networkd, by the first file that matches, its drop-ins and udev's link files") {
    BootFiles files = files_of(
        {{"/run/systemd/network/10-netplan-ens1f0.network", kByNetplan},
         {"/run/systemd/network/10-netplan-ens1f0.link", kLinkByNetplan},
         {"/etc/systemd/network/20-all.network", "[Match]\nName=*\n[Link]\nMTUBytes=9K\n"}});
    CHECK(answer(mtu(1500), files) ==
          "unknown: /run/systemd/network/10-netplan-ens1f0.link may be for the port: "
          "OriginalName=ens1f0");
    files.push_back({.file = std::string(kWants) + "systemd-networkd.service"});
    CHECK(answer(mtu(1500), files) ==
          "restored: set again at boot by /run/systemd/network/10-netplan-ens1f0.network:5");
    CHECK(answer(address("198.18.0.1/31"), files).ends_with("10-netplan-ens1f0.network:9"));
    CHECK(answer(address("198.18.0.3/31"), files).starts_with("lost"));
    CHECK(answer(mtu(9216, "ens9"), files).ends_with("/etc/systemd/network/20-all.network:4"));
    for (BootLine& line : files_of({{"/etc/systemd/network/10-netplan-ens1f0.network.d/a.conf",
                                     "[Link]\nMTUBytes=4200\n"}}))
        files.push_back(line);
    CHECK(answer(mtu(4200), files).ends_with("10-netplan-ens1f0.network.d/a.conf:2"));
    CHECK(answer(mtu(1500), files).starts_with("overwritten"));
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
        CHECK(answer(mtu(1500), one).starts_with(result));
    }
}

TEST_CASE("boot: NetworkManager's keyfiles, as nmcli writes them") {
    BootFiles files =
        files_of({{"/etc/NetworkManager/system-connections/rail0.nmconnection", kByNmcli},
                  {"/etc/NetworkManager/system-connections/any.nmconnection", kAnyByNmcli}});
    CHECK(answer(mtu(9000), files) ==
          "lost: /etc/NetworkManager/system-connections/rail0.nmconnection:9 says it, and "
          "NetworkManager.service is not enabled");
    files.push_back({.file = std::string(kWants) + "NetworkManager.service"});
    CHECK(answer(mtu(9000), files).ends_with("rail0.nmconnection:9"));
    CHECK(answer(address("198.18.0.1/31"), files).ends_with("rail0.nmconnection:16"));
    CHECK(answer({.port = "ens1f0", .field = find_field("ring.rx"), .value = std::uint64_t{8192}},
                 files)
              .ends_with(":13"));
    CHECK(answer({.port = "ens1f0", .field = find_field("pause.rx"), .value = true}, files)
              .starts_with("overwritten"));
    CHECK(answer(mtu(1500, "ens2"), files).ends_with("any.nmconnection:7"));
    CHECK(answer({.port = "ens2", .field = find_field("up"), .value = true}, files)
              .starts_with("restored"));
    for (BootLine& line :
         files_of({{"/etc/NetworkManager/conf.d/a.conf", "[keyfile]\nunmanaged-devices=*\n"}}))
        files.push_back(line);
    CHECK(
        answer(mtu(9000), files)
            .starts_with("unknown: /etc/NetworkManager/conf.d/a.conf:2 keeps NetworkManager off"));
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
    CHECK(answer(mtu(9000), files("")) ==
          "restored: set again at boot by /etc/network/interfaces.d/rail:5");
    CHECK(answer(address("198.18.0.1/31"), files("")).starts_with("restored"));
    CHECK(answer(mtu(9000), files("  up ip link set ens1f0 mtu 1500\n")).starts_with("unknown"));
    CHECK(answer(mtu(9000), files_of({
                                {std::string(kWants) + "networking.service", ""},
                                {"/etc/network/interfaces", rail},
                            }))
              .starts_with("restored"));
    CHECK(answer(mtu(9000), files_of({{std::string(kWants) + "networking.service", ""},
                                      {"/etc/network/interfaces.d/rail", rail}}))
              .starts_with("lost"));
    CHECK(
        answer(mtu(9000), files_of({{std::string(kWants) + "networking.service", ""},
                                    {"/etc/network/interfaces", rail.substr(rail.find('\n') + 1)}}))
            .starts_with("lost"));
}

TEST_CASE("boot: modules-load.d and modprobe.d") {
    const BootFiles files = files_of(
        {{"/etc/modules-load.d/rdma.conf", "# rails\nrdma-ucm\n"},
         {"/etc/modprobe.d/ib.conf", "options ib-core netns_mode=0 \\\n send_queue_size=1\n"}});
    const Wish module{.port = std::string(kHost),
                      .field = find_field("host.modules"),
                      .element = "rdma_ucm",
                      .value = std::string("rdma_ucm")};
    CHECK(answer(module, files).starts_with("restored"));
    CHECK(answer(module, {}).starts_with("unknown"));
    Wish mode{.port = std::string(kHost),
              .field = find_field("host.rdma.netns_mode"),
              .value = std::string("exclusive")};
    CHECK(answer(mode, files).ends_with("/etc/modprobe.d/ib.conf:1"));
    mode.value = std::string("shared");
    CHECK(answer(mode, files).starts_with("overwritten"));
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
                const Wish wish = with_element(
                    {.port = "ens1f0", .field = &field, .element = key, .value = value});
                const Port port = port_called("ens1f0");
                const Answer alone = answer_for(wish, port, {}, nullptr);
                CHECK(alone.kind == (stays(wish)                     ? Result::restored
                                     : unstated(field) == wish.value ? Result::restored
                                     : !row.unforeseen.empty()       ? Result::unknown
                                                                     : Result::lost));
                const Answer covered = answer_for(wish, port, {}, &unit);
                if (row.play != nullptr) CHECK(covered.kind == Result::restored);
                Service other = unit;
                other.unsure = "it applies another profile";
                if (row.play != nullptr && !stays(wish))
                    CHECK(answer_for(wish, port, {}, &other).kind == Result::unknown);
                ++settings;
            }
        for (const AtBoot& at : row.at_boot)
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
        for (const AtBoot& at : row->at_boot) {
            const Field* field = find_field(at.setting);
            if (field == nullptr || at.spelled != nullptr) continue;
            const std::vector<Value> values = samples(field->shape);
            const std::string element = sample_keys(field->shape).front();
            const auto said_with = [&](const Value& value) {
                Said said{.program = at.program,
                          .key = std::string(at.key),
                          .value = text(value),
                          .file = "/etc/file",
                          .line = 7};
                for (const auto& [variable, name] :
                     {std::pair<std::string, std::string>{"$port", "ens1f0"},
                      {"$element", element.empty() ? text(value) : element}})
                    if (const std::size_t place = said.key.find(variable);
                        place != std::string::npos)
                        said.key.replace(place, variable.size(), name);
                std::erase(said.key, '*');
                if (at.program == BootProgram::sysctl) said.key = core::boot::sysctl_name(said.key);
                return Sayings{.said = {said}, .doubts = {}, .idle = {}};
            };
            INFO(at.setting, " ", at.key);
            const Wish wish = with_element(
                {.port = "ens1f0", .field = field, .element = element, .value = values.front()});
            const Port port = port_called("ens1f0");
            const Answer same = answer_for(wish, port, said_with(values.front()), nullptr);
            const Answer other = answer_for(wish, port, said_with(values.back()), nullptr);
            const bool is_default = at.key.find("/default/") != at.key.npos;
            const bool default_counts = is_default && values.front() != values.back();
            CHECK(same.kind == (at.compared && !default_counts && !is_default ? Result::restored
                                                                              : Result::unknown));
            CHECK(other.kind != Result::restored);
            const Answer with_unit = answer_for(wish, port, said_with(values.back()), &unit);
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

TEST_CASE("boot: every option of apply is taken for what it is, with its value or without") {
    const Asked asked{.names = {"rail"}};
    std::set<std::string> taken;
    for (const cli::Command& command : cli::commands()) {
        if (command.name != "apply") continue;
        for (const cli::OptionRow* row : command.options) {
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
    netlink::Machine machine(root.path());
    Port host(kHost);
    netlink::read_boot_files(machine, {}, host);
    REQUIRE(host.boot_files);
    std::vector<std::string> found;
    for (const BootLine& line : *host.boot_files)
        found.push_back(line.file + ' ' + std::to_string(line.line) + ' ' + line.text +
                        line.refused);
    CHECK(found == std::vector<std::string>{"/etc/sysctl.d/a.conf 0 ",
                                            "/etc/sysctl.d/a.conf 1 vm.swappiness = 1",
                                            "/etc/sysctl.d/c.conf 0 ",
                                            "/etc/sysctl.d/d.conf 0 No such file or directory",
                                            "/etc/sysctl.d/e.conf 0 is no file",
                                            "/etc/systemd/system/x.wants/rocectl.service 0 "});
}

}  // namespace boot_test

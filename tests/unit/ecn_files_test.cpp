// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/model/back_end.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/object.hpp"
#include "netlink/files/codecs.hpp"
#include "netlink/files/text_file.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"

namespace ecn_files_test {

using namespace core;

// The codec of files against trees laid out as the drivers lay them out.

namespace {

/// A root of its own, gone at the end.
class Tree {
public:
    void put(const std::string& path, const std::string& text) const {
        std::ofstream(root_.file(path)) << text;
    }
    [[nodiscard]] std::string get(const std::string& path) const {
        return netlink::read_text_file(root_.file(path));
    }
    [[nodiscard]] const std::filesystem::path& root() const { return root_.path(); }

private:
    OwnRoot root_;
};

Port port_of(const std::string& driver) {
    Port port("ens1f0");
    port.device = Device{.driver = driver, .firmware = {}};
    port.link = Link{.pci = "0000:3b:00.0"};
    port.rdma_link = RdmaLink{.device = "bnxt_re0"};
    return port;
}

Port read(const Tree& tree, const Port& port) {
    netlink::Machine host(tree.root());
    State state{.host = {}, .ports = {port}};
    netlink::read_ecn(
        host, {.ports = std::nullopt, .objects = {Object::ecn_directory, Object::ecn}}, state);
    return state.ports[0];
}

void write(const Tree& tree, const Port& now, const Port& then) {
    netlink::Machine host(tree.root());
    netlink::write_ecn(host, now, then);
}

std::string value(const Port& port, const std::string& key, const std::string& element = {}) {
    const auto elements = find_field(key)->get(port);
    if (!elements) return "not reported";
    const auto found = elements->find(element);
    return found == elements->end() ? "nothing" : text(found->second);
}

const std::string kParams = "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/";

/// As drivers/infiniband/hw/mlx5/cong.c prints them, with the values a ConnectX-6 starts with.
void put_cc_params(const Tree& tree) {
    for (const auto& [name, number] : {std::pair{"np_cnp_dscp", "48"},
                                       {"np_cnp_prio_mode", "0"},
                                       {"np_cnp_prio", "6"},
                                       {"np_min_time_between_cnps", "4"},
                                       {"rp_ai_rate", "5"},
                                       {"rp_time_reset", "300"},
                                       {"rp_clamp_tgt_rate_ati", "1"},
                                       {"rp_dce_tcp_g", "1019"}})
        tree.put(kParams + name, std::string(number) + "\n");
}

const std::string kCc = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/";

/// As apply_show of the vendor's configfs.c prints it.
void put_report(const Tree& tree, bool on) {
    std::string report = on ? "ecn status (ecn_enable)\t\t\t\t\t: Enabled\n"
                            : "ecn status (ecn_enable)\t\t\t\t\t: Disabled\n";
    report +=
        "ecn marking (ecn_marking)\t\t\t\t: ECT(0)\n"
        "congestion control mode (cc_mode)\t\t\t: DCQCN-P\n"
        "send priority vlan (VLAN 0)\t\t\t\t: Disabled\n"
        "running avg. weight(g)\t\t\t\t\t: 8\n"
        "inactivity threshold (inact_th)\t\t\t\t: 10000 usec\n"
        "initial current rate (init_cr)\t\t\t\t: 0xc8\n"
        "initial target rate (init_tr)\t\t\t\t: 0x320\n"
        "roce prio (roce_prio)\t\t\t\t\t: 3\n"
        "roce dscp (roce_dscp)\t\t\t\t\t: 26\n";
    if (on) report += "cnp prio (cnp_prio)\t\t\t\t\t: 7\ncnp dscp (cnp_dscp)\t\t\t\t\t: 48\n";
    tree.put(kCc + "apply", report);
}

}  // namespace

TEST_CASE("ecn: the kernel's mlx5 parameters are read, and what it leaves to firmware is not") {
    const Tree tree;
    put_cc_params(tree);
    const Port port = read(tree, port_of("mlx5_core"));
    CHECK(port.refused.empty());
    CHECK(value(port, "ecn.interface") == "debugfs");
    CHECK(value(port, "ecn.cnp_dscp") == "48");
    CHECK(value(port, "ecn.cnp_priority") == "6");
    CHECK(value(port, "ecn.min_time_between_cnps") == "4");
    CHECK(value(port, "dcqcn.clamp_tgt_rate_after_time_inc") == "1");
    CHECK(value(port, "dcqcn.dce_tcp_g") == "1019");
    CHECK(value(port, "dcqcn.rpg_gd") == "not reported");  // not in this tree
    CHECK(value(port, "ecn.notify", "3") == "not reported");
    CHECK(value(port, "ecn.directory") == "not reported");
}

TEST_CASE("ecn: a priority that follows the packet is none, and can be made so again") {
    const Tree tree;
    put_cc_params(tree);
    tree.put(kParams + "np_cnp_prio_mode", "1\n");
    const Port port = read(tree, port_of("mlx5_core"));
    CHECK(value(port, "ecn.cnp_priority") == "nothing");
    Port fixed = port;
    set_element(fixed, *find_field("ecn.cnp_priority"), "", std::uint64_t{6});
    const FileBackEnd& back_end = *ecn::back_end_of(driver_of(port), port);
    CHECK(file_writes(back_end, port, fixed) ==
          std::vector<FileWrite>{{kParams + "np_cnp_prio", "6"}});
    CHECK(file_writes(back_end, fixed, port) ==
          std::vector<FileWrite>{{kParams + "np_cnp_prio_mode", "1"}});
}

TEST_CASE("ecn: only what differs is written, as the driver parses it") {
    const Tree tree;
    put_cc_params(tree);
    const Port now = read(tree, port_of("mlx5_core"));
    Port then = now;
    set_element(then, *find_field("ecn.cnp_dscp"), "", std::uint64_t{46});
    set_element(then, *find_field("dcqcn.rpg_ai_rate"), "", std::uint64_t{10});
    tree.put(kParams + "np_min_time_between_cnps", "untouched");
    write(tree, now, then);
    CHECK(tree.get(kParams + "np_cnp_dscp") == "46");
    CHECK(tree.get(kParams + "rp_ai_rate") == "10");
    CHECK(tree.get(kParams + "np_min_time_between_cnps") == "untouched");
}

TEST_CASE("ecn: the vendor's mlx5 files come first, with a switch for each priority") {
    const Tree tree;
    put_cc_params(tree);
    const std::string ecn = "/sys/class/net/ens1f0/ecn/";
    for (unsigned i = 0; i < kPriorities; ++i) {
        tree.put(ecn + "roce_np/enable/" + std::to_string(i), i == 3 ? "1\n" : "0\n");
        tree.put(ecn + "roce_rp/enable/" + std::to_string(i), "1\n");
    }
    tree.put(ecn + "roce_np/cnp_dscp", "40\n");
    const Port now = read(tree, port_of("mlx5_core"));
    CHECK(value(now, "ecn.interface") == "sysfs");
    CHECK(value(now, "ecn.notify", "3") == "on");
    CHECK(value(now, "ecn.notify", "0") == "off");
    CHECK(value(now, "ecn.cnp_dscp") == "40");
    Port then = now;
    set_element(then, *find_field("ecn.notify"), "5", true);
    set_element(then, *find_field("ecn.react"), "0", false);
    write(tree, now, then);
    CHECK(tree.get(ecn + "roce_np/enable/5") == "1");
    CHECK(tree.get(ecn + "roce_np/enable/4") == "0");
    CHECK(tree.get(ecn + "roce_rp/enable/0") == "0");
}

TEST_CASE("ecn: bnxt's configfs tells by apply what the device holds, and reads hexadecimal") {
    const Tree tree;
    put_report(tree, true);
    const Port now = read(tree, port_of("bnxt_en"));
    CHECK(value(now, "ecn.interface") == "configfs");
    CHECK(value(now, "ecn.directory") == "on");
    CHECK(value(now, "ecn.notify", "3") == "on");
    CHECK(value(now, "ecn.react", "7") == "on");
    CHECK(value(now, "ecn.marking") == "on");
    CHECK(value(now, "ecn.cnp_dscp") == "48");
    CHECK(value(now, "ecn.cnp_priority") == "7");
    CHECK(value(now, "dcqcn.g") == "8");
    CHECK(value(now, "dcqcn.init_tr") == "800");
    CHECK(value(now, "dcqcn.inact_th") == "10000");
    Port then = now;
    set_element(then, *find_field("ecn.cnp_dscp"), "", std::uint64_t{26});
    set_element(then, *find_field("dcqcn.g"), "", std::uint64_t{16});
    const FileBackEnd& back_end = *ecn::back_end_of(driver_of(now), now);
    CHECK(file_writes(back_end, now, then) == std::vector<FileWrite>{{kCc + "cnp_dscp", "0x1a"},
                                                                     {kCc + "g", "0x10"},
                                                                     {kCc + "cnp_prio", "0x7"},
                                                                     {kCc + "apply", "1"}});
}

TEST_CASE("ecn: with each commit bnxt is reported the code points that it clears") {
    const Tree tree;
    put_report(tree, true);
    Port now = read(tree, port_of("bnxt_en"));
    now.app = App{.entries = {{AppEntry::dgram, 4791, 3},
                              {AppEntry::dscp, 26, 3},
                              {AppEntry::dscp, 48, 7},
                              {AppEntry::dscp, 10, 1}},
                  .trust = {}};
    Port then = now;
    set_element(then, *find_field("dcqcn.g"), "", std::uint64_t{16});
    const FileBackEnd& back_end = *ecn::back_end_of(driver_of(now), now);
    CHECK(file_writes(back_end, now, then) == std::vector<FileWrite>{{kCc + "g", "0x10"},
                                                                     {kCc + "cnp_dscp", "0x30"},
                                                                     {kCc + "cnp_prio", "0x7"},
                                                                     {kCc + "roce_dscp", "0x1a"},
                                                                     {kCc + "roce_prio", "0x3"},
                                                                     {kCc + "apply", "1"}});
    const auto remark = row_of(Object::ecn).words.remarks(driver_of(now), {}, now, then);
    REQUIRE(remark);
    CHECK(remark->find("DSCP 10 stays listed") != std::string::npos);
    CHECK(file_writes(back_end, now, now).empty());
}

TEST_CASE("ecn: bnxt tells no CNP while it is off, and has one switch") {
    const Tree tree;
    put_report(tree, false);
    const Port now = read(tree, port_of("bnxt_en"));
    CHECK(value(now, "ecn.notify", "0") == "off");
    CHECK(value(now, "ecn.cnp_dscp") == "nothing");
    Port then = now;
    for (const char* key : {"ecn.notify", "ecn.react"})
        set_element(then, *find_field(key), "3", true);
    tree.put(kCc + "ecn_enable", "0x0\n");
    write(tree, now, then);
    CHECK(tree.get(kCc + "ecn_enable") == "1");
    CHECK(tree.get(kCc + "apply") == "1");
}

TEST_CASE("ecn_directory: bnxt's directory is for somebody to make, and reading makes none") {
    const Tree tree;
    std::filesystem::create_directories(tree.root() / "sys/kernel/config/bnxt_re");
    const Port now = read(tree, port_of("bnxt_en"));
    CHECK(value(now, "ecn.directory") == "off");
    CHECK(now.unknown == std::set<Object>{Object::ecn});
    CHECK_FALSE(std::filesystem::exists(tree.root() / "sys/kernel/config/bnxt_re/bnxt_re0"));
    Port then = now;
    then.ecn_directory = true;
    netlink::Machine host(tree.root());
    netlink::write_ecn_directory(host, now, then);
    CHECK(std::filesystem::is_directory(tree.root() / "sys/kernel/config/bnxt_re/bnxt_re0"));
    netlink::write_ecn_directory(host, then, now);
    CHECK_FALSE(std::filesystem::exists(tree.root() / "sys/kernel/config/bnxt_re/bnxt_re0"));
}

TEST_CASE("ecn: hns3 has numbers of each algorithm that the device has, and no switch") {
    const std::string folder = "/sys/kernel/debug/hns_roce/0000:3b:00.0/";
    const Tree tree;
    tree.put(folder + "sw_stat/sw_stat", "aeqe                 --- 0\n");
    Port port = read(tree, port_of("hns3"));
    CHECK(value(port, "ecn.interface") == "debugfs");
    CHECK(value(port, "ecn.dcqcn", "ai") == "not reported");  // before Linux 7.2, or HIP08
    tree.put(folder + "dcqcn_cc_param/ai", "128\n");
    tree.put(folder + "dcqcn_cc_param/tkp", "2\n");
    tree.put(folder + "dcqcn_cc_param/max_speed", "4294967295\n");
    tree.put(folder + "hc3_cc_param/bandwidth", "2000\n");
    port = read(tree, port_of("hns3"));
    CHECK(value(port, "ecn.dcqcn", "ai") == "128");
    CHECK(value(port, "ecn.dcqcn", "max_speed") == "4294967295");
    CHECK(value(port, "ecn.dcqcn", "ashift") == "nothing");
    CHECK(value(port, "ecn.hc3", "bandwidth") == "2000");
    CHECK(value(port, "ecn.ldcp", "eta") == "not reported");
    CHECK(value(port, "ecn.notify", "3") == "not reported");

    const auto set = [&](const char* key, const char* name, std::uint64_t number) {
        Port then = port;
        set_element(then, *find_field(key), name, number);
        return then;
    };
    write(tree, port, set("ecn.dcqcn", "tkp", 9));
    CHECK(tree.get(folder + "dcqcn_cc_param/tkp") == "9");
    CHECK(tree.get(folder + "dcqcn_cc_param/ai") == "128");
    const auto refused = [&](const Port& then) {
        return row_of(Object::ecn).refuses(driver_of(port), port, then).value_or("taken");
    };
    CHECK(refused(set("ecn.dcqcn", "tkp", 10)) == "taken");
    CHECK(refused(set("ecn.dcqcn", "tkp", 11)) == "ecn.dcqcn tkp: 11 is outside 0..10");
    CHECK(refused(set("ecn.hc3", "bandwidth", 999)) ==
          "ecn.hc3 bandwidth: 999 is outside 1000..4294967295");
    CHECK(ecn::unsupported(driver_of(port), port, "ecn.notify")
              ->text.find("each queue pair has the algorithm") != std::string::npos);
}

TEST_CASE("ecn: Intel's own irdma has one switch, in a directory for somebody to make") {
    const Tree tree;
    CHECK(value(read(tree, port_of("ice")), "ecn.directory") == "not reported");
    std::filesystem::create_directories(tree.root() / "sys/kernel/config/irdma");
    CHECK(value(read(tree, port_of("ice")), "ecn.directory") == "off");
    const std::string folder = "/sys/kernel/config/irdma/bnxt_re0/";
    tree.put(folder + "roce_dcqcn_enable", "0\n");
    tree.put(folder + "roce_timely_enable", "0\n");
    const Port now = read(tree, port_of("ice"));
    CHECK(value(now, "ecn.directory") == "on");
    CHECK(value(now, "ecn.react", "3") == "off");
    CHECK(value(now, "ecn.notify", "3") == "not reported");
    CHECK(ecn::unsupported(driver_of(now), now, "ecn.notify")->text == "ice has no setting for it");
    Port then = now;
    set_element(then, *find_field("ecn.react"), "3", true);
    write(tree, now, then);
    CHECK(tree.get(folder + "roce_dcqcn_enable") == "1");
    CHECK(tree.get(folder + "roce_timely_enable") == "0");
}

TEST_CASE("ecn: the elements of a back end are those of the setting") {
    for (const Driver* const driver : drivers())
        for (const FileBackEnd& back_end : driver->ecn.back_ends)
            for (const ValueFile& file : back_end.files) {
                if (file.ranges.empty()) continue;
                std::vector<std::string> names;
                for (const ElementRange& range : file.ranges)
                    names.emplace_back(range.element);
                INFO(driver->name << ' ' << file.key);
                CHECK(names == sample_keys(find_field(file.key)->shape));
            }
}

TEST_CASE("ecn: the kernel's bnxt files are decimal, and need no commit") {
    const Tree tree;
    const std::string cc = "/sys/kernel/debug/bnxt_re/0000:3b:00.0/cc_config/";
    for (const auto& [name, number] : {std::pair{"enable_cc", "1"},
                                       {"tos_ecn", "0"},
                                       {"alt_vlan_dscp", "48"},
                                       {"alt_vlan_pcp", "7"},
                                       {"run_avg_weight_g", "8"}})
        tree.put(cc + name, std::string(number) + "\n");
    const Port now = read(tree, port_of("bnxt_en"));
    CHECK(value(now, "ecn.interface") == "debugfs");
    CHECK(value(now, "ecn.notify", "0") == "on");
    CHECK(value(now, "ecn.marking") == "off");
    CHECK(value(now, "ecn.cnp_dscp") == "48");
    Port then = now;
    set_element(then, *find_field("ecn.cnp_dscp"), "", std::uint64_t{26});
    set_element(then, *find_field("ecn.marking"), "", true);
    write(tree, now, then);
    CHECK(tree.get(cc + "alt_vlan_dscp") == "26");
    CHECK(tree.get(cc + "tos_ecn") == "1");
}

TEST_CASE("ecn: what cannot be read is refused with its path, what is not there is absent") {
    const Tree tree;
    CHECK(value(read(tree, port_of("mlx5_core")), "ecn.cnp_dscp") == "not reported");
    CHECK(value(read(tree, port_of("ice")), "ecn.cnp_dscp") == "not reported");
    put_cc_params(tree);
    tree.put(kParams + "np_cnp_dscp", "");
    const Port empty = read(tree, port_of("mlx5_core"));
    REQUIRE(empty.refused.contains(Object::ecn));
    CHECK(empty.refused.at(Object::ecn).code == EBADMSG);
    CHECK(empty.refused.at(Object::ecn).text.ends_with("np_cnp_dscp reads ''"));
    CHECK(value(empty, "ecn.cnp_dscp") == "not reported");
}

TEST_CASE("ecn: the report of the vendor's later drivers is read, and the files beside it") {
    const Tree tree;
    tree.put(kCc + "apply",
             "ecn_enable=0x1 # ECN status : Enabled\n"
             "ecn_marking=0x1 # ECN marking : ECT(1)\n"
             "cnp_dscp=0x30 # CNP DSCP : 48\n"
             "g=0x8 # running avg. weight : 8\n");
    tree.put(kCc + "cnp_prio", "cnp_prio=0x7 # CNP priority : 7\n");
    tree.put(kCc + "init_cr", "0xc8\n");
    const Port now = read(tree, port_of("bnxt_en"));
    CHECK(now.refused.empty());
    CHECK(value(now, "ecn.notify", "3") == "on");
    CHECK(value(now, "ecn.marking") == "on");
    CHECK(value(now, "ecn.cnp_dscp") == "48");
    CHECK(value(now, "ecn.cnp_priority") == "7");
    CHECK(value(now, "dcqcn.g") == "8");
    CHECK(value(now, "dcqcn.init_cr") == "200");
    CHECK(value(now, "dcqcn.init_tr") == "not reported");
}

TEST_CASE("ecn: with service profiles the CNP priority is the firmware's") {
    const Tree tree;
    put_report(tree, true);
    const std::string info = "/sys/kernel/debug/bnxt_re/bnxt_re0/info";
    tree.put(info, "\tpoll_in_intr_en : 0\n\tfw_service_prof_type_sup : 0\n");
    CHECK(value(read(tree, port_of("bnxt_en")), "ecn.cnp_priority") == "7");
    tree.put(info, "\tpoll_in_intr_en : 0\n\tfw_service_prof_type_sup : 1\n");
    const Port now = read(tree, port_of("bnxt_en"));
    CHECK(value(now, "ecn.cnp_dscp") == "48");
    CHECK(value(now, "ecn.cnp_priority") == "not reported");
    const auto unsupported_text = ecn::unsupported(driver_of(now), now, "ecn.cnp_priority");
    REQUIRE(unsupported_text);
    CHECK(unsupported_text->id == findings::firmware);
    CHECK(unsupported_text->text.find("service profile") != std::string::npos);
    CHECK(unsupported_text->no_interface);  // so that a derived desired value is a note
}

TEST_CASE("ecn: under lockdown debugfs is closed, and configfs and sysfs are not") {
    const Tree tree;
    put_cc_params(tree);
    put_report(tree, true);
    tree.put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
    CHECK(value(read(tree, port_of("mlx5_core")), "ecn.cnp_dscp") == "48");
    tree.put("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
    const Port locked = read(tree, port_of("mlx5_core"));
    REQUIRE(locked.refused.contains(Object::ecn));
    CHECK(locked.refused.at(Object::ecn).code == EPERM);
    CHECK(locked.refused.at(Object::ecn).text.find("the kernel is locked down (integrity") !=
          std::string::npos);
    CHECK(value(read(tree, port_of("bnxt_en")), "ecn.cnp_dscp") == "48");
}

TEST_CASE("ecn: a name that leads out of its directory makes no path") {
    Port port = port_of("mlx5_core");
    port.name = "..";
    port.link->pci = "../../x";
    port.rdma_link->device = "";
    for (const Driver* const driver : drivers())
        for (const FileBackEnd& back_end : driver->ecn.back_ends) {
            CHECK_FALSE(path_of(back_end.folder, port));
            CHECK_FALSE(directory_of(back_end, port));
        }
}

TEST_CASE("ecn: every file of every back end is of a setting") {
    for (const Driver* const driver : drivers())
        for (const FileBackEnd& back_end : driver->ecn.back_ends)
            for (const ValueFile& file : back_end.files) {
                INFO(driver->name, " ", file.key);
                const Field* field = find_field(file.key);
                REQUIRE(field != nullptr);
                CHECK(field->use == Field::Use::setting);
                CHECK(file.name.empty() != file.firmware.empty());
            }
}

TEST_CASE("traffic_class: the global one is read among the rules, set, and taken away by undo") {
    const Tree tree;
    const std::string file = "/sys/class/infiniband/bnxt_re0/tc/1/traffic_class";
    netlink::Machine host(tree.root());
    Port now = port_of("mlx5_core");
    netlink::read_traffic_class(host, now);
    CHECK_FALSE(now.traffic_class);
    tree.put(file, "dst_ip=192.0.2.0/24,tclass=40\nGlobal tclass=106\n");
    netlink::read_traffic_class(host, now);
    CHECK(now.traffic_class == TrafficClass{.tos = 106});
    tree.put(file, "");
    netlink::read_traffic_class(host, now);
    REQUIRE(now.traffic_class == TrafficClass{});
    Port then = now;
    then.traffic_class->tos = 106;
    netlink::write_traffic_class(host, now, then);
    CHECK(tree.get(file) == "106");
    netlink::write_traffic_class(host, then, now);
    CHECK(tree.get(file) == "-1");
    Port other = port_of("bnxt_en");
    netlink::read_traffic_class(host, other);
    CHECK_FALSE(other.traffic_class);
}

}  // namespace ecn_files_test

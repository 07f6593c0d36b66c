// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "netlink/link/codecs.hpp"
#include "netlink/transport/socket.hpp"
#include "tests/unit/hosts.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/wire.hpp"

namespace vf_codec_test {

namespace {

using core::VirtualFunction;
using core::VirtualFunctions;
using Sent = std::map<int, std::vector<std::byte>>;

const std::vector<std::string> kKernels = {"6.1/", "6.12/"};

std::map<std::uint32_t, VirtualFunction> functions_in(const std::string& capture) {
    return netlink::decode_vfs(wire::messages(capture, RTM_NEWLINK).front().payload);
}

/// What a request tells of the one virtual function that it is about, in whatever order.
Sent reported(netlink::Bytes payload) {
    Sent out;
    netlink::Attributes::after<ifinfomsg>(payload)
        .nested(IFLA_VFINFO_LIST)
        .nested(IFLA_VF_INFO)
        .for_each([&out](int type, netlink::Bytes bytes) {
            out[type] = {bytes.begin(), bytes.end()};
        });
    return out;
}

Sent reported(netlink::Message message) {
    const nlmsghdr* header = nlmsg_hdr(message.raw());
    return reported({static_cast<const std::byte*>(nlmsg_data(header)),
                     static_cast<std::size_t>(nlmsg_datalen(header))});
}

VirtualFunction changed() {
    return {.mac = "02:00:00:00:00:0b",
            .vlan = 100,
            .qos = 3,
            .protocol = "802.1Q",
            .min_tx_rate = 100,
            .max_tx_rate = 10000,
            .spoofchk = true,
            .trust = true,
            .state = "enable"};
}

VirtualFunction tagged() {
    VirtualFunction out = hosts::made_function();
    out.vlan = 200;
    out.qos = 5;
    out.protocol = "802.1ad";
    return out;
}

}  // namespace

KERNELS_TEST_CASE("vf: what a physical function's driver keeps for each") {
    for (const std::string& kernel : kKernels) {
        CAPTURE(kernel);
        CHECK(functions_in(kernel + "vf-made") ==
              std::map<std::uint32_t, VirtualFunction>{{0, hosts::made_function()},
                                                       {1, hosts::made_function()}});
        CHECK(functions_in(kernel + "vf-changed") ==
              std::map<std::uint32_t, VirtualFunction>{{0, tagged()}, {1, changed()}});
    }
}

KERNELS_TEST_CASE("vf: a change is reported as ip(8) tells it, and none is not") {
    for (const std::string& kernel : kKernels) {
        CAPTURE(kernel);
        const auto sent = [&kernel](const std::string& name) {
            return reported(wire::messages(kernel + name).front().payload);
        };
        const auto all = netlink::encode_vf(2, 1, hosts::made_function(), changed());
        REQUIRE(all.has_value());
        CHECK(reported(*netlink::encode_vf(2, 1, hosts::made_function(), changed())) ==
              sent("request-vf-set"));
        CHECK(reported(*netlink::encode_vf(2, 0, hosts::made_function(), tagged())) ==
              sent("request-vf-tag"));
    }
    CHECK_FALSE(netlink::encode_vf(2, 1, changed(), changed()).has_value());
    CHECK_FALSE(netlink::encode_vf(2, 1, changed(), {}).has_value());
    // What is not stated of a pair is sent as it is.
    const Sent rate = reported(*netlink::encode_vf(2, 1, changed(), {.max_tx_rate = 20000}));
    REQUIRE(rate.size() == 1);
    const auto both = netlink::header_of<ifla_vf_rate>(rate.at(IFLA_VF_RATE));
    REQUIRE(both.has_value());
    CHECK(both->min_tx_rate == 100);
    CHECK(both->max_tx_rate == 20000);
}

KERNELS_TEST_CASE(
    "vf: the kernel sets no GUID of an Ethernet port, and nothing of one that is not there") {
    const auto error_of = [](const std::string& capture) {
        const wire::Message message = wire::messages(capture).front();
        return netlink::error_in(message.header, message.payload);
    };
    for (const std::string& kernel : kKernels) {
        CHECK(error_of(kernel + "vf-guid-refused")->code == EOPNOTSUPP);
        CHECK(error_of(kernel + "vf-unknown")->code == EINVAL);
        CHECK_FALSE(error_of(kernel + "vf-set").has_value());
    }
}

TEST_CASE("vf: the number, its limit, the devices and the vendor's node GUIDs are files") {
    const OwnRoot root;
    const auto write = [&root](const std::string& path, const std::string& text) {
        std::ofstream(root.file(path)) << text << '\n';
    };
    const std::string device = "/sys/class/net/lo/device";
    write(device + "/sriov_numvfs", "2");
    write(device + "/sriov_totalvfs", "16");
    write(device + "/sriov/0/node", "00:11:22:33:44:55:66:77");
    write(device + "/sriov/1/node", "00:11:22:33:44:55:66:78");
    write("/sys/bus/pci/devices/0000:3b:00.2/net/ens1f0v0/flags", "0x1003");
    std::filesystem::create_symlink("../../../../bus/pci/devices/0000:3b:00.2",
                                    root.file(device + "/virtfn0"));
    std::filesystem::create_symlink("../../drivers/mlx5_core",
                                    root.file("/sys/bus/pci/devices/0000:3b:00.2/driver"));
    netlink::Machine machine(root.path());
    core::Port port("lo");
    port.link = core::Link{.index = 1};
    netlink::read_vf(machine, port);
    CHECK(port.vf == VirtualFunctions{.count = 2,
                                      .limit = 16,
                                      .node_guids = true,
                                      .functions = {{0, {.node_guid = "00:11:22:33:44:55:66:77"}},
                                                    {1, {.node_guid = "00:11:22:33:44:55:66:78"}}},
                                      .devices = {{.function = 0,
                                                   .pci = "0000:3b:00.2",
                                                   .driver = "mlx5_core",
                                                   .port = "ens1f0v0"}},
                                      .in_use = {"0000:3b:00.2"}});
    write("/sys/bus/pci/devices/0000:3b:00.2/net/ens1f0v0/flags", "0x1002");
    netlink::read_vf(machine, port);
    CHECK(port.vf->in_use.empty());
    core::Port then = port;
    then.vf->functions[1].node_guid = "00:11:22:33:44:55:66:79";
    netlink::write_vf(machine, port, then);
    netlink::read_vf(machine, port);
    CHECK(port.vf == then.vf);
    core::Port without("nosuch");
    without.link = core::Link{.index = 1};
    netlink::read_vf(machine, without);
    CHECK_FALSE(without.vf.has_value());
}

}  // namespace vf_codec_test

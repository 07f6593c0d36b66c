// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <infiniband/verbs.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>

#include <fstream>
#include <sstream>

#include "netlink/rdma/codecs.hpp"
#include "tests/unit/own_root.hpp"
#include "tests/unit/wire.hpp"
#include "verbs/active_mtu.hpp"

namespace rdma_codec_test {

namespace {

constexpr int type_of(int command) {
    return RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command);
}

}  // namespace

KERNELS_TEST_CASE("rdma_link, rdma_port: a device and its port on a netdev") {
    const netlink::RdmaDevice device{
        .index = 0, .name = "rxe0", .protocol = "roce", .adaptive_moderation = false};
    const netlink::RdmaPortAnswer port{.port = 1, .link = 2, .state = 4, .physical_state = 5};
    // One port alone is answered under the number of a device (nldev_port_get_doit).
    const wire::Message devices =
        wire::messages("rdma-devices", type_of(RDMA_NLDEV_CMD_GET)).back();
    const wire::Message ports = wire::messages("rdma-ports", type_of(RDMA_NLDEV_CMD_GET)).back();
    CHECK(netlink::decode_rdma_device(devices.payload) == device);
    CHECK(netlink::decode_rdma_port(ports.payload) == port);
}

KERNELS_TEST_CASE("rdma_moderation: adaptive moderation of a device") {
    const wire::Message on =
        wire::messages("6.1/rdma-dev-adaptive", type_of(RDMA_NLDEV_CMD_GET)).front();
    const auto device = netlink::decode_rdma_device(on.payload);
    REQUIRE(device.has_value());
    CHECK(device->adaptive_moderation == true);
}

KERNELS_TEST_CASE("rdma_name: a device that was renamed keeps its number") {
    const wire::Message renamed =
        wire::messages("6.12/rdma-dev-renamed", type_of(RDMA_NLDEV_CMD_GET)).front();
    const auto device = netlink::decode_rdma_device(renamed.payload);
    REQUIRE(device.has_value());
    CHECK(device->name == "roce7");
    CHECK(device->index == 0);
}

KERNELS_TEST_CASE("rdma_link: a soft link is reported by the driver number of its verbs device") {
    const wire::Message answer =
        wire::messages("rdma-driver", type_of(RDMA_NLDEV_CMD_GET_CHARDEV)).front();
    CHECK(netlink::decode_rdma_type(answer.payload) == "rxe");
    CHECK(netlink::decode_rdma_type({}).empty());
}

TEST_CASE("rdma_link: without ib_uverbs a soft link is reported by what sysfs has of its device") {
    const OwnRoot root;
    const auto write = [&](const std::string& file, const char* text) {
        std::ofstream(root.file("/sys/class/infiniband/" + file)) << text;
    };
    write("rxe0/parent", "eth0\n");
    write("rxe0/node_desc", "node-7\n");  // its owner's to write
    write("siw0/node_desc", "Software iWARP stack\n");
    write("mlx5_0/node_desc", "node-7 mlx5_0\n");
    const netlink::Machine machine(root.path());
    CHECK(netlink::soft_type_in_sysfs(machine, "rxe0") == "rxe");
    CHECK(netlink::soft_type_in_sysfs(machine, "siw0") == "siw");
    CHECK(netlink::soft_type_in_sysfs(machine, "mlx5_0").empty());
    CHECK(netlink::soft_type_in_sysfs(machine, "gone").empty());
}

TEST_CASE("rdma: whether a protocol of netlink is there is reported without a socket of it") {
    // As Linux 6.12 has it, with one program listening.
    const auto reported = [](int protocol) {
        std::istringstream sockets(
            "sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    "
            "Inode\n"
            "000000005bd3e3ba 0   412        00000551 0        0        0     2        0        "
            "4711  \n"
            "00000000e2c1d3a5 0   0          00000000 0        0        0     2        0        24 "
            "   \n"
            "000000008a34e1c9 20  0          00000000 0        0        0     2        0        "
            "9120  \n");
        return netlink::has_protocol(sockets, protocol);
    };
    CHECK(reported(NETLINK_RDMA));
    CHECK(reported(NETLINK_ROUTE));
    CHECK_FALSE(reported(NETLINK_NETFILTER));
    CHECK_FALSE(reported(2));  // of 20 only the whole number counts
}

KERNELS_TEST_CASE("queue_pairs: who has them, and how many there are") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        INFO(kernel);
        const wire::Message dump =
            wire::messages(kernel + "rdma-qp-dump", type_of(RDMA_NLDEV_CMD_RES_QP_GET)).front();
        const auto pairs = netlink::decode_queue_pairs(dump.payload);
        REQUIRE(pairs.size() == 2);
        CHECK_FALSE(pairs[0].management);
        CHECK(pairs[0].process != 0);
        CHECK(pairs[0].kernel.empty());
        CHECK(pairs[1].management);
        CHECK(pairs[1].kernel == "ib_core");
        const wire::Message summary =
            wire::messages(kernel + "rdma-resources", type_of(RDMA_NLDEV_CMD_RES_GET)).front();
        CHECK(netlink::decode_queue_pair_count(summary.payload) == 2);
    }
}

TEST_CASE("rdma_counters: by the names of the driver") {
    for (const std::string kernel : {"6.1/", "6.12/", "7.3/"}) {
        INFO(kernel);
        const wire::Message answer =
            wire::messages(kernel + "rdma-statistic", type_of(RDMA_NLDEV_CMD_STAT_GET)).front();
        const core::Counters counters = netlink::decode_rdma_counters(answer.payload);
        CHECK(counters.size() == (kernel == "7.3/" ? 17 : 15));
        CHECK(counters.contains("rcvd_bytes") == (kernel == "7.3/"));
        CHECK(counters.at("out_of_seq_request") == 0);
        CHECK(counters.contains("completer_retry_err"));
    }
    CHECK(netlink::decode_rdma_counters({}).empty());
}

KERNELS_TEST_CASE("rdma_system: whether network namespaces share the devices") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const wire::Message answer =
            wire::messages(kernel + "rdma-system", type_of(RDMA_NLDEV_CMD_SYS_GET)).front();
        CHECK(netlink::decode_rdma_system(answer.payload) == "shared");
    }
    CHECK_FALSE(netlink::decode_rdma_system({}).has_value());
}

TEST_CASE("rdma_port: states have the words of rdma(8)") {
    CHECK(netlink::rdma_state(4) == "ACTIVE");
    CHECK(netlink::rdma_state(1) == "DOWN");
    CHECK(netlink::rdma_physical_state(5) == "LINK_UP");
    CHECK(netlink::rdma_physical_state(3) == "DISABLED");
    CHECK(netlink::rdma_state(77) == "77");
    CHECK(netlink::rdma_physical_state(8) == "8");
}

TEST_CASE("active_mtu: verbs counts its MTUs from 1") {
    CHECK(verbs::mtu_bytes(IBV_MTU_1024) == 1024);
    CHECK(verbs::mtu_bytes(IBV_MTU_256) == 256);
    CHECK(verbs::mtu_bytes(IBV_MTU_4096) == 4096);
    CHECK(verbs::mtu_bytes(0) == 0);
    CHECK(verbs::mtu_bytes(6) == 0);
}

}  // namespace rdma_codec_test

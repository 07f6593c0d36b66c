// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <linux/rtnetlink.h>

#include "netlink/link/codecs.hpp"
#include "tests/unit/wire.hpp"

namespace link_codec_test {

using netlink::decode_link;
using netlink::LinkAnswer;

namespace {

// The last answer: ip of iproute2 7.3 asks by the name first, for no more than the number.
LinkAnswer link_named(const std::string& capture, const std::string& name) {
    const auto answers = wire::decoded(capture, RTM_NEWLINK, decode_link);
    for (auto answer = answers.rbegin(); answer != answers.rend(); ++answer)
        if (answer->name == name) return *answer;
    FAIL("no link " << name << " in " << capture);
    return {};
}

}  // namespace

KERNELS_TEST_CASE("link: a port of a NIC") {
    const LinkAnswer expected{.name = "sim0",
                              .link = {.index = 2,
                                       .mac = "02:00:5e:00:00:00",
                                       .permanent_mac = "02:00:5e:00:00:00",
                                       .up = true,
                                       .carrier = true,
                                       .mtu = 9000,
                                       .mtu_min = 68,
                                       .mtu_max = 9978,
                                       .carrier_up_count = 1}};
    CHECK(link_named("link-port", "sim0") == expected);
}

TEST_CASE("link: the parent's name is a PCI address where its bus is PCI") {
    // The lab's NIC is on no bus, so these bytes are the test's own; the numbers are those of
    // IFLA_PARENT_DEV_NAME and IFLA_PARENT_DEV_BUS_NAME (include/uapi/linux/if_link.h).
    const auto with_parent = [](const std::string& bus) {
        netlink::Message message(RTM_NEWLINK);
        message.put_header(ifinfomsg{});
        message.put_text(IFLA_IFNAME, "ens1f0");
        message.put_text(56, "0000:5e:00.0");
        message.put_text(57, bus);
        const nlmsghdr* header = nlmsg_hdr(message.raw());
        const auto answer = decode_link({static_cast<const std::byte*>(nlmsg_data(header)),
                                         static_cast<std::size_t>(nlmsg_datalen(header))});
        REQUIRE(answer.has_value());
        return answer->link.pci;
    };
    CHECK(with_parent("pci") == "0000:5e:00.0");
    CHECK(with_parent("virtio").empty());
}

TEST_CASE("link: its bus and its name tell what part of a NIC it is") {
    const auto function = [](const std::string& bus, const std::string& name) {
        netlink::Message message(RTM_NEWLINK);
        message.put_header(ifinfomsg{});
        message.put_text(IFLA_IFNAME, "ens1f0");
        if (!name.empty()) message.put_text(IFLA_PHYS_PORT_NAME, name);
        message.put_text(57, bus);
        const nlmsghdr* header = nlmsg_hdr(message.raw());
        return decode_link({static_cast<const std::byte*>(nlmsg_data(header)),
                            static_cast<std::size_t>(nlmsg_datalen(header))})
            ->link.function;
    };
    CHECK(function("pci", "") == "pf");
    CHECK(function("pci", "p0") == "pf");
    CHECK(function("pci", "p1s2") == "pf");
    CHECK(function("pci", "pf0vf3") == "rep");
    CHECK(function("pci", "c1pf0sf88") == "rep");
    CHECK(function("pci", "pf1") == "rep");
    CHECK(function("pci", "pfx") == "pf");
    CHECK(function("auxiliary", "") == "sf");
    CHECK(function("virtio", "").empty());
}

KERNELS_TEST_CASE("vlan: it tells its priorities, those mapped to 0 left out") {
    const LinkAnswer answer = link_named("link-vlan-maps", "sim0.6");
    CHECK(answer.vlan ==
          core::Vlan{.id = 6, .egress = {{0, 1}, {3, 3}}, .ingress = {{3, 3}, {5, 4}}});
    CHECK(link_named("link-port", "sim0").vlan == core::Vlan{});
}

KERNELS_TEST_CASE("link, vlan: a VLAN tells its number and the link below") {
    const LinkAnswer answer = link_named("link-vlan", "sim0.5");
    CHECK(answer.link.kind == "vlan");
    CHECK(answer.link.vlan == 5);
    CHECK(answer.lower == 2);
    CHECK(answer.master == 0);
    CHECK_FALSE(answer.link.up);
}

KERNELS_TEST_CASE(
    "link: a member of a bridge tells its master, and a veth's other end is not below it") {
    const LinkAnswer answer = link_named("link-member", "veth0");
    CHECK(answer.link.kind == "veth");
    CHECK(answer.master != 0);
    CHECK(answer.link.master_kind == "bridge");
    CHECK(answer.lower == 0);
    CHECK(answer.link.pci.empty());
}

KERNELS_TEST_CASE("link: what is asked for is what ip asks for, and nothing else") {
    const core::Link now{.index = 2, .mtu = 1500};
    core::Link then = now;
    then.mtu = 4200;
    const auto asked = [&] {
        netlink::Message request = netlink::encode_link(now, then);
        const nlmsghdr* header = nlmsg_hdr(request.raw());
        const auto* start = static_cast<const std::byte*>(nlmsg_data(header));
        return std::vector<std::byte>(start, start + nlmsg_datalen(header));
    };
    CHECK(asked() == wire::messages("6.1/request-link-mtu").front().payload);
}

TEST_CASE("link: a scope names ports as fnmatch does, and all of them without patterns") {
    CHECK(netlink::in_scope(std::nullopt, "eth0"));
    CHECK(netlink::in_scope({{"ens*", "eth[0-3]"}}, "eth2"));
    CHECK_FALSE(netlink::in_scope({{"ens*", "eth[0-3]"}}, "eth4"));
    CHECK_FALSE(netlink::in_scope(std::vector<std::string>{}, "eth0"));
    // A name that the kernel takes may look like a pattern.
    for (const char* name : {"a\\b", "[x]", "*", "eth[0-3]"})
        CHECK(netlink::in_scope({{"ens1", name}}, name));
}

}  // namespace link_codec_test

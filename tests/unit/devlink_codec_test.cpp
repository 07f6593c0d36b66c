// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <map>

#include "netlink/rdma/devlink.hpp"
#include "netlink/transport/socket.hpp"
#include "tests/unit/wire.hpp"

namespace devlink_codec_test {

namespace {

using core::EnableRoce;

std::optional<EnableRoce> parameter_in(const std::string& capture) {
    return netlink::decode_enable_roce(wire::messages(capture).front().payload);
}

}  // namespace

TEST_CASE("devlink: the devices there are, by the bus and the name of their parents") {
    const std::map<std::string, std::string> buses = {
        {"6.1/", "platform"}, {"6.12/", "platform"}, {"7.3/", "simnic"}};
    for (const auto& [kernel, bus] : buses) {
        INFO(kernel);
        std::vector<netlink::DevlinkHandle> found;
        for (const wire::Message& message : wire::messages(kernel + "devlink-devices"))
            if (const auto handle = netlink::decode_devlink_handle(message.payload))
                found.push_back(*handle);
        REQUIRE(found.size() == 2);
        CHECK(found.front() == netlink::DevlinkHandle{bus, "0000:5e:00.0"});
    }
}

KERNELS_TEST_CASE("devlink: a flag that is there is on, one that is not is off") {
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const EnableRoce on{.on = true, .mode = EnableRoce::Mode::driverinit};
        const EnableRoce off{.on = false, .mode = EnableRoce::Mode::driverinit};
        CHECK(parameter_in(kernel + "devlink-param") == on);
        CHECK(parameter_in(kernel + "devlink-param-off") == off);
    }
}

KERNELS_TEST_CASE(
    "devlink: a parameter that the device has not is EINVAL, and a reload has words") {
    const auto error_of = [](const std::string& capture) {
        const wire::Message message = wire::messages(capture).front();
        return netlink::error_in(message.header, message.payload);
    };
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const auto none = error_of(kernel + "devlink-param-none");
        REQUIRE(none.has_value());
        CHECK(none->code == EINVAL);
        const auto refused = error_of(kernel + "devlink-reload-refused");
        REQUIRE(refused.has_value());
        CHECK(refused->code == EOPNOTSUPP);
        CHECK(std::string(refused->what()).find("refused by the lab") != std::string::npos);
    }
}

KERNELS_TEST_CASE("reloads: how often each action reloaded the device, here and by another host") {
    const auto devices_in = [](const std::string& capture) {
        std::vector<netlink::DevlinkDevice> found;
        for (const wire::Message& message : wire::messages(capture))
            if (auto device = netlink::decode_devlink_device(message.payload))
                found.push_back(std::move(*device));
        return found;
    };
    const auto counted = [](std::uint64_t reloads) {
        return core::Reloads{
            {"driver_reinit", reloads}, {"remote driver_reinit", 0}, {"remote fw_activate", 0}};
    };
    for (const std::string kernel : {"6.1/", "6.12/"}) {
        const auto fresh = devices_in(kernel + "devlink-devices");
        REQUIRE(fresh.size() == 2);
        CHECK(fresh.front().reloads == counted(0));
        const auto once = devices_in(kernel + "devlink-devices-reloaded");
        REQUIRE(once.size() == 2);
        CHECK(once.front().handle == netlink::DevlinkHandle{"simnic", "0000:5e:00.0"});
        CHECK(once.front().reloads == counted(1));
        CHECK(once.back().reloads == counted(0));
    }
}

}  // namespace devlink_codec_test

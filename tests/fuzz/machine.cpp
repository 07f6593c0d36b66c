// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/codecs.hpp"
#include "netlink/files/pcie.hpp"
#include "netlink/system/codecs.hpp"
#include "netlink/transport/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace fuzz {
namespace {

/// What a reader throws beside a refusal of the kernel is a crash.
template <typename Work>
void where_reported(const Work& work) {
    try {
        work();
    } catch (const netlink::KernelError& error) {
        require(error.code != 0, "a refusal has a number");
    }
}

/// What processes say of themselves, and their groups of them.
void process(Bytes bytes) {
    const std::string text = text_of(bytes);
    core::Port host(core::kHost);
    core::Process one{.id = 1, .name = text.substr(0, 15), .memlock = {}};
    one.memlock = netlink::memlock_in_limits(text).value_or("");
    one.may_exceed = netlink::has_capability(text, 14);
    netlink::add_rdma_limit(text, text, one);
    host.processes = core::Processes{one};
    const netlink::GpuInformation gpu = netlink::decode_gpu_information(text);
    host.gpus = core::Gpus{.devices = {{.pci = "0000:18:00.0",
                                        .id = "10de:2330",
                                        .model = gpu.model,
                                        .bar = netlink::largest_region(text)}}};
    core::GpuDriver driver{.name = "nvidia"};
    driver.flavour = netlink::flavour_in_version(text);
    host.gpu_direct =
        core::GpuDirect{.drivers = {driver}, .kernel_options = netlink::kernel_options_in(text)};
    require_kept({.host = {}, .ports = {host}});
}

/// The configuration space of a function of the bus.
void bus(Bytes bytes) {
    core::Port port("port");
    where_reported([&] {
        if (const auto at = netlink::express_capability(bytes))
            require(*at + 1 < bytes.size(), "a capability lies in the space");
    });
    where_reported([&] {
        if (const auto control = netlink::acs_control(bytes))
            require(!netlink::acs_text(*control).empty(), "each control has a name");
    });
    if (bytes.size() < 2) return;
    const auto control = static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) |
                                                    std::to_integer<unsigned>(bytes[1]) << 8U);
    port.pcie = netlink::decode_device_control(control);
    require_kept({.host = {}, .ports = {port}});
}

}  // namespace

std::vector<Target> of_machines() {
    return {{"process", process}, {"bus", bus}};
}

}  // namespace fuzz

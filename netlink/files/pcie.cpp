// SPDX-License-Identifier: Apache-2.0
#include "netlink/files/pcie.hpp"

#include <fcntl.h>
#include <linux/pci_regs.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <set>
#include <string_view>

#include "core/model/back_end.hpp"
#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

constexpr std::size_t kSpace = 256;  // what capabilities of this kind are in

/// Drivers of GPUs, and those by which a virtual machine gets one.
constexpr std::array<std::string_view, 5> kGpuDrivers = {"nvidia", "amdgpu", "nouveau", "vfio-pci",
                                                         "nvgrace_gpu_vfio_pci"};

/// By its class (include/linux/pci_ids.h): a virtual machine may be given functions of NICs too.
bool is_display_or_accelerator(const HostPath& device) {
    const std::string kind = read_if_there(device / "class").value_or("");
    return kind.starts_with("0x03") || kind.starts_with("0x12");
}

std::uint8_t byte_at(ConfigSpace space, std::size_t at) {
    if (at >= space.size())
        throw KernelError(EACCES, "PCI configuration space ends after " +
                                      std::to_string(space.size()) +
                                      " bytes; the rest takes CAP_SYS_ADMIN, run as root");
    return std::to_integer<std::uint8_t>(space[at]);
}

std::uint16_t word_at(ConfigSpace space, std::size_t at) {
    return static_cast<std::uint16_t>(byte_at(space, at) | byte_at(space, at + 1) << 8U);
}

std::uint16_t field(std::uint32_t bytes) {
    return static_cast<std::uint16_t>(std::bit_width(bytes / 128) - 1);
}

/// The open file of the function's configuration space, and where its Device Control register is.
struct Register {
    HostPath path;
    Descriptor file;
    off_t at = 0;
    std::uint16_t control = 0;
};

std::optional<Register> open_register(const Machine& machine, const core::Port& port, int flags) {
    const auto path = core::path_of("/sys/bus/pci/devices/{pci}/config", port);
    if (!path) return std::nullopt;
    auto space = open_config_space(machine, machine.file(*path), flags, kSpace);
    if (!space) return std::nullopt;
    const auto capability = express_capability(space->bytes);
    if (!capability) return std::nullopt;
    return Register{.path = machine.file(*path),
                    .file = std::move(space->file),
                    .at = static_cast<off_t>(*capability + PCI_EXP_DEVCTL),
                    .control = word_at(space->bytes, *capability + PCI_EXP_DEVCTL)};
}

}  // namespace

std::optional<OpenSpace> open_config_space(const Machine& machine, const HostPath& path, int flags,
                                           std::size_t most) {
    OpenSpace out;
    int number = flags == O_RDONLY ? machine.kept(path) : -1;
    if (number < 0) {
        out.file = open_host_file(path, flags);
        number = out.file.number();
        if (number < 0 && errno == ENOENT) return std::nullopt;
        if (number < 0) throw file_error(errno, path);
    }
    out.bytes.resize(most);
    const ssize_t length = pread(number, out.bytes.data(), out.bytes.size(), 0);
    if (length < 0) throw KernelError(errno, path.string());
    out.bytes.resize(static_cast<std::size_t>(length));
    return out;
}

std::vector<std::string> functions_in(const std::filesystem::path& way) {
    std::vector<std::string> found;
    for (const std::filesystem::path& part : way) {
        const std::string& name = part.native();
        if (name.size() >= 12 && name[name.size() - 8] == ':' && name[name.size() - 5] == ':' &&
            name[name.size() - 2] == '.')
            found.push_back(name);
    }
    return found;
}

KeptFiles open_config_spaces(const Root& root) {
    const Machine machine(root);
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    KeptFiles kept;
    const auto keep = [&](const HostPath& device) {
        for (const std::string& function : functions_in(link_text(device))) {
            const HostPath path = machine.file("/sys/bus/pci/devices") / function / "config";
            const std::string name = path.string();
            if (kept.contains(name) || kept.size() >= limit.rlim_cur / 2) continue;
            Descriptor file = open_host_file(path, O_RDONLY);
            if (file.number() >= 0) kept.try_emplace(name, std::move(file));
        }
    };
    // What stands among the virtual devices is behind no function (drivers/base/core.c
    // get_device_parent): of a thousand VLANs and veths no link is followed.
    const std::vector<std::string> virtual_ports =
        names_in(machine.file("/sys/devices/virtual/net"));
    const std::set<std::string> is_virtual(virtual_ports.begin(), virtual_ports.end());
    const HostPath ports = machine.file("/sys/class/net");
    for (const std::string& port : names_in(ports))
        if (!is_virtual.contains(port)) keep(ports / port);
    for (const std::string_view driver : kGpuDrivers) {
        const HostPath devices = machine.file("/sys/bus/pci/drivers") / driver;
        for (const std::string& device : names_in(devices))
            if (is_display_or_accelerator(devices / device)) keep(devices / device);
    }
    return kept;
}

std::optional<std::size_t> express_capability(ConfigSpace space) {
    if ((word_at(space, PCI_STATUS) & PCI_STATUS_CAP_LIST) == 0) return std::nullopt;
    std::size_t at = byte_at(space, PCI_CAPABILITY_LIST) & 0xfcU;
    // As many as there is room for: a list may not be trusted to end (PCI_FIND_CAP_TTL).
    for (unsigned left = 48; left > 0 && at >= PCI_STD_HEADER_SIZEOF; --left) {
        const unsigned header = word_at(space, at);
        if ((header & 0xffU) == PCI_CAP_ID_EXP) return at;
        at = header >> 8U & 0xfcU;
    }
    return std::nullopt;
}

core::Pcie decode_device_control(std::uint16_t control) {
    return {.read_request = 128U << ((control & PCI_EXP_DEVCTL_READRQ) >> 12U),
            .payload = 128U << ((control & PCI_EXP_DEVCTL_PAYLOAD) >> 5U),
            .relaxed_ordering = (control & PCI_EXP_DEVCTL_RELAX_EN) != 0};
}

std::uint16_t encode_device_control(std::uint16_t control, const core::Pcie& then) {
    unsigned out = control & ~unsigned{PCI_EXP_DEVCTL_READRQ | PCI_EXP_DEVCTL_RELAX_EN};
    out |= static_cast<unsigned>(field(then.read_request) << 12U) & PCI_EXP_DEVCTL_READRQ;
    if (then.relaxed_ordering) out |= PCI_EXP_DEVCTL_RELAX_EN;
    return static_cast<std::uint16_t>(out);
}

void read_pcie(Machine& machine, core::Port& port) {
    if (const auto found = open_register(machine, port, O_RDONLY))
        port.pcie = decode_device_control(found->control);
}

void write_pcie(Machine& machine, const core::Port& now, const core::Port& then) {
    if (!then.pcie) throw KernelError(ENODEV);
    const auto found = open_register(machine, now, O_RDWR);
    if (!found) throw KernelError(ENODEV, "the port is no PCI Express function");
    const std::uint16_t control = encode_device_control(found->control, *then.pcie);
    const std::array<std::uint8_t, 2> bytes = {static_cast<std::uint8_t>(control & 0xffU),
                                               static_cast<std::uint8_t>(control >> 8U)};
    const ssize_t length = pwrite(found->file.number(), bytes.data(), bytes.size(), found->at);
    if (length < 0) throw KernelError(errno, found->path.string());
    if (length != static_cast<ssize_t>(bytes.size()))
        throw KernelError(EIO, found->path.string() + " took half of the register");
}

}  // namespace netlink

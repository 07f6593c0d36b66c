// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "netlink/fwctl/codecs.hpp"
#include "netlink/fwctl/firmware.hpp"
#include "netlink/transport/error.hpp"
#include "netlink/transport/machine.hpp"

namespace netlink {
namespace {

/// struct fwctl_info of include/uapi/fwctl/fwctl.h, Linux 7.3.
struct Info {
    std::uint32_t size = sizeof(Info);
    std::uint32_t flags = 0;
    std::uint32_t device_type = 0;
    std::uint32_t data_length = 0;
    std::uint64_t data = 0;
};
/// struct fwctl_rpc
struct Call {
    std::uint32_t size = sizeof(Call);
    std::uint32_t scope = 1;  ///< FWCTL_RPC_DEBUG_READ_ONLY, which is all that is ever asked for
    std::uint32_t in_length = 0;
    std::uint32_t out_length = 0;
    std::uint64_t in = 0;
    std::uint64_t out = 0;
};
static_assert(sizeof(Info) == 24 && sizeof(Call) == 32);

/// enum fwctl_device_type
constexpr std::uint32_t kMlx5 = 1;
constexpr std::uint32_t kBnxt = 3;

std::uint64_t address_of(const void* bytes) {
    return reinterpret_cast<std::uintptr_t>(bytes);  // NOLINT(*-reinterpret-cast)
}

/// A device of fwctl, and what it refused.
class Firmware {
public:
    explicit Firmware(const HostPath& path) : file_(open_host_file(path, O_RDONLY | O_CLOEXEC)) {
        if (file_.number() < 0) throw KernelError(errno, path.string());
        if (ioctl(file_.number(), kFwctlInfo, &info_) != 0)  // NOLINT(*-vararg)
            throw KernelError(errno, path.string());
    }

    [[nodiscard]] std::uint32_t type() const { return info_.device_type; }

    /// What is answered; empty where the request was refused, by the kernel or by `refusal`, which
    /// looks into the answer.
    std::vector<std::byte> ask(const FirmwareRequest& request, std::string (*refusal)(Bytes)) {
        std::vector<std::byte> in = request.bytes;
        std::vector<std::byte> out(request.answer);
        Call call{.in_length = static_cast<std::uint32_t>(in.size()),
                  .out_length = request.answer,
                  .in = address_of(in.data()),
                  .out = address_of(out.data())};
        std::string why;
        if (ioctl(file_.number(), kFwctlRpc, &call) != 0)  // NOLINT(*-vararg)
            why = core::text(netlink::refusal(KernelError(errno)));
        else
            why = refusal(out);
        if (why.empty()) return out;
        refused_.emplace(request.name, std::move(why));
        return {};
    }

    [[nodiscard]] const core::Fwctl::Texts& refused() const { return refused_; }
    /// Forgets that a request of this name was refused.
    void forgive(std::string_view name) {
        if (const auto found = refused_.find(name); found != refused_.end()) refused_.erase(found);
    }

private:
    Descriptor file_;
    Info info_{};
    core::Fwctl::Texts refused_{};
};

template <typename Held>
std::optional<Held> if_any(Held held) {
    return held.empty() ? std::nullopt : std::optional(std::move(held));
}

core::Fwctl::Switches by_priority(Firmware& firmware, CongestionPoint point) {
    core::Fwctl::Switches out;
    for (unsigned priority = 0; priority < core::kPriorities; ++priority) {
        const auto answer = firmware.ask(cong_status_request(point, priority), decode_mlx5_refusal);
        if (const auto on = decode_cong_status(answer)) out.emplace(std::to_string(priority), *on);
    }
    return out;
}

/// Of the NIC's ports 1 and 2: which of them the function's is, no answer tells. That there is no
/// second one is no refusal.
core::Fwctl::Numbers stored(Firmware& firmware) {
    core::Fwctl::Numbers out;
    for (const StoredItem item : {StoredItem::roce_cc, StoredItem::roce_cc_ecn})
        for (const unsigned port : {1U, 2U}) {
            const FirmwareRequest request = stored_request(item, port);
            const auto answer = firmware.ask(request, decode_mlx5_refusal);
            if (answer.empty() && port == 1) break;
            if (answer.empty()) firmware.forgive(request.name);
            out.merge(decode_stored(answer, item, port));
        }
    return out;
}

core::Fwctl of_mlx5(Firmware& firmware) {
    core::Fwctl out;
    out.notify = if_any(by_priority(firmware, CongestionPoint::notification));
    out.react = if_any(by_priority(firmware, CongestionPoint::reaction));
    core::Fwctl::Numbers params;
    for (const CongestionPoint point : {CongestionPoint::notification, CongestionPoint::reaction})
        params.merge(decode_cong_params(
            firmware.ask(cong_params_request(point), decode_mlx5_refusal), point));
    out.cc_params = if_any(std::move(params));
    out.roce_accl =
        if_any(decode_roce_accl(firmware.ask(roce_accl_request(), decode_mlx5_refusal)));
    out.stored = if_any(stored(firmware));
    return out;
}

core::Fwctl of_bnxt(Firmware& firmware) {
    core::Fwctl out;
    const auto queues = decode_pri2cos(firmware.ask(pri2cos_request(), decode_hwrm_refusal));
    CosQueues turns = decode_cos2bw(firmware.ask(cos2bw_request(), decode_hwrm_refusal), queues);
    out.priority_queue = if_any(queues);
    out.queue_algorithm = if_any(std::move(turns.algorithm));
    out.queue_share = if_any(std::move(turns.share));
    return out;
}

/// Firmware that fwctl leads to, by the type of its device.
struct Family {
    std::uint32_t type;
    core::Fwctl (*read)(Firmware& firmware);
};
constexpr std::array kFamilies = {Family{kMlx5, of_mlx5}, Family{kBnxt, of_bnxt}};

}  // namespace

// The device's parent is the NIC's PCI device (drivers/fwctl/mlx5/main.c mlx5ctl_probe,
// drivers/fwctl/bnxt/main.c bnxtctl_probe), which has a folder named after the class for it
// (drivers/base/core.c get_device_parent); its file is /dev/fwctl/NAME (drivers/fwctl/main.c
// fwctl_devnode). A port's representors show the same device, and are not the firmware's port.
void read_fwctl(Machine& machine, core::Port& port) {
    const HostPath device = machine.file("/sys/class/net") / port.name / "device";
    if (!exists(device) || (port.link && port.link->function == "rep"))
        throw KernelError(EOPNOTSUPP, "the port is no function of a NIC, which has the firmware");
    std::vector<std::string> names = names_in(device / "fwctl");
    if (names.empty()) throw KernelError(EOPNOTSUPP, "the kernel has no fwctl device for this NIC");
    if (names.size() > 1)
        throw KernelError(EOPNOTSUPP,
                          "the NIC has several fwctl devices, and none is said to be "
                          "this port's");
    Firmware firmware(machine.file("/dev/fwctl") / names.front());
    const auto family = std::ranges::find(kFamilies, firmware.type(), &Family::type);
    if (family == kFamilies.end())
        throw KernelError(EOPNOTSUPP, "fwctl leads to firmware of type " +
                                          std::to_string(firmware.type()) +
                                          ", and rocectl knows that of mlx5 (1) and bnxt (3)");
    port.fwctl = family->read(firmware);
    port.fwctl->refused = if_any(firmware.refused());
}

}  // namespace netlink

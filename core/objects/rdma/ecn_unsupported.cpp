// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "core/model/back_end.hpp"
#include "core/model/finding_names.hpp"
#include "core/objects/rows.hpp"

// Why a device has no congestion control that could be set, and what would bring it.

namespace core::ecn {
namespace {

std::string where_looked(const Driver& driver, const Port& port) {
    std::string out;
    for (const FileBackEnd& back_end : driver.ecn.back_ends)
        out += (out.empty() ? "" : " nor ") +
               path_of(back_end.folder, port).value_or(std::string(back_end.folder));
    return out;
}

/// debugfs or configfs is not mounted (ENOENT), or closed by lockdown (EPERM); what root may not,
/// or what the device did not answer, is another matter.
bool is_closed(const Refusal& refusal) {
    return refusal.code == ENOENT || refusal.code == EPERM;
}

std::string way_in(const Refusal& refusal) {
    if (refusal.code == ENOENT && refusal.text.starts_with("configfs"))
        return "mount -t configfs configfs /sys/kernel/config";
    if (refusal.code == ENOENT) return "mount -t debugfs debugfs /sys/kernel/debug";
    return "the vendor's driver, whose files are elsewhere; or the values in the NIC's stored "
           "configuration, by the vendor's tool";
}

/// A device that is there has a driver, and this one offers nothing.
std::string without_interface(const Driver& driver, const Port& port) {
    const bool has_driver =
        port.rdma_link && !port.rdma_link->device.empty() && port.rdma_link->type.empty();
    if (!has_driver) return "load the NIC's RDMA driver; virtual functions have none";
    if (!driver.ecn.offered_by.empty()) return "it takes " + std::string(driver.ecn.offered_by);
    return "mount debugfs (mount -t debugfs none /sys/kernel/debug); a virtual function has none, "
           "nor a firmware that keeps it";
}

}  // namespace

std::optional<Unsupported> unsupported(const Driver& driver, const Port& port,
                                       std::string_view key) {
    if (driver.ecn.back_ends.empty())
        return Unsupported{.text = std::string(driver.name) +
                                   " has no interface to the congestion control of the device"};
    if (const auto refused = port.refused.find(Object::ecn); refused != port.refused.end()) {
        if (is_closed(refused->second))
            return Unsupported{.id = findings::closed,
                               .text = "ecn: " + core::text(refused->second),
                               .remedy = way_in(refused->second)};
        return std::nullopt;
    }
    const FileBackEnd* back_end = back_end_of(driver, port);
    if (back_end == nullptr && port.rdma_link && !port.rdma_link->type.empty())
        return Unsupported{.text = "soft RoCE (" + port.rdma_link->type +
                                   ") has no congestion control"};
    if (back_end == nullptr)
        return Unsupported{
            .text = "the kernel does not offer it: there is no " + where_looked(driver, port),
            .remedy = without_interface(driver, port)};
    for (const ValueFile& file : back_end->files)
        if (file.key == key && !file.firmware.empty())
            return Unsupported{.id = findings::firmware, .text = std::string(file.firmware)};
    for (const ValueFile& file : back_end->files)
        if (file.key == key && !file.unless_file.empty())
            return Unsupported{.id = findings::firmware,
                               .text = "the NIC's firmware has it in its service profile (" +
                                       std::string(file.unless_line) + " in " +
                                       path_of(file.unless_file, port).value_or("") +
                                       "), and the driver refuses every value"};
    return std::nullopt;
}

}  // namespace core::ecn

// SPDX-License-Identifier: Apache-2.0
#include "netlink/rdma/codecs.hpp"

#include <rdma/rdma_netlink.h>

#include "netlink/files/text_file.hpp"

namespace netlink {
namespace {

/// The highest number of those for management datagrams: IB_QPT_SMI is 0, IB_QPT_GSI is 1
/// (include/rdma/ib_verbs.h).
constexpr std::uint8_t kGsi = 1;

Message about(int command, std::uint32_t device) {
    Message request = rdma_message(command);
    request.put(RDMA_NLDEV_ATTR_DEV_INDEX, device);
    return request;
}

/// `ib_write_bw (1234)`; only the number where the process has ended meanwhile.
std::string process_name(const Machine& machine, std::uint32_t process) {
    const std::string number = std::to_string(process);
    try {
        return read_text_file(machine.file("/proc") / number / "comm") + " (" + number + ")";
    } catch (const KernelError&) {
        return "process " + number;
    }
}

std::string holder(const Machine& machine, const QueuePair& pair) {
    if (pair.process != 0) return process_name(machine, pair.process);
    return pair.kernel.empty() ? "not visible" : pair.kernel + " (kernel)";
}

}  // namespace

std::vector<QueuePair> decode_queue_pairs(Bytes payload) {
    std::vector<QueuePair> out;
    Attributes(payload).nested(RDMA_NLDEV_ATTR_RES_QP).for_each([&](int type, Bytes bytes) {
        if (type != RDMA_NLDEV_ATTR_RES_QP_ENTRY) return;
        const Attributes entry(bytes);
        const auto kind = entry.value<std::uint8_t>(RDMA_NLDEV_ATTR_RES_TYPE);
        out.push_back({.management = kind && *kind <= kGsi,
                       .process = entry.value<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PID).value_or(0),
                       .kernel = entry.text(RDMA_NLDEV_ATTR_RES_KERN_NAME)});
    });
    return out;
}

std::optional<std::uint64_t> decode_queue_pair_count(Bytes payload) {
    std::optional<std::uint64_t> count;
    Attributes(payload).nested(RDMA_NLDEV_ATTR_RES_SUMMARY).for_each([&](int, Bytes bytes) {
        const Attributes entry(bytes);
        if (entry.text(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME) == "qp")
            count = entry.value<std::uint64_t>(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR);
    });
    return count;
}

std::vector<std::uint32_t> decode_cm_id_holders(Bytes payload) {
    std::vector<std::uint32_t> out;
    Attributes(payload).nested(RDMA_NLDEV_ATTR_RES_CM_ID).for_each([&](int type, Bytes bytes) {
        if (type != RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY) return;
        const auto holder = Attributes(bytes).value<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PID);
        if (holder && *holder != 0) out.push_back(*holder);
    });
    return out;
}

std::set<std::uint32_t> rdma_users(Machine& machine) {
    std::set<std::uint32_t> users;
    Socket* socket = machine.rdma();
    if (socket == nullptr) return users;
    Message list = rdma_message(RDMA_NLDEV_CMD_GET);
    for (const RdmaDevice& device : socket->dump<RdmaDevice>(
             list, [](const Reply& reply) { return decode_rdma_device(reply.payload); })) {
        Message pairs = about(RDMA_NLDEV_CMD_RES_QP_GET, device.index);
        for (const auto& held : socket->dump<std::vector<QueuePair>>(pairs, [](const Reply& reply) {
                 return std::optional(decode_queue_pairs(reply.payload));
             }))
            for (const QueuePair& pair : held)
                if (pair.process != 0) users.insert(pair.process);
        Message ids = about(RDMA_NLDEV_CMD_RES_CM_ID_GET, device.index);
        for (const auto& held :
             socket->dump<std::vector<std::uint32_t>>(ids, [](const Reply& reply) {
                 return std::optional(decode_cm_id_holders(reply.payload));
             }))
            users.insert(held.begin(), held.end());
    }
    return users;
}

void read_queue_pairs(Machine& machine, core::Port& port) {
    port.queue_pairs.emplace();
    if (!port.rdma_link || port.rdma_link->device.empty()) return;
    Socket* socket = machine.rdma();
    if (socket == nullptr) return;
    Message list = about(RDMA_NLDEV_CMD_RES_QP_GET, port.rdma_link->index);
    std::uint64_t seen = 0;
    for (const auto& pairs : socket->dump<std::vector<QueuePair>>(list, [](const Reply& reply) {
             return std::optional(decode_queue_pairs(reply.payload));
         })) {
        seen += pairs.size();
        for (const QueuePair& pair : pairs)
            if (!pair.management) ++(*port.queue_pairs)[holder(machine, pair)];
    }
    std::optional<std::uint64_t> counted;
    Message summary = about(RDMA_NLDEV_CMD_RES_GET, port.rdma_link->index);
    socket->get(summary,
                [&](const Reply& reply) { counted = decode_queue_pair_count(reply.payload); });
    if (counted && *counted > seen) (*port.queue_pairs)["not visible"] += *counted - seen;
}

}  // namespace netlink

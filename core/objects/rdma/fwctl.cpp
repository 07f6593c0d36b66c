// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/model/access.hpp"
#include "core/model/finding_names.hpp"
#include "core/objects/rows.hpp"

namespace core::fwctl {

namespace {

using enum Shape::Kind;

template <auto Member>
std::optional<Elements> get_answer(const Port& port) {
    if (!port.fwctl || !((*port.fwctl).*Member)) return std::nullopt;
    const auto& held = *((*port.fwctl).*Member);
    return Elements(held.begin(), held.end());
}

template <auto Member>
void set_answer(Port& port, const Elements& elements) {
    auto& member = part_of<&Port::fwctl>(port).*Member;
    member.reset();
    if (elements.empty()) return;
    auto& held = member.emplace();
    using Held = typename std::remove_reference_t<decltype(held)>::mapped_type;
    for (const auto& [name, value] : elements)
        held.emplace(name, std::get<Held>(value));
}

constexpr std::array<std::string_view, kPriorities> kByPriority = {"0", "1", "2", "3",
                                                                   "4", "5", "6", "7"};
constexpr std::array<std::string_view, 3> kSomeParameters = {"np_cnp_dscp", "np_cnp_prio",
                                                             "rp_ai_rate"};
constexpr std::array<std::string_view, 3> kSomeAccelerations = {
    "roce_adp_retrans_en", "roce_tx_window_en", "roce_slow_restart_en"};
constexpr std::array<std::string_view, 2> kSomeStored = {"ROCE_CC_PRIO_MASK_P1", "CNP_DSCP_P1"};
constexpr std::array<std::string_view, 2> kSomeQueues = {"0", "4"};
constexpr std::array<std::string_view, 2> kAlgorithms = {"strict", "ets"};
constexpr std::array<std::string_view, 2> kSomeRequests = {"ROCE_ACCL", "HWRM_QUEUE_PRI2COS_QCFG"};

constexpr Shape kOn = {.kind = flag};
constexpr Shape kNumber = {.kind = number, .max = kU32};
constexpr Shape kQueue = {.kind = number, .max = 255};
constexpr Shape kPercent = {.kind = number, .max = 100};
constexpr Shape kAlgorithm = {.kind = word, .words = kAlgorithms};
constexpr Shape kAnswer = {.kind = text};

constexpr Shape by_priority(const Shape& of) {
    return {.kind = named, .words = kByPriority, .of = &of, .closed = true};
}

constexpr std::array kFields = {
    fact("fwctl.notify", by_priority(kOn),
         "mlx5_core since Linux 6.15, by --firmware: whether the NIC answers marks of congestion "
         "with notifications (notification point), for each priority.",
         get_answer<&Fwctl::notify>, set_answer<&Fwctl::notify>),
    fact("fwctl.react", by_priority(kOn),
         "mlx5_core since Linux 6.15, by --firmware: whether the NIC slows down when notified of "
         "congestion (reaction point), for each priority.",
         get_answer<&Fwctl::react>, set_answer<&Fwctl::react>),
    fact("fwctl.cc_params", {.kind = named, .words = kSomeParameters, .of = &kNumber},
         "mlx5_core since Linux 6.15, by --firmware: the numbers of congestion control in force, "
         "by the names of the driver's cc_params in debugfs, also where lockdown closes that.",
         get_answer<&Fwctl::cc_params>, set_answer<&Fwctl::cc_params>),
    fact("fwctl.roce_accl", {.kind = named, .words = kSomeAccelerations, .of = &kOn},
         "mlx5_core since Linux 6.15, by --firmware: NVIDIA's register ROCE_ACCL, by the names of "
         "mlxreg; what the NIC has no choice of is left out.",
         get_answer<&Fwctl::roce_accl>, set_answer<&Fwctl::roce_accl>),
    fact("fwctl.stored", {.kind = named, .words = kSomeStored, .of = &kNumber},
         "mlx5_core since Linux 6.15, by --firmware: congestion control that the NIC keeps for its "
         "next start, by mlxconfig's names with the NIC's port behind them.",
         get_answer<&Fwctl::stored>, set_answer<&Fwctl::stored>),
    fact("fwctl.priority_queue", by_priority(kQueue),
         "bnxt_en since Linux 7.1, by --firmware: the CoS queue that packets of each priority are "
         "sent by.",
         get_answer<&Fwctl::priority_queue>, set_answer<&Fwctl::priority_queue>),
    fact("fwctl.queue_algorithm", {.kind = named, .words = kSomeQueues, .of = &kAlgorithm},
         "bnxt_en since Linux 7.1, by --firmware: how each CoS queue that a priority is sent by "
         "takes its turn, strict or ets.",
         get_answer<&Fwctl::queue_algorithm>, set_answer<&Fwctl::queue_algorithm>),
    fact("fwctl.queue_share", {.kind = named, .words = kSomeQueues, .of = &kPercent},
         "bnxt_en since Linux 7.1, by --firmware: the share of each of these CoS queues that has "
         "the algorithm ets, in percent.",
         get_answer<&Fwctl::queue_share>, set_answer<&Fwctl::queue_share>),
    fact("fwctl.refused", {.kind = named, .words = kSomeRequests, .of = &kAnswer},
         "What of --firmware the NIC or the kernel refused, and what was answered.",
         get_answer<&Fwctl::refused>, set_answer<&Fwctl::refused>),
};

/// Whoever expects one of these and did not ask has not been told that it holds.
std::optional<Unsupported> unsupported(const Driver& /*driver*/, const Port& port,
                                       std::string_view /*key*/) {
    if (!port.fwctl)
        return Unsupported{.text = "the NIC's firmware was not asked",
                           .remedy = "--firmware of doctor, snapshot and verify"};
    return Unsupported{.text = port.fwctl->refused
                                   ? "the NIC's firmware did not tell; fwctl.refused has its answer"
                                   : "the firmware of this NIC has no such thing"};
}

}  // namespace

constinit const ObjectRow row = {.object = Object::fwctl,
                                 .name = "fwctl",
                                 .doc = "What the NIC's firmware says by the kernel's fwctl.",
                                 .topic = Topic::congestion,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .unsupported = unsupported};

}  // namespace core::fwctl

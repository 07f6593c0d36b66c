// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "core/field/access.hpp"
#include "core/field/rows.hpp"

// Congestion control: ECN, its notification packets, and the parameters of DCQCN.

namespace core {
namespace {

template <auto Member>
Got get_switches(const Port& port) {
    if (!port.congestion || !((*port.congestion).*Member)) return std::nullopt;
    const auto& switches = *((*port.congestion).*Member);
    return Elements(switches.begin(), switches.end());
}

template <auto Member>
void set_switches(Port& port, const Elements& elements) {
    auto& switches = (part_of<&Port::congestion>(port).*Member).emplace();
    for (const auto& [priority, on] : elements)
        switches.emplace(priority, std::get<bool>(on));
}

template <Congestion::Number number>
Got get_held(const Port& port) {
    if (!port.congestion || !port.congestion->numbers.at(number)) return std::nullopt;
    const std::optional<std::uint32_t> value = port.congestion->numbers.at(number)->value;
    return value ? one(std::uint64_t{*value}) : Elements{};
}

template <Congestion::Number number>
void set_held(Port& port, const Elements& elements) {
    auto& held = part_of<&Port::congestion>(port).numbers.at(number).emplace();
    if (!elements.empty()) held.value = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

Got get_directory(const Port& port) {
    if (!port.congestion_directory) return std::nullopt;
    return one(*port.congestion_directory);
}

void set_directory(Port& port, const Elements& elements) {
    port.congestion_directory = plain<bool>(elements);
}

using enum Shape::Kind;
using enum Object;

constexpr std::array<std::string_view, kPriorities> kPriorityNames = {"0", "1", "2", "3",
                                                                      "4", "5", "6", "7"};
constexpr Shape kByPriority = {
    .kind = named, .words = kPriorityNames, .of = &kFlag, .closed = true};

template <Congestion::Number N>
constexpr Field row(std::string_view key, std::uint64_t max, std::string_view doc) {
    return setting(key, ecn, {.kind = number, .max = max}, doc, get_held<N>, set_held<N>);
}

using C = Congestion;

const std::array kRows = {
    setting("ecn.directory", ecn_directory, {.kind = flag},
            "The device has a directory under /sys/kernel/config/bnxt_re, in which the vendor's "
            "bnxt_re driver offers its congestion control.",
            get_directory, set_directory),
    fact("ecn.interface", ecn, {.kind = text},
         "Where the kernel offers the congestion control of the device: sysfs, debugfs or "
         "configfs.",
         get_text<&Port::congestion, &C::interface>, set_text<&Port::congestion, &C::interface>),
    setting("ecn.notify", ecn, kByPriority,
            "Whether marked packets of a priority are answered with congestion notification "
            "packets (DCQCN's notification point). bnxt_en has one switch for all priorities and "
            "for ecn.react; mlx5_core has one for each with the vendor's driver only.",
            get_switches<&C::notify>, set_switches<&C::notify>),
    setting("ecn.react", ecn, kByPriority,
            "Whether the sender slows down when a priority is notified of congestion (DCQCN's "
            "reaction point).",
            get_switches<&C::react>, set_switches<&C::react>),
    row<C::cnp_dscp>("ecn.cnp_dscp", 63, "DSCP of the congestion notification packets sent."),
    row<C::cnp_priority>("ecn.cnp_priority", 7,
                         "Priority of the congestion notification packets sent; nothing where it "
                         "is that of the packet they answer."),
    row<C::min_time_between_cnps>(
        "ecn.min_time_between_cnps", kU32,
        "Shortest time between two congestion notification packets sent, in µs."),
    row<C::clamp_tgt_rate>("dcqcn.clamp_tgt_rate", 1,
                           "mlx5_core: 1 sets the target rate to the current one at every "
                           "reduction, 0 only at the first of a series."),
    row<C::clamp_tgt_rate_after_time_inc>(
        "dcqcn.clamp_tgt_rate_after_time_inc", 1,
        "mlx5_core: 1 does so too where the timer raised the rate since the last reduction."),
    row<C::rpg_time_reset>("dcqcn.rpg_time_reset", kU32,
                           "mlx5_core: time between two raises of the rate without notification, "
                           "in µs."),
    row<C::rpg_byte_reset>("dcqcn.rpg_byte_reset", kU32,
                           "mlx5_core: bytes between two raises of the rate without notification; "
                           "0 for time alone."),
    row<C::rpg_threshold>("dcqcn.rpg_threshold", kU32,
                          "mlx5_core: how often the rate is raised before fast recovery gives way "
                          "to active increase."),
    row<C::rpg_max_rate>("dcqcn.rpg_max_rate", kU32,
                         "mlx5_core: highest rate of a flow, in Mb/s; 0 for the port's."),
    row<C::rpg_ai_rate>("dcqcn.rpg_ai_rate", kU32,
                        "mlx5_core: by how much active increase raises the rate, in Mb/s."),
    row<C::rpg_hai_rate>("dcqcn.rpg_hai_rate", kU32,
                         "mlx5_core: by how much hyper increase raises the rate, in Mb/s."),
    row<C::rpg_gd>("dcqcn.rpg_gd", kU32,
                   "mlx5_core: how strongly the rate falls with alpha, as a power of two."),
    row<C::rpg_min_dec_fac>("dcqcn.rpg_min_dec_fac", 100,
                            "mlx5_core: what at least is left of the rate after one notification, "
                            "in percent."),
    row<C::rpg_min_rate>("dcqcn.rpg_min_rate", kU32, "mlx5_core: lowest rate of a flow, in Mb/s."),
    row<C::rate_to_set_on_first_cnp>("dcqcn.rate_to_set_on_first_cnp", kU32,
                                     "mlx5_core: rate of a flow after its first notification, in "
                                     "Mb/s; 0 for a share of the port's."),
    row<C::dce_tcp_g>("dcqcn.dce_tcp_g", 1023,
                      "mlx5_core: how much of alpha is kept when it is updated, in 1024ths."),
    row<C::dce_tcp_rtt>("dcqcn.dce_tcp_rtt", 131071,
                        "mlx5_core: time between two updates of alpha, "
                        "in µs."),
    row<C::rate_reduce_monitor_period>("dcqcn.rate_reduce_monitor_period", kU32,
                                       "mlx5_core: shortest time between two reductions of the "
                                       "rate, in µs."),
    row<C::initial_alpha_value>(
        "dcqcn.initial_alpha_value", 1023,
        "mlx5_core: alpha of a flow at its first notification, in 1024ths."),
    row<C::g>("dcqcn.g", 255, "bnxt_en: weight of new notifications in the running average."),
    row<C::init_cr>("dcqcn.init_cr", 65535, "bnxt_en: initial current rate of a flow."),
    row<C::init_tr>("dcqcn.init_tr", 65535, "bnxt_en: initial target rate of a flow."),
    row<C::rtt>("dcqcn.rtt", 65535, "bnxt_en: time between two updates of the rate, in µs."),
    row<C::inact_th>("dcqcn.inact_th", 65535,
                     "bnxt_en: after how long without packets a flow starts anew, in µs."),
};

}  // namespace

std::span<const Field> congestion_fields() {
    return kRows;
}

}  // namespace core

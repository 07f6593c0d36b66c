// SPDX-License-Identifier: Apache-2.0
#include "core/objects/rdma/parts.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "core/model/access.hpp"
#include "core/model/back_end.hpp"
#include "core/model/finding_names.hpp"
#include "core/model/shell.hpp"
#include "core/objects/rows.hpp"

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

bool has_file_of(const Driver& driver, std::string_view key) {
    return std::ranges::any_of(driver.ecn.back_ends, [&](const FileBackEnd& back_end) {
        return std::ranges::find(back_end.files, key, &ValueFile::key) != back_end.files.end();
    });
}

/// Who decides the setting where no interface of the driver has it; empty: one of them may.
std::string_view always_firmware(const Driver& driver, std::string_view key) {
    std::string_view out;
    for (const FileBackEnd& back_end : driver.ecn.back_ends)
        for (const ValueFile& file : back_end.files) {
            if (file.key != key) continue;
            if (file.firmware.empty()) return {};
            out = file.firmware;
        }
    return out;
}

}  // namespace

std::optional<Unsupported> unsupported(const Driver& driver, const Port& port,
                                       std::string_view key) {
    if (driver.ecn.back_ends.empty())
        return Unsupported{.text = std::string(title_of(driver)) +
                                   " has no interface to the congestion control of the device"};
    const Field* const field = find_field(key);
    if (field != nullptr && field->object == Object::ecn && !has_file_of(driver, key))
        return Unsupported{.text = std::string(driver.name) + " has no setting for it"};
    if (const auto refused = port.refused.find(Object::ecn); refused != port.refused.end()) {
        if (is_closed(refused->second))
            return Unsupported{.id = findings::closed,
                               .text = "ecn: " + core::text(refused->second),
                               .remedy = way_in(refused->second)};
        return std::nullopt;
    }
    const FileBackEnd* back_end = back_end_of(driver, port);
    if (const std::string_view firmware = always_firmware(driver, key); !firmware.empty())
        return Unsupported{.id = findings::firmware, .text = std::string(firmware)};
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

namespace {

std::string number_text(const Value& value) {
    const auto* number = std::get_if<std::uint64_t>(&value);
    return number == nullptr ? std::string() : std::to_string(*number);
}

/// What the kernel makes of decimal digits where it reads hexadecimal.
std::uint64_t misread(const std::string& decimal) {
    std::uint64_t number = 0;
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), number, 16);
    return number;
}

std::string mistaken(std::string_view key, const Value& found, const std::string& decimal) {
    std::string out(key);
    out += " reads " + number_text(found);
    out += ", which is 0x" + decimal;
    out += ": somebody wrote " + decimal;
    out += " to a file that the kernel reads as hexadecimal";
    return out;
}

/// Code points that netlink lists and that a commit clears from the device for good.
Reason forgotten(const FileBackEnd& back_end, const Port& now, const Port& then) {
    std::string lost;
    const std::vector<FileWrite> writes = file_writes(back_end, now, then);
    const auto written = [&](unsigned dscp) {
        std::array<char, 8> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), dscp, 16).ptr;
        const std::string text = "0x" + std::string(digits.data(), end);
        return std::ranges::any_of(writes, [&](const FileWrite& write) {
            return write.path.ends_with("_dscp") && write.text == text;
        });
    };
    for (const AppEntry& entry : now.app ? now.app->entries : std::set<AppEntry>{})
        if (entry.selector == AppEntry::dscp && !written(entry.protocol))
            lost += (lost.empty() ? "" : ", ") + std::to_string(entry.protocol);
    if (lost.empty() || back_end.roce_dscp.empty()) return std::nullopt;
    return "with this the driver clears the device's table of code points and puts back those of "
           "RoCE and of CNPs alone: DSCP " +
           lost + " stays listed and is without effect until it is removed and added again";
}

/// A value that somebody wrote in the wrong base, or which code points the device forgets.
Reason remarks(const Driver& driver, const Host& /*host*/, const Port& now, const Port& then) {
    const FileBackEnd* back_end = back_end_of(driver, now);
    if (back_end == nullptr) return std::nullopt;
    if (Reason reason = forgotten(*back_end, now, then)) return reason;
    if (!back_end->hexadecimal) return std::nullopt;
    for (const ValueFile& file : back_end->files) {
        const Field& field = *find_field(file.key);
        const auto found = element_of(now, field, "");
        const auto desired = element_of(then, field, "");
        if (!found || !desired || *found == *desired) continue;
        const std::string decimal = number_text(*desired);
        if (*found == Value(misread(decimal))) return mistaken(file.key, *found, decimal);
    }
    return std::nullopt;
}

template <auto Member>
Got get_switches(const Port& port) {
    if (!port.ecn || !((*port.ecn).*Member)) return std::nullopt;
    const auto& switches = *((*port.ecn).*Member);
    return Elements(switches.begin(), switches.end());
}

template <auto Member>
void set_switches(Port& port, const Elements& elements) {
    auto& switches = (part_of<&Port::ecn>(port).*Member).emplace();
    for (const auto& [priority, on] : elements)
        switches.emplace(priority, std::get<bool>(on));
}

Got get_marking(const Port& port) {
    if (!port.ecn || !port.ecn->marking) return std::nullopt;
    return one(*port.ecn->marking);
}

void set_marking(Port& port, const Elements& elements) {
    auto& marking = part_of<&Port::ecn>(port).marking;
    marking.reset();
    if (!elements.empty()) marking = plain<bool>(elements);
}

template <Ecn::Number number>
Got get_held(const Port& port) {
    if (!port.ecn || !port.ecn->numbers.at(number)) return std::nullopt;
    const std::optional<std::uint32_t> value = port.ecn->numbers.at(number)->value;
    return value ? one(std::uint64_t{*value}) : Elements{};
}

template <Ecn::Number number>
void set_held(Port& port, const Elements& elements) {
    auto& held = part_of<&Port::ecn>(port).numbers.at(number).emplace();
    if (!elements.empty()) held.value = static_cast<std::uint32_t>(plain<std::uint64_t>(elements));
}

template <Ecn::Algorithm algorithm>
Got get_parameters(const Port& port) {
    if (!port.ecn || !port.ecn->parameters.at(algorithm)) return std::nullopt;
    Elements elements;
    for (const auto& [name, value] : *port.ecn->parameters.at(algorithm))
        elements.emplace(name, std::uint64_t{value});
    return elements;
}

template <Ecn::Algorithm algorithm>
void set_parameters(Port& port, const Elements& elements) {
    auto& parameters = part_of<&Port::ecn>(port).parameters.at(algorithm).emplace();
    for (const auto& [name, value] : elements)
        parameters.emplace(name, static_cast<std::uint32_t>(std::get<std::uint64_t>(value)));
}

/// drivers/infiniband/hw/hns/hns_roce_debugfs.c cong_attrs, Linux 7.2 and 7.3.
constexpr std::array<std::string_view, 10> kOfDcqcn = {
    "ai", "f", "tkp", "tmp", "alp", "max_speed", "g", "al", "cnp_time", "ashift"};
constexpr std::array<std::string_view, 5> kOfLdcp = {"cwd0", "alpha", "gamma", "beta", "eta"};
constexpr std::array<std::string_view, 7> kOfHc3 = {"initial_window",   "bandwidth",   "qlen_shift",
                                                    "port_usage_shift", "over_period", "max_stage",
                                                    "gamma_shift"};

constexpr std::array<std::string_view, kPriorities> kPriorityNames = {"0", "1", "2", "3",
                                                                      "4", "5", "6", "7"};

using enum Shape::Kind;

constexpr Shape kByPriority = {
    .kind = named, .words = kPriorityNames, .of = &kFlag, .closed = true};

constexpr Shape kParameter = {.kind = number, .max = kU32};

template <Ecn::Algorithm A>
constexpr Field algorithm(std::string_view key, std::span<const std::string_view> names,
                          std::string_view doc) {
    return setting(key, {.kind = named, .words = names, .of = &kParameter, .closed = true}, doc,
                   get_parameters<A>, set_parameters<A>);
}

template <Ecn::Number N>
constexpr Field row(std::string_view key, std::uint64_t max, std::string_view doc) {
    return setting(key, {.kind = number, .max = max}, doc, get_held<N>, set_held<N>);
}

using C = Ecn;

constexpr std::array kFields = {
    fact("ecn.interface", {.kind = text},
         "Where the kernel offers the congestion control of the device: sysfs, debugfs or "
         "configfs.",
         get_text<&Port::ecn, &C::interface>, set_text<&Port::ecn, &C::interface>),
    setting("ecn.notify", kByPriority,
            "Whether marked packets of a priority are answered with congestion notification "
            "packets (DCQCN's notification point). bnxt_en has one switch for all priorities and "
            "for ecn.react; mlx5_core has one for each with the vendor's driver only.",
            get_switches<&C::notify>, set_switches<&C::notify>),
    setting("ecn.react", kByPriority,
            "Whether the sender slows down when a priority is notified of congestion (DCQCN's "
            "reaction point).",
            get_switches<&C::react>, set_switches<&C::react>),
    setting("ecn.marking", {.kind = flag},
            "RoCE packets say by their ECN bits that they can be marked instead of dropped. Only "
            "bnxt_en has it, with the vendor's driver or since Linux 6.15; 6.13 and 6.14 say so of "
            "all packets, and before that the kernel's driver sends them as Not-ECT, which "
            "switches drop where they could mark.",
            get_marking, set_marking),
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
    algorithm<C::dcqcn>(
        "ecn.dcqcn", kOfDcqcn,
        "hns3 since Linux 7.2: numbers of DCQCN by the driver's names. They read what the driver "
        "asked when it started and what was written since, and the device is not asked again; "
        "which algorithm a queue pair has is its maker's choice or the firmware's."),
    algorithm<C::ldcp>("ecn.ldcp", kOfLdcp,
                       "hns3 since Linux 7.2: numbers of LDCP, as those of ecn.dcqcn."),
    algorithm<C::hc3>("ecn.hc3", kOfHc3,
                      "hns3 since Linux 7.2: numbers of HC3, as those of ecn.dcqcn."),
    algorithm<C::dip>("ecn.dip", kOfDcqcn,
                      "hns3 since Linux 7.2: numbers of DIP, as those of ecn.dcqcn."),
};

Commands lines_of(const std::vector<FileWrite>& writes) {
    Commands lines;
    for (const FileWrite& write : writes)
        lines.push_back("echo " + shell(write.text) + " > " + shell(write.path));
    return lines;
}

bool all_off(const Port& port) {
    const auto& notify = port.ecn->notify;
    return notify && std::ranges::none_of(*notify, [](const auto& one) { return one.second; });
}

}  // namespace

std::optional<Object> goes_before(const Driver& driver, const std::function<Port()>& /*then*/) {
    const bool clears = std::ranges::any_of(
        driver.ecn.back_ends, [](const FileBackEnd& one) { return !one.roce_dscp.empty(); });
    return clears ? std::optional(Object::app) : std::nullopt;
}

namespace {

/// What the driver would answer with EINVAL.
Reason out_of_range(const ValueFile& file, const Port& now, const Port& then) {
    if (file.ranges.empty()) return std::nullopt;
    const Field& field = *find_field(file.key);
    for (const ElementRange& range : file.ranges) {
        const auto before = element_of(now, field, range.element);
        const auto after = element_of(then, field, range.element);
        if (!after || before == after) continue;
        const std::uint64_t number = std::get<std::uint64_t>(*after);
        if (number < range.min || number > range.max)
            return std::string(file.key) + ' ' + std::string(range.element) + ": " +
                   std::to_string(number) + " is outside " + std::to_string(range.min) + ".." +
                   std::to_string(range.max);
    }
    return std::nullopt;
}

Reason refuses(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = back_end_of(driver, now);
    if (back_end == nullptr) return "the port has no interface to its congestion control";
    if (!path_of(back_end->folder, now))
        return "the port has no name to put into " + std::string(back_end->folder);
    const std::vector<FileWrite> writes = file_writes(*back_end, now, then);
    for (const FileWrite& write : writes)
        if (std::ranges::count(writes, write.path, &FileWrite::path) > 1)
            return "the device has one switch, " + write.path +
                   ", for all of ecn.notify and "
                   "ecn.react";
    for (const ValueFile& file : back_end->files)
        if (Reason reason = out_of_range(file, now, then)) return reason;
    if (back_end->commit.empty() || !then.ecn || !all_off(then)) return std::nullopt;
    for (const ValueFile& file : back_end->files) {
        const Field& field = *find_field(file.key);
        const auto desired = field.get(then);
        if (file.may_hide && desired && !desired->empty() && field.get(now) != desired)
            return "the device has no " + std::string(file.key) + " while ecn.notify is off";
    }
    return std::nullopt;
}

Played play(const Driver& driver, State& /*state*/, Port& now, const Port& then) {
    if (Reason reason = refuses(driver, now, then))
        return Refusal{.code = EINVAL, .text = "Invalid argument: " + *reason};
    const FileBackEnd& back_end = *back_end_of(driver, now);
    if (back_end.made && !now.ecn_directory.value_or(false))
        return Refusal{.code = ENOENT, .text = "No such file or directory"};
    play_files(back_end, now, then);
    now.unknown.erase(Object::ecn);
    if (back_end.commit.empty() || !now.ecn || !all_off(now)) return std::nullopt;
    for (const ValueFile& file : back_end.files)
        if (file.may_hide) find_field(file.key)->set(now, {});
    return std::nullopt;
}

Commands spell(const Driver& driver, const Port& now, const Port& then) {
    const FileBackEnd* back_end = back_end_of(driver, now);
    if (back_end == nullptr) return {};
    return lines_of(file_writes(*back_end, now, then));
}

constexpr std::array kConsults = {Object::link, Object::rdma_link, Object::app};

constexpr std::array kFoundBy = {Object::device, Object::rdma_link};

}  // namespace

const FileBackEnd* back_end_of(const Driver& driver, const Port& port) {
    const auto first = [&](const auto& wanted) -> const FileBackEnd* {
        const auto found = std::ranges::find_if(driver.ecn.back_ends, wanted);
        return found == driver.ecn.back_ends.end() ? nullptr : &*found;
    };
    if (port.ecn && !port.ecn->interface.empty())
        return first([&](const FileBackEnd& one) { return one.name == port.ecn->interface; });
    if (port.ecn_directory) return first([](const FileBackEnd& one) { return one.made; });
    return nullptr;
}

constinit const ObjectRow row = {.object = Object::ecn,
                                 .name = "ecn",
                                 .doc = "Congestion control of the device: ECN and DCQCN.",
                                 .topic = Topic::congestion,
                                 .lives = Lives::hardware,
                                 .fields = kFields,
                                 .alike = true,
                                 .unsupported = unsupported,
                                 .refuses = refuses,
                                 .play = play,
                                 .read = {.found_by = kFoundBy, .needs = "ecn.directory"},
                                 .order = {.goes_before = goes_before, .consults = kConsults},
                                 .chosen_by = {.others = Others::udev_rule},
                                 .words = {.remarks = remarks, .spell = spell}};

}  // namespace core::ecn

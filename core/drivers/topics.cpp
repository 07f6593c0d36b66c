// SPDX-License-Identifier: Apache-2.0
// What the rows say, in sentences: for who chooses a NIC, and has none yet.
#include "core/drivers/topics.hpp"

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

#include "core/model/object.hpp"

namespace core {
namespace driver_topics {
namespace {

constexpr std::string_view kDcbNetlink = "DCB netlink (dcb)";
constexpr std::string_view kEthtoolNetlink = "ethtool netlink (ethtool)";

/// Sentences that follow each other, each with a full stop; a setting that begins one is written as
/// it is called.
class Sentences {
public:
    void add(std::string_view sentence) {
        if (sentence.empty()) return;
        if (!text_.empty()) text_ += ' ';
        text_ += sentence;
        if (!sentence.ends_with('.')) text_ += '.';
    }
    void add_if(bool is_so, std::string_view sentence) {
        if (is_so) add(sentence);
    }
    [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

private:
    std::string text_{};
};

/// `a`, `a and b`, `a, b and c`.
std::string enumerated(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (at > 0) out += at + 1 < words.size() ? ", " : " and ";
        out += words[at];
    }
    return out;
}

std::string sources(std::initializer_list<std::string_view> some) {
    std::string out;
    for (const std::string_view each : some)
        if (!each.empty() && out.find(each) == std::string::npos)
            out.append(out.empty() ? "" : "; ").append(each);
    return out;
}

bool has_operation(const Driver& driver, Object object) {
    return std::ranges::find(driver.dcb_operations, object) != driver.dcb_operations.end();
}

std::string word_of(Object object) {
    return std::string(row_of(object).name);
}

bool is_known(const Release& release) {
    return release != Release{};
}

std::string_view error_word(int code) {
    return code == EOPNOTSUPP ? "EOPNOTSUPP" : "EINVAL";
}

std::string linux_since(const Release& release) {
    return "Linux " + text(release);
}

/// Of a row without RoCE v2, what is special about RoCE says nothing.
bool is_roce(const Driver& driver) {
    return driver.rdma_port.no_roce.empty();
}

/// Whether RDMA devices come with it, and not only what soft RoCE makes on it.
bool has_rdma(const Driver& driver) {
    return is_roce(driver) && !driver.rdma_software.module.empty();
}

DriverTopic devices_topic(const Driver& driver) {
    Sentences out;
    out.add(driver.devices);
    std::vector<std::string> also;
    for (const std::string_view each : driver.also)
        also.emplace_back(each);
    if (!also.empty() && driver.kinds.empty()) out.add("The row is also for " + enumerated(also));
    if (!driver.of_driver.empty())
        out.add("Their driver is " + std::string(driver.of_driver) + "; PCI ids tell them apart");
    return {.name = "devices",
            .text = out.take(),
            .source = std::string(driver.folder) + ", " + std::string(driver.read_in)};
}

DriverTopic dcb_topic(const Driver& driver) {
    Sentences out;
    if (!driver.no_dcb.empty()) {
        out.add("None: " + std::string(driver.no_dcb));
        out.add_if(!driver.no_dcb_remedy.empty(),
                   "In its place: " + std::string(driver.no_dcb_remedy));
        return {.name = "DCB", .text = out.take()};
    }
    if (driver.dcb_operations.empty()) {
        out.add(
            "Which operations of it there are is not known; what the driver does not have, the "
            "kernel answers with EOPNOTSUPP, but for APP entries and the rewrite table, which "
            "it lists by itself (net/dcb/dcbnl.c)");
        return {.name = "DCB", .text = out.take(), .by = std::string(kDcbNetlink)};
    }
    std::vector<std::string> operations;
    for (const Object object : driver.dcb_operations)
        operations.push_back(word_of(object));
    out.add("The driver has operations for " + enumerated(operations));
    out.add(can_be_hosts(driver)
                ? "dcbx.mode host takes DCBX for the host"
                : "DCBX is never the host's: it is static or IEEE, and settings are taken in both");
    out.add(driver.dcbx.firmware ? "dcbx.mode firmware gives it back"
                                 : "It cannot be given back to the firmware");
    out.add_if(driver.dcbx.writes_need_host,
               "ETS, PFC and APP are refused while it is not the host's");
    out.add_if(driver.dcbx.needs_no_bond, "On a member of a bond all of it is refused");
    out.add_if(!driver.dcbx.agent_remedy.empty(),
               "An agent of the NIC that runs DCBX is not stopped by a write: " +
                   std::string(driver.dcbx.agent_remedy));
    out.add_if(!driver.owners.udev_rules.empty(),
               "The vendor's udev rules (*" + std::string(driver.owners.udev_rules) +
                   "*) set up the port whenever its RDMA device appears");
    return {
        .name = "DCB",
        .text = out.take(),
        .by = std::string(kDcbNetlink),
        .source = sources({driver.dcbx.source, driver.private_flags.source, driver.owners.source})};
}

/// `0-3 have priority 0, 4-7 1`, of 32 code points.
std::string ranges_text(std::span<const std::uint8_t> priorities) {
    std::string out;
    for (std::size_t first = 0; first < priorities.size();) {
        std::size_t last = first;
        while (last + 1 < priorities.size() && priorities[last + 1] == priorities[first])
            ++last;
        out += (out.empty() ? "" : ", ") + std::to_string(first) + " to " + std::to_string(last) +
               (out.empty() ? " have priority " : " ") + std::to_string(priorities[first]);
        first = last + 1;
    }
    return out;
}

std::string unlisted_text(const Driver& driver) {
    switch (driver.app.unlisted) {
        case Driver::App::Unlisted::zero: return "A code point without an entry has priority 0";
        case Driver::App::Unlisted::by_eights:
            return "A code point without an entry has the priority DSCP / 8";
        case Driver::App::Unlisted::by_eights_unless_removed:
            return "A code point that never had an entry has the priority DSCP / 8, and one whose "
                   "entry was removed while others stayed has DSCP modulo 8; which of the two it "
                   "is cannot be read";
        case Driver::App::Unlisted::held: break;
    }
    return "A code point without an entry keeps what the hardware has, which cannot be read: roce "
           "states all 64";
}

std::string existing_text(const Driver& driver) {
    switch (driver.app.existing) {
        case Driver::App::Existing::replaced:
            return "A new entry takes the place of the old one of its code point";
        case Driver::App::Existing::refused:
            return "A code point that has an entry takes no second one (EINVAL): the old one is "
                   "removed first";
        case Driver::App::Existing::kept_beside: break;
    }
    return "A new entry stands beside the old one of its code point, which is removed by a write "
           "of "
           "its own";
}

DriverTopic map_topic(const Driver& driver) {
    const Driver::App& app = driver.app;
    Sentences out;
    out.add(app.no_dscp);
    if (app.no_dscp.empty()) {
        out.add(app.trust == Driver::App::Trust::by_map
                    ? "The port trusts DSCP while there is an entry of a code point, and else the "
                      "VLAN tag; dscp.trust is not written by itself"
                    : "dscp.trust is written where the device has the APP trust table");
        out.add(existing_text(driver));
        out.add(unlisted_text(driver));
        out.add_if(!app.unlisted_of_four.empty(), "On a port with four traffic classes " +
                                                      ranges_text(app.unlisted_of_four) +
                                                      ", and the next 32 the same");
    }
    out.add_if(app.first_dscp_sets_ets, "The first entry of a code point rewrites ETS");
    out.add_if(app.last_dscp_resets, "Removing the last one resets all QoS");
    out.add_if(app.below_classes,
               "A priority is refused unless the port has the traffic class of the same number");
    out.add_if(!app.takes_others, "Entries with other selectors than DSCP are refused");
    out.add_if(app.needs_dgram, "RoCE needs app.udp 4791 beside its DSCP");
    out.add_if(is_known(app.dgram_tags_before),
               "With it, kernels before " + linux_since(app.dgram_tags_before) +
                   " put a VLAN tag on RoCE packets and the NIC goes by that tag alone, so that "
                   "the map proves nothing there");
    out.add_if(
        app.tags_by_class,
        "With several traffic classes, the tag of RDMA in a VLAN comes from the driver's map "
        "and not from egress_priority");
    return {.name = "trust and map",
            .text = out.take(),
            .by = std::string(kDcbNetlink),
            .source = std::string(app.source)};
}

DriverTopic ets_topic(const Driver& driver) {
    const Driver::Ets& ets = driver.ets;
    Sentences out;
    out.add(ets.classes == Driver::Ets::Classes::identity
                ? "roce puts priority n into traffic class n"
                : "roce puts RoCE into traffic class 1, CNPs into 2 and all else into 0");
    out.add("A NIC has at least " + std::to_string(ets.classes_sure) +
            " classes; ets.capability tells how many");
    std::vector<std::string> refused;
    if (!ets.takes_vendor) refused.emplace_back("vendor");
    if (!ets.takes_cb_shaper) refused.emplace_back("cb_shaper");
    out.add_if(!refused.empty(), "Refused as algorithm: " + enumerated(refused));
    out.add_if(ets.classes_contiguous, "A gap in the classes in use resets all QoS");
    out.add_if(ets.fixed_with_dscp, "While DSCP is trusted, priority n stays in class n");
    out.add_if(ets.shares_checked, "Shares that do not sum to 100 percent are refused");
    out.add_if(ets.shares_below_checked,
               "Of the classes below the highest one in use, shares that sum to more than 100 "
               "percent are refused, and 0 percent beside shares that sum to 100; less than 100 is "
               "taken");
    out.add_if(ets.zero_share_refused, "A class that shares bandwidth is refused with 0 percent");
    out.add_if(ets.empty_share_refused,
               "A class that shares bandwidth is refused without a priority");
    out.add_if(ets.no_share_unless_ets, "Classes that do not share bandwidth read 0 percent");
    out.add_if(driver.dcb_applies_all,
               "Each write of ETS, PFC or APP applies all three as the driver was last given them");
    return {.name = "ETS",
            .text = out.take(),
            .by = std::string(kDcbNetlink),
            .source = std::string(ets.source)};
}

DriverTopic pfc_topic(const Driver& driver) {
    const Driver::Pfc& pfc = driver.pfc;
    const Driver::StormPrevention& storm = driver.storm_prevention;
    Sentences out;
    out.add("pfc.priorities are written as they are");
    out.add_if(driver.ets.zero_until_written,
               "PFC is refused until this driver was given ETS once");
    if (pfc.delay_is_metres)
        out.add("The delay is pfc.cable_length, " + std::to_string(pfc.delay_min) + " to " +
                std::to_string(pfc.delay_max) + " metres");
    else
        out.add(pfc.delay_min > pfc.delay_max ? "pfc.delay is accepted and not stored"
                                              : "pfc.delay is in bit times");
    out.add_if(driver.pause.gives_way, "While PFC is on, pause reads off and is refused");
    if (!storm.source.empty())
        out.add("pfc.storm_prevention (ethtool --set-tunable) takes " + std::to_string(storm.min) +
                " to " + std::to_string(storm.max) + " ms" +
                (storm.takes_automatic ? ", and auto" : ", and no auto"));
    return {.name = "PFC",
            .text = out.take(),
            .by = std::string(kDcbNetlink),
            .source = sources({pfc.source, storm.source})};
}

DriverTopic buffer_topic(const Driver& driver) {
    const Driver::Buffer& buffer = driver.buffer;
    Sentences out;
    const bool there = has_operation(driver, Object::buffer);
    out.add_if(!there, "No interface: sizes and headroom are the firmware's and cannot be read");
    out.add_if(there, "buffer.size and buffer.of_priority are written");
    out.add_if(
        buffer.checked,
        "Sizes that do not fit, or leave a lossless buffer too little headroom, are refused");
    out.add_if(buffer.follows, "Until they are written, the firmware sizes them by MTU and PFC");
    return {.name = "buffers",
            .text = out.take(),
            .by = there ? std::string(kDcbNetlink) : "",
            .source = std::string(buffer.source)};
}

/// `100 Mb/s`.
std::string rate_text(std::uint64_t kbit) {
    constexpr std::uint64_t mega = 1000;
    constexpr std::uint64_t giga = 1'000'000;
    if (kbit < giga) return std::to_string(kbit / mega) + " Mb/s";
    std::string out = std::to_string(kbit / giga);
    if (kbit % giga != 0) out += "." + std::to_string(kbit % giga / 100'000);
    return out + " Gb/s";
}

DriverTopic maxrate_topic(const Driver& driver) {
    const Driver::MaxRate& rate = driver.maxrate;
    Sentences out;
    const bool there = has_operation(driver, Object::maxrate);
    out.add_if(!there, "No interface");
    out.add_if(there && rate.steps.empty(), "maxrate is written as it is");
    for (const RateStep& step : rate.steps)
        out.add("Up to " + rate_text(step.up_to) + " in steps of " + rate_text(step.step));
    out.add_if(is_known(rate.higher_since), "Since " + linux_since(rate.higher_since) +
                                                " newer NICs take more; which ones cannot be read");
    return {.name = "limits of rate",
            .text = out.take(),
            .by = there ? std::string(kDcbNetlink) : "",
            .source = std::string(rate.source)};
}

DriverTopic pause_topic(const Driver& driver) {
    const Driver::Pause& pause = driver.pause;
    Sentences out;
    out.add_if(pause.absent, "No interface");
    out.add_if(
        !pause.type_set_by.empty(),
        "Pause and PFC are two types of one setting, and only its flags can be read. A write "
        "makes the type pause and ends PFC, so rocectl makes none; the type is set by " +
            std::string(pause.type_set_by));
    const bool written = !pause.absent && pause.type_set_by.empty();
    out.add_if(written, "pause.rx and pause.tx are written");
    out.add_if(pause.autoneg_errno != 0, "pause.autoneg cannot be changed (" +
                                             std::string(error_word(pause.autoneg_errno)) + ")");
    return {.name = "pause",
            .text = out.take(),
            .by = pause.absent ? "" : std::string(kEthtoolNetlink),
            .source = std::string(pause.source)};
}

DriverTopic queues_topic(const Driver& driver) {
    const Driver::Ring& ring = driver.ring;
    const Driver::Coalesce& coalesce = driver.coalesce;
    constexpr Driver::Coalesce any{};
    Sentences out;
    out.add_if(ring.rx_min > 1,
               "A receive ring has at least " + std::to_string(ring.rx_min) + " descriptors");
    out.add_if(ring.tx_min > 1,
               "A transmit ring has at least " + std::to_string(ring.tx_min) + " descriptors");
    out.add_if(ring.tx_min_segmenting != 0,
               "Where the driver cuts UDP packets itself, which cannot be read, fewer than " +
                   std::to_string(ring.tx_min_segmenting) +
                   " may be refused while tx-udp-segmentation is on");
    out.add_if(ring.multiple > 1,
               "Sizes are rounded up to a multiple of " + std::to_string(ring.multiple));
    out.add_if(ring.power_of_two, ring.rounds ? "Sizes are rounded up to a power of two"
                                              : "Sizes other than powers of two are refused");
    out.add_if(driver.channels.combined_alone, "Combined channels stand alone");
    out.add_if(driver.channels.one_sided, "Channels of rx and of tx together are refused");
    out.add_if(driver.channels.need_no_rdma,
               "Channels are refused while the NIC's RDMA device exists");
    out.add_if(coalesce.usecs_max != any.usecs_max, "Interrupts are coalesced for " +
                                                        std::to_string(coalesce.usecs_max) +
                                                        " microseconds at most");
    out.add_if(coalesce.frames_max != any.frames_max,
               "They are coalesced for " + std::to_string(coalesce.frames_max) + " frames at most");
    return {.name = "rings and channels",
            .text = out.take(),
            .by = std::string(kEthtoolNetlink),
            .source = sources({ring.source, driver.channels.source, coalesce.source})};
}

DriverTopic link_topic(const Driver& driver) {
    const Driver::LinkModes& modes = driver.link_modes;
    Sentences out;
    out.add_if(modes.lanes_negotiated, "Lanes are taken only while the port negotiates");
    out.add_if(is_known(modes.lanes_forced_since),
               "Lanes can be forced since " + linux_since(modes.lanes_forced_since));
    out.add_if(modes.negotiates_all, "The modes that a negotiating port offers cannot be chosen");
    out.add_if(modes.forced_speed_offered,
               "A port with a forced speed offers the modes of that speed alone");
    out.add_if(driver.fec.auto_negotiates, "FEC auto is refused while the port does not negotiate");
    out.add_if(driver.fec.auto_unread, "Whether FEC is auto cannot be read");
    out.add_if(driver.vf.spoofchk, "A new virtual function has its source addresses checked");
    return {.name = "link",
            .text = out.take(),
            .by = std::string(kEthtoolNetlink),
            .source = sources({modes.source, driver.fec.source, driver.vf.source})};
}

/// `sysfs (/sys/class/net/PORT/ecn)`.
std::string interface_text(const FileBackEnd& back_end) {
    std::string folder(back_end.folder);
    for (const auto& [name, word] :
         {std::pair<std::string_view, std::string_view>{"{port}", "PORT"},
          {"{pci}", "PCI"},
          {"{rdma}", "DEVICE"},
          {"{rdma_port}", "N"}})
        if (const std::size_t at = folder.find(name); at != std::string::npos)
            folder.replace(at, name.size(), word);
    return std::string(back_end.name) + " (" + folder + ')';
}

std::string interfaces_text(std::span<const FileBackEnd> back_ends) {
    std::vector<std::string> out;
    for (const FileBackEnd& each : back_ends)
        out.push_back(interface_text(each));
    return enumerated(out);
}

constexpr std::string_view kNumbers = "dcqcn.";

DriverTopic ecn_topic(const Driver& driver) {
    const Driver::Ecn& ecn = driver.ecn;
    Sentences out;
    if (ecn.back_ends.empty() && has_rdma(driver))
        out.add(ecn.elsewhere.empty()
                    ? "What sets it is not known"
                    : "Nothing that rocectl writes: " + std::string(ecn.elsewhere));
    for (const FileBackEnd& back_end : ecn.back_ends) {
        std::vector<std::string> keys;
        std::size_t numbers = 0;
        for (const ValueFile& file : back_end.files) {
            if (!file.firmware.empty()) continue;
            if (file.key.starts_with(kNumbers))
                ++numbers;
            else
                keys.emplace_back(file.key);
        }
        if (numbers > 0) keys.push_back(std::to_string(numbers) + " numbers of dcqcn");
        out.add("In " + std::string(back_end.name) + ": " + enumerated(keys));
    }
    out.add_if(!ecn.offered_by.empty(), "Offered by " + std::string(ecn.offered_by));
    return {.name = "congestion control",
            .text = out.take(),
            .by = interfaces_text(ecn.back_ends),
            .source = std::string(ecn.source)};
}

DriverTopic packets_topic(const Driver& driver) {
    const Driver::CmDefaults& defaults = driver.cm_defaults;
    Sentences out;
    if (!has_rdma(driver)) return {};
    out.add(defaults.tos_carries_ecn
                ? "RoCE packets have DSCP and ECN bits of rdma.default_tos"
                : "RoCE packets have the DSCP of rdma.default_tos; the NIC sets their ECN bits");
    out.add_if(is_known(defaults.shifts_since), "Kernels before " +
                                                    linux_since(defaults.shifts_since) +
                                                    " take the whole ToS for the DSCP");
    const bool global = !driver.traffic_class.back_ends.empty();
    out.add_if(global, "rdma.traffic_class gives one ToS to all queue pairs: " +
                           interfaces_text(driver.traffic_class.back_ends));
    return {.name = "ToS of RDMA",
            .text = out.take(),
            .by = "configfs (rdma_cm)",
            .source = sources({defaults.source, driver.traffic_class.source})};
}

DriverTopic rdma_topic(const Driver& driver) {
    const Driver::RdmaSoftware& software = driver.rdma_software;
    Sentences out;
    out.add(driver.rdma_port.no_roce);
    std::string name(software.device_name);
    if (const std::size_t at = name.find("%d"); at != std::string::npos) name.replace(at, 2, "N");
    out.add_if(!name.empty(), "The kernel calls a device " + name);
    out.add_if(!software.module.empty(), "Its module is " + std::string(software.module));
    out.add_if(!software.provider.empty(),
               "Its provider is lib" + std::string(software.provider) + " (rdma-core)");
    out.add_if(!software.offered_by.empty(), "Offered by " + std::string(software.offered_by));
    out.add_if(!driver.bond_members.one_device.empty(),
               "A bond of up to " + std::to_string(driver.bond_members.most) +
                   " ports of one NIC has the one device " +
                   std::string(driver.bond_members.one_device));
    return {
        .name = "RDMA device",
        .text = out.take(),
        .source = sources({driver.rdma_port.source, software.source, driver.bond_members.source})};
}

DriverTopic mtu_topic(const Driver& driver) {
    if (!is_roce(driver)) return {};
    const auto overhead = driver.rdma_port.mtu_overhead;
    constexpr unsigned most = 4096;
    Sentences out;
    if (!overhead)
        out.add("Which RDMA MTU follows from the MTU is not known");
    else
        out.add(
            "The RDMA MTU is the largest of 256, 512, 1024, 2048 and 4096 that fits into the "
            "MTU" +
            (*overhead == 0 ? std::string(" as it is")
                            : " less " + std::to_string(*overhead) + " bytes, 4096 from " +
                                  std::to_string(most + *overhead) + " on"));
    return {.name = "RDMA MTU",
            .text = out.take(),
            .by = "rtnetlink (ip link)",
            .source = std::string(driver.rdma_port.source)};
}

DriverTopic counters_topic(const Driver& driver) {
    Sentences out;
    for (const Object object : {Object::rdma_counters, Object::statistics}) {
        std::vector<std::string> names;
        for (const Counter& counter : driver.counters)
            if (counter.object == object) names.emplace_back(counter.name);
        if (names.empty()) continue;
        out.add((object == Object::statistics ? "Of the port: " : "Of the RDMA device: ") +
                enumerated(names));
    }
    out.add_if(!driver.counters_known,
               driver.counters.empty()
                   ? "What its devices count is not known; doctor names what moved"
                   : "They may count more; doctor names what moved");
    out.add_if(driver.counters_known && driver.counters.empty(), "None that doctor knows");
    out.add_if(
        driver.statistics.refresh_ms != 0,
        "The driver asks its device every " + std::to_string(driver.statistics.refresh_ms) + " ms");
    return {.name = "counters",
            .text = out.take(),
            .by = "RDMA netlink (rdma statistic), ethtool -S",
            .source = sources({driver.counters_source, driver.statistics.source})};
}

DriverTopic disruption_topic(const Driver& driver) {
    Sentences out;
    for (const auto disruption : {Disruption::queues, Disruption::link, Disruption::reload,
                                  Disruption::reset, Disruption::reboot}) {
        std::vector<std::string> what;
        for (const Cost& cost : driver.costs)
            if (cost.disruption == disruption)
                what.push_back((cost.key.empty() ? word_of(cost.object) : std::string(cost.key)) +
                               (cost.where.empty() ? "" : " where " + std::string(cost.where)));
        out.add_if(!what.empty(), "A write costs the class " + std::string(word(disruption)) +
                                      ": " + enumerated(what));
    }
    out.add_if(driver.reopens, "Writes of ETS, PFC and APP close and open the port");
    out.add_if(!driver.costs_known,
               "What writes cost that the driver carries out is not known, and shown as unknown");
    return {.name = "disruption", .text = out.take(), .source = std::string(driver.costs_source)};
}

/// What a host does not show of it, whoever asks.
DriverTopic unread_topic(const Driver& driver) {
    Sentences out;
    const bool dcb = !driver.dcb_operations.empty();
    out.add_if(!driver.no_dcb.empty() && has_rdma(driver),
               "PFC, ETS and the map of priorities, which no interface of the kernel shows");
    out.add_if(
        driver.ets.zero_until_written,
        "ETS and PFC, which read as zeros until this driver was given them once; the first "
        "write is irreversible" +
            (driver.ets.zero_shown_by.empty() ? "" : "; " + std::string(driver.ets.zero_shown_by)));
    out.add_if(dcb && driver.app.unlisted == Driver::App::Unlisted::held,
               "The priority of a code point that has no entry");
    out.add_if(dcb && !has_operation(driver, Object::buffer), "Port buffers and their headroom");
    out.add_if(dcb && driver.pfc.delay_min > driver.pfc.delay_max, "pfc.delay");
    out.add_if(!driver.pause.type_set_by.empty(), "Whether its pause flags are pause or PFC");
    out.add_if(is_known(driver.maxrate.higher_since), "The highest limit of rate");
    out.add_if(is_known(driver.storm_prevention.limited_since),
               "The highest pfc.storm_prevention, which the firmware limits since " +
                   linux_since(driver.storm_prevention.limited_since));
    out.add_if(driver.fec.auto_unread, "Whether FEC is auto");
    for (const FileBackEnd& back_end : driver.ecn.back_ends) {
        std::vector<std::string> keys;
        std::string why;
        for (const ValueFile& file : back_end.files)
            if (!file.firmware.empty()) {
                keys.emplace_back(file.key);
                why = file.firmware;
            }
        out.add_if(!keys.empty(),
                   "In " + std::string(back_end.name) + " " + enumerated(keys) + ": " + why);
    }
    out.add_if(driver.ecn.back_ends.empty() && has_rdma(driver), "Congestion control");
    return {.name = "cannot be read", .text = out.take()};
}

using TopicOf = DriverTopic (*)(const Driver&);

std::string_view yes(bool is_so) {
    return is_so ? "yes" : "no";
}

}  // namespace
}  // namespace driver_topics

std::vector<DriverTopic> topics_of(const Driver& driver) {
    using namespace driver_topics;
    std::vector<DriverTopic> out;
    const auto add = [&](std::initializer_list<TopicOf> some) {
        for (const TopicOf each : some) {
            DriverTopic topic = each(driver);
            if (!topic.text.empty()) out.push_back(std::move(topic));
        }
    };
    add({devices_topic, dcb_topic});
    if (!driver.dcb_operations.empty())
        add({map_topic, ets_topic, pfc_topic, buffer_topic, maxrate_topic});
    if (driver.pause.absent || !driver.pause.source.empty()) add({pause_topic});
    add({queues_topic, link_topic, ecn_topic, packets_topic, rdma_topic, mtu_topic, counters_topic,
         disruption_topic, unread_topic});
    return out;
}

std::vector<std::string> compared(const Driver& driver) {
    using namespace driver_topics;
    const bool known = !driver.dcb_operations.empty() || !driver.no_dcb.empty();
    const auto dcb = [&](Object object) {
        return std::string(known ? yes(has_operation(driver, object)) : "?");
    };
    std::string ecn;
    for (const FileBackEnd& each : driver.ecn.back_ends)
        ecn.append(ecn.empty() ? "" : ", ").append(each.name);
    const bool known_rdma = has_rdma(driver) || !is_roce(driver) || driver.costs_known;
    if (ecn.empty()) ecn = known_rdma ? "no" : "?";
    const bool dscp = has_operation(driver, Object::app) && driver.app.no_dscp.empty();
    const auto overhead = driver.rdma_port.mtu_overhead;
    return {std::string(driver.title.empty() ? driver.name : "unknown"),
            !is_roce(driver)   ? "no"
            : has_rdma(driver) ? "yes"
            : known_rdma       ? "soft"
                               : "?",
            dcb(Object::ets),
            dcb(Object::pfc),
            std::string(known ? yes(dscp) : "?"),
            dcb(Object::buffer),
            dcb(Object::maxrate),
            ecn,
            !is_roce(driver) ? "-"
            : overhead       ? std::to_string(*overhead)
                             : "?"};
}

}  // namespace core

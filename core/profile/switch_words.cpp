// SPDX-License-Identifier: Apache-2.0
#include "core/profile/switch_words.hpp"

#include <array>
#include <span>
#include <utility>

namespace core {
namespace {

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

/// The header of Ethernet with a VLAN tag and the check sum, which a switch counts to a frame: IEEE
/// 802.3 and 802.1Q.
constexpr std::uint64_t kFraming = 22;
/// What switches' documents call a jumbo frame: 9216 or 9214 is the highest of all four systems.
constexpr std::uint64_t kJumbo = 9216;

/// What a line is for; it is left out where that is not needed.
enum class Of : std::uint8_t { always, dscp, tag, cnp, marks, mtu };

/// A line of a configuration. `{priority}`, `{cnp}` and `{share}` are numbers, `{code}` and
/// `{cnp code}` the code point or tag that leads there, `{field}` what the system calls the field
/// that is trusted.
struct Line {
    std::string_view text;
    Of of = Of::always;
    bool goes_on = false;  ///< belongs to the line before it
};

struct System {
    std::string_view name;
    std::string_view source;
    std::string_view tag;  ///< what it calls a tag's priority, where a code point is dscp
    std::string_view remark;
    std::span<const Line> lines;
};

constexpr auto kSonic = std::to_array<Line>({
    {R"("DSCP_TO_TC_MAP": {"ROCE": {"{code}": "{priority}")", Of::dscp},
    {R"("DOT1P_TO_TC_MAP": {"ROCE": {"{code}": "{priority}")", Of::tag},
    {R"(, "{cnp code}": "{cnp}")", Of::cnp, true},
    {"}}", Of::always, true},
    {R"("TC_TO_QUEUE_MAP": {"ROCE": {"{priority}": "{priority}"}})"},
    {R"("TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {"{priority}": "{priority}"}})"},
    {R"("PORT_QOS_MAP": {"PORT": {"{field}_to_tc_map": "ROCE", "tc_to_queue_map": "ROCE", )"},
    {R"("tc_to_pg_map": "ROCE", "pfc_enable": "{priority}", "pfcwd_sw_enable": "{priority}"}})",
     Of::always, true},
    {R"("SCHEDULER": {"roce": {"type": "DWRR", "weight": "{share}"})"},
    {R"(, "cnp": {"type": "STRICT"})", Of::cnp, true},
    {"}", Of::always, true},
    {R"("QUEUE": {"PORT|{priority}": {"scheduler": "roce")"},
    {R"(, "wred_profile": "ROCE")", Of::marks, true},
    {"}", Of::always, true},
    {R"(, "PORT|{cnp}": {"scheduler": "cnp"})", Of::cnp, true},
    {"}", Of::always, true},
    {R"("WRED_PROFILE": {"ROCE": {"ecn": "ecn_all", "wred_green_enable": "true", )", Of::marks},
    {R"("green_min_threshold": "MIN", "green_max_threshold": "MAX", )", Of::marks, true},
    {R"("green_drop_probability": "5"}})", Of::marks, true},
    {R"("PORT": {"PORT": {"mtu": "9216"}})", Of::mtu},
});

constexpr auto kCumulus = std::to_array<Line>({
    {"nv set qos mapping default-global trust l3", Of::dscp},
    {"nv set qos mapping default-global trust l2", Of::tag},
    {"nv set qos mapping default-global {field} {code} switch-priority {priority}"},
    {"nv set qos egress-queue-mapping default-global switch-priority {priority} "
     "traffic-class {priority}"},
    {"nv set qos mapping default-global {field} {cnp code} switch-priority {cnp}", Of::cnp},
    {"nv set qos egress-queue-mapping default-global switch-priority {cnp} traffic-class {cnp}",
     Of::cnp},
    {"nv set qos pfc default-global switch-priority {priority}"},
    {"nv set qos egress-scheduler default-global traffic-class {priority} mode dwrr"},
    {"nv set qos egress-scheduler default-global traffic-class {priority} bw-percent {share}"},
    {"nv set qos egress-scheduler default-global traffic-class {cnp} mode strict", Of::cnp},
    {"nv set qos congestion-control default-global traffic-class {priority} ecn enable", Of::marks},
    {"nv set interface PORT link mtu 9216", Of::mtu},
});

constexpr auto kEos = std::to_array<Line>({
    {"qos map {field} {code} to traffic-class {priority}"},
    {"qos map {field} {cnp code} to traffic-class {cnp}", Of::cnp},
    {"interface PORT"},
    {"   qos trust {field}"},
    {"   priority-flow-control on"},
    {"   priority-flow-control priority {priority} no-drop"},
    {"   mtu 9214", Of::mtu},
    {"   tx-queue {priority}"},
    {"      bandwidth percent {share}"},
    {"      random-detect ecn minimum-threshold MIN kbytes maximum-threshold MAX kbytes",
     Of::marks},
    {"   tx-queue {cnp}", Of::cnp},
    {"      priority strict", Of::cnp},
});

constexpr auto kNxOs = std::to_array<Line>({
    {"class-map type qos match-any ROCE"},
    {"  match {field} {code}"},
    {"class-map type qos match-any CNP", Of::cnp},
    {"  match {field} {cnp code}", Of::cnp},
    {"policy-map type qos FROM-HOSTS"},
    {"  class ROCE"},
    {"    set qos-group {priority}"},
    {"  class CNP", Of::cnp},
    {"    set qos-group {cnp}", Of::cnp},
    {"policy-map type network-qos LOSSLESS"},
    {"  class type network-qos c-8q-nq{priority}"},
    {"    pause pfc-cos {priority}"},
    {"    mtu 9216", Of::mtu},
    {"  class type network-qos c-8q-nq-default", Of::mtu},
    {"    mtu 9216", Of::mtu},
    {"policy-map type queuing TO-HOSTS"},
    {"  class type queuing c-out-8q-q{priority}"},
    {"    bandwidth remaining percent {share}"},
    {"    random-detect minimum-threshold MIN kbytes maximum-threshold MAX kbytes "
     "drop-probability 5 weight 0 ecn",
     Of::marks},
    {"  class type queuing c-out-8q-q{cnp}", Of::cnp},
    {"    priority level 1", Of::cnp},
    {"system qos"},
    {"  service-policy type network-qos LOSSLESS"},
    {"  service-policy type queuing output TO-HOSTS"},
    {"interface PORT"},
    {"  priority-flow-control mode on"},
    {"  service-policy type qos input FROM-HOSTS"},
});

constexpr auto kSystems = std::to_array<System>({
    {"SONiC",
     "sonic-net/sonic-buildimage, files/build_templates/qos_config.j2 and "
     "src/sonic-yang-models/doc/Configuration.md (Port QoS Map, Queue, WRED profile)",
     "dot1p",
     "merged into config_db.json; the maps also need every other class, and the lossless "
     "buffers (BUFFER_PG) are the platform's",
     kSonic},
    {"Cumulus Linux",
     "docs.nvidia.com, Cumulus Linux 5.9, Quality of Service, and RDMA over Converged Ethernet",
     "pcp",
     "where nothing else is configured, nv set qos roce mode lossless sets priority 3, CNPs in "
     "6 and their thresholds in one command",
     kCumulus},
    {"EOS", "Arista EOS User Manual, Quality of Service, and DCBX and Flow Control", "cos",
     "thresholds, and the names of queues (uc-tx-queue on some platforms), are the platform's",
     kEos},
    {"NX-OS",
     "Cisco Nexus 9000 NX-OS Quality of Service Configuration Guide 10.x, Configuring Priority "
     "Flow Control, and Configuring Queuing and Scheduling",
     "cos", "thresholds are the platform's", kNxOs},
});

bool is_needed(Of of, const SwitchNeeds& needs) {
    switch (of) {
        case Of::always: return true;
        case Of::dscp: return needs.dscp.has_value();
        case Of::tag: return !needs.dscp;
        case Of::cnp: return needs.cnp_priority.has_value();
        case Of::marks: return needs.marks;
        case Of::mtu: return needs.mtu && *needs.mtu + kFraming <= kJumbo;
    }
    return false;
}

/// What stands for `{name}` in a line.
std::string value_of(std::string_view name, const SwitchNeeds& needs, const System& system) {
    if (name == "priority") return number(needs.priority);
    if (name == "share") return number(needs.share);
    if (name == "code") return number(needs.dscp.value_or(needs.priority));
    if (name == "field") return std::string(needs.dscp ? "dscp" : system.tag);
    const std::uint64_t cnp = needs.cnp_priority.value_or(0);
    return number(name == "cnp code" && needs.dscp ? needs.cnp_dscp.value_or(0) : cnp);
}

std::vector<std::string> lines_of(const System& system, const SwitchNeeds& needs) {
    static constexpr std::array<std::string_view, 6> kNames = {"priority", "share", "code",
                                                               "field",    "cnp",   "cnp code"};
    std::vector<std::string> out;
    for (const Line& line : system.lines) {
        if (!is_needed(line.of, needs)) continue;
        std::string text(line.text);
        for (const std::string_view name : kNames) {
            const std::string place = '{' + std::string(name) + '}';
            for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;)
                text.replace(at, place.size(), value_of(name, needs, system));
        }
        if (line.goes_on)
            out.back() += text;
        else
            out.push_back(std::move(text));
    }
    return out;
}

}  // namespace

SwitchNeeds switch_needs(const Intent& intent, std::optional<std::uint64_t> mtu) {
    SwitchNeeds out{.priority = intent.priority.value,
                    .dscp = std::nullopt,
                    .cnp_priority = std::nullopt,
                    .cnp_dscp = std::nullopt,
                    .share = intent.bandwidth.value,
                    .marks = intent.ecn.value != 0,
                    .mtu = mtu};
    if (!trusts_tag(intent)) out.dscp = intent.dscp.value;
    if (!intent.cnp) return out;
    out.cnp_priority = intent.cnp->priority.value;
    if (out.dscp) out.cnp_dscp = intent.cnp->dscp.value;
    return out;
}

std::vector<SwitchNeed> needs_of(const SwitchNeeds& needs) {
    const std::string priority = number(needs.priority);
    std::vector<SwitchNeed> out = {
        {"trust", needs.dscp ? "DSCP" : "PCP, the priority of the VLAN tag"}};
    if (needs.dscp) out.push_back({"DSCP " + number(*needs.dscp), "priority " + priority});
    if (needs.cnp_dscp)
        out.push_back(
            {"DSCP " + number(*needs.cnp_dscp), "priority " + number(*needs.cnp_priority)});
    out.push_back({"PFC", "priority " + priority + " alone, with a watchdog"});
    out.push_back({"bandwidth", "at least " + number(needs.share) + " % for priority " + priority});
    if (needs.cnp_priority)
        out.push_back(
            {"scheduling", "priority " + number(*needs.cnp_priority) + " strict, before others"});
    if (needs.marks)
        out.push_back(
            {"ECN", "marks in the queue of priority " + priority +
                        ", from a length on that is shorter than the one at which PFC pauses"});
    if (needs.mtu)
        out.push_back({"MTU", "frames of " + number(*needs.mtu + kFraming) +
                                  " bytes and more: " + number(*needs.mtu) +
                                  " of the hosts, and the header with a VLAN tag"});
    return out;
}

std::vector<SwitchWords> switch_words(const SwitchNeeds& needs) {
    std::vector<SwitchWords> out;
    for (const System& system : kSystems)
        out.push_back({system.name, system.source, lines_of(system, needs), system.remark});
    return out;
}

}  // namespace core

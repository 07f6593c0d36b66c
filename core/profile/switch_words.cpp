// SPDX-License-Identifier: Apache-2.0
#include "core/profile/switch_words.hpp"

#include <utility>

namespace core {
namespace {

using Lines = std::vector<std::string>;

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

/// The header of Ethernet with a VLAN tag and the check sum, which a switch counts to a frame: IEEE
/// 802.3 and 802.1Q.
constexpr std::uint64_t kFraming = 22;
/// What switches' documents call a jumbo frame: 9216 or 9214 is the highest of all four systems.
constexpr std::uint64_t kJumbo = 9216;

bool is_known_to_fit(const SwitchNeeds& needs) {
    return needs.mtu.value_or(0) + kFraming <= kJumbo;
}

Lines sonic(const SwitchNeeds& needs) {
    const std::string priority = number(needs.priority);
    const std::string_view map = needs.dscp ? "DSCP_TO_TC_MAP" : "DOT1P_TO_TC_MAP";
    std::string entries =
        '"' + number(needs.dscp.value_or(needs.priority)) + "\": \"" + priority + '"';
    if (needs.cnp_priority)
        entries += ", \"" + number(needs.dscp ? *needs.cnp_dscp : *needs.cnp_priority) + "\": \"" +
                   number(*needs.cnp_priority) + '"';
    Lines out = {
        '"' + std::string(map) + "\": {\"ROCE\": {" + entries + "}}",
        "\"TC_TO_QUEUE_MAP\": {\"ROCE\": {\"" + priority + "\": \"" + priority + "\"}}",
        "\"TC_TO_PRIORITY_GROUP_MAP\": {\"ROCE\": {\"" + priority + "\": \"" + priority + "\"}}",
        "\"PORT_QOS_MAP\": {\"PORT\": {\"" + std::string(needs.dscp ? "dscp" : "dot1p") +
            "_to_tc_map\": \"ROCE\", \"tc_to_queue_map\": \"ROCE\", \"tc_to_pg_map\": \"ROCE\", "
            "\"pfc_enable\": \"" +
            priority + "\", \"pfcwd_sw_enable\": \"" + priority + "\"}}",
        "\"SCHEDULER\": {\"roce\": {\"type\": \"DWRR\", \"weight\": \"" + number(needs.share) +
            "\"}" + (needs.cnp_priority ? ", \"cnp\": {\"type\": \"STRICT\"}" : "") + "}",
        "\"QUEUE\": {\"PORT|" + priority + "\": {\"scheduler\": \"roce\"" +
            (needs.marks ? ", \"wred_profile\": \"ROCE\"" : "") + "}" +
            (needs.cnp_priority
                 ? ", \"PORT|" + number(*needs.cnp_priority) + "\": {\"scheduler\": \"cnp\"}"
                 : "") +
            "}",
    };
    if (needs.marks)
        out.emplace_back(
            "\"WRED_PROFILE\": {\"ROCE\": {\"ecn\": \"ecn_all\", \"wred_green_enable\": \"true\", "
            "\"green_min_threshold\": \"MIN\", \"green_max_threshold\": \"MAX\", "
            "\"green_drop_probability\": \"5\"}}");
    if (needs.mtu && is_known_to_fit(needs))
        out.push_back("\"PORT\": {\"PORT\": {\"mtu\": \"" + number(kJumbo) + "\"}}");
    return out;
}

Lines cumulus(const SwitchNeeds& needs) {
    const std::string priority = number(needs.priority);
    Lines out = {std::string("nv set qos mapping default-global trust ") +
                 (needs.dscp ? "l3" : "l2")};
    const auto maps = [&](const std::optional<std::uint64_t>& dscp, std::uint64_t to) {
        out.push_back("nv set qos mapping default-global " + std::string(dscp ? "dscp " : "pcp ") +
                      number(dscp.value_or(to)) + " switch-priority " + number(to));
        out.push_back("nv set qos egress-queue-mapping default-global switch-priority " +
                      number(to) + " traffic-class " + number(to));
    };
    maps(needs.dscp, needs.priority);
    if (needs.cnp_priority) maps(needs.dscp ? needs.cnp_dscp : std::nullopt, *needs.cnp_priority);
    out.push_back("nv set qos pfc default-global switch-priority " + priority);
    out.push_back("nv set qos egress-scheduler default-global traffic-class " + priority +
                  " mode dwrr");
    out.push_back("nv set qos egress-scheduler default-global traffic-class " + priority +
                  " bw-percent " + number(needs.share));
    if (needs.cnp_priority)
        out.push_back("nv set qos egress-scheduler default-global traffic-class " +
                      number(*needs.cnp_priority) + " mode strict");
    if (needs.marks)
        out.push_back("nv set qos congestion-control default-global traffic-class " + priority +
                      " ecn enable");
    if (needs.mtu && is_known_to_fit(needs))
        out.push_back("nv set interface PORT link mtu " + number(kJumbo));
    return out;
}

Lines eos(const SwitchNeeds& needs) {
    const std::string priority = number(needs.priority);
    Lines out;
    const auto maps = [&](const std::optional<std::uint64_t>& dscp, std::uint64_t to) {
        out.push_back("qos map " + std::string(dscp ? "dscp " : "cos ") +
                      number(dscp.value_or(to)) + " to traffic-class " + number(to));
    };
    maps(needs.dscp, needs.priority);
    if (needs.cnp_priority) maps(needs.dscp ? needs.cnp_dscp : std::nullopt, *needs.cnp_priority);
    out.emplace_back("interface PORT");
    out.push_back(std::string("   qos trust ") + (needs.dscp ? "dscp" : "cos"));
    out.emplace_back("   priority-flow-control on");
    out.push_back("   priority-flow-control priority " + priority + " no-drop");
    if (needs.mtu && is_known_to_fit(needs)) out.emplace_back("   mtu 9214");
    out.push_back("   tx-queue " + priority);
    out.push_back("      bandwidth percent " + number(needs.share));
    if (needs.marks)
        out.emplace_back(
            "      random-detect ecn minimum-threshold MIN kbytes maximum-threshold MAX kbytes");
    if (needs.cnp_priority) {
        out.push_back("   tx-queue " + number(*needs.cnp_priority));
        out.emplace_back("      priority strict");
    }
    return out;
}

Lines nx_os(const SwitchNeeds& needs) {
    const std::string priority = number(needs.priority);
    Lines out;
    const auto matches = [&](const std::string& name, const std::optional<std::uint64_t>& dscp,
                             std::uint64_t to) {
        out.push_back("class-map type qos match-any " + name);
        out.push_back("  match " + std::string(dscp ? "dscp " : "cos ") +
                      number(dscp.value_or(to)));
    };
    matches("ROCE", needs.dscp, needs.priority);
    if (needs.cnp_priority)
        matches("CNP", needs.dscp ? needs.cnp_dscp : std::nullopt, *needs.cnp_priority);
    const auto queue = [](std::uint64_t of) {
        return "  class type queuing c-out-8q-q" + number(of);
    };
    out.emplace_back("policy-map type qos FROM-HOSTS");
    out.emplace_back("  class ROCE");
    out.push_back("    set qos-group " + priority);
    if (needs.cnp_priority) {
        out.emplace_back("  class CNP");
        out.push_back("    set qos-group " + number(*needs.cnp_priority));
    }
    out.emplace_back("policy-map type network-qos LOSSLESS");
    out.push_back("  class type network-qos c-8q-nq" + priority);
    out.push_back("    pause pfc-cos " + priority);
    if (needs.mtu && is_known_to_fit(needs)) {
        out.push_back("    mtu " + number(kJumbo));
        out.emplace_back("  class type network-qos c-8q-nq-default");
        out.push_back("    mtu " + number(kJumbo));
    }
    out.emplace_back("policy-map type queuing TO-HOSTS");
    out.push_back(queue(needs.priority));
    out.push_back("    bandwidth remaining percent " + number(needs.share));
    if (needs.marks)
        out.emplace_back(
            "    random-detect minimum-threshold MIN kbytes maximum-threshold MAX kbytes "
            "drop-probability 5 weight 0 ecn");
    if (needs.cnp_priority) {
        out.push_back(queue(*needs.cnp_priority));
        out.emplace_back("    priority level 1");
    }
    out.emplace_back("system qos");
    out.emplace_back("  service-policy type network-qos LOSSLESS");
    out.emplace_back("  service-policy type queuing output TO-HOSTS");
    out.emplace_back("interface PORT");
    out.emplace_back("  priority-flow-control mode on");
    out.emplace_back("  service-policy type qos input FROM-HOSTS");
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
    return {
        {"SONiC",
         "sonic-net/sonic-buildimage, files/build_templates/qos_config.j2 and "
         "src/sonic-yang-models/doc/Configuration.md (Port QoS Map, Queue, WRED profile)",
         sonic(needs),
         "merged into config_db.json; the maps also need every other class, and the lossless "
         "buffers (BUFFER_PG) are the platform's"},
        {"Cumulus Linux",
         "docs.nvidia.com, Cumulus Linux 5.9, Quality of Service, and RDMA over Converged Ethernet",
         cumulus(needs),
         "where nothing else is configured, nv set qos roce mode lossless sets priority 3, CNPs in "
         "6 and their thresholds in one command"},
        {"EOS", "Arista EOS User Manual, Quality of Service, and DCBX and Flow Control", eos(needs),
         "thresholds, and the names of queues (uc-tx-queue on some platforms), are the platform's"},
        {"NX-OS",
         "Cisco Nexus 9000 NX-OS Quality of Service Configuration Guide 10.x, Configuring Priority "
         "Flow Control, and Configuring Queuing and Scheduling",
         nx_os(needs), "thresholds are the platform's"},
    };
}

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "core/checks/checks.hpp"
#include "core/model/shell.hpp"
#include "core/model/tos.hpp"
#include "core/objects/link/managers.hpp"

// Whether RoCE gets the treatment on the port that it is meant to get.

namespace core {
namespace {

constexpr std::array<Keys, 1> kDcbx = {"dcbx.mode"};
constexpr std::array<Keys, 1> kOwned = {"owners"};
constexpr std::array<Keys, 1> kPfcAlone = {"pfc.priorities"};
constexpr std::array<Keys, 1> kTrustAlone = {"dscp.trust"};
constexpr std::array<Keys, 1> kMap = {"dscp.map"};
constexpr std::array<Keys, 3> kClassShares = {"ets.bandwidth", "ets.algorithm", "pfc.priorities"};
constexpr std::array<Keys, 1> kTags = {"vlan_link"};
constexpr std::array<Keys, 1> kNotify = {"ecn.notify"};
constexpr std::array<Keys, 1> kReact = {"ecn.react"};
constexpr std::array<Keys, 1> kFirmwareNotify = {"fwctl.notify"};
constexpr std::array<Keys, 1> kFirmwareReact = {"fwctl.react"};
constexpr std::array<Keys, 2> kFirmwareQueues = {"fwctl.priority_queue", "pfc.priorities"};
constexpr std::array<Ids, 1> kNotifies = {"ecn-notify-off"};
constexpr std::array<Ids, 1> kReacts = {"ecn-react-off"};
constexpr std::array<Ids, 1> kTrusted = {"dscp-untrusted"};
constexpr std::array<Ids, 1> kSomePfc = {"pfc-off"};

Faults dcbx_firmware(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const bool host =
        (port.dcbx->bits & Dcbx::host) != 0 && (port.dcbx->bits & Dcbx::lld_managed) == 0;
    if (host || is_desired(evidence, "dcbx.mode", std::string("firmware"))) return {};
    const std::string text =
        "DCBX is the firmware's: what is set may be replaced by what the switch advertises";
    // An agent of the NIC's own refuses a write of the mode.
    const std::string_view agent = evidence.driver->dcbx.agent_remedy;
    if ((port.dcbx->bits & Dcbx::lld_managed) != 0 && !agent.empty())
        return {{.text = text, .remedy = std::string(agent)}};
    return fault(text, fixed(port, "dcbx.mode", std::string("host")));
}

/// `pfc.priorities [3]`, or in the manager's words.
std::string told(const ManagedSetting& one) {
    if (one.key.empty()) return one.words;
    const std::string out = element_name(*find_field(one.key), one.element) + ' ' + text(one.value);
    return one.words.empty() ? out : out + " (" + one.words + ')';
}

/// What the port is meant to hold instead of what the manager sets; empty: it is the same, or
/// nothing tells.
std::string meant_instead(const Evidence& evidence, const ManagedSetting& one) {
    const EffectiveIntent& roce = *evidence.roce;
    if (!one.key.empty())
        if (const Desired* desired = find_desired(evidence, one.key, one.element))
            return desired->value == one.value || !desired->value ? "" : text(*desired->value);
    if (roce.by == IntentSource::guess || !roce.lossless) return {};
    const auto* number = std::get_if<std::uint64_t>(&one.value);
    if (one.is_tos && number != nullptr && *number >> 2U != roce.dscp)
        return std::to_string(tos_of(roce.dscp, roce.ecn));
    if (one.key == "dscp.map" && number != nullptr && one.element == std::to_string(roce.dscp) &&
        *number != roce.priority)
        return std::to_string(roce.priority);
    const auto* numbers = std::get_if<Numbers>(&one.value);
    if (one.key == "pfc.priorities" && numbers != nullptr &&
        std::ranges::find(*numbers, std::uint64_t{roce.priority}) == numbers->end())
        return text(Value(Numbers{roce.priority}));
    return {};
}

Fault managed(const Evidence& evidence, const std::string& owner, const std::string& seen) {
    const Manager* manager = find_manager(owner);
    const bool proven = manager == nullptr || manager->only_where.empty();
    Fault out{.text =
                  owner + (proven ? " manages" : " may manage") + " the port too (" + seen + ')'};
    if (manager == nullptr || manager->sets == nullptr) return out;
    std::string again;
    std::string against;
    for (const ManagedSetting& one : manager->sets(seen)) {
        again += (again.empty() ? "" : ", ") + told(one);
        const std::string meant = meant_instead(evidence, one);
        if (meant.empty()) continue;
        against += (against.empty() ? "" : ", ") + told(one);
        against += ", meant is " + meant;
    }
    if (again.empty()) return out;
    out.text +=
        proven ? ", and sets again " : "; " + std::string(manager->only_where) + ", it sets again ";
    out.text +=
        std::string(manager->when) + ": " + again + " [" + std::string(manager->source) + ']';
    if (!against.empty()) out.text += "; against what is meant here: " + against;
    out.remedy = manager->stop;
    if (const std::size_t at = out.remedy.find("PORT"); at != std::string::npos)
        out.remedy.replace(at, 4, shell(evidence.now->name));
    return out;
}

Faults managed_beside(const Evidence& evidence) {
    Faults out;
    for (const auto& [owner, seen] : *evidence.now->owners)
        out.push_back(managed(evidence, owner, seen));
    return out;
}

Desired pfc_desired(const Evidence& evidence) {
    const Desired* desired = find_desired(evidence, "pfc.priorities");
    return fixed(*evidence.now, "pfc.priorities",
                 desired != nullptr && desired->value ? *desired->value
                                                      : Value(Numbers{evidence.roce->priority}));
}

Faults pfc_off(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (!evidence.roce->lossless || port.pfc->priorities != 0) return {};
    return fault("PFC is off on every priority, " + intended(*evidence.roce),
                 pfc_desired(evidence));
}

Faults pfc_elsewhere(const Evidence& evidence) {
    const Port& port = *evidence.now;
    if (!evidence.roce->lossless || is_lossless(port, evidence.roce->priority)) return {};
    return opposed_pfc(evidence, pfc_desired(evidence));
}

Faults pfc_many(const Evidence& evidence) {
    const Port& port = *evidence.now;
    constexpr int many = 3;
    const int on = std::popcount(port.pfc->priorities);
    if (on < many || on == int{kPriorities} || find_desired(evidence, "pfc.priorities") != nullptr)
        return {};
    return fault("PFC is on for " + std::to_string(on) +
                     " priorities: " + priorities_text(port.pfc->priorities),
                 pfc_desired(evidence));
}

Faults untrusted(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const auto trusts = trusts_dscp(port);
    const Desired* desired = find_desired(evidence, "dscp.trust");
    const bool by_tag = desired != nullptr && desired->value == Value(std::string("pcp"));
    if (!trusts || *trusts || by_tag || has_tags(*evidence.index, port)) return {};
    std::string text =
        "the port goes by the VLAN tag and not by DSCP: what has no tag has priority 0";
    if (evidence.driver->app.trust == Driver::App::Trust::by_map)
        return fault(std::move(text),
                     fixed(port, "dscp.map", std::uint64_t{evidence.roce->priority},
                           std::to_string(evidence.roce->dscp)));
    return fault(std::move(text), fixed(port, "dscp.trust", std::string("dscp")));
}

/// A port that is known to go by the tag does not look at DSCP.
Faults mapped_elsewhere(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const EffectiveIntent& roce = *evidence.roce;
    if (trusts_dscp(port) == false || !roce.lossless) return {};
    const auto priority = priority_of_dscp(port, roce.dscp);
    if (!priority || *priority == roce.priority) return {};
    return opposed_map(evidence, *priority);
}

/// Half of what the class with the most has.
Numbers shared_with(const Ets& ets, std::size_t starved) {
    Numbers out(ets.bandwidth.begin(), ets.bandwidth.end());
    const auto most = std::ranges::max_element(out);
    out[starved] = *most / 2;
    *most -= out[starved];
    return out;
}

/// A class with algorithm ets and no share has what the others leave (IEEE 802.1Q 37.3).
Faults no_share(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Ets& ets = *port.ets;
    const unsigned priority = evidence.roce->priority;
    if (!evidence.roce->lossless || !is_lossless(port, priority)) return {};
    const std::size_t own = ets.traffic_class.at(priority);
    if (own >= kPriorities) return {};
    if (ets.algorithm.at(own) != Ets::shared || ets.bandwidth.at(own) != 0) return {};
    const auto most = std::ranges::max_element(ets.bandwidth);
    const Desired* desired = find_desired(evidence, "ets.bandwidth");
    const Numbers now(ets.bandwidth.begin(), ets.bandwidth.end());
    if (*most == 0 || (desired != nullptr && desired->value == Value(now))) return {};
    return fault("traffic class " + std::to_string(own) + ", in which priority " +
                     std::to_string(priority) +
                     " of RoCE is, has 0 percent of the bandwidth; class " +
                     std::to_string(most - ets.bandwidth.begin()) + " has " +
                     std::to_string(*most) + " percent",
                 fixed(port, "ets.bandwidth",
                       desired != nullptr && desired->value ? *desired->value
                                                            : Value(shared_with(ets, own))));
}

Faults switched_off(const Evidence& evidence, std::string_view key, const char* what) {
    const std::string priority = std::to_string(evidence.roce->priority);
    const Reading now(*evidence.now);
    const Value* on = now.element(*find_field(key), priority);
    const Desired* desired = find_desired(evidence, key, priority);
    if (on == nullptr || *on != Value(false) ||
        (desired != nullptr && desired->value == Value(false)))
        return {};
    return fault(std::string(what) + " is off for priority " + priority,
                 fixed(*evidence.now, key, true, priority));
}

Faults notify_off(const Evidence& evidence) {
    return switched_off(evidence, "ecn.notify", "answering congestion marks");
}

Faults react_off(const Evidence& evidence) {
    return switched_off(evidence, "ecn.react", "slowing down when notified of congestion");
}

/// What the setting is in the firmware, where no file of the driver shows it.
Faults off_in_firmware(const Evidence& evidence, const Fwctl::Switches& switches,
                       std::string_view setting, const char* what) {
    const std::string priority = std::to_string(evidence.roce->priority);
    const auto on = switches.find(priority);
    const Desired* desired = find_desired(evidence, setting, priority);
    if (on == switches.end() || on->second || !evidence.roce->ecn ||
        (desired != nullptr && desired->value == Value(false)))
        return {};
    return fault("the NIC's firmware has " + std::string(what) + " off for priority " + priority);
}

Faults firmware_notify_off(const Evidence& evidence) {
    return off_in_firmware(evidence, *evidence.now->fwctl->notify, "ecn.notify",
                           "answering congestion marks");
}

Faults firmware_react_off(const Evidence& evidence) {
    return off_in_firmware(evidence, *evidence.now->fwctl->react, "ecn.react",
                           "slowing down when notified of congestion");
}

Faults firmware_queue_shared(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const Fwctl::Numbers& queues = *port.fwctl->priority_queue;
    const auto is_kept_lossless = [&port](const std::string& priority) {
        return is_lossless(port, static_cast<unsigned>(priority.front() - '0'));
    };
    for (const auto& [priority, queue] : queues)
        for (const auto& [other, other_queue] : queues)
            if (is_kept_lossless(priority) && !is_kept_lossless(other) && queue == other_queue)
                return fault(std::string("the NIC's firmware sends lossless priority ")
                                 .append(priority)
                                 .append(" by CoS queue ")
                                 .append(std::to_string(queue))
                                 .append(" with priority ")
                                 .append(other)
                                 .append(", which may drop"));
    return {};
}

constexpr std::array<Ids, 6> kOfFirmware = {"pfc-off",        "pfc-elsewhere", "dscp-elsewhere",
                                            "dscp-untrusted", "ets-shares",    "ets-no-share"};
constexpr std::array<Ids, 7> kOfUntrusted = {
    "dscp-elsewhere", "dscp-not-trusted", "traffic-in-other-priority", "out-of-sequence",
    "rx-discards",    "ack-timeouts",     "retries-exhausted"};
constexpr std::array<Ids, 4> kOfNoPfc = {"out-of-sequence", "rx-discards", "ack-timeouts",
                                         "retries-exhausted"};
constexpr std::array<Ids, 5> kOfOtherDscp = {"traffic-in-other-priority", "rx-discards",
                                             "out-of-sequence", "ack-timeouts",
                                             "retries-exhausted"};
constexpr std::array<Ids, 1> kOfNotify = {"pfc-rx-storm"};
constexpr std::array<Ids, 2> kOfReact = {"cnp-ignored", "pfc-rx-storm"};

constexpr std::array kRowsQos = {
    FindingRow{.id = "dcbx-firmware",
               .why =
                   "While the NIC's firmware or an agent of it negotiates DCB, the settings of the "
                   "host last until the switch says something else.",
               .remedy = "dcbx.mode host",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kDcbx},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfFirmware,
                         .ruled_out_by = "the switch sends no DCBX TLVs",
                         .test = "rocectl snapshot -o before.json; later rocectl doctor --since "
                                 "before.json tells what was replaced",
                         .weight = Weight::risk},
               .run = dcbx_firmware},
    FindingRow{.id = "managed-beside",
               .level = FindingLevel::note,
               .why =
                   "What another program manages it sets anew when the link comes back, or at its "
                   "own next start.",
               .remedy = "the port taken out of the other program's hands",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kOwned},
               .examines = CheckTarget::port,
               .run = managed_beside},
    FindingRow{.id = "pfc-off",
               .why =
                   "Nothing holds a sender back before buffers overflow: RoCE is fine between two "
                   "hosts and collapses where many send to one.",
               .remedy = "pfc.priorities",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPfcAlone},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNoPfc,
                         .ruled_out_by = "the fabric is meant to be lossy: the profile says so",
                         .test = "dcb pfc show dev PORT, and the same at the switch"},
               .run = pfc_off},
    FindingRow{
        .id = "pfc-elsewhere",
        .why = "PFC holds back a priority in which no RoCE is, and not the one in which it is.",
        .remedy = "pfc.priorities",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kPfcAlone, .sound = kSomePfc},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfNoPfc,
                  .ruled_out_by = "the switch keeps the priority lossless that has PFC here",
                  .test = "ethtool -S PORT, which priority counts bytes"},
        .run = pfc_elsewhere},
    FindingRow{.id = "pfc-many",
               .level = FindingLevel::note,
               .why =
                   "Each priority with PFC takes buffer from the others and can stop what shares "
                   "a queue with it: TCP, and the notifications of congestion.",
               .remedy = "pfc.priorities with the one of RoCE",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kPfcAlone},
               .examines = CheckTarget::port,
               .run = pfc_many},
    FindingRow{.id = "dscp-untrusted",
               .why = "A port that does not trust DSCP puts untagged packets into priority 0, "
                      "whatever their DSCP is.",
               .remedy = "dscp.trust dscp",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kTrustAlone, .beside = kTags},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfUntrusted,
                         .ruled_out_by = "RoCE runs in a VLAN whose tag has the priority"},
               .run = untrusted},
    FindingRow{.id = "dscp-elsewhere",
               .why = "Packets of RoCE get a priority that is not the one that is kept lossless.",
               .remedy = "dscp.map",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kMap, .sound = kTrusted},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfOtherDscp,
                         .ruled_out_by = "applications set a traffic class of their own"},
               .run = mapped_elsewhere},
    FindingRow{.id = "ets-no-share",
               .why = "A class that shares bandwidth and has no share gets what the others leave: "
                      "under load RoCE stands still, and with it whoever sends it.",
               .remedy = "ets.bandwidth with a share for the class of the lossless priority",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kClassShares},
               .examines = CheckTarget::port,
               .cause = {.ruled_out_by = "nothing but RoCE is sent by this port",
                         .test = "dcb ets show dev PORT"},
               .run = no_share},
    FindingRow{.id = "ecn-notify-off",
               .why = "Marks of congestion reach the receiver and go no further: senders slow down "
                      "only when PFC stops them.",
               .remedy = "ecn.notify",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kNotify},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNotify},
               .run = notify_off},
    FindingRow{.id = "ecn-react-off",
               .why = "The sender hears of congestion and does not slow down.",
               .remedy = "ecn.react",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kReact},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfReact},
               .run = react_off},
    FindingRow{.id = "firmware-notify-off",
               .why = "Marks of congestion reach the receiver and go no further. The kernel's "
                      "driver has no setting for it: it is what the NIC was started with.",
               .remedy = "the priority's bit of ROCE_CC_PRIO_MASK, by the vendor's mlxconfig and a "
                         "reset of the NIC; the vendor's driver has ecn.notify",
               .manual = "rocectl-doctor(8), FIRMWARE",
               .needs = {.keys = kFirmwareNotify, .sound = kNotifies},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfNotify},
               .run = firmware_notify_off},
    FindingRow{.id = "firmware-react-off",
               .why = "The sender hears of congestion and does not slow down. The kernel's driver "
                      "has no setting for it: it is what the NIC was started with.",
               .remedy = "the priority's bit of ROCE_CC_PRIO_MASK, by the vendor's mlxconfig and a "
                         "reset of the NIC; the vendor's driver has ecn.react",
               .manual = "rocectl-doctor(8), FIRMWARE",
               .needs = {.keys = kFirmwareReact, .sound = kReacts},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfReact},
               .run = firmware_react_off},
    FindingRow{.id = "firmware-queue-shared",
               .why = "A pause stops all that is sent by the queue of the lossless priority. The "
                      "driver may show other traffic classes than the firmware has, until it was "
                      "given them once.",
               .remedy = "ets.traffic_class that keeps the lossless priority apart",
               .manual = "rocectl-doctor(8), FIRMWARE",
               .needs = {.keys = kFirmwareQueues},
               .examines = CheckTarget::port,
               .run = firmware_queue_shared},
};

constexpr auto kAllQos = each_of(kRowsQos);

}  // namespace

const FindingGroup finding_group::qos{
    .name = "qos",
    .doc =
        "Whether RoCE gets the priority, the traffic class and the marks that it is meant to get.",
    .rows = kAllQos};

}  // namespace core

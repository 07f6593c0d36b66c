// SPDX-License-Identifier: Apache-2.0
#include "core/profile/derivation.hpp"

#include <algorithm>

#include "core/json/tree.hpp"
#include "core/model/tos.hpp"
#include "core/plan/judge.hpp"

namespace core {
namespace {

constexpr std::uint64_t kCodePoints = 64;
constexpr std::uint64_t kTagTrusted = 1;
static_assert(kTrusts[kTagTrusted] == "pcp");

/// The ETS configuration that gives RoCE its share.
struct Classes {
    Numbers of_priority = Numbers(kPriorities, 0);
    Words algorithm = Words(kPriorities, "strict");
    Numbers bandwidth = Numbers(kPriorities, 0);

    void share(std::size_t traffic_class, std::uint64_t percent) {
        algorithm[traffic_class] = "ets";
        bandwidth[traffic_class] = percent;
    }
};

/// The stated lossless priorities beside that of RoCE.
Numbers further(const Intent& intent, const Numbers& lossless) {
    Numbers out = lossless;
    std::erase(out, intent.priority.value);
    if (intent.cnp) std::erase(out, intent.cnp->priority.value);
    return out;
}

/// Everything else in class 0, RoCE in class 1, CNP in the last. A further lossless priority has a
/// class of its own where there are enough, and a part of what is left; else it is with RoCE, which
/// drops as little.
Classes compact(const Intent& intent, const Numbers& others, std::size_t classes) {
    Classes out;
    const std::uint64_t rest = 100 - intent.bandwidth.value;
    const bool apart = 2 + others.size() + (intent.cnp ? 1 : 0) <= classes && rest > others.size();
    const std::uint64_t part = apart ? rest / (others.size() + 1) : 0;
    out.of_priority[intent.priority.value] = 1;
    std::size_t next = 2;
    for (const std::uint64_t priority : others) {
        out.of_priority[priority] = apart ? next : 1;
        if (apart) out.share(next++, part);
    }
    if (intent.cnp) out.of_priority[intent.cnp->priority.value] = next;
    out.share(0, rest - part * (apart ? others.size() : 0));
    out.share(1, intent.bandwidth.value);
    return out;
}

/// The lowest priority that is not RoCE's or CNP's, and not lossless if such a one exists.
std::uint64_t ordinary_priority(const Intent& intent, const Numbers& others) {
    const std::uint64_t roce = intent.priority.value;
    const std::uint64_t cnp = intent.cnp ? intent.cnp->priority.value : kPriorities;
    const bool any = others.size() + (intent.cnp ? 2 : 1) < kPriorities;
    const auto keeps = [&](std::uint64_t priority) {
        return any && std::ranges::find(others, priority) != others.end();
    };
    std::uint64_t ordinary = 0;
    while (ordinary == roce || ordinary == cnp || keeps(ordinary))
        ++ordinary;
    return ordinary;
}

/// Priority n in class n. The class of ordinary traffic has the rest of the bandwidth.
Classes identity(const Intent& intent, const Numbers& others, bool zero_share_refused) {
    Classes out;
    const std::size_t roce = intent.priority.value;
    const std::size_t cnp = intent.cnp ? intent.cnp->priority.value : kPriorities;
    const std::size_t ordinary = ordinary_priority(intent, others);
    for (std::size_t i = 0; i < kPriorities; ++i) {
        out.of_priority[i] = i;
        if (i != cnp && !zero_share_refused) out.share(i, 0);
    }
    out.share(ordinary, 100 - intent.bandwidth.value);
    out.share(roce, intent.bandwidth.value);
    return out;
}

/// Code points to priorities, of a port that looks at them. Where what nobody lists stays as the
/// hardware has it, unseen, all of them are stated: by eights, and ordinary traffic where that
/// would be the lossless priority.
template <typename Desiring>
void derive_map(const Intent& intent, const Driver& driver, const Numbers& others,
                const Desiring& desired) {
    const std::uint64_t ordinary = ordinary_priority(intent, others);
    for (std::uint64_t dscp = 0; dscp < kCodePoints; ++dscp) {
        const std::string element = std::to_string(dscp);
        const std::uint64_t usual = dscp / 8;
        if (dscp == intent.dscp.value)
            desired("dscp.map", intent.dscp.origin, intent.priority.value, element);
        else if (intent.cnp && dscp == intent.cnp->dscp.value)
            desired("dscp.map", intent.cnp->dscp.origin, intent.cnp->priority.value, element);
        else if (driver.app.unlisted == Driver::App::Unlisted::held)
            desired("dscp.map", intent.priority.origin,
                    usual == intent.priority.value ? ordinary : usual, element);
    }
}

bool has_file_of(const Driver& driver, std::string_view key) {
    return std::ranges::any_of(driver.ecn.back_ends, [&](const FileBackEnd& back_end) {
        return std::ranges::find(back_end.files, key, &ValueFile::key) != back_end.files.end();
    });
}

/// Marked packets are answered with CNPs, and CNPs are obeyed. Devices without a setting for that
/// get a single note. The CNPs' DSCP and priority are set even without ECN: a NIC may answer
/// packets that others marked.
template <typename Desiring>
void derive_congestion(const Intent& intent, const Driver& driver, const Desiring& desired) {
    const Origin& ecn = intent.ecn.origin;
    const std::string priority = std::to_string(intent.priority.value);
    if (intent.ecn.value != 0) desired("ecn.notify", ecn, true, priority);
    if (driver.ecn.back_ends.empty() || !has_file_of(driver, "ecn.react")) return;
    if (intent.ecn.value != 0) desired("ecn.react", ecn, true, priority);
    if (intent.ecn.value != 0 && has_file_of(driver, "ecn.marking"))
        desired("ecn.marking", ecn, true, "");
    if (!intent.cnp || !has_file_of(driver, "ecn.cnp_dscp")) return;
    desired("ecn.cnp_dscp", intent.cnp->dscp.origin, intent.cnp->dscp.value, "");
    desired("ecn.cnp_priority", intent.cnp->priority.origin, intent.cnp->priority.value, "");
}

/// Of the ToS of packets: the code point, and that they can be marked instead of dropped.
std::uint64_t type_of_service(const Intent& intent) {
    return tos_of(static_cast<unsigned>(intent.dscp.value), intent.ecn.value != 0);
}

/// rdma_cm's default does not reach the queue pairs that a library opens by itself.
template <typename Desiring>
void derive_libraries(const Intent& intent, const Desiring& desired) {
    for (const Library& library : libraries()) {
        if (!tells(intent, library)) continue;
        desired(library.key, intent.dscp.origin, std::to_string(type_of_service(intent)),
                std::string(library.traffic_class));
        desired(library.key, intent.priority.origin, std::to_string(intent.priority.value),
                std::string(library.service_level));
    }
}

}  // namespace

DesiredValues derive(const Intent& intent, const Driver& driver, const Numbers& lossless) {
    DesiredValues out;
    const auto desired = [&](std::string_view key, const Origin& origin, Value value,
                             std::string element = "") {
        out.desired_values.push_back({.port = {},
                                      .field = find_field(key),
                                      .element = std::move(element),
                                      .value = std::move(value),
                                      .origin = origin});
    };
    const Origin& priority = intent.priority.origin;
    const Origin& dscp = intent.dscp.origin;
    const Numbers others = further(intent, lossless);
    const Classes classes = driver.ets.classes == Driver::Ets::Classes::compact
                                ? compact(intent, others, driver.ets.classes_sure)
                                : identity(intent, others, driver.ets.zero_share_refused);

    desired("up", intent.origin, true);
    // Optional, since a port without the flag has no agent; whether DCBX is the host's is judged
    // next.
    if (!driver.private_flags.agent.empty()) {
        desired("private_flags", intent.origin, false, std::string(driver.private_flags.agent));
        out.desired_values.back().optional = true;
    }
    if (can_be_hosts(driver)) desired("dcbx.mode", intent.origin, std::string("host"));
    // Where PFC has the same flags, taking them away would take PFC away.
    if (driver.pause.type_set_by.empty()) {
        desired("pause.rx", priority, false);
        desired("pause.tx", priority, false);
    }
    desired("ets.traffic_class", priority, classes.of_priority);
    desired("ets.algorithm", priority, classes.algorithm);
    desired("ets.bandwidth", intent.bandwidth.origin, classes.bandwidth);
    desired("pfc.priorities", priority, Numbers{intent.priority.value});
    desired("dscp.trust", trusts_tag(intent) ? intent.trust.origin : dscp,
            std::string(trusts_tag(intent) ? "pcp" : "dscp"));
    if (!trusts_tag(intent)) derive_map(intent, driver, others, desired);
    if (driver.app.needs_dgram)
        desired("app.udp", priority, intent.priority.value, std::to_string(kRoceUdpPort));
    desired("rdma.default_mode", intent.origin, std::string("RoCE v2"));
    desired("rdma.default_tos", dscp, type_of_service(intent));
    derive_congestion(intent, driver, desired);
    derive_libraries(intent, desired);
    // Other traffic in the lossless priority would be paused with it, and would pause it. Where
    // trust follows from the map, any entry would make it DSCP.
    const bool empty = trusts_tag(intent) && driver.app.trust == Driver::App::Trust::by_map;
    out.exact.push_back({.port = {},
                         .field = find_field("dscp.map"),
                         .only = empty ? std::nullopt : std::optional<Value>(intent.priority.value),
                         .origin = empty ? intent.trust.origin : priority});
    return out;
}

namespace {

/// `{"cnp": {"dscp": 48}}` as a tree, and what it asks for; nothing where it contradicts itself.
std::optional<Intent> intent_with(std::string_view key, const std::string& value) {
    std::string text = value;
    while (!key.empty()) {
        const std::size_t dot = key.rfind('.');
        const std::size_t start = dot == std::string_view::npos ? 0 : dot + 1;
        text.insert(0, "\":").insert(0, key.substr(start)).insert(0, "{\"").append("}");
        key = key.substr(0, dot == std::string_view::npos ? 0 : dot);
    }
    Problems problems;
    return read_intent(parse_tree(text, "", problems), "", problems);
}

std::vector<std::string> values_of(const IntentKey& key) {
    if (key.shape.kind == Shape::Kind::flag) return {"false", "true"};
    std::vector<std::string> out;
    const bool list = key.shape.kind == Shape::Kind::set;
    for (const std::string_view word : key.shape.words) {
        const std::string quoted = '"' + std::string(word) + '"';
        out.push_back(list ? '[' + quoted + ']' : quoted);
    }
    if (!out.empty()) return out;
    for (std::uint64_t value = key.shape.min; value <= key.shape.max; ++value)
        out.push_back(std::to_string(value));
    return out;
}

/// Whether the desired value is among them with the same value.
bool unchanged(const Desired& desired, const std::vector<Desired>& others) {
    return std::ranges::any_of(others, [&](const Desired& other) {
        return same_element(desired, other) && desired.value == other.value;
    });
}

void add_key(const IntentKey& key, const Driver& driver, std::vector<Derivation>& out) {
    const std::string name = "roce." + std::string(key.name);
    for (const std::string& value : values_of(key)) {
        const std::optional<Intent> other = intent_with(key.name, value);
        if (!other) continue;
        const std::vector<Desired> desired_values = derive(*other, driver).desired_values;
        for (Derivation& derivation : out)
            if (!unchanged(derivation.desired, desired_values) &&
                std::ranges::find(derivation.from, name) == derivation.from.end())
                derivation.from.push_back(name);
    }
}

/// What `roce: {}` asks for.
const Intent& preset() {
    static const Intent out = *intent_with("", "{}");
    return out;
}

std::vector<Desired> preset(const Driver& driver) {
    return derive(preset(), driver).desired_values;
}

}  // namespace

std::vector<Derivation> derivations(const Driver& driver) {
    std::vector<Derivation> out;
    for (Desired& desired : preset(driver))
        out.push_back({.desired = std::move(desired), .from = {}});
    for (const IntentKey& key : intent_keys())
        add_key(key, driver, out);
    for (Derivation& derivation : out)
        if (derivation.from.empty()) derivation.from = {derivation.desired.origin.derived_from};
    return out;
}

std::vector<Elsewhere> derived_elsewhere(const Driver& driver) {
    const std::vector<Desired> here = preset(driver);
    std::vector<Elsewhere> out;
    for (const Driver* const other : drivers())
        for (const Desired& desired : preset(*other)) {
            const auto is_same = [&](const auto& known) {
                return known.field == desired.field && known.element == desired.element;
            };
            if (std::ranges::any_of(here, is_same)) continue;
            auto known = std::ranges::find_if(out, is_same);
            if (known == out.end())
                known = out.insert(out.end(), {.field = desired.field, .element = desired.element});
            known->drivers.push_back(other);
        }
    return out;
}

namespace {

/// The only priority with PFC.
std::optional<std::size_t> lossless_priority(const Port& port) {
    if (!port.pfc) return std::nullopt;
    std::optional<std::size_t> out;
    for (std::size_t i = 0; i < kPriorities; ++i) {
        if (((unsigned{port.pfc->priorities} >> i) & 1U) == 0) continue;
        if (out) return std::nullopt;
        out = i;
    }
    return out;
}

std::uint64_t share_of(const Port& port, std::size_t priority) {
    if (!port.ets) return 0;
    return port.ets->bandwidth.at(port.ets->traffic_class.at(priority) % kPriorities);
}

/// What congestion notifications could be on the port: each code point that is mapped to another
/// priority, or, where no code point means anything, each other priority; then nothing.
std::vector<std::optional<Intent::Cnp>> notifications(const Port& port, const Intent& intent) {
    std::vector<std::optional<Intent::Cnp>> out;
    const auto add = [&](std::uint64_t priority, std::uint64_t dscp) {
        if (priority == intent.priority.value || dscp == intent.dscp.value) return;
        if (priority >= kPriorities || dscp >= kCodePoints) return;
        out.emplace_back(preset().cnp);
        out.back()->priority.value = priority;
        out.back()->dscp.value = dscp;
    };
    if (trusts_tag(intent))
        for (std::uint64_t other = 0; other < kPriorities; ++other)
            add(other, preset().cnp->dscp.value);
    if (port.app)
        for (const AppEntry& entry : port.app->entries)
            if (entry.selector == AppEntry::dscp) add(entry.priority, entry.protocol);
    out.emplace_back(std::nullopt);
    return out;
}

/// Whether all that follows from the intent is so on the port.
bool fits(const Intent& intent, const Port& port) {
    DesiredValues derived = derive(intent, driver_of(port));
    DesiredState desired_values{
        .ports = {port.name}, .desired_values = std::move(derived.desired_values), .exact = {}};
    for (Desired& desired : desired_values.desired_values) {
        desired.port = port.name;
        if (!desired.optional && reachable(port, desired) && !holds(port, desired)) return false;
    }
    for (Exact& exact : derived.exact) {
        exact.port = port.name;
        desired_values.exact.push_back(std::move(exact));
    }
    return satisfied(make_plan(desired_values, State{.host = {}, .ports = {port}}));
}

}  // namespace

std::optional<Intent> intent_of(const Port& port) {
    const std::optional<std::size_t> priority = lossless_priority(port);
    if (!priority || !port.cm_defaults) return std::nullopt;
    Intent out = preset();
    out.priority.value = *priority;
    out.dscp.value = unsigned{port.cm_defaults->tos} >> 2U;
    out.ecn.value = (port.cm_defaults->tos & 3U) == 2 ? 1 : 0;
    if (const std::uint64_t share = share_of(port, *priority); share > 0 && share < 100)
        out.bandwidth.value = share;
    if (element_of(port, *find_field("dscp.trust"), "") == Value(std::string("pcp")))
        out.trust.value = kTagTrusted;
    for (std::optional<Intent::Cnp>& cnp : notifications(port, out)) {
        out.cnp = std::move(cnp);
        if (fits(out, port)) return out;
    }
    return std::nullopt;
}

}  // namespace core

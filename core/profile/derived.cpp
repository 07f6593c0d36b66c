// SPDX-License-Identifier: Apache-2.0
#include "core/profile/derived.hpp"
#include "core/model/tos.hpp"

#include <algorithm>

namespace core {
namespace {

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
    constexpr std::uint64_t code_points = 64;
    const std::uint64_t ordinary = ordinary_priority(intent, others);
    for (std::uint64_t dscp = 0; dscp < code_points; ++dscp) {
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
    if (driver.ecn.back_ends.empty()) return;
    if (intent.ecn.value != 0) desired("ecn.react", ecn, true, priority);
    if (intent.ecn.value != 0 && has_file_of(driver, "ecn.marking"))
        desired("ecn.marking", ecn, true, "");
    if (!intent.cnp) return;
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
    desired("dcbx.mode", intent.origin, std::string("host"));
    desired("pause.rx", priority, false);
    desired("pause.tx", priority, false);
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

}  // namespace core

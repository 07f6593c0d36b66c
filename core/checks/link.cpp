// SPDX-License-Identifier: Apache-2.0
#include "core/checks/checks.hpp"
#include "core/checks/growth.hpp"
#include "core/model/finding_names.hpp"
#include "core/objects/link/parts.hpp"

namespace core {
namespace {

constexpr std::array<Keys, 1> kSpeed = {"speed"};
constexpr std::array<Keys, 1> kOffered = {"link.offered"};
constexpr std::array<Keys, 1> kFecActive = {"link.fec_active"};
constexpr std::array<Keys, 1> kDowns = {"carrier_down_count"};
constexpr std::array<Keys, 1> kDeviceDowns = {"link_state.losses"};
constexpr std::array<Keys, 1> kMtuAlone = {"mtu"};
constexpr std::array<Keys, 3> kMtuAndMost = {"mtu", "rdma.max_mtu", "rdma.device"};
constexpr std::array<Ids, 1> kIsUp = {"port-down"};
constexpr std::array<Ids, 2> kHasLink = {"port-down", "no-carrier"};

std::string gigabits(std::uint32_t megabits) {
    constexpr std::uint32_t thousand = 1000;
    return megabits % thousand == 0 ? std::to_string(megabits / thousand) + " Gb/s"
                                    : std::to_string(megabits) + " Mb/s";
}

/// A port of the fabric with the same driver whose link is faster than this one's could be; null
/// where there is none.
const Port* faster_sibling(const Evidence& evidence) {
    const Port& now = *evidence.now;
    for (const Port* port : evidence.host_fabric->ports)
        if (const auto speed = speed::known(*port);
            speed && *speed > *now.speed && can_have_speed(now, *speed) && port->device &&
            now.device && port->device->driver == now.device->driver)
            return port;
    return nullptr;
}

/// Where too few ports are alike to say which speed is the usual one, one counts that another port
/// has and this one could have.
Faults slower_than_siblings(const Evidence& evidence) {
    // What the profile says of it is held against the link by itself.
    if (find_desired(evidence, "speed") != nullptr) return {};
    const auto of = [](const Port& port) { return speed::known(port); };
    const auto most = usual(evidence, of);
    const std::uint32_t speed = *evidence.now->speed;
    const std::string has = "the link has " + gigabits(speed);
    if (most && *most > speed)
        return fault(has + ", " + siblings_words(evidence) + " have " + gigabits(*most));
    if (most) return {};
    const Port* faster = faster_sibling(evidence);
    if (faster == nullptr) return {};
    return fault(has + ", " + faster->name + " of its kind has " + gigabits(*faster->speed) +
                 ", which this port could have too");
}

Faults fec_of_siblings(const Evidence& evidence) {
    const auto of = [](const Port& port) {
        return port.fec && !port.fec->active.empty() ? std::optional(port.fec->active)
                                                     : std::nullopt;
    };
    const auto most = usual(evidence, of);
    const std::string& active = evidence.now->fec->active;
    if (!most || active == *most) return {};
    return fault("forward error correction in use is " + active + ", " + siblings_words(evidence) +
                 " have " + *most);
}

std::string times(std::uint64_t count) {
    return std::to_string(count) + (count == 1 ? " time" : " times");
}

/// A port that is set down lets go of its link, and loses none. A link that comes back at once is
/// lost to the device, and not to the kernel.
Faults flapping(const Evidence& evidence) {
    const Port& now = *evidence.now;
    const Port& before = *evidence.before;
    if (!before.link) return {};
    const std::uint64_t went =
        counted_since(before.link->carrier_down_count, now.link->carrier_down_count);
    const std::uint64_t lost = went - std::min(went, evidence.set_down);
    if (lost != 0) return fault("the link was lost " + times(lost) + " since the earlier reading");
    if (!now.link_state || !before.link_state || !now.link_state->losses ||
        !before.link_state->losses)
        return {};
    const std::uint64_t seen = counted_since(*before.link_state->losses, *now.link_state->losses);
    if (seen <= evidence.set_down) return {};
    return fault("the device saw the link go " + times(seen - evidence.set_down) +
                 " since the earlier reading, each time too briefly for the kernel");
}

/// The largest RDMA MTU that the device can do does not fit.
Faults mtu_below_most(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const std::uint32_t mtu = port.link->mtu;
    const std::string_view type = port.rdma_link->type;
    const auto gives = [&](std::uint32_t size) { return rdma_mtu(*evidence.driver, type, size); };
    const std::uint32_t most = port.active_mtu->max;
    if (gives(mtu) >= most || is_desired(evidence, "mtu", std::uint64_t{mtu})) return {};
    constexpr std::uint32_t usual_mtu = 9000;
    const std::uint32_t room =
        port.link->mtu_max == 0 ? usual_mtu : std::min(usual_mtu, port.link->mtu_max);
    if (gives(room) <= gives(mtu)) return {};
    const Desired* desired = find_desired(evidence, "mtu");
    const Value wanted =
        desired != nullptr && desired->value ? *desired->value : Value(std::uint64_t{room});
    return fault("MTU " + std::to_string(mtu) + " gives an RDMA MTU of " +
                     std::to_string(gives(mtu)) + ", the device can do " + std::to_string(most),
                 fixed(port, "mtu", wanted));
}

Faults mtu_of_siblings(const Evidence& evidence) {
    const Port& port = *evidence.now;
    const auto of = [](const Port& each) {
        return each.link ? std::optional(each.link->mtu) : std::nullopt;
    };
    const auto most = usual(evidence, of);
    if (!most || *most == port.link->mtu ||
        is_desired(evidence, "mtu", std::uint64_t{port.link->mtu}))
        return {};
    return fault("MTU is " + std::to_string(port.link->mtu) + ", " + siblings_words(evidence) +
                     " have " + std::to_string(*most),
                 fixed(port, "mtu", std::uint64_t{*most}));
}

constexpr std::array<Ids, 3> kOfLostLink = {"out-of-sequence", "ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 2> kOfLostPackets = {"ack-timeouts", "retries-exhausted"};
constexpr std::array<Ids, 3> kOfMtu = {"mtu-of-siblings", "mtu-small", "mtu-headers"};

constexpr std::array kRowsLink = {
    FindingRow{
        .id = "link-flapping",
        .why = "Each loss of the link ends the connections on it, minutes later for some.",
        .remedy = "clean or replace the cable or module; swap ports to tell which side it is",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kDowns, .before = true, .beside = kDeviceDowns, .sound = kIsUp},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfLostLink,
                  .ruled_out_by = "the port was set down, or its driver loaded, in that time; "
                                  "that it was set down is seen with --window and --watch",
                  .test = "rocectl doctor --window 60s --only link-flapping"},
        .run = flapping},
    FindingRow{
        .id = "speed-of-siblings",
        .why = "A rail that is slower than the others slows down every collective operation.",
        .remedy = "the cable, the module and the speed that the switch port offers",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kSpeed, .beside = kOffered, .sound = kHasLink},
        .examines = CheckTarget::port,
        .cause = {.ruled_out_by = "the port is meant to be slower: link.speed says so"},
        .run = slower_than_siblings},
    FindingRow{.id = "fec-of-siblings",
               .level = FindingLevel::note,
               .why = "Ports of one kind with different error correction have different error "
                      "rates and latencies, and links at 50 Gb/s a lane need rs.",
               .remedy = "link.fec, the same at the switch",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kFecActive, .sound = kHasLink},
               .examines = CheckTarget::port,
               .run = fec_of_siblings},
    FindingRow{
        .id = "mtu-low",
        .why = "RDMA packets carry the largest of 256, 512, 1024, 2048 and 4096 bytes that "
               "fits the port's MTU; smaller packets cost bandwidth and packet rate.",
        .remedy = "mtu 4200 or more, on the switches too",
        .manual = "rocectl-doctor(8), DESCRIPTION",
        .needs = {.keys = kMtuAndMost},
        .examines = CheckTarget::port,
        .cause = {.explains = kOfMtu,
                  .ruled_out_by = "the fabric is meant to have this MTU: the profile says so"},
        .run = mtu_below_most},
    FindingRow{.id = "mtu-of-siblings",
               .level = FindingLevel::note,
               .why = "Where two ends have different MTUs, packets that are too large for one are "
                      "lost without a word.",
               .remedy = "mtu, the same on all ports of the fabric",
               .manual = "rocectl-doctor(8), DESCRIPTION",
               .needs = {.keys = kMtuAlone},
               .examines = CheckTarget::port,
               .cause = {.explains = kOfLostPackets},
               .run = mtu_of_siblings},
};

constexpr auto kAllLink = [] {
    constexpr auto own = each_of(kRowsLink);
    std::array<const FindingRow*, own.size() + 2> out{&findings::module_alarm,
                                                      &findings::module_warning};
    std::ranges::copy(own, out.begin() + 2);
    return out;
}();

}  // namespace

const FindingGroup finding_group::link{
    .name = "link",
    .doc = "Whether ports carry packets, of what size and how fast.",
    .rows = kAllLink};

}  // namespace core

// SPDX-License-Identifier: Apache-2.0
#include "core/probe/path_mtu.hpp"

#include <algorithm>

namespace core::probe {
namespace {

constexpr std::uint32_t kLeast4 = 576;   ///< what each host takes, RFC 791
constexpr std::uint32_t kLeast6 = 1280;  ///< what each link carries, RFC 8200

std::string direction_text(const PathMtu& path, std::uint32_t found, const char* way) {
    const std::uint32_t ports = std::min(path.here, path.peer);
    const std::string bytes = std::to_string(found);
    std::string out;
    if (found >= ports) return out;
    if (found == 0)
        return std::string("no UDP datagram arrives on the way ") + way +
               ", so that nothing is known of it: look for a firewall that drops UDP\n";
    out = "IP packets over " + bytes + " bytes vanish on the way " + way;
    out += path.here == path.peer ? ", though both ports say " + std::to_string(ports)
                                  : ", though the ports say " + std::to_string(path.here) +
                                        " here and " + std::to_string(path.peer) + " there";
    if (path.needed > found)
        out += "; the RDMA MTU has packets of up to " + std::to_string(path.needed) +
               ": a switch port between the two has a smaller MTU";
    else if (path.needed != 0)
        out += "; RDMA, with packets of up to " + std::to_string(path.needed) +
               ", passes, and what else sends packets that long does not";
    return out + '\n';
}

}  // namespace

std::uint32_t longest_packet(std::uint32_t rdma_mtu, bool ipv6) {
    return (ipv6 ? 40U : 20U) + 8 + 12 + 16 + 4 + rdma_mtu + 4;
}

bool carries_rdma(const PathMtu& path) {
    return path.failure.empty() && path.out != 0 && path.back != 0 && path.out >= path.needed &&
           path.back >= path.needed;
}

std::string words_of(const PathMtu& path) {
    if (!path.failure.empty()) return path.failure + '\n';
    return direction_text(path, path.out, "from this host to the peer") +
           direction_text(path, path.back, "from the peer to this host");
}

PathSearch::PathSearch(std::uint32_t ports, bool ipv6)
    : least_(std::min(ports, ipv6 ? kLeast6 : kLeast4)), lost_(ports + 1) {}

std::optional<std::uint32_t> PathSearch::next() const {
    if (arrived_ + 1 >= lost_ || lost_ <= least_) return std::nullopt;
    if (!asked_) return lost_ - 1;
    if (arrived_ == 0) return least_;
    return arrived_ + (lost_ - arrived_) / 2;
}

void PathSearch::tell(std::uint32_t size, bool arrived) {
    asked_ = true;
    if (arrived)
        arrived_ = std::max(arrived_, size);
    else
        lost_ = std::min(lost_, size);
}

namespace {

/// InfiniBand Architecture 9.2: of fewer bytes none is too large for a packet.
constexpr std::uint64_t kLeastMtu = 256;

std::string bytes(std::uint64_t number) {
    return std::to_string(number) + (number == 1 ? " byte" : " bytes");
}

}  // namespace

std::optional<LostWords> words_of(const LostMessage& lost) {
    if (lost.carried >= lost.size)
        return LostWords{
            .failure = lost.operation + " of " + bytes(lost.size) + ": " + lost.why,
            .advice =
                bytes(lost.carried) +
                " passed the same way before, so that it is not the size: packets are lost now "
                "and then, or those of this operation; look at what the switch ports between "
                "the two drop, and at rocectl doctor on both hosts"};
    if (lost.passed < kLeastMtu) return std::nullopt;
    return LostWords{
        .failure = lost.operation + ": " + bytes(lost.passed) + " pass, " + bytes(lost.size) +
                   " do not (" + lost.why + ")",
        .advice = "packets of more than " + bytes(lost.passed) +
                  " of payload are lost: compare the MTU of both ports and of each switch port "
                  "between them; rocectl doctor shows the MTU chain of a host"};
}

}  // namespace core::probe

// SPDX-License-Identifier: Apache-2.0
#include "core/probe/lost_message.hpp"

namespace core::probe {
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

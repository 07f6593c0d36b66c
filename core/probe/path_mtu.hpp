// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace core::probe {

/// The longest IP packets that a path carries, found by sending some; all in bytes.
struct PathMtu {
    std::uint32_t here = 0;    ///< MTU of this host's port
    std::uint32_t peer = 0;    ///< and of the peer's
    std::uint32_t out = 0;     ///< the longest that arrived at the peer; 0: none
    std::uint32_t back = 0;    ///< the longest that arrived here
    std::uint32_t needed = 0;  ///< for the longest packet of the RDMA MTU; 0: unknown
    std::string failure{};     ///< why nothing was found
};

/// The longest IP packet of RoCE v2 with an RDMA MTU (InfiniBand Architecture 9.2, Annex A17): IPv4
/// or IPv6, UDP 8, BTH 12, RETH 16 and immediate data 4 of a write in one packet, ICRC 4.
std::uint32_t longest_packet(std::uint32_t rdma_mtu, bool ipv6);

/// Whether packets of RDMA and of what the ports say both pass; what is wrong is in `words_of`.
bool carries_rdma(const PathMtu& path);
/// What a person should know of it, one sentence a line; empty where all that the ports say passes.
std::string words_of(const PathMtu& path);

/// Which size to try next: the ports' MTU, the least that IP carries, and then halves.
class PathSearch {
public:
    PathSearch(std::uint32_t ports, bool ipv6);
    /// Nothing where it is found.
    [[nodiscard]] std::optional<std::uint32_t> next() const;
    void tell(std::uint32_t size, bool arrived);
    /// The longest packet that arrived; 0: none.
    [[nodiscard]] std::uint32_t found() const { return arrived_; }

private:
    std::uint32_t least_;
    std::uint32_t arrived_ = 0;
    bool asked_ = false;
    std::uint32_t lost_;  ///< the shortest that did not, or that nobody sends
};

/// A message that the path lost, and the sizes that passed; all sizes in bytes.
struct LostMessage {
    std::string operation{};  ///< "send", "write with immediate"
    std::uint64_t size = 0;
    std::uint64_t passed = 0;   ///< the largest of the same operation; 0 where none did
    std::uint64_t carried = 0;  ///< the largest of any operation whose data goes the same way
    std::string why{};          ///< how the loss was seen
};

/// The failure found, and advice on it.
struct LostWords {
    std::string failure{};
    std::string advice{};
};

/// Whether the size is what loses it: so it is where no larger message went the same way and
/// smaller ones did, from the smallest RDMA MTU of 256 bytes on. Nothing where no more can be said
/// than that nothing passes.
std::optional<LostWords> words_of(const LostMessage& lost);

}  // namespace core::probe

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/objects/rows.hpp"

// Which messages a change to the addresses of a port is, and what goes with an address.

namespace core::addresses {

bool share_network(const Address& one, const Address& other) {
    constexpr unsigned of_two = 31;
    const auto holds = [](const Address& address, const Ip& ip) {
        return address.prefix_length < of_two &&
               contains({.ip = address.ip, .length = address.prefix_length}, ip);
    };
    return !one.ip.v6 && !other.ip.v6 && (holds(one, other.ip) || holds(other, one.ip));
}

Prefix network_of(const Address& address) {
    return network({.ip = address.ip, .length = address.prefix_length});
}

void lose(Port& port, const std::function<bool(const Ip&)>& gone) {
    if (!port.addresses) return;
    std::erase_if(*port.addresses, [&](const Address& address) { return gone(address.ip); });
    std::erase_if(port.addresses_beyond,
                  [&](const AddressBeyond& beyond) { return gone(beyond.ip); });
}

namespace {

using AddressEdit = Edit<Address>;
using Stated = std::set<std::pair<Ip, std::uint8_t>>;

Stated stated(const std::vector<Address>& addresses) {
    Stated out;
    for (const Address& address : addresses)
        out.emplace(address.ip, address.prefix_length);
    return out;
}

/// The addresses of a port while some of them are taken, one after the other.
class Taking {
public:
    explicit Taking(const std::vector<Address>& addresses)
        : addresses_(addresses), there_(addresses.size(), true) {
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            by_ip_[addresses[i].ip].push_back(i);
            by_network_[network_of(addresses[i])].insert(i);
            if (!addresses[i].ip.v6) ++v4_;
        }
    }

    /// Takes the address where it is there, and the IPv4 secondaries of the same network where it
    /// is their primary (promote_secondaries is off by default).
    void take(const Ip& ip) {
        const auto [here, any] = first_of(ip);
        if (!any) return;
        const Prefix network = network_of(addresses_[here]);
        const std::set<std::size_t>& same = by_network_.at(network);
        std::vector<std::size_t> lost = {here};
        if (!ip.v6 && *same.begin() == here)
            lost.insert(lost.end(), std::next(same.begin()), same.end());
        for (const std::size_t i : lost)
            lose(addresses_[i].ip);
        if (by_network_.at(network).empty()) unconnected_.insert(network);
        if (!ip.v6) took_v4_ = true;
        took_any_ = true;
    }

    [[nodiscard]] bool is_lost(const Ip& ip) const { return lost_.contains(ip); }
    /// Of the connected route of a network that has no address any more.
    [[nodiscard]] bool is_unconnected(const Prefix& network) const {
        return unconnected_.contains(network);
    }
    /// With the last IPv4 address goes all of IPv4.
    [[nodiscard]] bool no_v4_routes() const { return took_any_ && v4_ == 0; }
    [[nodiscard]] bool no_v4_neighbours() const { return took_v4_ && v4_ == 0; }

private:
    [[nodiscard]] std::pair<std::size_t, bool> first_of(const Ip& ip) const {
        const auto known = by_ip_.find(ip);
        if (known != by_ip_.end())
            for (const std::size_t i : known->second)
                if (there_[i]) return {i, true};
        return {0, false};
    }

    void lose(const Ip& ip) {
        lost_.insert(ip);
        for (const std::size_t i : by_ip_.at(ip)) {
            if (!there_[i]) continue;
            there_[i] = false;
            by_network_.at(network_of(addresses_[i])).erase(i);
            if (!ip.v6) --v4_;
        }
    }

    const std::vector<Address>& addresses_;
    std::vector<bool> there_;
    std::map<Ip, std::vector<std::size_t>> by_ip_{};
    std::map<Prefix, std::set<std::size_t>> by_network_{};  ///< those that are there, in order
    std::size_t v4_ = 0;
    std::set<Ip> lost_{};
    std::set<Prefix> unconnected_{};
    bool took_any_ = false;
    bool took_v4_ = false;
};

}  // namespace

/// The kernel's doing is in net/ipv4/devinet.c __inet_del_ifa, fib_frontend.c fib_del_ifaddr and
/// fib_disable_ip.
void take(Port& port, const std::vector<Ip>& gone) {
    const std::vector<Address> before = *port.addresses;
    Taking taking(before);
    for (const Ip& ip : gone)
        taking.take(ip);
    lose(port, [&](const Ip& ip) { return taking.is_lost(ip); });
    routes::lose(port, [&](const Route& route) {
        const bool from_lost = route.source && taking.is_lost(*route.source);
        const bool connected = !route.via && route.protocol == 2 && taking.is_unconnected(route.to);
        return from_lost || connected || (!route.to.ip.v6 && taking.no_v4_routes());
    });
    if (taking.no_v4_neighbours()) neighbours::lose(port, [](const Ip& ip) { return !ip.v6; });
}

std::vector<AddressEdit> edits(const std::vector<Address>& now, const std::vector<Address>& then) {
    std::vector<AddressEdit> edits;
    const Stated before = stated(now);
    const Stated after = stated(then);
    for (const Address& address : now)
        if (!after.contains({address.ip, address.prefix_length}))
            edits.push_back({AddressEdit::Kind::remove, address});
    for (const Address& address : then)
        if (!before.contains({address.ip, address.prefix_length}))
            edits.push_back({AddressEdit::Kind::add, address});
    return edits;
}

}  // namespace core::addresses

// SPDX-License-Identifier: Apache-2.0
#include "dcb/codecs.hpp"

#include <algorithm>
#include <array>

#include "dcb/exchange.hpp"
#include "netlink/codec.hpp"

namespace dcb {
namespace {

using core::Object;
using core::Objects;

/// What an object of the port takes of the answer.
struct Part {
    Object object;
    void (*fill)(const Ieee& ieee, core::Port& port);
};

/// Fills a part from its structure; where that is absent, the port has no such part.
template <auto member, auto part>
void fill(const Ieee& ieee, core::Port& port) {
    if (ieee.*member) port.*part = from_wire(*(ieee.*member));
}

constexpr std::array kParts = {
    Part{Object::ets, fill<&Ieee::ets, &core::Port::ets>},
    Part{Object::maxrate, fill<&Ieee::maxrate, &core::Port::maxrate>},
    Part{Object::pfc, fill<&Ieee::pfc, &core::Port::pfc>},
    Part{Object::buffer, fill<&Ieee::buffer, &core::Port::buffer>},
    Part{Object::app, [](const Ieee& ieee, core::Port& port) { port.app = ieee.app; }},
    Part{Object::rewrite, [](const Ieee& ieee, core::Port& port) { port.rewrite = ieee.rewrite; }}};
static_assert(std::ranges::equal(kParts, kOfIeee, {}, &Part::object));

netlink::Refused fill_ieee(netlink::Machine& machine, const Objects& wanted, core::Port& port) {
    Ieee ieee;
    netlink::Refused no = ask_ieee(machine, port.name, ieee);
    for (const Part& part : kParts)
        if (!no && wanted.contains(part.object)) part.fill(ieee, port);
    return no;
}

}  // namespace

void read_ieee(netlink::Machine& machine, const core::Scope& scope, core::State& state) {
    Objects wanted;
    for (const Object object : kOfIeee)
        if (scope.objects.contains(object)) wanted.insert(object);
    netlink::PairsRefuse pairs;
    for (core::Port& port : state.ports)
        pairs.ask(port, wanted, [&] { return fill_ieee(machine, wanted, port); });
}

}  // namespace dcb

// SPDX-License-Identifier: Apache-2.0
#include "dcb/ieee.hpp"

#include "dcb/app.hpp"
#include "dcb/buffer.hpp"
#include "dcb/ets.hpp"
#include "dcb/exchange.hpp"
#include "dcb/maxrate.hpp"
#include "dcb/pfc.hpp"
#include "dcb/rewrite.hpp"

namespace dcb {
namespace {

using core::Object;
using core::Objects;

void fill_ieee(netlink::Machine& machine, const Objects& wanted, core::Port& port) {
    const Ieee ieee = get_ieee(machine, port.name);
    if (ieee.ets && wanted.contains(Object::ets)) port.ets = from_wire(*ieee.ets);
    if (ieee.maxrate && wanted.contains(Object::maxrate)) port.maxrate = from_wire(*ieee.maxrate);
    if (ieee.pfc && wanted.contains(Object::pfc)) port.pfc = from_wire(*ieee.pfc);
    if (ieee.buffer && wanted.contains(Object::buffer)) port.buffer = from_wire(*ieee.buffer);
    if (wanted.contains(Object::app)) port.app = ieee.app;
    if (wanted.contains(Object::rewrite)) port.rewrite = ieee.rewrite;
}

}  // namespace

void read_ieee(netlink::Machine& machine, const core::Scope& scope, core::State& state) {
    Objects wanted;
    for (const Object object : kOfIeee)
        if (scope.objects.contains(object)) wanted.insert(object);
    for (core::Port& port : state.ports)
        netlink::attempt(port, wanted, [&] { fill_ieee(machine, wanted, port); });
}

}  // namespace dcb

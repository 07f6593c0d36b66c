// SPDX-License-Identifier: Apache-2.0
#include "dcb/sources.hpp"

#include <algorithm>
#include <iterator>

#include "dcb/app.hpp"
#include "dcb/buffer.hpp"
#include "dcb/dcbx.hpp"
#include "dcb/ets.hpp"
#include "dcb/exchange.hpp"
#include "dcb/maxrate.hpp"
#include "dcb/pfc.hpp"
#include "dcb/rewrite.hpp"

namespace dcb {
namespace {

using core::Object;
using core::Objects;

/// What one DCB_CMD_IEEE_GET answers.
const Objects kOfIeee = {Object::ets,    Object::maxrate, Object::pfc,
                         Object::buffer, Object::app,     Object::rewrite};

void fill_ieee(netlink::Host& host, const Objects& wanted, core::Port& port) {
    const Ieee ieee = get_ieee(host, port.name);
    if (ieee.ets && wanted.contains(Object::ets)) port.ets = from_wire(*ieee.ets);
    if (ieee.maxrate && wanted.contains(Object::maxrate)) port.maxrate = from_wire(*ieee.maxrate);
    if (ieee.pfc && wanted.contains(Object::pfc)) port.pfc = from_wire(*ieee.pfc);
    if (ieee.buffer && wanted.contains(Object::buffer)) port.buffer = from_wire(*ieee.buffer);
    if (wanted.contains(Object::app)) port.app = ieee.app;
    if (wanted.contains(Object::rewrite)) port.rewrite = ieee.rewrite;
}

Objects among(const Objects& wanted, const Objects& objects) {
    Objects both;
    std::ranges::set_intersection(wanted, objects, std::inserter(both, both.end()));
    return both;
}

void read_dcb(netlink::Host& host, const core::Scope& scope, core::State& state) {
    const Objects& wanted = scope.objects;
    const Objects of_ieee = among(wanted, kOfIeee);
    const Objects of_dcbx = among(wanted, {Object::dcbx});
    for (core::Port& port : state.ports) {
        if (!of_ieee.empty())
            netlink::attempt(port, of_ieee, [&] { fill_ieee(host, wanted, port); });
        if (!of_dcbx.empty())
            netlink::attempt(port, of_dcbx, [&] { port.dcbx = read_dcbx(host, port.name); });
    }
}

}  // namespace

std::vector<netlink::Source> sources() {
    Objects fills = kOfIeee;
    fills.insert(Object::dcbx);
    return {{.fills = fills, .read = read_dcb}};
}

std::vector<netlink::Writer> writers() {
    return {
        {.object = Object::dcbx, .write = write_dcbx},
        {.object = Object::ets, .write = write_ets},
        {.object = Object::maxrate, .write = write_maxrate},
        {.object = Object::pfc, .write = write_pfc},
        {.object = Object::buffer, .write = write_buffer},
        {.object = Object::app, .write = write_app},
        {.object = Object::rewrite, .write = write_rewrite},
    };
}

}  // namespace dcb

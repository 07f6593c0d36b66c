// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/reading.hpp"

#include <algorithm>
#include <iterator>

#include "core/model/glob.hpp"
#include "core/objects/ip/parts.hpp"

namespace core {
namespace {

/// The keys of the rows that were asked for and have this need.
Objects needed_for(const Inquiry& inquiry, bool Needs::*need) {
    Objects out;
    for (const FindingRow* row : doctor_rows())
        if (row->needs.*need && is_asked(*row, inquiry))
            for (const std::string_view key : row->needs.keys)
                out.insert(object_of(key));
    return out;
}

/// What is read of every port. Without a profile the default route tells which are not the
/// fabric's, and addresses which are its own though their RDMA device is gone; they tell, too,
/// which are in the networks of the fabric's, where that is looked at.
Objects of_all_ports(const Inquiry& inquiry) {
    Objects out = inventory();
    out.insert(object_of("rdma.device"));
    if (inquiry.desired_values == nullptr)
        for (const std::string_view key : {"routes", "addresses"})
            out.insert(object_of(key));
    if (!needed_for(inquiry, &Needs::of_networks).empty()) out.insert(object_of("addresses"));
    out.merge(needed_for(inquiry, &Needs::of_others));
    return out;
}

std::set<std::string> named_fabric(const State& state, const Inquiry& inquiry) {
    std::set<std::string> out;
    for (const Port& port : state.ports)
        if (may_be_of_fabric(port)) out.insert(port.name);
    for (const Port* port : fabric_ports(state, inquiry.desired_values))
        out.insert(port->name);
    if (inquiry.desired_values != nullptr)
        out.insert(inquiry.desired_values->ports.begin(), inquiry.desired_values->ports.end());
    return out;
}

/// The ports of the fabric, bonds on them and what bonds are made of, VLANs on all of these, what a
/// profile names, and the host.
std::vector<std::string> read_of(const State& state, std::set<std::string> fabric) {
    for (const Port& port : state.ports)
        if (port.link && !port.link->master.empty() && fabric.contains(port.name))
            fabric.insert(port.link->master);
    std::set<std::string> names = {std::string(kHost)};
    for (const Port& port : state.ports) {
        if (port.name == kHost) continue;
        const bool is_on =
            port.link && (fabric.contains(port.link->lower) || fabric.contains(port.link->master));
        if (is_on || fabric.contains(port.name)) names.insert(port.name);
    }
    std::vector<std::string> out;
    for (const std::string& name : names)
        out.push_back(name == kHost ? name : literal(name));
    return out;
}

/// Ports outside the fabric that share a network with a fabric port.
std::vector<std::string> beside(const State& state, const std::set<std::string>& fabric) {
    std::vector<Address> addresses;
    for (const Port& port : state.ports)
        if (port.addresses && fabric.contains(port.name))
            addresses.insert(addresses.end(), port.addresses->begin(), port.addresses->end());
    std::vector<std::string> out;
    for (const Port& port : state.ports)
        if (port.addresses && !fabric.contains(port.name) &&
            std::ranges::any_of(*port.addresses, [&](const Address& own) {
                return std::ranges::any_of(addresses, [&](const Address& other) {
                    return addresses::share_network(own, other);
                });
            }))
            out.push_back(literal(port.name));
    return out;
}

void add_all_settings(Objects& objects) {
    Objects all;
    for (const ObjectRow* row : core::objects())
        all.insert(row->object);
    erase_on_demand(all);
    objects.merge(all);
}

constexpr double kMilliseconds = 1000;

/// The scope of the count that shows whether a port was set down, for any port.
Scope link_notifications() {
    return {.ports = std::nullopt, .objects = {object_of("carrier_down_count")}};
}

using std::chrono::milliseconds;

/// How long what was counted is looked back at, and how far readings lie apart in that.
constexpr milliseconds kBack{10'000};
constexpr milliseconds kSampleApart{1'800};

}  // namespace

State read_host(Kernel& kernel, const Inquiry& inquiry, bool whole) {
    Objects examined = doctor_objects(inquiry);
    if (whole) add_all_settings(examined);
    const Objects first = of_all_ports(inquiry);
    State state = kernel.read({.ports = std::nullopt, .objects = first});
    Objects rest;
    std::ranges::set_difference(examined, first, std::inserter(rest, rest.end()));
    // What is compared as a whole is listed, and what the list lacks is asked for by name.
    const AskedNames named = doctor_elements(inquiry);
    const AskedNames instead = whole ? AskedNames{} : named;
    const std::set<std::string> fabric = named_fabric(state, inquiry);
    add_parts(state,
              kernel.read({.ports = read_of(state, fabric), .objects = rest, .elements = instead}),
              rest);
    Objects of_networks = needed_for(inquiry, &Needs::of_networks);
    std::erase_if(of_networks, [&](Object object) { return first.contains(object); });
    const auto names = of_networks.empty() ? std::vector<std::string>{} : beside(state, fabric);
    if (!names.empty())
        add_parts(state, kernel.read({.ports = names, .objects = of_networks}), of_networks);
    if (whole) add_asked(kernel, named, state);
    return state;
}

Objects counted_objects(const Inquiry& inquiry) {
    Objects out = inventory();
    out.insert(object_of("rdma.device"));
    const auto add = [&](std::string_view key) {
        const Object object = object_of(key);
        if (row_of(object).lives != Lives::host) out.insert(object);
    };
    for (const FindingRow* row : doctor_rows()) {
        if (!row->needs.before || !is_asked(*row, inquiry)) continue;
        for (const std::string_view key : row->needs.keys)
            add(key);
        for (const std::string_view key : row->needs.beside)
            add(key);
    }
    return out;
}

State read_counted(Kernel& kernel, const State& state, const Objects& counted) {
    std::vector<std::string> names;
    for (const Port& port : state.ports)
        if (port.name != kHost) names.push_back(literal(port.name));
    return kernel.read({.ports = names, .objects = counted});
}

void hear(Kernel& kernel, Earlier& earlier) {
    // Where there is no end of notifications, what was heard of them is what there is.
    constexpr int most = 100;
    for (int i = 0; i < most && kernel.wait(link_notifications(), std::chrono::milliseconds(0));
         ++i) {
    }
    add(earlier.set_down, kernel.notifications());
}

Earlier read_before(Kernel& kernel, const Inquiry& inquiry, std::chrono::milliseconds window,
                    unsigned samples) {
    constexpr std::chrono::milliseconds least(250);
    const Objects counted = counted_objects(inquiry);
    const auto start = kernel.time();
    const Scope links = link_notifications();
    static_cast<void>(kernel.wait(links, std::chrono::milliseconds(0)));  // from now on it listens
    Earlier out{.state = read_host(kernel, inquiry, false)};
    const auto apart = samples == 0 ? window : std::max(least, window / (samples + 1));
    auto next = apart;
    for (auto gone = kernel.time() - start; gone < window; gone = kernel.time() - start) {
        static_cast<void>(kernel.wait(links, std::min(window, next) - gone));
        add(out.set_down, kernel.notifications());
        gone = kernel.time() - start;
        if (gone < next || next + least / 2 > window) continue;
        out.samples.push_back({.state = read_counted(kernel, out.state, counted),
                               .seconds = static_cast<double>(gone.count()) / kMilliseconds});
        // What took longer than the time between two is left out.
        while (next <= kernel.time() - start)
            next += apart;
    }
    out.seconds = static_cast<double>((kernel.time() - start).count()) / kMilliseconds;
    return out;
}

double seconds_between(const State& earlier, const State& now) {
    const bool known = earlier.host.time != 0 && now.host.time > earlier.host.time;
    return known ? static_cast<double>(now.host.time - earlier.host.time) : 0;
}

void renew(State& state, const State& more, const Objects& objects) {
    for (const Port& from : more.ports) {
        Port* const to = find_port(state, from.name);
        if (to == nullptr) continue;
        for (const Object object : objects) {
            copy_part(object, from, *to);
            to->refused.erase(object);
            to->unknown.erase(object);
            if (from.unknown.contains(object)) to->unknown.insert(object);
        }
        to->refused.insert(from.refused.begin(), from.refused.end());
        mark_unread(*to);
    }
}

SampledHost::SampledHost(Kernel& kernel, Inquiry inquiry)
    : kernel_(kernel), inquiry_(std::move(inquiry)) {
    inquiry_.twice = true;
    counted_ = counted_objects(inquiry_);
}

void SampledHost::read_whole() {
    now_ = read_host(kernel_, inquiry_);
    keep_sample();
}

void SampledHost::read_counted() {
    renew(now_, core::read_counted(kernel_, now_, counted_), counted_);
    keep_sample();
}

void SampledHost::keep_sample() {
    read_at_ = kernel_.time();
    while (samples_.size() > 1 && read_at_ - samples_[1].time >= kBack)
        samples_.pop_front();
    if (!samples_.empty() && read_at_ - samples_.back().time < kSampleApart) return;
    Past sample{.time = read_at_, .state = {.host = now_.host}};
    for (const Port& port : now_.ports) {
        Port& kept = sample.state.ports.emplace_back(port.name);
        for (const Object object : counted_)
            copy_part(object, port, kept);
    }
    samples_.push_back(std::move(sample));
}

void SampledHost::hear() {
    add(inquiry_.set_down, kernel_.notifications());
}

Diagnosis SampledHost::diagnose(std::string today) {
    inquiry_.now = &now_;
    inquiry_.today = std::move(today);
    const Past& first = samples_.front();
    const bool is_earlier = first.time < read_at_;
    inquiry_.earlier = is_earlier ? &first.state : nullptr;
    inquiry_.seconds = std::chrono::duration<double>(read_at_ - first.time).count();
    return core::diagnose(inquiry_);
}

}  // namespace core
